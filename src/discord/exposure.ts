// Who would hear or read what they can't see where it comes from: those who can reach the channel where it is repeated, but not its own.
import {
  type Guild,
  type GuildBasedChannel,
  type GuildMember,
  type NonThreadGuildBasedChannel,
  OverwriteType,
  PermissionFlagsBits,
  type Role,
} from 'discord.js';
import { within } from '../async/waiting.ts';

/** Roles, and members who can reach the channel because of an exception of their own, or are already there. */
export interface Exposed {
  /** Whether everyone can reach the channel; then the others aren't listed. */
  everyone: boolean;
  roleIds: string[];
  memberIds: string[];
}

/** Milliseconds: Discord waits 3 s for the answer. */
const FETCH_MS = 1_000;
/** At most so many members with exceptions of their own are looked up. */
const MAX_FETCHED = 20;

/**
 * Judges each role on its own, with the permissions of everyone: without another privileged intent, the bot doesn't know who has which
 * roles.
 * @param source where the words are from @param place where they are repeated, aloud or in writing
 * @returns null if everybody who can reach `place` can also see `source`
 */
export async function findExposed(source: GuildBasedChannel, place: NonThreadGuildBasedChannel): Promise<Exposed | null> {
  // Everybody who sees a channel sees its threads.
  const shown = source.isThread() ? source.parent : source;
  if (!shown || shown.id === place.id) return null;
  const isExposed = (who: Role | GuildMember) => canReach(place, who) && !canReach(shown, who);
  const { guild } = place;
  if (isExposed(guild.roles.everyone)) return { everyone: true, roleIds: [], memberIds: [] };
  // The roles of bots belong to no person.
  const roles = guild.roles.cache.filter((role) => role.id !== guild.id && !role.tags?.botId && isExposed(role));
  const members = await findMembers(guild, [...listExceptions(place), ...listExceptions(shown), ...listInside(place)]);
  const others = members.filter((member) => !member.user.bot && isExposed(member) && !member.roles.cache.hasAny(...roles.keys()));
  if (roles.size + others.length === 0) return null;
  return { everyone: false, roleIds: [...roles.keys()], memberIds: others.map(({ id }) => id) };
}

/** Whoever may not join a voice channel can't read its chat either. https://docs.discord.com/developers/resources/message#get-channel-messages */
function canReach(channel: NonThreadGuildBasedChannel, who: Role | GuildMember): boolean {
  const { ViewChannel, Connect } = PermissionFlagsBits;
  return channel.permissionsFor(who).has(channel.isVoiceBased() ? ViewChannel | Connect : ViewChannel);
}

/** Ids of members for whom the channel has an exception. */
function listExceptions({ permissionOverwrites }: NonThreadGuildBasedChannel): string[] {
  return permissionOverwrites.cache.filter(({ type }) => type === OverwriteType.Member).map(({ id }) => id);
}

function listInside({ guild, id }: NonThreadGuildBasedChannel): string[] {
  return guild.voiceStates.cache.filter(({ channelId }) => channelId === id).map((state) => state.id);
}

/** Only members who did something since the start are cached; those who can't be fetched in time are left out. */
async function findMembers(guild: Guild, ids: string[]): Promise<GuildMember[]> {
  const memberIds = [...new Set(ids)];
  const unknown = memberIds.filter((id) => !guild.members.cache.has(id)).slice(0, MAX_FETCHED);
  const fetching = unknown.map((id) => guild.members.fetch(id));
  if (fetching.length > 0) await within(FETCH_MS, Promise.allSettled(fetching));
  return memberIds.flatMap((id) => guild.members.cache.get(id) ?? []);
}
