// REST: the members of a guild, their roles and voice states. https://docs.discord.com/developers/resources/guild#list-guild-members
import { GatewayIntentBits } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { createValidator, type JsonObject } from '../../validator.ts';
import { editMember } from '../../world/moderation.ts';
import type { Guild, Member } from '../../world/world.ts';
import { requireGuild } from '../lookup.ts';
import { pageOfIds, parseLimit } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

export function memberRoutes(api: FastifyInstance, { world, voice }: RestDependencies): void {
  const { application } = world;
  const requireMember = (request: FastifyRequest): [Guild, Member] => {
    const guild = requireGuild(world, request);
    const { user = '' } = request.params as Params;
    const member = guild.members.get(user === '@me' ? application.id : user);
    if (!member) throw discordErrors.unknownMember();
    return [guild, member];
  };

  api.get('/guilds/:guild/members', (request) => {
    const { members } = requireGuild(world, request);
    // Listing takes the privileged intent; searching by name doesn't.
    if (!(application.privilegedIntents & GatewayIntentBits.GuildMembers)) throw discordErrors.missingAccess();
    return pageOfIds(members.keys(), request.query as Params, 1, 1000).map((id) => members.get(id));
  });
  api.get('/guilds/:guild/members/search', (request) => {
    const { members } = requireGuild(world, request);
    const { query, limit } = request.query as Params;
    const validator = createValidator();
    validator.checkLength('query', query, 1, 100);
    validator.throwIfInvalid();
    const prefix = (query ?? '').toLowerCase();
    const matches = (name?: string | null) => name?.toLowerCase().startsWith(prefix) === true;
    return [...members.values()]
      .filter(({ nick, user }) => matches(nick) || matches(user.username) || matches(user.global_name))
      .slice(0, parseLimit(limit, 1, 1000));
  });
  api.get('/guilds/:guild/members/:user', (request) => requireMember(request)[1]);
  api.patch('/guilds/:guild/members/:user', (request) => {
    const [guild, member] = requireMember(request);
    editMember(world, voice, guild, application.id, member, (request.body ?? {}) as JsonObject);
    return member;
  });
  api.patch('/guilds/:guild/members/@me/nick', (request) => {
    const guild = requireGuild(world, request);
    const member = guild.members.get(application.id) as Member;
    editMember(world, voice, guild, application.id, member, { nick: (request.body as JsonObject | null)?.nick ?? null });
    return { nick: member.nick };
  });
  api.route({
    method: ['PUT', 'DELETE'],
    url: '/guilds/:guild/members/:user/roles/:role',
    handler: (request, reply) => {
      const [guild, member] = requireMember(request);
      const { role = '' } = request.params as Params;
      if (!guild.roles.some(({ id }) => id === role)) throw discordErrors.unknownRole();
      const others = member.roles.filter((id) => id !== role);
      editMember(world, voice, guild, application.id, member, { roles: request.method === 'PUT' ? [...others, role] : others });
      return reply.code(204).send();
    },
  });
  api.get('/guilds/:guild/voice-states/:user', (request) => {
    const [guild, { user }] = requireMember(request);
    const state = guild.voiceStates.get(user.id);
    if (!state) throw discordErrors.unknownVoiceState();
    return state;
  });
}
