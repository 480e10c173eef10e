// What a member wants an own voice made from, checked, and stored until somebody has agreed: sealed, with the only
// key in the buttons of the question.
import { type Attachment, DiscordAPIError, type Guild, type GuildMember, type Interaction } from 'discord.js';
import { z } from 'zod';
import { isAdmin } from '../discord/access.ts';
import { type Attachments, isRecording, MAX_BYTES } from '../discord/attachments.ts';
import { UserError } from '../discord/errors.ts';
import type { IsOperator } from '../discord/operators.ts';
import type { Sentence } from '../locales/index.ts';
import { readKeptValue, type Store, takeKeptValue } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import { asPlain } from '../text/untrusted-text.ts';

/** The most recordings for a voice: as many as the command has options. */
export const MAX_RECORDINGS = 3;
/** Characters that services accept, and as many as members are shown of a title. */
export const MAX_TITLE = 100;
/** Seconds, for all recordings together, that services require. */
const MIN_SECONDS = 10;
/** A code of BCP 47, as far as anybody types one. */
const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i;

const recording = z.object({
  name: z.string(),
  /** Signed by Discord, valid for about a day. */
  url: z.string(),
  /** Bytes. */
  size: z.number(),
  contentType: z.string().nullable(),
  /** Seconds; null if Discord doesn't know. */
  duration: z.number().nullable(),
});
export type VoiceRecording = z.infer<typeof recording>;

const voiceRequest = z.object({
  title: z.string(),
  recordings: z.array(recording),
  /** The language spoken in them (BCP 47); null = unknown. */
  language: z.string().nullable(),
  /** Whether everybody in the server may use the voice. */
  isShared: z.boolean(),
  /** A voice message of the member's own: Discord records these itself, so it's the member who speaks. */
  isOwnVoiceMessage: z.boolean(),
  /** The member whose recording it is, and the message it is in, if that isn't the one who asks. */
  speaker: z.object({ id: z.string(), messageUrl: z.string() }).nullable(),
});
export type VoiceRequest = z.infer<typeof voiceRequest>;

export function toRecording({ name, url, size, contentType, duration }: Attachment): VoiceRecording {
  return { name, url, size, contentType, duration };
}

/** Refuses what can be refused unread. @throws UserError */
export function checkRecordings(recordings: readonly VoiceRecording[], attachments: Pick<Attachments, 'check'>): void {
  for (const recording of recordings) {
    const { name, size } = recording;
    if (size > MAX_BYTES) throw new UserError((t) => t('ownVoices.create.tooLarge', { file: name, bytes: size, limit: MAX_BYTES }));
    attachments.check(recording);
    if (!isRecording(recording)) throw new UserError((t) => t('attachments.notAudio', { file: name }));
  }
  const seconds = recordings.reduce((sum, { duration }) => sum + (duration ?? MIN_SECONDS), 0);
  // Rounded down, so the number in the sentence is never enough.
  if (seconds < MIN_SECONDS)
    throw new UserError((t) => t('ownVoices.create.tooShort', { seconds: Math.floor(seconds), least: MIN_SECONDS }));
}

/** @throws UserError */
export function checkTitle(typed: string): string {
  const { length } = typed.trim();
  if (length > MAX_TITLE) throw new UserError((t) => t('ownVoices.create.titleTooLong', { length, most: MAX_TITLE }));
  const title = asPlain(typed, MAX_TITLE);
  if (title === '') throw new UserError((t) => t('ownVoices.create.titleMissing'));
  return title;
}

/** @param code what was typed, as a code if it was the name of a language @throws UserError */
export function checkLanguage(code: string): string {
  if (!LANGUAGE.test(code)) throw new UserError((t) => t('ownVoices.create.unknownLanguage', { typed: code }));
  return code;
}

/** @param memberId who asked @throws UserError if it has expired, StoreError */
export async function readRequest(store: Store, memberId: string, key: string): Promise<VoiceRequest> {
  return parse(await readKeptValue(store, memberId, key));
}

/** Reads and deletes the request: of two answers, only the first counts. @throws UserError, StoreError */
export async function takeRequest(store: Store, memberId: string, key: string): Promise<VoiceRequest> {
  return parse(await takeKeptValue(store, memberId, key));
}

function parse(kept: unknown): VoiceRequest {
  const { data } = voiceRequest.safeParse(kept);
  if (!data) throw new UserError((t) => t('general.expiredMessage'));
  return data;
}

// Who may make voices: the operator decides (OWN_VOICES).

/** `admins`: members who may manage the server, and the roles they choose. Operators always may. */
export type VoiceMakers = 'operators' | 'admins' | 'everyone';

/** A member who wants to make a voice, and where. */
export interface Maker {
  userId: string;
  /** Null outside of the servers that the bot is in. */
  guildId: string | null;
  isAdmin: boolean;
  roleIds: readonly string[];
}

interface Dependencies {
  voiceMakers: VoiceMakers;
  settings: Pick<Settings, 'guild'>;
  isOperator: IsOperator;
}

export function makerOf(interaction: Interaction): Maker {
  const { user } = interaction;
  if (!interaction.inCachedGuild()) return { userId: user.id, guildId: null, isAdmin: false, roleIds: [] };
  const roleIds = [...interaction.member.roles.cache.keys()];
  return { userId: user.id, guildId: interaction.guildId, isAdmin: isAdmin(interaction.memberPermissions), roleIds };
}

/** Fetches the member, because Discord doesn't tell the bot who leaves; null if they have left. @throws DiscordAPIError */
export async function fetchMember(guild: Guild, userId: string): Promise<GuildMember | null> {
  return guild.members.fetch({ user: userId, force: true }).catch((error: unknown) => {
    if (error instanceof DiscordAPIError && error.status === 404) return null;
    throw error;
  });
}

/**
 * Why this member may not make voices here; null if they may. Checks for operators last, because that may take a request to Discord.
 * @throws StoreError
 */
export async function findMakerRefusal(maker: Maker, { voiceMakers, settings, isOperator }: Dependencies): Promise<Sentence | null> {
  if (voiceMakers === 'everyone') return null;
  if (voiceMakers === 'admins' && maker.guildId !== null) {
    if (maker.isAdmin) return null;
    const { voiceMakerRoles } = await settings.guild(maker.guildId);
    if (voiceMakerRoles.some((id) => maker.roleIds.includes(id))) return null;
  }
  if (await isOperator(maker.userId)) return null;
  if (voiceMakers === 'operators') return (t) => t('ownVoices.create.operatorsOnly');
  return (t) => (maker.guildId === null ? t('ownVoices.create.notOutsideServers') : t('ownVoices.create.adminsOnly'));
}
