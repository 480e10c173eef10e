// Turns the world's guilds, members, channels and messages into the objects that Discord sends.
import {
  type APIDMChannel,
  type APIGuildMember,
  type APIMessage,
  type APIThreadChannel,
  type APIThreadMember,
  type APIUser,
  ApplicationFlags,
  ChannelType,
  GatewayIntentBits,
  MessageType,
} from 'discord-api-types/v10';
import { computeChannelPermissions, computePermissions, hasPermissions } from './permissions.ts';
import { serializePoll } from './polls.ts';
import { serializeEmoji } from './reactions.ts';
import {
  type Channel,
  type DmChannel,
  type Guild,
  type GuildChannel,
  isDm,
  isThread,
  type Message,
  type Thread,
  type World,
} from './world.ts';

/** The fields that REST and GUILD_CREATE share. */
export function serializeGuild({ id, name, owner_id, roles, emojis, preferred_locale }: Guild) {
  return {
    id,
    name,
    owner_id,
    roles,
    emojis,
    preferred_locale,
    icon: null,
    splash: null,
    discovery_splash: null,
    description: null,
    banner: null,
    region: 'local',
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    widget_enabled: false,
    verification_level: 0,
    default_message_notifications: 1,
    explicit_content_filter: 0,
    mfa_level: 0,
    nsfw_level: 0,
    premium_tier: 0,
    premium_subscription_count: 0,
    premium_progress_bar_enabled: false,
    application_id: null,
    vanity_url_code: null,
    stickers: [],
    features: [],
    max_members: 500_000,
    max_video_channel_users: 25,
    hub_type: null,
    incidents_data: null,
  };
}

/**
 * For GUILD_CREATE. Voice states need their intent. Without the members intent, a session receives only its own member and those in voice.
 */
export function serializeGatewayGuild(world: World, guild: Guild, intents: number) {
  const { application } = world;
  const voiceStates = intents & GatewayIntentBits.GuildVoiceStates ? [...guild.voiceStates.values()] : [];
  const isIncluded = (id: string) =>
    (intents & GatewayIntentBits.GuildMembers) !== 0 || id === application.user.id || voiceStates.some(({ user_id }) => user_id === id);
  return {
    ...serializeGuild(guild),
    joined_at: new Date().toISOString(),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: [...guild.members.values()].filter(({ user }) => isIncluded(user.id)),
    channels: [...guild.channels.values()],
    voice_states: voiceStates,
    threads: listActiveThreads(world, guild, world.application.id).map((thread) => serializeThread(world, thread, world.application.id)),
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

/** An interaction's member, with their permissions in the channel. */
export function serializeInteractionMember(
  guild: Guild,
  userId: string,
  channel: GuildChannel | Thread,
): APIGuildMember & { user: APIUser; permissions: string } {
  const member = guild.members.get(userId);
  if (!member) throw new Error(`There is no member ${userId}.`);
  return { ...member, permissions: computePermissions(guild, userId, channel).toString() };
}

/** A member in an interaction's resolved data, where the user is listed separately. */
export function serializeResolvedMember(guild: Guild, userId: string, channel: Channel): object {
  const { user: _, deaf: __, mute: ___, ...member } = serializeInteractionMember(guild, userId, channel as GuildChannel | Thread);
  return member;
}

/** An interaction's channel. */
export function serializePartialChannel(world: World, channel: Channel, userId: string) {
  if (isDm(channel)) return serializeDm(world, channel, world.application.id);
  const { id, type, name } = channel;
  const permissions = computeChannelPermissions(world, userId, channel).toString();
  if (!isThread(channel)) return { id, type, name, permissions };
  return { id, type, name, permissions, parent_id: channel.parent_id, thread_metadata: channel.thread_metadata };
}

/** Direct messages as `viewerId` sees them: one of the two users, or a user-installed application. */
export function serializeDm({ users, messages }: World, { id, userIds }: DmChannel, viewerId: string): APIDMChannel {
  const recipients = userIds.flatMap((userId) => (userId === viewerId ? [] : (users.get(userId) ?? [])));
  return {
    id,
    type: ChannelType.DM,
    flags: 0,
    last_message_id: messages.get(id)?.at(-1)?.id ?? null,
    recipients,
  } as unknown as APIDMChannel;
}

/** The threads that this user may see and that are not archived. */
export function listActiveThreads(world: World, guild: Guild, userId: string): Thread[] {
  return [...guild.threads.values()].filter((thread) => !thread.thread_metadata.archived && hasPermissions(world, userId, thread, 0n));
}

/** With this user's membership, if they have joined. */
export function serializeThread({ messages }: World, thread: Thread, viewerId: string): APIThreadChannel {
  const { joinedAt, totalMessagesSent, ...fields } = thread;
  const sent = messages.get(thread.id) ?? [];
  return {
    ...fields,
    flags: 0,
    last_message_id: sent.at(-1)?.id ?? null,
    message_count: sent.filter(({ type }) => type !== MessageType.ThreadStarterMessage).length,
    total_message_sent: totalMessagesSent,
    member_count: joinedAt.size,
    ...(joinedAt.has(viewerId) && { member: serializeThreadMember(thread, viewerId) }),
  } as unknown as APIThreadChannel;
}

/** A user who has joined the thread. */
export function serializeThreadMember({ id, joinedAt }: Thread, userId: string): APIThreadMember {
  return { id, user_id: userId, join_timestamp: joinedAt.get(userId), flags: 0 } as unknown as APIThreadMember;
}

/** Threads with the memberships that a user has in them. */
export function serializeThreadList(world: World, threads: Thread[], viewerId: string) {
  return {
    threads: threads.map((thread) => serializeThread(world, thread, viewerId)),
    members: threads.filter(({ joinedAt }) => joinedAt.has(viewerId)).map((thread) => serializeThreadMember(thread, viewerId)),
  };
}

/** A channel of any kind, as this user sees it. */
export function serializeChannel(world: World, channel: Channel, viewerId: string): object {
  if (isDm(channel)) return serializeDm(world, channel, viewerId);
  return isThread(channel) ? serializeThread(world, channel, viewerId) : channel;
}

/** As this user sees it: Discord's fields only, with the reactions and votes, and which of them are theirs. */
export function serializeMessage(stored: Message, viewerId: string): APIMessage {
  const { visibleTo: _, pinnedAt: __, shownFiles: ___, reactedBy = [], votedBy = [], ...fields } = stored;
  const message = fields.poll ? { ...fields, poll: serializePoll(fields.poll, votedBy, viewerId) } : fields;
  if (reactedBy.length === 0) return message as APIMessage;
  const reactions = reactedBy.map(({ emoji, userIds }) => ({
    emoji: serializeEmoji(emoji),
    count: userIds.length,
    count_details: { burst: 0, normal: userIds.length },
    me: userIds.includes(viewerId),
    me_burst: false,
    burst_colors: [],
  }));
  return { ...message, reactions } as APIMessage;
}

/** The enabled privileged intents, as the flags of an application in fewer than 100 guilds. */
export function applicationFlags(intents: number): number {
  return (
    (intents & GatewayIntentBits.GuildPresences ? ApplicationFlags.GatewayPresenceLimited : 0) |
    (intents & GatewayIntentBits.GuildMembers ? ApplicationFlags.GatewayGuildMembersLimited : 0) |
    (intents & GatewayIntentBits.MessageContent ? ApplicationFlags.GatewayMessageContentLimited : 0)
  );
}
