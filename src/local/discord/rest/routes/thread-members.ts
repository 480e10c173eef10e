// REST: the members of a thread. https://docs.discord.com/developers/resources/channel#list-thread-members
import { GatewayIntentBits, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { hasPermissions } from '../../world/permissions.ts';
import { serializeThreadMember } from '../../world/serialize.ts';
import { joinThread, leaveThread } from '../../world/threads.ts';
import type { Thread } from '../../world/world.ts';
import { requireThread } from '../lookup.ts';
import { parseLimit, validateIds } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

export function threadMemberRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  const { application } = world;
  const members = '/channels/:channel/thread-members';
  const userOf = (request: FastifyRequest) => {
    const { user = '' } = request.params as Params;
    return user === '@me' ? application.id : user;
  };
  const serialize = (thread: Thread, userId: string, joinedAt: string, request: FastifyRequest) => ({
    ...serializeThreadMember(thread, userId, joinedAt),
    ...(/^(true|1)$/i.test((request.query as Params).with_member ?? '') && {
      member: world.guilds.get(thread.guild_id)?.members.get(userId),
    }),
  });

  api.get(members, (request) => {
    const thread = requireThread(world, request);
    // Listing takes the privileged intent, as for the members of a guild.
    if (!(application.privilegedIntents & GatewayIntentBits.GuildMembers)) throw discordErrors.missingAccess();
    const { limit, after = '0' } = request.query as Params;
    validateIds({ after });
    return [...thread.joinedAt]
      .filter(([id]) => BigInt(id) > BigInt(after))
      .sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1))
      .slice(0, parseLimit(limit, 100, 100))
      .map(([id, joinedAt]) => serialize(thread, id, joinedAt, request));
  });
  api.get(`${members}/:user`, (request) => {
    const thread = requireThread(world, request);
    const joinedAt = thread.joinedAt.get(userOf(request));
    if (joinedAt === undefined) throw discordErrors.unknownMember();
    return serialize(thread, userOf(request), joinedAt, request);
  });
  api.put(`${members}/:user`, (request, reply) => {
    const thread = requireThread(world, request);
    const userId = userOf(request);
    if (thread.thread_metadata.archived) throw discordErrors.threadArchived();
    const isOther = userId !== application.id;
    if (isOther && !hasPermissions(world, application.id, thread, P.SendMessages)) throw discordErrors.missingPermissions();
    if (!world.guilds.get(thread.guild_id)?.members.has(userId)) throw discordErrors.unknownMember();
    joinThread(world, thread, userId);
    return reply.code(204).send();
  });
  api.delete(`${members}/:user`, (request, reply) => {
    const thread = requireThread(world, request);
    const userId = userOf(request);
    if (thread.thread_metadata.archived) throw discordErrors.threadArchived();
    const isOther = userId !== application.id;
    if (isOther && !hasPermissions(world, application.id, thread, P.ManageThreads)) throw discordErrors.missingPermissions();
    leaveThread(world, thread, userId);
    return reply.code(204).send();
  });
}
