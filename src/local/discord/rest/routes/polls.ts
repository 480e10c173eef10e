// REST: who voted in a poll, and its end. https://docs.discord.com/developers/resources/poll
import { type APIUser, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { endPoll } from '../../messages/poll-results.ts';
import { serializeRestMessage } from '../../messages/serialize.ts';
import { isPollOver } from '../../world/polls.ts';
import { requireChannel, requireMessage } from '../lookup.ts';
import { pageOfIds } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

export function pollRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  api.get('/channels/:channel/polls/:message/answers/:answer', (request): { users: APIUser[] } => {
    requireChannel(world, request, P.ReadMessageHistory);
    const { answer } = request.params as Params;
    const ids = requireMessage(world, request).votedBy?.find(({ answerId }) => String(answerId) === answer)?.userIds ?? [];
    return { users: pageOfIds(ids, request.query as Params, 25, 100).flatMap((id) => world.users.get(id) ?? []) };
  });
  api.post('/channels/:channel/polls/:message/expire', (request) => {
    requireChannel(world, request);
    const message = requireMessage(world, request);
    if (!message.poll) throw discordErrors.notPoll();
    if (message.author.id !== world.application.id) throw discordErrors.notAuthor();
    if (isPollOver(message.poll)) throw discordErrors.pollExpired();
    endPoll(world, message, message.poll);
    return serializeRestMessage(world, message);
  });
}
