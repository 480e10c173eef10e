// The messages of /say: who says what in which voice, its state, and its controls; and what these read from a message.
import { type APIComponentInContainer, type APIMessage, channelMention, GuildMember, type Message } from 'discord.js';
import {
  type Accent,
  asEdit,
  button,
  type CardMessage,
  card,
  cards,
  file as fileCard,
  limits,
  menu,
  readButtonIds,
  readTexts,
  row,
  text,
} from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { handleOf } from '../voice-catalogue/owners.ts';
import { type Voice, voiceName } from '../voice-catalogue/voice-name.ts';
import type { Outcome } from '../voice-session/types.ts';
import type { SayInteraction, VoiceOptions } from './context.ts';
import { againId, cancelId, type LiveUtterance, sayMoreId, skipId, stopId } from './custom-ids.ts';
import type { Plan } from './plan.ts';
import { readShownText } from './shown-text.ts';

/** Separates the facts of a card. */
export const SEPARATOR = ' · ';
const MAX_NAME = 80;

/** The member, as shown in the server. */
export interface Speaker {
  id: string;
  name: string;
}

export function speakerOf({ user, member }: Pick<SayInteraction, 'user' | 'member'>): Speaker {
  return { id: user.id, name: member instanceof GuildMember ? member.displayName : user.displayName };
}

/** The first line of a card. */
export function speakerLine({ name }: Speaker) {
  return text(`**${asMarkdown(name, MAX_NAME) || '?'}**`);
}

export interface Status {
  accent: Accent;
  sentence: string;
}

export interface SayView {
  speaker: Speaker;
  plan: Plan;
  voice: Voice;
  status: Status;
  /** Id of the voice channel, if it was named. */
  channelId?: string | null | undefined;
  /** A small line below the text. */
  note?: string | null | undefined;
  /** Title of the voice that speaks in place of the default one. */
  standIn?: string | null | undefined;
  /** The part of the text that the voice leaves out. */
  leftOut?: string | null | undefined;
  /** Name of a file of the message. */
  file?: string | null | undefined;
  /** Whether a replay can be spoken in a voice channel; default true. */
  hasVoiceChannel?: boolean;
}

/** An utterance in the queue. */
export interface Live {
  id: string;
  isPlaying: boolean;
}

/** How the menu of a reply finds the text and the voice for a replay. */
export interface Again extends VoiceOptions {
  ownerId: string;
  /** Key of the stored text; empty if the reply shows it as it was typed, null if it must not be repeated. */
  textKey: string | null;
  /** See SayView; default true. */
  hasVoiceChannel?: boolean | undefined;
}

/** @param live null once it has ended */
export function sayMessage(t: Translator, view: SayView, live: Live | null): CardMessage {
  const { plan, speaker, voice, file, hasVoiceChannel } = view;
  const textKey = plan.showText ? (plan.textKey ?? '') : null;
  const voiceId = voice?.id ?? '';
  const isHidden = plan.hidden?.includes(voiceId) ?? false;
  const again = {
    ownerId: speaker.id,
    textKey,
    voice: isHidden ? handleOf(voiceId) : voiceId,
    speed: plan.speed,
    mood: plan.request.mood ?? null,
    hasVoiceChannel,
  };
  return sayCard(t, view, file ? fileCard(file) : null, live ? liveButtons(t, live, again) : againControls(t, again));
}

export function sayCard(t: Translator, view: SayView, ...rest: (APIComponentInContainer | null)[]): CardMessage {
  const { speaker, plan, voice, status, channelId, note, standIn, leftOut } = view;
  const facts = [
    asMarkdown(voiceName(voice, t), limits.choiceName),
    plan.speed === 1 ? null : t('say.speed', { factor: plan.speed }),
    plan.request.mood ? t(`commands.say.moods.${plan.request.mood}`) : null,
    channelId ? channelMention(channelId) : null,
    plan.isCut ? t('say.shortened') : null,
    status.sentence,
  ];
  return cards(
    card(
      status.accent,
      speakerLine(speaker),
      // The menu reads the text from here, by its position.
      text(plan.showText ? plan.shown : `-# ${t('say.textHidden')}`),
      note ? text(`-# ${note}`) : null,
      standIn ? text(`-# ${t('say.standIn', { usedVoice: standIn })}`) : null,
      leftOut ? text(`-# ${t('say.leftOut', { typed: leftOut })}`) : null,
      text(`-# ${facts.filter((fact) => fact !== null).join(SEPARATOR)}`),
      ...rest,
    ),
  );
}

