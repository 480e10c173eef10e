// Threads: conversations beside a text channel. https://docs.discord.com/developers/topics/threads
import { ChannelType, GatewayIntentBits, MessageFlags } from 'discord-api-types/v10';
import { emitMessage } from './message-events.ts';
import { hasPermissions } from './permissions.ts';
import { listActiveThreads, serializeThread, serializeThreadList, serializeThreadMember } from './serialize.ts';
import { createSnowflake } from './snowflake.ts';
import type { Guild, GuildChannel, Message, Thread, World } from './world.ts';

/** In minutes. */
export const ARCHIVE_DURATIONS = [60, 1440, 4320, 10_080];
const DEFAULT_ARCHIVE_DURATION = 4320;

export interface ThreadOptions {
  name: string;
  /** Who creates it, and is its first member. */
  ownerId: string;
  type?: Thread['type'];
  auto_archive_duration?: number | null;
  rate_limit_per_user?: number | null;
  invitable?: boolean | null;
}

/** `starter`: the message that it begins with. The caller checks permissions, and that the message has no thread. */
export function createThread(world: World, guild: Guild, parent: GuildChannel, options: ThreadOptions, starter?: Message): Thread {
  const { name, ownerId, type = ChannelType.PublicThread, auto_archive_duration, rate_limit_per_user, invitable } = options;
  const now = new Date().toISOString();
  const thread: Thread = {
    id: starter?.id ?? createSnowflake(),
    type,
    guild_id: guild.id,
    parent_id: parent.id,
    name,
    owner_id: ownerId,
    rate_limit_per_user: rate_limit_per_user ?? 0,
    thread_metadata: {
      archived: false,
      archive_timestamp: now,
      auto_archive_duration: auto_archive_duration ?? DEFAULT_ARCHIVE_DURATION,
      locked: false,
      create_timestamp: now,
      ...(type === ChannelType.PrivateThread && { invitable: invitable ?? true }),
    },
    joinedAt: new Map([[ownerId, now]]),
    totalMessagesSent: 0,
  };
  guild.threads.set(thread.id, thread);
  world.channels.set(thread.id, thread);
  emitThread(world, 'THREAD_CREATE', thread, { newly_created: true });
  if (starter) {
    starter.flags = (starter.flags ?? 0) | MessageFlags.HasThread;
    emitMessage(world, 'MESSAGE_UPDATE', starter);
  }
  return thread;
}

export type ThreadChanges = Partial<Pick<Thread, 'name' | 'rate_limit_per_user'>> & Partial<Thread['thread_metadata']>;

export function editThread(world: World, thread: Thread, { name, rate_limit_per_user: slowdown, ...metadata }: ThreadChanges): void {
  if (name !== undefined) thread.name = name;
  if (slowdown !== undefined) thread.rate_limit_per_user = slowdown;
  if (metadata.archived !== undefined) metadata.archive_timestamp = new Date().toISOString();
  Object.assign(thread.thread_metadata, metadata);
  emitThread(world, 'THREAD_UPDATE', thread);
}

export function deleteThread(world: World, thread: Thread): void {
  const { id, guild_id, parent_id, type } = thread;
  world.guilds.get(guild_id)?.threads.delete(id);
  world.channels.delete(id);
  world.messages.delete(id);
  world.emit({
    t: 'THREAD_DELETE',
    d: { id, guild_id, parent_id, type },
    intent: GatewayIntentBits.Guilds,
    guildId: guild_id,
    channel: thread,
  });
}

/** Does nothing if they are a member already. */
export function joinThread(world: World, thread: Thread, userId: string): void {
  if (thread.joinedAt.has(userId)) return;
  thread.joinedAt.set(userId, new Date().toISOString());
  const member = serializeThreadMember(thread, userId);
  // Somebody who is added to a private thread sees it from now on.
  if (thread.type === ChannelType.PrivateThread)
    emitThread(world, 'THREAD_CREATE', thread, {}, userId === world.application.id ? 'bot' : { member: userId });
  const guildMember = world.guilds.get(thread.guild_id)?.members.get(userId);
  emitMembers(world, thread, { added_members: [{ ...member, member: guildMember, presence: null }] }, userId);
}

/** Does nothing if they aren't a member. */
export function leaveThread(world: World, thread: Thread, userId: string): void {
  if (thread.joinedAt.delete(userId)) emitMembers(world, thread, { removed_member_ids: [userId] }, userId);
}

/** Members join by writing. A message in an archived thread brings it back. */
export function noteMessageInThread(world: World, thread: Thread, authorId: string): void {
  thread.totalMessagesSent++;
  joinThread(world, thread, authorId);
  if (thread.thread_metadata.archived) editThread(world, thread, { archived: false });
}

/** Ids of the guild's channels that a user sees. */
export function listVisibleChannels(world: World, guild: Guild, userId: string): string[] {
  return [...guild.channels.values()].filter((channel) => hasPermissions(world, userId, channel, 0n)).map(({ id }) => id);
}

/** Tells the application of the threads in channels that it has not seen before. */
export function emitThreadListSync(world: World, guild: Guild, channelIds: string[]): void {
  const { id: applicationId } = world.application;
  const threads = listActiveThreads(world, guild, applicationId).filter(({ parent_id }) => channelIds.includes(parent_id));
  if (threads.length === 0) return;
  world.emit({
    t: 'THREAD_LIST_SYNC',
    d: { guild_id: guild.id, channel_ids: channelIds, ...serializeThreadList(world, threads, applicationId) },
    intent: GatewayIntentBits.Guilds,
    guildId: guild.id,
    to: 'bot',
  });
}

/** To everyone who sees the thread, by default. */
function emitThread(world: World, t: string, thread: Thread, extra: object = {}, to?: 'bot' | { member: string }): void {
  world.emit({
    t,
    d: { ...serializeThread(world, thread, world.application.id), ...extra },
    intent: to === undefined ? GatewayIntentBits.Guilds : 0,
    guildId: thread.guild_id,
    channel: thread,
    ...(to && { to }),
  });
}

/** Without the members intent, the application hears only of itself. */
function emitMembers(world: World, thread: Thread, change: object, userId: string): void {
  const { id, guild_id, joinedAt } = thread;
  world.emit({
    t: 'THREAD_MEMBERS_UPDATE',
    d: { id, guild_id, member_count: joinedAt.size, ...change },
    intent: userId === world.application.id ? GatewayIntentBits.Guilds : GatewayIntentBits.GuildMembers,
    guildId: guild_id,
    channel: thread,
  });
}
