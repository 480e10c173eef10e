// REST: the guild, its members and who is in voice.
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { permissionsOf } from './permissions.ts';
import { problems } from './problems.ts';
import type { Params, RestPowers } from './rest.ts';
import { asGuild } from './views.ts';
import { setVoiceState } from './voice-states.ts';
import { type Guild, hasApplication, type Member } from './world.ts';

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
  api.get('/guilds/:guild/members/:user', (request) => memberOf(request)[1]);
  api.get('/guilds/:guild/voice-states/:user', (request) => {
    const [guild, { user }] = memberOf(request);
    const state = guild.voiceStates.get(user.id);
    if (!state) throw problems.unknownVoiceState();
    return state;
  });
  api.patch('/guilds/:guild/members/:user', (request) => {
    const [guild, member] = memberOf(request);
    const { channel_id } = request.body as { channel_id?: string | null };
    if (channel_id !== undefined) {
      if ((permissionsOf(guild, application.id) & P.MoveMembers) === 0n) throw problems.missingPermissions();
      if (!guild.voiceStates.has(member.user.id)) throw problems.notInVoice();
      setVoiceState(world, voice, guild, member.user.id, channel_id);
    }
    return member;
  });
}
