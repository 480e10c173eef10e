// The messages of /say: who says what in which voice, how it is going, and what can be done with it.
import { type APIComponentInContainer, ButtonStyle, GuildMember } from 'discord.js';
import { type Accent, button, type CardMessage, card, cards, menu, row, text } from '../bot/cards.ts';
import { customId, limits } from '../bot/discord-limits.ts';
import type { Words } from '../locales/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { Outcome } from '../voice/types.ts';
import { handleOf } from '../voices/owners.ts';
import type { Plan, SayInteraction } from './plan.ts';
import { type VoiceOptions, voiceOptionsId } from './request.ts';
import { type Voice, voiceName } from './voices.ts';

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
}

/** An utterance in the queue. */
export interface Live {
  id: string;
  isPlaying: boolean;
}

/** How a reply's menu finds the text and the voice again. */
export interface Again extends VoiceOptions {
  ownerId: string;
  /** Key of the stored text; empty if the reply shows it as it was typed, null if it must not be repeated. */
  textKey: string | null;
}

/** @param live null once it has ended */
export function sayMessage(t: Words, view: SayView, live: Live | null): CardMessage {
  const { plan, speaker, voice } = view;
  const textKey = plan.showText ? (plan.textKey ?? '') : null;
  const voiceId = voice?.id ?? '';
  const isHidden = plan.hidden?.includes(voiceId) ?? false;
  const again = {
    ownerId: speaker.id,
    textKey,
    voice: isHidden ? handleOf(voiceId) : voiceId,
    speed: plan.speed,
    mood: plan.request.mood ?? null,
  };
  return sayCard(t, view, live ? liveButtons(t, live, again) : againControls(t, again));
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

/**
 * Asks the member before a large part of the credit is spent.
 * @param share of the balance, 0 to 1
 * @param output 's' for speech, 'f' for a file
 */
export function confirmMessage(t: Words, plan: Plan, share: number, output: 's' | 'f', channelId: string | null): CardMessage {
  const id = voiceOptionsId('say-confirm', [output, channelId ?? '', plan.textKey ?? ''], plan.request);
  const question = (id === null ? t.say.tooExpensive : t.say.confirm)(plan.spoken.length, share);
  const yes = id === null ? null : row(button(t.say.confirmButton, id, ButtonStyle.Primary));
  return cards(card('waiting', text(question), text(plan.shown), yes));
}

/** How an utterance that has ended did so. */
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
 * Stop and Skip while it plays, Cancel while it waits. Should the bot be killed, the menu that follows is made from the first one's
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

/** Stands in place of a text's key. */
export const HIDDEN = '-';

/** What can be done with a text that has ended: a menu `say-again:owner:manner:voice`; without its text only "Say more". */
export function againControls(t: Words, { ownerId, textKey, ...options }: Again) {
  const moreId = voiceOptionsId('say-more', [ownerId], options) ?? voiceOptionsId('say-more', [ownerId], { ...options, voice: null });
  if (textKey === null) return moreId === null ? null : row(button(t.say.sayMore, moreId));
  const id = voiceOptionsId('say-again', [ownerId], options) ?? voiceOptionsId('say-again', [ownerId], { ...options, voice: null });
  if (id === null) return null;
  return row(
    menu(id, t.say.moreMenu, [
      { label: t.say.replay, value: `replay:${textKey}` },
      { label: t.say.saveAsFile, value: `file:${textKey}` },
      { label: t.say.sayMore, value: 'more' },
      ...(textKey === '' ? [] : [{ label: t.say.showText, value: `show:${textKey}` }]),
    ]),
  );
}
