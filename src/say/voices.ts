// Which voice speaks where the member has named none, and what becomes of one that the service does not have any more.
import type { RepliableInteraction } from 'discord.js';
import { ApiError } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import type { ChosenVoice, GuildSettings, MemberSettings } from '../settings/index.ts';
import { asPlain } from '../text/foreign.ts';
import { LONGEST_TITLE } from '../voices/titles.ts';
import type { SayContext } from './context.ts';
import type { Wish } from './wish.ts';

/** null = the service's own voice. */
export type Voice = ChosenVoice | null;

const MAX_RECENT = 10;

/**
 * The voices to try, in this order: the one that was named, then those that are set for the member, the channel, the server and by
 * the operator, then the service's own. An id that was never seen is tried alone: it may be a slip, and the service's answer tells.
 */
export function voicesFor(
  { voice: wanted }: Pick<Wish, 'voice'>,
  places: { member: MemberSettings; guild: GuildSettings | null; channelId: string | null },
  { voiceTitles, defaultVoice }: Pick<SayContext, 'voiceTitles' | 'defaultVoice'>,
): [Voice, ...Voice[]] {
  const { member, guild, channelId } = places;
  const own = [member.voice, ...member.recent, ...member.favourites];
  const find = (id: string) => own.find((voice) => voice?.id === id && voice.title !== null) ?? voiceTitles.resolve(id);
  if (wanted === '') return [null];
  const named = wanted === null ? null : find(wanted);
  if (named?.title === null) return [named];
  const chosen = [
    named,
    member.voice,
    channelId === null ? null : guild?.channelVoices[channelId],
    guild?.voice,
    defaultVoice === null ? null : find(defaultVoice),
  ].filter((voice) => voice !== null && voice !== undefined);
  const [first = null, ...others] = chosen.filter(({ id }, place) => chosen.findIndex((other) => other.id === id) === place);
  return first === null ? [null] : [first, ...others, null];
}

/** The id of what was typed for a voice. Whether it is an operator who typed it is asked only where it makes a difference. */
export async function voiceIdOf(
  typed: string,
  userId: string,
  { voiceTitles, isOperator }: Pick<SayContext, 'voiceTitles' | 'isOperator'>,
): Promise<string> {
  const { id, title } = voiceTitles.resolve(typed);
  const own = title === null ? voiceTitles.resolve(typed, 'operators') : null;
  return own && own.title !== null && (await isOperator(userId)) ? own.id : id;
}

/** As it is called where nothing is formatted: what came from the service, or was typed, and is kept. */
export function nameOf(voice: Voice): string {
  return voice ? asPlain(voice.title ?? '', LONGEST_TITLE) || asPlain(voice.id, LONGEST_TITLE) || '?' : en.say.defaultVoice;
}

/** Has the service answered that there is no such voice? */
export function isVoiceGone(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'not-found' || error.details.some(({ loc }) => loc.includes('reference_id')));
}

/** What is the member's to change, and not the operator's: a voice that is not there, a speed that the service does not take. */
export function explainRefusal(error: unknown, voice: Voice): unknown {
  if (voice && isVoiceGone(error)) return new UserError(en.say.unknownVoice(nameOf(voice)), { cause: error });
  const isSpeed = error instanceof ApiError && error.details.some(({ loc }) => loc.includes('prosody') || loc.includes('speed'));
  return isSpeed ? new UserError(en.say.speedUnsupported, { cause: error }) : error;
}

/** After the first sound: the voice comes first the next time, and the member is told where it is not the one that was set. */
export async function noteVoice(
  interaction: RepliableInteraction,
  { settings, reportError }: Pick<SayContext, 'settings' | 'reportError'>,
  { voices: [wanted] }: { voices: [Voice, ...Voice[]] },
  used: Voice,
): Promise<void> {
  if (wanted !== used) await reportError(interaction, new UserError(en.say.voiceReplaced(nameOf(wanted), nameOf(used))));
  if (!used) return;
  const { recent } = await settings.member(interaction.user.id);
  if (recent[0]?.id === used.id) return;
  await settings.changeMember(interaction.user.id, (member) => {
    const others = member.recent.filter(({ id }) => id !== used.id && id !== wanted?.id);
    return { ...member, recent: [used, ...others].slice(0, MAX_RECENT) };
  });
}
