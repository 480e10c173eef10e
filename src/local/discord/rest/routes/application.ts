// REST: the application itself, users, and its commands.
import { ApplicationFlags, GatewayIntentBits } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { problems } from '../../errors.ts';
import { IDENTIFIES_A_DAY } from '../../gateway/index.ts';
import { changeCommand, overwriteCommands, removeCommand, upsertCommand } from '../../interactions/commands.ts';
import { hasApplication, openDm } from '../../world/index.ts';
import { asDm } from '../../world/payloads.ts';
import { permissionsOf } from '../../world/permissions.ts';
import type { Params, RestPowers } from '../index.ts';

/** Which privileged intents are switched on, as the flags for applications in few guilds. */
function applicationFlags(intents: number): number {
  return (
    (intents & GatewayIntentBits.GuildPresences ? ApplicationFlags.GatewayPresenceLimited : 0) |
    (intents & GatewayIntentBits.GuildMembers ? ApplicationFlags.GatewayGuildMembersLimited : 0) |
    (intents & GatewayIntentBits.MessageContent ? ApplicationFlags.GatewayMessageContentLimited : 0)
  );
}

export function applicationRoutes(api: FastifyInstance, { world, gatewayUrl, identifiesLeft }: RestPowers): void {
  const { application } = world;
  const scope = (params: Params) => {
    if (params.app !== application.id) throw problems.missingAccess();
    const guild = params.guild === undefined ? null : world.guilds.get(params.guild);
    if (guild === undefined || (guild && !hasApplication(world, guild))) throw problems.missingAccess();
    return params.guild ?? null;
  };
  const describe = () => ({
    id: application.id,
    name: application.name,
    description: application.description,
    icon: null,
    bot_public: true,
    bot_require_code_grant: false,
    verify_key: '',
    flags: applicationFlags(application.privilegedIntents),
    owner: application.owner,
    team: application.team,
    integration_types_config: { 0: {}, 1: {} },
  });
  api.get('/gateway', () => ({ url: gatewayUrl() }));
  api.get('/gateway/bot', () => ({
    url: gatewayUrl(),
    shards: 1,
    session_start_limit: { total: IDENTIFIES_A_DAY, remaining: identifiesLeft(), reset_after: 86_400_000, max_concurrency: 1 },
  }));
  api.get('/applications/@me', describe);
  api.get('/oauth2/applications/@me', describe);
  api.get('/users/@me', () => ({ ...application.user, verified: true, mfa_enabled: true, locale: 'en-US', flags: 0, email: null }));
  api.get('/users/@me/guilds', () =>
    [...world.guilds.values()]
      .filter((guild) => hasApplication(world, guild))
      .map((guild) => ({
        ...{ id: guild.id, name: guild.name, icon: null, banner: null, owner: false, features: [] },
        permissions: String(permissionsOf(guild, application.id)),
      })),
  );
  api.post('/users/@me/channels', ({ body }) => {
    const { recipient_id: userId } = (body ?? {}) as { recipient_id?: unknown };
    if (typeof userId !== 'string' || !world.users.has(userId)) throw problems.invalidRecipients();
    if (userId === application.id) throw problems.cannotSend();
    return asDm(world, openDm(world, application.id, userId), application.id);
  });
  api.get('/users/:user', ({ params }) => {
    const user = world.users.get((params as Params).user ?? '');
    if (!user) throw problems.unknownUser();
    return user;
  });
  // Nobody has set any: every command is for whom its definition says.
  api.get('/applications/:app/guilds/:guild/commands/permissions', ({ params }) => {
    scope(params as Params);
    return [];
  });
  for (const base of ['/applications/:app/commands', '/applications/:app/guilds/:guild/commands']) {
    const find = (params: Params) => {
      const guildId = scope(params);
      const command = world.commands.find(({ id, guild_id }) => id === params.command && (guild_id ?? null) === guildId);
      if (!command) throw problems.unknownCommand();
      return command;
    };
    api.get(base, ({ params }) => {
      const guildId = scope(params as Params);
      return world.commands.filter(({ guild_id }) => (guild_id ?? null) === guildId);
    });
    api.put(base, ({ params, body }) => overwriteCommands(world, body as never, scope(params as Params)));
    api.post(base, ({ params, body }, reply) => {
      const { command, isNew } = upsertCommand(world, (body ?? {}) as object, scope(params as Params));
      return reply.code(isNew ? 201 : 200).send(command);
    });
    api.get(`${base}/:command`, ({ params }) => find(params as Params));
    api.patch(`${base}/:command`, ({ params, body }) => changeCommand(world, find(params as Params), (body ?? {}) as object));
    api.delete(`${base}/:command`, ({ params }, reply) => {
      removeCommand(world, find(params as Params).id);
      return reply.code(204).send();
    });
  }
}
