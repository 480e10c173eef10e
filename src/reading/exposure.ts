// Who would hear what they can't see: those who may join the voice channel, but don't see the text channel that is read there.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Guild,
  type GuildMember,
  type GuildTextBasedChannel,
  OverwriteType,
  PermissionFlagsBits,
  type PermissionsBitField,
  type Role,
  type VoiceBasedChannel,
} from 'discord.js';

/** By role, and members who have got there by an exception of their own, or are there. */
export interface Exposed {
  /** Whether everyone can; then the others aren't listed. */
  everyone: boolean;
  roleIds: string[];
  memberIds: string[];
}

/** Milliseconds: Discord waits 3 s for the answer. */
const FETCH_MS = 1_000;
/** Members with exceptions of their own who are looked up. */
const MAX_FETCHED = 20;

/**
 * Judges each role alone, together with what everyone may: which members have which roles isn't known without another privileged intent.
 * @returns null if everybody who can listen can also see the text
 */
export async function findExposed(text: GuildTextBasedChannel, voice: VoiceBasedChannel): Promise<Exposed | null> {
  // A thread is seen by whoever sees its channel.
  const shown = text.isThread() ? text.parent : text;
  if (!shown || shown.id === voice.id) return null;
  const isExposed = (who: Role | GuildMember) => canListen(voice.permissionsFor(who)) && !canSee(shown.permissionsFor(who));
  const { guild } = voice;
  if (isExposed(guild.roles.everyone)) return { everyone: true, roleIds: [], memberIds: [] };
  // Bots have roles of their own, which no person has.
  const roles = guild.roles.cache.filter((role) => role.id !== guild.id && !role.tags?.botId && isExposed(role));
  const members = await findMembers(guild, [...listExceptions(voice), ...listExceptions(shown), ...listInside(voice)]);
  const others = members.filter((member) => !member.user.bot && isExposed(member) && !member.roles.cache.hasAny(...roles.keys()));
  if (roles.size + others.length === 0) return null;
  return { everyone: false, roleIds: [...roles.keys()], memberIds: others.map(({ id }) => id) };
}

function canListen(permissions: Readonly<PermissionsBitField>): boolean {
  return permissions.has(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.Connect);
}

function canSee(permissions: Readonly<PermissionsBitField>): boolean {
  return permissions.has(PermissionFlagsBits.ViewChannel);
}

/** Ids of members for whom the channel has an exception. */
function listExceptions(channel: Pick<VoiceBasedChannel, 'permissionOverwrites'>): string[] {
  return channel.permissionOverwrites.cache.filter(({ type }) => type === OverwriteType.Member).map(({ id }) => id);
}

function listInside({ guild, id }: VoiceBasedChannel): string[] {
  return guild.voiceStates.cache.filter(({ channelId }) => channelId === id).map((state) => state.id);
}

/** Only members who did something since the start are cached; whoever can't be fetched in time is left out. */
async function findMembers(guild: Guild, ids: string[]): Promise<GuildMember[]> {
  const all = [...new Set(ids)];
  const unknown = all.filter((id) => !guild.members.cache.has(id)).slice(0, MAX_FETCHED);
  const fetching = unknown.map((id) => guild.members.fetch(id));
  if (fetching.length > 0) await Promise.race([Promise.allSettled(fetching), sleep(FETCH_MS, undefined, { ref: false })]);
  return all.flatMap((id) => guild.members.cache.get(id) ?? []);
}
