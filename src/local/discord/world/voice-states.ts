// Who is in which voice channel, and what everybody is told when that changes.
import { randomBytes } from 'node:crypto';
import { type APIVoiceState, ChannelType, GatewayIntentBits, PermissionFlagsBits } from 'discord-api-types/v10';
import type { VoiceServer } from '../voice/types.ts';
import type { Guild, GuildChannel, World } from './index.ts';
import { may } from './permissions.ts';

/** What whoever joins says of themselves. `session_id` is the gateway session's; a member's client has none and gets one. */
export type VoiceWish = Partial<Pick<APIVoiceState, 'self_mute' | 'self_deaf' | 'session_id'>>;

/** Puts a user into a voice channel of this guild, moves them, or takes them out (null). Whether they may is for the caller to check. */
export function setVoiceState(
  world: World,
  voice: VoiceServer,
  guild: Guild,
  userId: string,
  channelId: string | null,
  wish: VoiceWish = {},
): void {
  const before = guild.voiceStates.get(userId);
  const isBot = userId === world.application.id;
  if (channelId === null) {
    if (!before) return;
    guild.voiceStates.delete(userId);
    tell(world, guild, { ...before, channel_id: null });
    if (isBot) voice.expel(guild.id, userId);
    return;
  }
  const channel = guild.channels.get(channelId);
  if (!channel || channel.type === ChannelType.GuildText) return;
  const state: APIVoiceState = {
    channel_id: channelId,
    user_id: userId,
    session_id: wish.session_id ?? before?.session_id ?? randomBytes(16).toString('hex'),
    deaf: guild.members.get(userId)?.deaf ?? false,
    mute: guild.members.get(userId)?.mute ?? false,
    self_mute: wish.self_mute ?? before?.self_mute ?? false,
    self_deaf: wish.self_deaf ?? before?.self_deaf ?? false,
    self_video: false,
    suppress: isSuppressed(world, userId, channel),
    request_to_speak_timestamp: null,
  };
  guild.voiceStates.set(userId, state);
  tell(world, guild, state);
  if (!isBot) return;
  voice.suppress(guild.id, userId, state.suppress || state.mute);
  // Who only mutes itself stays connected; everything else, joining the same channel again too, means a new connection.
  const isOnlyMuting =
    before?.channel_id === channelId &&
    before.session_id === state.session_id &&
    (before.self_mute !== state.self_mute || before.self_deaf !== state.self_deaf);
  if (isOnlyMuting) return;
  admit(world, voice, guild, state);
}

/** Tells the application where to connect, and with which token. */
function admit(
  world: World,
  voice: VoiceServer,
  guild: Guild,
  { channel_id, user_id: userId, session_id: sessionId }: APIVoiceState,
): void {
  const { token } = voice.admit({ guildId: guild.id, channelId: channel_id ?? '', userId, sessionId });
  tellServer(world, guild, { token, endpoint: voice.endpoint });
}

function tellServer(world: World, guild: Guild, server: { token: string; endpoint: string | null }): void {
  world.tell({ t: 'VOICE_SERVER_UPDATE', d: { ...server, guild_id: guild.id }, guildId: guild.id, to: 'bot' });
}

/** The voice server of all calls is another now, or (null) there is none for a while. */
export function tellVoiceServer(world: World, voice: VoiceServer | null): void {
  for (const guild of world.guilds.values()) {
    const state = guild.voiceStates.get(world.application.id);
    if (!state) continue;
    if (voice) admit(world, voice, guild, state);
    else tellServer(world, guild, { token: '', endpoint: null });
  }
}

/** After channels or permissions of a guild changed: puts out who is in a channel that is gone, and tells who may no longer, or again, speak. */
export function reviewVoice(world: World, voice: VoiceServer, guild: Guild): void {
  for (const [userId, state] of [...guild.voiceStates]) {
    const channel = guild.channels.get(state.channel_id ?? '');
    if (!channel || !guild.members.has(userId)) {
      setVoiceState(world, voice, guild, userId, null);
      continue;
    }
    const suppress = isSuppressed(world, userId, channel);
    if (suppress === state.suppress) continue;
    guild.voiceStates.set(userId, { ...state, suppress });
    tell(world, guild, { ...state, suppress });
    if (userId === world.application.id) voice.suppress(guild.id, userId, suppress || state.mute);
  }
}

/** A moderator's mute or deafening, or its end. It is the member's, and outlasts their leaving. @throws Error if the member is in no voice channel */
export function setVoiceFlags(
  world: World,
  voice: VoiceServer,
  guild: Guild,
  userId: string,
  flags: { mute?: boolean; deaf?: boolean },
): void {
  const member = guild.members.get(userId);
  const before = guild.voiceStates.get(userId);
  if (!member || !before) throw new Error('Only who is in a voice channel can be muted, deafened or the reverse.');
  Object.assign(member, flags);
  const state = { ...before, ...flags };
  guild.voiceStates.set(userId, state);
  tell(world, guild, state);
  if (userId === world.application.id) voice.suppress(guild.id, userId, state.suppress || state.mute);
}

function tell(world: World, guild: Guild, state: APIVoiceState): void {
  const member = guild.members.get(state.user_id);
  world.tell({
    t: 'VOICE_STATE_UPDATE',
    d: { ...state, guild_id: guild.id, ...(member && { member }) },
    intent: GatewayIntentBits.GuildVoiceStates,
    guildId: guild.id,
  });
}

/** In the audience of a stage, or where speaking is not permitted. */
function isSuppressed(world: World, userId: string, channel: GuildChannel): boolean {
  if (channel.type !== ChannelType.GuildStageVoice) return !may(world, userId, channel, PermissionFlagsBits.Speak);
  return !may(world, userId, channel, PermissionFlagsBits.MuteMembers);
}
