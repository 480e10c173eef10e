// Opens, changes and deletes channels.
import { ChannelType, GatewayIntentBits, OverwriteType } from 'discord-api-types/v10';
import { createSnowflake } from './snowflake.ts';
import { deleteThread } from './threads.ts';
import { type DmChannel, findGuildChannel, isDm, type World } from './world.ts';

/** The direct messages between two users, created if there are none yet. @throws Error if a user is unknown, or both are the same */
export function openDm(world: World, userId: string, otherId: string): DmChannel {
  if (userId === otherId || !world.users.has(userId) || !world.users.has(otherId)) throw new Error('There is nobody to write to.');
  for (const channel of world.channels.values())
    if (isDm(channel) && channel.userIds.includes(userId) && channel.userIds.includes(otherId)) return channel;
  const channel: DmChannel = { id: createSnowflake(), type: ChannelType.DM, userIds: [userId, otherId] };
  world.channels.set(channel.id, channel);
  return channel;
}

/**
 * Replaces a channel's permission overwrite for one member or role; with neither `allow` nor `deny` it is removed.
 * @throws Error if the channel, or the member or role, is unknown
 */
export function setOverwrite(
  world: World,
  channelId: string,
  memberOrRoleId: string,
  { allow = 0n, deny = 0n }: { allow?: bigint; deny?: bigint },
): void {
  const channel = findGuildChannel(world, channelId);
  const guild = channel && world.guilds.get(channel.guild_id);
  if (!guild) throw new Error(`There is no channel ${channelId}.`);
  const isRole = guild.roles.some((role) => role.id === memberOrRoleId);
  if (!isRole && !guild.members.has(memberOrRoleId)) throw new Error(`There is no member or role ${memberOrRoleId}.`);
  const others = channel.permission_overwrites.filter(({ id }) => id !== memberOrRoleId);
  const overwrite = {
    id: memberOrRoleId,
    type: isRole ? OverwriteType.Role : OverwriteType.Member,
    allow: String(allow),
    deny: String(deny),
  };
  channel.permission_overwrites = allow || deny ? [...others, overwrite] : others;
  world.emit({ t: 'CHANNEL_UPDATE', d: channel, intent: GatewayIntentBits.Guilds, guildId: channel.guild_id });
}

/** @throws Error if there is no such channel in a guild */
export function deleteChannel(world: World, channelId: string): void {
  const channel = findGuildChannel(world, channelId);
  if (!channel) throw new Error(`There is no channel ${channelId}.`);
  world.guilds.get(channel.guild_id)?.channels.delete(channelId);
  world.channels.delete(channelId);
  world.messages.delete(channelId);
  for (const thread of world.guilds.get(channel.guild_id)?.threads.values() ?? [])
    if (thread.parent_id === channelId) deleteThread(world, thread);
  world.emit({ t: 'CHANNEL_DELETE', d: channel, intent: GatewayIntentBits.Guilds, guildId: channel.guild_id });
}
