// REST: channels. https://docs.discord.com/developers/resources/channel
import { ChannelType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { createValidator, type JsonObject } from '../../validator.ts';
import { hasPermissions } from '../../world/permissions.ts';
import { serializeChannel } from '../../world/serialize.ts';
import { setVoiceStatus } from '../../world/voice-states.ts';
import { findGuildChannel } from '../../world/world.ts';
import { requireChannel } from '../lookup.ts';
import type { RestDependencies } from '../types.ts';

/** Characters of a voice channel's status. */
const MAX_STATUS = 500;

export function channelRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  const { id: applicationId } = world.application;
  api.get('/channels/:channel', (request) => {
    return serializeChannel(world, requireChannel(world, request), applicationId);
  });
  api.post('/channels/:channel/typing', (request, reply) => {
    const channel = requireChannel(world, request, P.SendMessages);
    world.emit({ t: 'TYPING_START', d: { user_id: applicationId, channel_id: channel.id }, channel, to: 'members' });
    return reply.code(204).send();
  });
  api.put('/channels/:channel/voice-status', (request, reply) => {
    const channel = findGuildChannel(world, requireChannel(world, request, P.SetVoiceChannelStatus).id);
    if (channel?.type !== ChannelType.GuildVoice) throw discordErrors.wrongChannelType();
    const isConnected = world.guilds.get(channel.guild_id)?.voiceStates.get(applicationId)?.channel_id === channel.id;
    if (!isConnected && !hasPermissions(world, applicationId, channel, P.ManageChannels)) throw discordErrors.missingPermissions();
    const { status = null } = (request.body ?? {}) as JsonObject;
    const validator = createValidator();
    if (status !== null) validator.checkLength('status', status, 0, MAX_STATUS);
    validator.throwIfInvalid();
    setVoiceStatus(world, channel, status === null || status === '' ? null : String(status));
    return reply.code(204).send();
  });
}
