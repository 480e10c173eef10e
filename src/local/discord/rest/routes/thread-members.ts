// REST: the members of a thread. https://docs.discord.com/developers/resources/channel#list-thread-members
import { GatewayIntentBits, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { hasPermissions } from '../../world/permissions.ts';
import { serializeThreadMember } from '../../world/serialize.ts';
import { joinThread, leaveThread } from '../../world/threads.ts';
import type { Thread } from '../../world/world.ts';
import { requireThread } from '../lookup.ts';
import { pageOfIds } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

export function threadMemberRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  const { application } = world;
  const members = '/channels/:channel/thread-members';
  const userOf = (request: FastifyRequest) => {
    const { user = '' } = request.params as Params;
    return user === '@me' ? application.id : user;
  };
  const serialize = (thread: Thread, userId: string, request: FastifyRequest) => ({
    ...serializeThreadMember(thread, userId),
    ...(/^(true|1)$/i.test((request.query as Params).with_member ?? '') && {
      member: world.guilds.get(thread.guild_id)?.members.get(userId),
    }),
  });

  api.get(members, (request) => {
    const thread = requireThread(world, request);
    // Listing takes the privileged intent, as for the members of a guild.
    if (!(application.privilegedIntents & GatewayIntentBits.GuildMembers)) throw discordErrors.missingAccess();
    return pageOfIds(thread.joinedAt.keys(), request.query as Params, 100, 100).map((id) => serialize(thread, id, request));
  });
  api.get(`${members}/:user`, (request) => {
    const thread = requireThread(world, request);
    if (!thread.joinedAt.has(userOf(request))) throw discordErrors.unknownMember();
    return serialize(thread, userOf(request), request);
  });
  /** Another's membership takes a permission. @throws DiscordError 50013, 50083 */
  const requireChangeable = (request: FastifyRequest, permission: bigint): [Thread, string] => {
    const thread = requireThread(world, request);
    const userId = userOf(request);
    if (thread.thread_metadata.archived) throw discordErrors.threadArchived();
    const isOther = userId !== application.id;
    if (isOther && !hasPermissions(world, application.id, thread, permission)) throw discordErrors.missingPermissions();
    return [thread, userId];
  };
  api.put(`${members}/:user`, (request, reply) => {
    const [thread, userId] = requireChangeable(request, P.SendMessages);
    if (!world.guilds.get(thread.guild_id)?.members.has(userId)) throw discordErrors.unknownMember();
    joinThread(world, thread, userId);
    return reply.code(204).send();
  });
  api.delete(`${members}/:user`, (request, reply) => {
    const [thread, userId] = requireChangeable(request, P.ManageThreads);
    leaveThread(world, thread, userId);
    return reply.code(204).send();
  });
}