/** How an utterance has ended. */
export function outcomeStatus(
  t: Translator,
  outcome: Exclude<Outcome, { ended: 'handed-over' }>,
  { fromCache, characters }: { fromCache: boolean; characters: number },
): Status {
  const { seconds } = outcome;
  if (outcome.ended === 'failed')
    return { accent: 'failed', sentence: seconds > 0 ? t('say.interrupted', { seconds }) : t('say.notSpoken') };
  const isUnheard = outcome.ended !== 'played' && seconds === 0;
  if (isUnheard)
    return {
      accent: 'neutral',
      sentence: !fromCache && characters > 0 ? t('say.cancelledCharged', { count: characters }) : t('say.cancelled'),
    };
  const took = fromCache ? t('say.fromCache') : characters > 0 ? t('say.characters', { count: characters }) : null;
  const end = { played: t('say.spoken', { seconds }), skipped: t('say.skipped'), stopped: t('say.stopped') }[outcome.ended];
  const sentence = [end, took].filter((part) => part !== null).join(SEPARATOR);
  return { accent: outcome.ended === 'played' ? 'done' : 'neutral', sentence };
}

/**
 * Stop and Skip while it plays, Cancel while it waits. If the bot is killed, the menu that replaces them is made from the first one's
 * custom_id, where a voice with a long id is left out.
 */
function liveButtons(t: Translator, { id: utterance, isPlaying }: Live, { ownerId, textKey, ...options }: Again) {
  const first = isPlaying ? stopId : cancelId;
  const whole = { utterance, ownerId, textKey: textKey ?? HIDDEN, options };
  const id =
    first.writeIfItFits(whole) ??
    first.writeIfItFits({ ...whole, options: { ...options, voice: null } }) ??
    first.write({ utterance, ownerId });
  return isPlaying
    ? row(button(t('say.stopButton'), id), button(t('say.skipButton'), skipId.write({ utterance, ownerId })))
    : row(button(t('say.cancelButton'), id));
}

/** Replaces the key of a text that must not be repeated. */
const HIDDEN = '-';

/** The controls of a text that has ended: a menu; without the text, only "Say more". */
function againControls(t: Translator, { ownerId, textKey, hasVoiceChannel = true, ...options }: Again) {
  const idOf = (id: typeof againId) =>
    id.writeIfItFits({ ownerId, options }) ?? id.writeIfItFits({ ownerId, options: { ...options, voice: null } });
  const moreId = idOf(sayMoreId);
  if (textKey === null) return moreId === null || !hasVoiceChannel ? null : row(button(t('say.sayMore'), moreId));
  const id = idOf(againId);
  if (id === null) return null;
  return row(
    menu(id, t('say.moreMenu'), [
      ...(hasVoiceChannel ? [{ label: t('say.replay'), value: `replay:${textKey}` }] : []),
      { label: t('say.saveAsFile'), value: `file:${textKey}` },
      { label: t('say.sendAsVoiceMessage'), value: `message:${textKey}` },
      ...(hasVoiceChannel ? [{ label: t('say.sayMore'), value: 'more' }] : []),
      ...(textKey === '' ? [] : [{ label: t('say.showText'), value: `show:${textKey}` }]),
    ]),
  );
}

// A reply of /say as Discord returns it, from which its menu and buttons read what they need.

export type SentMessage = Pick<APIMessage, 'components'>;

export function toSentMessage({ components }: Message): SentMessage {
  return { components: components.map((component) => component.toJSON()) };
}

/** The text of a reply that shows it as it was typed; null if there is none. */
export function readText({ components }: SentMessage): string | null {
  const shown = readTexts(components)[1];
  return shown === undefined ? null : readShownText(shown);
}

/** Corrects a reply whose process was killed with the utterance in its queue; null if the reply already says how that ended. */
export function interruptedReply(message: SentMessage, t: Translator) {
  return withoutLiveButtons(message, t, t('say.interruptedByRestart'));
}

/**
 * The reply without the buttons that end its utterance, and with this status; with null, another process or edit is about to set the
 * status. Returns null if the reply has no such buttons.
 */
export function withoutLiveButtons(message: SentMessage, t: Translator, status: string | null) {
  const [live] = readButtonIds(message.components).flatMap((id) => stopId.read(id) ?? cancelId.read(id) ?? skipId.read(id) ?? []);
  if (live === undefined) return null;
  const again = readAgain(live);
  const texts = readTexts(message.components);
  const shown = status === null ? texts : [...texts.slice(0, -1), replaceLast(texts.at(-1) ?? '', status)];
  return asEdit(cards(card(status === null ? 'neutral' : 'failed', ...shown.map(text), again && againControls(t, again))));
}

function replaceLast(facts: string, status: string): string {
  return [...facts.split(SEPARATOR).slice(0, -1), status].join(SEPARATOR);
}

/** Null if the custom_id had no room for the options, or there is nothing to say again. */
function readAgain({ ownerId, textKey, options }: LiveUtterance): Again | null {
  if (textKey === undefined) return null;
  return { ...(options ?? { voice: null, speed: null, mood: null }), ownerId, textKey: textKey === HIDDEN ? null : textKey };
}
