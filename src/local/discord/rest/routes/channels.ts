// REST: channels. https://docs.discord.com/developers/resources/channel
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { serializeChannel } from '../../world/serialize.ts';
import { requireChannel } from '../lookup.ts';
import type { RestDependencies } from '../types.ts';

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
}
