// Which voice speaks, and what happens if the service no longer has it.
import type { RepliableInteraction } from 'discord.js';
import { ApiError } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { joinSentences } from '../locales/format.ts';
import type { Words } from '../locales/index.ts';
import type { ChosenVoice, GuildSettings, MemberSettings } from '../settings/index.ts';
import { isUnknownVoice } from '../speech/index.ts';
import { asPlain } from '../text/untrusted-text.ts';
import { isHandle, type VoiceUser } from '../voices/owners.ts';
import { MAX_TITLE_LENGTH } from '../voices/titles.ts';
import { type UsableVoices, usableVoices } from '../voices/usable.ts';
import type { SayContext } from './context.ts';
import type { SayRequest } from './request.ts';

/** null = the service's default voice. */
export type Voice = ChosenVoice | null;

const MAX_RECENT = 10;
/** Titles named in place of one that nothing matches. */
export const CLOSEST = 3;

/** Which voices speak a text. */
export interface VoiceChoice {
  /** Tried in this order until the service has one. */
  voices: [Voice, ...Voice[]];
  /** The one that was chosen: the first of them, unless the member may not use it here any more. */
  wanted: Voice;
  /** Ids of those that members made: nobody else is to read them. */
  hidden?: string[];
}

/**
 * The voices to try: the one named, then those set for the member, the channel, the server and by the operator, then the service's default.
 * An id that was never seen is tried alone: it may be a typo, and the service's answer tells.
 * @throws UserError if the voice of a button isn't for this member; StoreError
 */
export async function voicesFor(
  { voice: wanted }: Pick<SayRequest, 'voice'>,
  chosenBy: { member: MemberSettings; guild: GuildSettings | null; channelId: string | null },
  { usable, defaultVoice }: { usable: Pick<UsableVoices, 'resolve' | 'accessOf'>; defaultVoice: string | null },
): Promise<VoiceChoice> {
  const { member, guild, channelId } = chosenBy;
  const known = [member.voice, ...member.recent, ...member.favourites];
  const find = async (id: string) => known.find((voice) => voice?.id === id && voice.title !== null) ?? usable.resolve(id);
  if (wanted === '') return { voices: [null], wanted: null };
  const named = wanted === null ? null : await find(wanted);
  if (named?.title === null && isHandle(named.id)) throw new UserError((t) => t.say.voiceNotHere);
  if (named?.title === null) return { voices: [named], wanted: named };
  const chosen = [
    named,
    member.voice,
    channelId === null ? null : guild?.channelVoices[channelId],
    guild?.voice,
    defaultVoice === null ? null : await find(defaultVoice),
  ].filter((voice) => voice !== null && voice !== undefined);
  const different = chosen.filter(({ id }, index) => chosen.findIndex((other) => other.id === id) === index);
  const access = await Promise.all(different.map(({ id }) => usable.accessOf(id)));
  const [first = null, ...others] = [...different.filter((_, index) => access[index] !== 'refused'), null];
  const hidden = different.filter((_, index) => access[index] === 'own').map(({ id }) => id);
  return { voices: [first, ...others], wanted: different[0] ?? null, hidden };
}

/** The voice with this id. */
export function findVoice(voices: readonly Voice[], id: string | null): Voice {
  return voices.find((voice) => voice?.id === id) ?? null;
}

/** The language that the voice speaks (BCP 47); null if there are several, or none is known. */
export function languageOf(voice: Voice, { voiceTitles }: Pick<SayContext, 'voiceTitles'>): string | null {
  const [language, ...others] = voice ? voiceTitles.languages(voice.id) : [];
  return others.length === 0 ? (language ?? null) : null;
}

/** The voice that a member typed. Operators are looked up only if it makes a difference, as that may take a request to Discord. */
export async function resolveVoice(
  typed: string,
  user: VoiceUser,
  context: Pick<SayContext, 'voiceTitles' | 'voiceOwners' | 'isOperator'>,
): Promise<ChosenVoice> {
  const usable = usableVoices(user, context);
  const voice = await usable.resolve(typed);
  if (voice.title !== null) return voice;
  const ofOperators = await usable.resolve(typed, 'operators');
  return ofOperators.title !== null && (await context.isOperator(user.userId)) ? ofOperators : voice;
}

/** For places where Discord formats nothing; cleaned, as titles and ids come from the service or were typed. */
export function voiceName(voice: Voice, t: Words): string {
  return voice ? asPlain(voice.title ?? '', MAX_TITLE_LENGTH) || asPlain(voice.id, MAX_TITLE_LENGTH) || '?' : t.say.defaultVoice;
}

/** A UserError if the member can do something about it: a voice that does not exist, a speed that the service does not support. */
export function explainRefusal(error: unknown, voice: Voice, { voiceTitles }: Pick<SayContext, 'voiceTitles'>): unknown {
  if (voice && isUnknownVoice(error)) {
    const closest = voice.title === null ? voiceTitles.closest(voice.id, CLOSEST).map(({ title }) => title) : [];
    return new UserError((t) => t.say.unknownVoice(voiceName(voice, t), closest), { cause: error });
  }
  return isSpeedRefusal(error) ? new UserError((t) => t.say.speedUnsupported, { cause: error }) : error;
}

/** Whether the service refuses the speed. */
export function isSpeedRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ loc }) => loc.includes('prosody') || loc.includes('speed'));
}

/**
 * After the first sound: lists the voice first in the member's recent ones, and tells them if it is not the one that was set. A voice named
 * by an id that was not known before becomes the member's own. Failures are reported to the member. Never rejects.
 */
export async function rememberVoice(
  interaction: RepliableInteraction,
  { settings, voiceOwners, reportError }: Pick<SayContext, 'settings' | 'voiceOwners' | 'reportError'>,
  { wanted, used, isKept }: { wanted: Voice; used: Voice; isKept: boolean },
): Promise<void> {
  try {
    if (wanted !== used) {
      const owned = wanted && (await voiceOwners.find(wanted.id));
      const isTheirs = owned?.ownerId === interaction.user.id;
      const replaced = (t: Words) => t.say.voiceReplaced(voiceName(wanted, t), voiceName(used, t));
      await reportError(interaction, new UserError((t) => (isTheirs ? joinSentences(t, replaced(t), t.say.voiceIsYours) : replaced(t))));
    }
    if (!used) return;
    const isNew = isKept && wanted === used && used.title === null;
    const { recent, voice } = await settings.member(interaction.user.id);
    if (recent[0]?.id === used.id && (!isNew || voice?.id === used.id)) return;
    await settings.changeMember(interaction.user.id, (member) => {
      const others = member.recent.filter(({ id }) => id !== used.id && id !== wanted?.id);
      return { ...member, voice: isNew ? used : member.voice, recent: [used, ...others].slice(0, MAX_RECENT) };
    });
  } catch (error) {
    await reportError(interaction, error);
  }
}
