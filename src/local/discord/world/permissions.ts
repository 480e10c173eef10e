// What a member may do in a guild and in a channel.
// https://docs.discord.com/developers/topics/permissions#permission-overwrites
import { OverwriteType, PermissionFlagsBits } from 'discord-api-types/v10';
import { type Channel, type Guild, type GuildChannel, isDm, type Member, type World } from './index.ts';

const ALL_PERMISSIONS = Object.values(PermissionFlagsBits).reduce((all, bit) => all | bit, 0n);

/** Permissions of a member in a guild, or in one of its channels with the channel's overwrites; 0 for who is no member. */
export function permissionsOf(guild: Guild, userId: string, channel?: GuildChannel): bigint {
  const member = guild.members.get(userId);
  if (!member) return 0n;
  if (guild.owner_id === userId) return ALL_PERMISSIONS;
  const roleIds = [guild.id, ...member.roles];
  let permissions = guild.roles.filter(({ id }) => roleIds.includes(id)).reduce((sum, role) => sum | BigInt(role.permissions), 0n);
  if (permissions & PermissionFlagsBits.Administrator) return ALL_PERMISSIONS;
  const left = isTimedOut(member) ? IN_TIMEOUT : ALL_PERMISSIONS;
  if (!channel) return permissions & left;

  const overwrites = (type: OverwriteType, ids: string[]) =>
    channel.permission_overwrites.filter((one) => one.type === type && ids.includes(one.id));
  // @everyone first, then all the member's other roles at once (allow wins over deny), then the member itself.
  for (const step of [
    overwrites(OverwriteType.Role, [guild.id]),
    overwrites(OverwriteType.Role, member.roles),
    overwrites(OverwriteType.Member, [userId]),
  ]) {
    const deny = step.reduce((sum, one) => sum | BigInt(one.deny), 0n);
    const allow = step.reduce((sum, one) => sum | BigInt(one.allow), 0n);
    permissions = (permissions & ~deny) | allow;
  }
  return permissions & left;
}

/** https://docs.discord.com/developers/topics/permissions#permissions-for-timed-out-members */
const IN_TIMEOUT = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;

function isTimedOut({ communication_disabled_until: until }: Member): boolean {
  return until != null && Date.parse(until) > Date.now();
}

/** What everybody may do in direct messages of their own. */
const IN_DMS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.AddReactions |
  PermissionFlagsBits.UseApplicationCommands |
  PermissionFlagsBits.UseExternalApps |
  PermissionFlagsBits.UseExternalEmojis |
  PermissionFlagsBits.MentionEveryone |
  PermissionFlagsBits.SendVoiceMessages;

/** Whether somebody may do all of this in a channel. Nothing is allowed in a channel that they cannot see. */
export function may(world: World, userId: string, channel: Channel, wanted: bigint): boolean {
  const needed = wanted | PermissionFlagsBits.ViewChannel;
  return (permissionsIn(world, userId, channel) & needed) === needed;
}

/** Permissions of a user in a channel of any kind; 0 for who has no part in it. */
export function permissionsIn(world: World, userId: string, channel: Channel): bigint {
  if (isDm(channel)) return channel.userIds.includes(userId) ? IN_DMS : 0n;
  const guild = world.guilds.get(channel.guild_id);
  return guild ? permissionsOf(guild, userId, channel) : 0n;
}
