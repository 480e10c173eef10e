// REST: reactions to messages. https://docs.discord.com/developers/resources/message#create-reaction
import { type APIUser, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { addReaction, clearReactions, findReaction, MAX_REACTIONS, parseEmoji, removeReaction } from '../../world/reactions.ts';
import { requireChannel, requireMessage } from '../lookup.ts';
import { pageOfIds } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

export function reactionRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  const { application } = world;
  const all = '/channels/:channel/messages/:message/reactions';
  const one = `${all}/:emoji`;

  /** @throws DiscordError 10014 */
  const requireEmoji = (request: FastifyRequest): string => {
    const emoji = parseEmoji(world, (request.params as Params).emoji ?? '');
    if (emoji === null) throw discordErrors.unknownEmoji();
    return emoji;
  };

  api.put(`${one}/@me`, (request, reply) => {
    requireChannel(world, request, P.ReadMessageHistory);
    const emoji = requireEmoji(request);
    const message = requireMessage(world, request);
    if (!findReaction(message, emoji)) {
      requireChannel(world, request, P.AddReactions);
      if ((message.reactedBy?.length ?? 0) >= MAX_REACTIONS) throw discordErrors.tooManyReactions();
    }
    addReaction(world, message, application.id, emoji);
    return reply.code(204).send();
  });
  api.delete(`${one}/:user`, (request, reply) => {
    const { user = '' } = request.params as Params;
    const isOwn = user === '@me' || user === application.id;
    requireChannel(world, request, isOwn ? 0n : P.ManageMessages);
    removeReaction(world, requireMessage(world, request), isOwn ? application.id : user, requireEmoji(request));
    return reply.code(204).send();
  });
  api.get(one, (request): APIUser[] => {
    requireChannel(world, request, P.ReadMessageHistory);
    const ids = findReaction(requireMessage(world, request), requireEmoji(request))?.userIds ?? [];
    return pageOfIds(ids, request.query as Params, 25, 100).flatMap((id) => world.users.get(id) ?? []);
  });
  for (const url of [all, one])
    api.delete(url, (request, reply) => {
      requireChannel(world, request, P.ManageMessages);
      clearReactions(world, requireMessage(world, request), url === one ? requireEmoji(request) : undefined);
      return reply.code(204).send();
    });
}
