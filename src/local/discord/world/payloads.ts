// Discord's objects as one reader or another gets them.
import {
  type APIDMChannel,
  type APIGuildMember,
  type APIMessage,
  type APIUser,
  ChannelType,
  GatewayIntentBits,
} from 'discord-api-types/v10';
import { type Channel, type DmChannel, type Guild, type GuildChannel, isDm, type Message, type World } from './index.ts';
import { permissionsIn, permissionsOf } from './permissions.ts';

/** The guild's own fields, as REST and GUILD_CREATE share them. */
export function asGuild({ id, name, owner_id, roles }: Guild) {
  return {
    id,
    name,
    owner_id,
    roles,
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
    preferred_locale: 'en-US',
    application_id: null,
    vanity_url_code: null,
    emojis: [],
    stickers: [],
    features: [],
    max_members: 500_000,
    max_video_channel_users: 25,
    hub_type: null,
    incidents_data: null,
  };
}

/** GUILD_CREATE. Without the intents for it, a session is told of no voice states, and of no member but itself and who is in voice. */
export function asGatewayGuild({ application }: World, guild: Guild, intents: number) {
  const voiceStates = intents & GatewayIntentBits.GuildVoiceStates ? [...guild.voiceStates.values()] : [];
  const isTold = (id: string) =>
    (intents & GatewayIntentBits.GuildMembers) !== 0 || id === application.user.id || voiceStates.some(({ user_id }) => user_id === id);
  return {
    ...asGuild(guild),
    joined_at: new Date().toISOString(),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: [...guild.members.values()].filter(({ user }) => isTold(user.id)),
    channels: [...guild.channels.values()],
    voice_states: voiceStates,
    threads: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

/** What an interaction says of a member: with the permissions in the channel. */
export function asInteractionMember(
  guild: Guild,
  userId: string,
  channel: GuildChannel,
): APIGuildMember & { user: APIUser; permissions: string } {
  const member = guild.members.get(userId);
  if (!member) throw new Error(`no member ${userId}`);
  return { ...member, permissions: permissionsOf(guild, userId, channel).toString() };
}

/** A member beside its user, as the data of an interaction has it. */
export function asResolvedMember(guild: Guild, userId: string, channel: Channel): object {
  const { user: _, deaf: __, mute: ___, ...member } = asInteractionMember(guild, userId, channel as GuildChannel);
  return member;
}

/** The channel of an interaction. */
export function asPartialChannel(world: World, channel: Channel, userId: string) {
  if (isDm(channel)) return asDm(world, channel, world.application.id);
  const { id, type, name } = channel;
  return { id, type, name, permissions: permissionsIn(world, userId, channel).toString() };
}

/** Direct messages as one of the two, or the application that is brought along, sees them. */
export function asDm({ users, messages }: World, { id, userIds }: DmChannel, viewerId: string): APIDMChannel {
  const recipients = userIds.flatMap((userId) => (userId === viewerId ? [] : (users.get(userId) ?? [])));
  return {
    id,
    type: ChannelType.DM,
    flags: 0,
    last_message_id: messages.get(id)?.at(-1)?.id ?? null,
    recipients,
  } as unknown as APIDMChannel;
}

/** Without what is kept here alone. */
export function asMessage({ onlyFor: _, pinnedAt: __, ...message }: Message): APIMessage {
  return message as APIMessage;
}
