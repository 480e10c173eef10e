// REST: channels.
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { isDm } from '../../world/index.ts';
import { asDm } from '../../world/payloads.ts';
import type { RestPowers } from '../index.ts';
import { channelOf } from '../lookup.ts';

export function channelRoutes(api: FastifyInstance, { world }: RestPowers): void {
  const me = world.application.id;
  api.get('/channels/:channel', (request) => {
    const channel = channelOf(world, request);
    return isDm(channel) ? asDm(world, channel, me) : channel;
  });
  api.post('/channels/:channel/typing', (request, reply) => {
    const channel = channelOf(world, request, P.SendMessages);
    world.tell({ t: 'TYPING_START', d: { user_id: me, channel_id: channel.id }, channel, to: 'members' });
    return reply.code(204).send();
  });
}
