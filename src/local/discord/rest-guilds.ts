// REST: the guild, its members and who is in voice.
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { permissionsOf } from './permissions.ts';
import { problems } from './problems.ts';
import type { Params, RestPowers } from './rest.ts';
import { asGuild } from './views.ts';
import { setVoiceState } from './voice-states.ts';

export function guildRoutes(api: FastifyInstance, { world, voice }: RestPowers): void {
  const { guild, application } = world;
  const inGuild = (request: FastifyRequest) => {
    const params = request.params as Params;
    if (params.guild !== guild.id) throw problems.unknownGuild();
    if (!guild.members.has(application.user.id)) throw problems.missingAccess();
    return params;
  };
  const memberOf = (request: FastifyRequest) => {
    const { user = '' } = inGuild(request);
    const member = guild.members.get(user === '@me' ? application.user.id : user);
    if (!member) throw problems.unknownMember();
    return member;
  };
  api.get('/guilds/:guild', (request) => {
    inGuild(request);
    return asGuild(guild);
  });
  api.get('/guilds/:guild/channels', (request) => {
    inGuild(request);
    return [...guild.channels.values()];
  });
  api.get('/guilds/:guild/roles', (request) => {
    inGuild(request);
    return guild.roles;
  });
  api.get('/guilds/:guild/members/:user', (request) => memberOf(request));
  api.get('/guilds/:guild/voice-states/:user', (request) => {
    const state = guild.voiceStates.get(memberOf(request).user.id);
    if (!state) throw problems.unknownVoiceState();
    return state;
  });
  api.patch('/guilds/:guild/members/:user', (request) => {
    const member = memberOf(request);
    const { channel_id } = request.body as { channel_id?: string | null };
    if (channel_id !== undefined) {
      if ((permissionsOf(guild, application.user.id) & P.MoveMembers) === 0n) throw problems.missingPermissions();
      if (!guild.voiceStates.has(member.user.id)) throw problems.notInVoice();
      setVoiceState(world, voice, member.user.id, channel_id);
    }
    return member;
  });
}
