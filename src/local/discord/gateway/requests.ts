// What a session may request over the gateway: joining voice, guild members, soundboard sounds and the statuses of voice channels.
// https://docs.discord.com/developers/events/gateway-events#send-events
import {
  ChannelType,
  GatewayOpcodes,
  type GatewayRequestChannelInfoData,
  type GatewaySendPayload,
  type GatewayVoiceStateUpdateData,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import type { VoiceServer } from '../voice/types.ts';
import { hasPermissions } from '../world/permissions.ts';
import { isFull, setVoiceState } from '../world/voice-states.ts';
import { hasApplication, type World } from '../world/world.ts';
import { dispatch, type Session } from './session.ts';

/** @returns false if the opcode is unknown */
export function handleRequest(world: World, voice: VoiceServer, session: Session, payload: GatewaySendPayload): boolean {
  switch (payload.op) {
    case GatewayOpcodes.VoiceStateUpdate:
      updateVoiceState(world, voice, session, payload.d);
      return true;
    case GatewayOpcodes.RequestGuildMembers:
      sendMembers(world, session, payload.d as MembersRequest);
      return true;
    case GatewayOpcodes.RequestSoundboardSounds:
      sendSoundboardSounds(world, session, payload.d.guild_ids);
      return true;
    case GatewayOpcodes.RequestChannelInfo:
      sendChannelInfo(world, session, payload.d);
      return true;
    case GatewayOpcodes.PresenceUpdate:
      return true;
    default:
      return false;
  }
}

/** Like Discord, says nothing at all if the application may not connect. */
function updateVoiceState(world: World, voice: VoiceServer, session: Session, request: GatewayVoiceStateUpdateData): void {
  const { guild_id: guildId, channel_id: channelId, self_mute, self_deaf } = request;
  const botId = world.application.id;
  const guild = world.guilds.get(guildId);
  if (!guild || !hasApplication(world, guild)) return;
  if (channelId !== null) {
    const channel = guild.channels.get(channelId);
    if (!channel || !hasPermissions(world, botId, channel, P.Connect) || isFull(world, guild, botId, channel)) return;
  }
  setVoiceState(world, voice, guild, botId, channelId, { self_mute, self_deaf, session_id: session.id });
}

interface MembersRequest {
  guild_id: string;
  query?: string;
  user_ids?: string | string[];
  limit?: number;
  nonce?: string;
}

function sendMembers(world: World, session: Session, { guild_id: guildId, query = '', user_ids, limit, nonce }: MembersRequest): void {
  const guild = world.guilds.get(guildId);
  if (!guild || !hasApplication(world, guild)) return;
  const ids = user_ids === undefined ? null : [user_ids].flat();
  const members = [...guild.members.values()].filter(({ user }) => (ids ? ids.includes(user.id) : user.username.startsWith(query)));
  dispatch(session, 'GUILD_MEMBERS_CHUNK', {
    guild_id: guild.id,
    members: limit ? members.slice(0, limit) : members,
    chunk_index: 0,
    chunk_count: 1,
    not_found: ids?.filter((id) => !guild.members.has(id)) ?? [],
    ...(nonce !== undefined && { nonce }),
  });
}

/** Knows one field: the status of each voice channel. */
function sendChannelInfo(world: World, session: Session, { guild_id: guildId, fields = [] }: GatewayRequestChannelInfoData): void {
  const guild = world.guilds.get(guildId);
  if (!guild || !hasApplication(world, guild)) return;
  const channels = [...guild.channels.values()]
    .filter(({ type }) => type !== ChannelType.GuildText)
    .map(({ id }) => ({ id, ...(fields.includes('status') && { status: world.voiceStatuses.get(id) ?? null }) }));
  dispatch(session, 'CHANNEL_INFO', { guild_id: guildId, channels });
}

/** Guilds have no sounds of their own. */
function sendSoundboardSounds(world: World, session: Session, guildIds: unknown): void {
  for (const guildId of Array.isArray(guildIds) ? guildIds : []) {
    const guild = world.guilds.get(String(guildId));
    if (guild && hasApplication(world, guild)) dispatch(session, 'SOUNDBOARD_SOUNDS', { guild_id: guild.id, soundboard_sounds: [] });
  }
}
