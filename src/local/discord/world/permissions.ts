// Computes what a user may do in a guild or channel.
// https://docs.discord.com/developers/topics/permissions#permission-overwrites
import { ChannelType, OverwriteType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { type Channel, type Guild, type GuildChannel, isDm, isThread, type Member, type Thread, type World } from './world.ts';

const ALL_PERMISSIONS = Object.values(P).reduce((all, bit) => all | bit, 0n);

/** https://docs.discord.com/developers/topics/permissions#permissions-for-timed-out-members */
const TIMED_OUT_PERMISSIONS = P.ViewChannel | P.ReadMessageHistory;

/** What each of the two users may do in their direct messages. */
const DM_PERMISSIONS =
  P.ViewChannel |
  P.SendMessages |
  P.EmbedLinks |
  P.AttachFiles |
  P.ReadMessageHistory |
  P.AddReactions |
  P.UseApplicationCommands |
  P.UseExternalApps |
  P.UseExternalEmojis |
  P.MentionEveryone |
  P.SendVoiceMessages |
  P.SendPolls;

/** Whether a user has all of these permissions in a channel. Nobody has any in a channel they cannot see. */
export function hasPermissions(world: World, userId: string, channel: Channel, permissions: bigint): boolean {
  const needed = permissions | P.ViewChannel;
  return (computeChannelPermissions(world, userId, channel) & needed) === needed;
}

/** A user's permissions in a channel of any kind; 0 if they take no part in it. */
export function computeChannelPermissions(world: World, userId: string, channel: Channel): bigint {
  if (isDm(channel)) return channel.userIds.includes(userId) ? DM_PERMISSIONS : 0n;
  const guild = world.guilds.get(channel.guild_id);
  return guild ? computePermissions(guild, userId, channel) : 0n;
}

/** A member's permissions in a guild, or in a channel of it; 0 if the user isn't a member. */
export function computePermissions(guild: Guild, userId: string, channel?: GuildChannel | Thread): bigint {
  const member = guild.members.get(userId);
  if (!member) return 0n;
  if (guild.owner_id === userId) return ALL_PERMISSIONS;
  const roleIds = [guild.id, ...member.roles];
  let permissions = guild.roles.filter(({ id }) => roleIds.includes(id)).reduce((sum, role) => sum | BigInt(role.permissions), 0n);
  if (permissions & P.Administrator) return ALL_PERMISSIONS;
  const mask = isTimedOut(member) ? TIMED_OUT_PERMISSIONS : ALL_PERMISSIONS;
  if (!channel) return permissions & mask;
  if (isThread(channel)) return computeThreadPermissions(guild, userId, channel) & mask;

  const findOverwrites = (type: OverwriteType, ids: string[]) =>
    channel.permission_overwrites.filter((overwrite) => overwrite.type === type && ids.includes(overwrite.id));
  // @everyone first, then all the member's other roles at once (allow wins over deny), then the member.
  for (const overwrites of [
    findOverwrites(OverwriteType.Role, [guild.id]),
    findOverwrites(OverwriteType.Role, member.roles),
    findOverwrites(OverwriteType.Member, [userId]),
  ]) {
    const deny = overwrites.reduce((sum, overwrite) => sum | BigInt(overwrite.deny), 0n);
    const allow = overwrites.reduce((sum, overwrite) => sum | BigInt(overwrite.allow), 0n);
    permissions = (permissions & ~deny) | allow;
  }
  return permissions & mask;
}

/** Those in the channel that the thread belongs to. Others see a private thread only if they may manage it. */
function computeThreadPermissions(guild: Guild, userId: string, thread: Thread): bigint {
  const parent = guild.channels.get(thread.parent_id);
  const permissions = parent ? computePermissions(guild, userId, parent) : 0n;
  const isVisible = thread.type === ChannelType.PublicThread || thread.joinedAt.has(userId) || (permissions & P.ManageThreads) !== 0n;
  if (!isVisible) return 0n;
  return permissions & P.SendMessagesInThreads ? permissions | P.SendMessages : permissions & ~P.SendMessages;
}

function isTimedOut({ communication_disabled_until: until }: Member): boolean {
  return until != null && Date.parse(until) > Date.now();
}
