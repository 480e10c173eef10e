// Voice states: who is in which voice channel, muted or not, and the events and voice connections that follow from changes.
import { randomBytes } from 'node:crypto';
import { type APIVoiceState, ChannelType, GatewayIntentBits, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { VoiceServer } from '../voice/types.ts';
import { hasPermissions } from './permissions.ts';
import type { Guild, GuildChannel, World } from './world.ts';

/** `session_id` is the gateway session's; a member's client has none and is given one. */
export type VoiceStateOptions = Partial<Pick<APIVoiceState, 'self_mute' | 'self_deaf' | 'session_id'>>;

/** Moves a user into a voice channel of this guild, or out of voice (null). The caller checks permissions. */
export function setVoiceState(
  world: World,
  voice: VoiceServer,
  guild: Guild,
  userId: string,
  channelId: string | null,
  options: VoiceStateOptions = {},
): void {
  const previous = guild.voiceStates.get(userId);
  const isBot = userId === world.application.id;
  if (channelId === null) {
    if (!previous) return;
    guild.voiceStates.delete(userId);
    emitVoiceState(world, guild, { ...previous, channel_id: null });
    clearVoiceStatus(world, guild, previous.channel_id);
    if (isBot) voice.expel(guild.id, userId);
    return;
  }
  const channel = guild.channels.get(channelId);
  if (!channel || channel.type === ChannelType.GuildText) return;
  const member = guild.members.get(userId);
  const state: APIVoiceState = {
    channel_id: channelId,
    user_id: userId,
    session_id: options.session_id ?? previous?.session_id ?? randomBytes(16).toString('hex'),
    deaf: member?.deaf ?? false,
    mute: member?.mute ?? false,
    self_mute: options.self_mute ?? previous?.self_mute ?? false,
    self_deaf: options.self_deaf ?? previous?.self_deaf ?? false,
    self_video: false,
    suppress: isSuppressed(world, userId, channel),
    request_to_speak_timestamp: null,
  };
  guild.voiceStates.set(userId, state);
  voice.suppress(guild.id, userId, state.suppress || state.mute);
  emitVoiceState(world, guild, state);
  if (previous?.channel_id !== channelId) clearVoiceStatus(world, guild, previous?.channel_id);
  if (!isBot) return;
  // A change of self_mute or self_deaf keeps the connection; anything else, even joining the same channel again, needs a new one.
  const keepsConnection =
    previous?.channel_id === channelId &&
    previous.session_id === state.session_id &&
    (previous.self_mute !== state.self_mute || previous.self_deaf !== state.self_deaf);
  if (!keepsConnection) admitToVoiceServer(world, voice, guild, state);
}

/** Sets what is written above the people in a voice channel; null removes it. The caller checks permissions. */
export function setVoiceStatus(world: World, { id, guild_id }: GuildChannel, status: string | null): void {
  if (status === null) world.voiceStatuses.delete(id);
  else world.voiceStatuses.set(id, status);
  world.emit({
    t: 'VOICE_CHANNEL_STATUS_UPDATE',
    d: { id, guild_id, status },
    intent: GatewayIntentBits.Guilds,
    guildId: guild_id,
  });
}

/** Like Discord, clears the status of a channel that everybody has left. */
function clearVoiceStatus(world: World, guild: Guild, channelId: string | null | undefined): void {
  const channel = guild.channels.get(channelId ?? '');
  const isEmpty = ![...guild.voiceStates.values()].some(({ channel_id }) => channel_id === channelId);
  if (channel && isEmpty && world.voiceStatuses.has(channel.id)) setVoiceStatus(world, channel, null);
}

/** Sends the application the voice server's endpoint and a token for it. */
function admitToVoiceServer(world: World, voice: VoiceServer, guild: Guild, state: APIVoiceState): void {
  const { token } = voice.admit({
    guildId: guild.id,
    channelId: state.channel_id ?? '',
    userId: state.user_id,
    sessionId: state.session_id,
  });
  emitVoiceServerUpdate(world, guild, token, voice.endpoint);
}

/** Tells the application that its calls have moved to another voice server, or (null) that there is none for now. */
export function announceVoiceServer(world: World, voice: VoiceServer | null): void {
  for (const guild of world.guilds.values()) {
    const state = guild.voiceStates.get(world.application.id);
    if (!state) continue;
    if (voice) admitToVoiceServer(world, voice, guild, state);
    else emitVoiceServerUpdate(world, guild, '', null);
  }
}

/** After a change of channels or permissions: takes members of deleted channels out of voice, and updates who may speak. */
export function enforceVoicePermissions(world: World, voice: VoiceServer, guild: Guild): void {
  for (const [userId, state] of [...guild.voiceStates]) {
    const channel = guild.channels.get(state.channel_id ?? '');
    if (!channel || !guild.members.has(userId)) {
      setVoiceState(world, voice, guild, userId, null);
      continue;
    }
    const suppress = isSuppressed(world, userId, channel);
    if (suppress !== state.suppress) updateVoiceState(world, voice, guild, { ...state, suppress });
  }
}

/** Mutes or deafens a member as a moderator would; this outlasts their leaving. @throws Error if they aren't in a voice channel */
export function setVoiceFlags(
  world: World,
  voice: VoiceServer,
  guild: Guild,
  userId: string,
  flags: { mute?: boolean; deaf?: boolean },
): void {
  const member = guild.members.get(userId);
  const state = guild.voiceStates.get(userId);
  if (!member || !state) throw new Error('Only members in a voice channel can be muted or deafened.');
  Object.assign(member, flags);
  updateVoiceState(world, voice, guild, { ...state, ...flags });
}

/** A change that keeps the voice connection. */
function updateVoiceState(world: World, voice: VoiceServer, guild: Guild, state: APIVoiceState): void {
  guild.voiceStates.set(state.user_id, state);
  voice.suppress(guild.id, state.user_id, state.suppress || state.mute);
  emitVoiceState(world, guild, state);
}

function emitVoiceState(world: World, guild: Guild, state: APIVoiceState): void {
  const member = guild.members.get(state.user_id);
  world.emit({
    t: 'VOICE_STATE_UPDATE',
    d: { ...state, guild_id: guild.id, ...(member && { member }) },
    intent: GatewayIntentBits.GuildVoiceStates,
    guildId: guild.id,
  });
}

function emitVoiceServerUpdate(world: World, guild: Guild, token: string, endpoint: string | null): void {
  world.emit({ t: 'VOICE_SERVER_UPDATE', d: { token, endpoint, guild_id: guild.id }, guildId: guild.id, to: 'bot' });
}

/** Whether a user may not join a channel because others fill it up. */
export function isFull(world: World, guild: Guild, userId: string, channel: GuildChannel): boolean {
  const others = [...guild.voiceStates.values()].filter((state) => state.channel_id === channel.id && state.user_id !== userId);
  return channel.user_limit > 0 && others.length >= channel.user_limit && !hasPermissions(world, userId, channel, P.MoveMembers);
}

/** Without the permission to speak; on a stage, in the audience. */
export function isSuppressed(world: World, userId: string, channel: GuildChannel): boolean {
  const needed = channel.type === ChannelType.GuildStageVoice ? P.MuteMembers : P.Speak;
  return !hasPermissions(world, userId, channel, needed);
}
