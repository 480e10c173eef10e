// The messages of /say: who says what in which voice, its state, and its controls.
import { type APIComponentInContainer, type APIMessage, ButtonStyle, GuildMember, type Message, userMention } from 'discord.js';
import {
  type Accent,
  asEdit,
  button,
  type CardMessage,
  card,
  cards,
  customId,
  file as fileCard,
  limits,
  menu,
  readButtonIds,
  readTexts,
  row,
  section,
  separator,
  text,
} from '../discord/cards.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { Outcome, QueueItem } from '../voice/types.ts';
import { handleOf } from '../voices/owners.ts';
import { type Plan, readShownText, type SayInteraction, type Voice, voiceName } from './plan.ts';
import { parseVoiceOptions, type VoiceOptions, voiceOptionsId } from './request.ts';

/** Stands between the facts of a card. */
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
export function sayMessage(t: Words, view: SayView, live: Live | null): CardMessage {
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

export function sayCard(t: Words, view: SayView, ...rest: (APIComponentInContainer | null)[]): CardMessage {
  const { speaker, plan, voice, status, channelId, note } = view;
  const facts = [
    asMarkdown(voiceName(voice, t), limits.choiceName),
    plan.speed === 1 ? null : t.say.speed(plan.speed),
    plan.request.mood ? t.commands.say.moods[plan.request.mood] : null,
    channelId ? t.say.inChannel(channelId) : null,
    plan.isCut ? t.say.shortened : null,
    status.sentence,
  ];
  return cards(
    card(
      status.accent,
      text(`**${asMarkdown(speaker.name, MAX_NAME) || '?'}**`),
      // The menu reads the text from here, by its position.
      text(plan.showText ? plan.shown : `-# ${t.say.textHidden}`),
      note ? text(`-# ${note}`) : null,
      text(`-# ${facts.filter((fact) => fact !== null).join(SEPARATOR)}`),
      ...rest,
    ),
  );
}

/** What a text becomes, as in custom_ids: 's' = speech in a voice channel, 'm' = a voice message, 'f' = a file. */
export type Output = 's' | 'm' | 'f';

/**
 * Asks the member before a large part of the credit is spent.
 * @param share of the balance, 0 to 1; null if it is small or unknown, but the member could expect the sound to be free
 */
export function confirmMessage(t: Words, plan: Plan, share: number | null, output: Output, channelId: string | null): CardMessage {
  const id = voiceOptionsId('say-confirm', [output, channelId ?? '', plan.textKey ?? ''], plan.request);
  const count = plan.spoken.length;
  const question =
    id === null ? t.say.tooExpensive(count, share ?? 0) : share === null ? t.say.confirmMaking(count) : t.say.confirm(count, share);
  const yes = id === null ? null : row(button(share === null ? t.say.makeButton : t.say.confirmButton, id, ButtonStyle.Primary));
  return cards(card('waiting', text(question), text(plan.shown), yes));
}

/** How an utterance has ended. */
export function outcomeStatus(
  t: Words,
  outcome: Exclude<Outcome, { ended: 'handed-over' }>,
  { fromCache, characters }: { fromCache: boolean; characters: number },
): Status {
  const { seconds } = outcome;
  if (outcome.ended === 'failed') return { accent: 'failed', sentence: seconds > 0 ? t.say.interrupted(seconds) : t.say.notSpoken };
  const isUnheard = outcome.ended !== 'played' && seconds === 0;
  if (isUnheard)
    return { accent: 'neutral', sentence: !fromCache && characters > 0 ? t.say.cancelledCharged(characters) : t.say.cancelled };
  const took = fromCache ? t.say.fromCache : characters > 0 ? t.say.characters(characters) : null;
  const end = { played: t.say.spoken(seconds), skipped: t.say.skipped, stopped: t.say.stopped }[outcome.ended];
  const sentence = [end, took].filter((part) => part !== null).join(SEPARATOR);
  return { accent: outcome.ended === 'played' ? 'done' : 'neutral', sentence };
}

/**
 * Stop and Skip while it plays, Cancel while it waits. If the bot is killed, the menu that replaces them is made from the first one's
 * custom_id: `say-stop:utterance:owner:textKey:manner:voice`, where a voice with a long id is left out.
 */
function liveButtons(t: Words, { id, isPlaying }: Live, { ownerId, textKey, ...options }: Again) {
  const prefix = isPlaying ? 'say-stop' : 'say-cancel';
  const parts = [id, ownerId, textKey ?? HIDDEN];
  const full =
    voiceOptionsId(prefix, parts, options) ?? voiceOptionsId(prefix, parts, { ...options, voice: null }) ?? customId(prefix, id, ownerId);
  return isPlaying
    ? row(button(t.say.stopButton, full), button(t.say.skipButton, customId('say-skip', id, ownerId)))
    : row(button(t.say.cancelButton, full));
}

/** Replaces the key of a text that must not be repeated. */
const HIDDEN = '-';

/** The controls of a text that has ended: a menu `say-again:owner:manner:voice`; without the text, only "Say more". */
function againControls(t: Words, { ownerId, textKey, hasVoiceChannel = true, ...options }: Again) {
  const moreId = voiceOptionsId('say-more', [ownerId], options) ?? voiceOptionsId('say-more', [ownerId], { ...options, voice: null });
  if (textKey === null) return moreId === null || !hasVoiceChannel ? null : row(button(t.say.sayMore, moreId));
  const id = voiceOptionsId('say-again', [ownerId], options) ?? voiceOptionsId('say-again', [ownerId], { ...options, voice: null });
  if (id === null) return null;
  return row(
    menu(id, t.say.moreMenu, [
      ...(hasVoiceChannel ? [{ label: t.say.replay, value: `replay:${textKey}` }] : []),
      { label: t.say.saveAsFile, value: `file:${textKey}` },
      { label: t.say.sendAsVoiceMessage, value: `message:${textKey}` },
      ...(hasVoiceChannel ? [{ label: t.say.sayMore, value: 'more' }] : []),
      ...(textKey === '' ? [] : [{ label: t.say.showText, value: `show:${textKey}` }]),
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
export function interruptedReply(message: SentMessage, t: Words) {
  return withoutLiveButtons(message, t, t.say.interruptedByRestart);
}

/**
 * The reply without the buttons that end its utterance, with a status unless one is known to follow. Null if it has no such buttons.
 */
export function withoutLiveButtons(message: SentMessage, t: Words, status: string | null) {
  const live = readButtonIds(message.components).find((id) => /^say-(skip|stop|cancel):/.test(id));
  if (live === undefined) return null;
  const again = readAgain(live);
  const texts = readTexts(message.components);
  const shown = status === null ? texts : [...texts.slice(0, -1), replaceLast(texts.at(-1) ?? '', status)];
  return asEdit(cards(card(status === null ? 'neutral' : 'failed', ...shown.map(text), again && againControls(t, again))));
}

function replaceLast(facts: string, status: string): string {
  return [...facts.split(SEPARATOR).slice(0, -1), status].join(SEPARATOR);
}

/** From `say-stop:utterance:owner:textKey:manner:voice`; null if the id had no room for it, or there is nothing to say again. */
function readAgain(id: string): Again | null {
  const [, , ownerId, textKey, ...options] = id.split(':');
  if (ownerId === undefined || textKey === undefined) return null;
  return { ...parseVoiceOptions(options), ownerId, textKey: textKey === HIDDEN ? null : textKey };
}

// The list of the queue: what is playing and how far it is, and what comes next.

/** With their buttons, ten items take 33 of the 40 components of a message. */
const PAGE_SIZE = 10;
const BAR_LENGTH = 16;
/** Seconds: less is not worth a number, because lengths are estimates. */
const ALMOST_DONE = 2;

/** One page of the queue; the last one if it has become shorter. @param canRemove whose texts have a button to remove them */
export function queueMessage(
  t: Words,
  items: readonly QueueItem[],
  wantedPage: number,
  canRemove: (item: QueueItem) => boolean,
): CardMessage {
  const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE));
  const page = Math.min(Math.max(1, Math.floor(wantedPage) || 1), pages);
  const shown = items.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const parts = shown.map((item) => {
    const lines = linesOf(t, item);
    if (!canRemove(item)) return [text(lines)];
    const id = customId('queue', 'remove', page, item.id);
    // The button is below the lines, so the progress bar fits on a phone.
    return item.playing ? [text(lines), row(button(t.say.skipButton, id))] : [section(button(t.queue.removeButton, id), lines)];
  });
  const playing = page === 1 ? (parts[0] ?? []) : [];
  const waiting = parts.slice(page === 1 ? 1 : 0).flat();
  const turners = [
    page > 1 ? button(t.general.previousPage, customId('queue', 'previous', page - 1)) : null,
    page < pages ? button(t.general.nextPage, customId('queue', 'next', page + 1)) : null,
  ];
  return cards(
    card(
      'speaking',
      ...(playing.length > 0 ? [text(`### ${t.queue.nowPlaying}`), ...playing] : []),
      ...(waiting.length > 0 ? [playing.length > 0 ? separator() : null, text(`### ${t.queue.upNext}`), ...waiting] : []),
      pages > 1 ? text(`-# ${t.queue.pageOf(page, pages)}`) : null,
      row(...turners),
    ),
  );
}

/** The lines of an item: at most 350 characters. */
function linesOf(t: Words, item: QueueItem): string {
  const { voice = null, text: said = null, seconds = null } = item.label ?? {};
  const facts = [userMention(item.memberId), asMarkdown(voice ?? t.say.defaultVoice, 60)];
  if (!item.playing && seconds !== null) facts.push(t.queue.lasts(seconds));
  const head = item.playing ? facts : [`**${item.position}.** ${facts[0]}`, ...facts.slice(1)];
  return [head.filter(Boolean).join(SEPARATOR), said, item.playing ? progressOf(t, item.sentSeconds, seconds) : null]
    .filter((line) => line !== null && line !== '')
    .join('\n');
}

function progressOf(t: Words, sent: number, seconds: number | null): string {
  if (sent === 0) return `-# ${t.queue.starting}`;
  if (seconds === null) return '';
  const left = seconds - sent;
  const filled = Math.min(BAR_LENGTH - 1, Math.floor((sent / Math.max(seconds, sent)) * BAR_LENGTH));
  const bar = `${'▬'.repeat(filled)}●${'─'.repeat(BAR_LENGTH - 1 - filled)}`;
  // The words first: screen readers name each glyph of a bar.
  return `-# ${left < ALMOST_DONE ? t.queue.almostDone : t.queue.timeLeft(left)}\n${bar}`;
}
