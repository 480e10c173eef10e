// REST: the guild, its members and who is in voice.
import { GatewayIntentBits } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFormCheck, type Form, problems } from '../../errors.ts';
import { type Guild, hasApplication, type Member } from '../../world/index.ts';
import { changeMember } from '../../world/moderation.ts';
import { asGuild } from '../../world/payloads.ts';
import type { Params, RestPowers } from '../index.ts';
import { checkIds, readLimit } from '../pagination.ts';

export function guildRoutes(api: FastifyInstance, { world, voice }: RestPowers): void {
  const { application } = world;
  const guildOf = (request: FastifyRequest): Guild => {
    const guild = world.guilds.get((request.params as Params).guild ?? '');
    if (!guild) throw problems.unknownGuild();
    if (!hasApplication(world, guild)) throw problems.missingAccess();
    return guild;
  };
  const memberOf = (request: FastifyRequest): [Guild, Member] => {
    const guild = guildOf(request);
    const { user = '' } = request.params as Params;
    const member = guild.members.get(user === '@me' ? application.id : user);
    if (!member) throw problems.unknownMember();
    return [guild, member];
  };
  api.get('/guilds/:guild', (request) => asGuild(guildOf(request)));
  api.get('/guilds/:guild/channels', (request) => [...guildOf(request).channels.values()]);
  api.get('/guilds/:guild/roles', (request) => guildOf(request).roles);
  api.get('/guilds/:guild/soundboard-sounds', (request) => {
    guildOf(request);
    return { items: [] };
  });
  api.get('/guilds/:guild/members', (request) => {
    const { members } = guildOf(request);
    // The whole list takes the privileged intent; looking for a name does not.
    if (!(application.privilegedIntents & GatewayIntentBits.GuildMembers)) throw problems.missingAccess();
    const { limit, after = '0' } = request.query as Params;
    checkIds({ after });
    return [...members.values()]
      .filter(({ user }) => BigInt(user.id) > BigInt(after))
      .sort((one, other) => (BigInt(one.user.id) < BigInt(other.user.id) ? -1 : 1))
      .slice(0, readLimit(limit, 1, 1000));
  });
  api.get('/guilds/:guild/members/search', (request) => {
    const { members } = guildOf(request);
    const { query, limit } = request.query as Params;
    const check = createFormCheck();
    check.length('query', query, 1, 100);
    check.done();
    const begins = (name?: string | null) => name?.toLowerCase().startsWith((query ?? '').toLowerCase()) === true;
    return [...members.values()]
      .filter(({ nick, user }) => begins(nick) || begins(user.username) || begins(user.global_name))
      .slice(0, readLimit(limit, 1, 1000));
  });
  api.get('/guilds/:guild/members/:user', (request) => memberOf(request)[1]);
  api.get('/guilds/:guild/voice-states/:user', (request) => {
    const [guild, { user }] = memberOf(request);
    const state = guild.voiceStates.get(user.id);
    if (!state) throw problems.unknownVoiceState();
    return state;
  });
  api.patch('/guilds/:guild/members/:user', (request) => {
    const [guild, member] = memberOf(request);
    changeMember(world, voice, guild, member, (request.body ?? {}) as Form);
    return member;
  });
  api.patch('/guilds/:guild/members/@me/nick', (request) => {
    const guild = guildOf(request);
    const member = guild.members.get(application.id) as Member;
    changeMember(world, voice, guild, member, { nick: (request.body as Form | null)?.nick ?? null });
    return { nick: member.nick };
  });
  api.route({
    method: ['PUT', 'DELETE'],
    url: '/guilds/:guild/members/:user/roles/:role',
    handler: (request, reply) => {
      const [guild, member] = memberOf(request);
      const { role = '' } = request.params as Params;
      if (!guild.roles.some(({ id }) => id === role)) throw problems.unknownRole();
      const others = member.roles.filter((id) => id !== role);
      changeMember(world, voice, guild, member, { roles: request.method === 'PUT' ? [...others, role] : others });
      return reply.code(204).send();
    },
  });
}
