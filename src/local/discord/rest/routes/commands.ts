// REST: the application's commands, globally and for each guild.
// https://docs.discord.com/developers/interactions/application-commands#endpoints
import type { FastifyInstance } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { deleteCommand, editCommand, overwriteCommands, scopeOf, upsertCommand } from '../../interactions/commands.ts';
import { localize } from '../../interactions/localizations.ts';
import type { JsonObject } from '../../validator.ts';
import { isLocale, localeOf } from '../../world/languages.ts';
import { hasApplication } from '../../world/world.ts';
import type { Params, RestDependencies } from '../types.ts';

export function commandRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  /** The guild's id, or null for global commands. */
  const requireScope = ({ app, guild: guildId }: Params): string | null => {
    if (app !== world.application.id) throw discordErrors.missingAccess();
    if (guildId === undefined) return null;
    const guild = world.guilds.get(guildId);
    if (!guild || !hasApplication(world, guild)) throw discordErrors.missingAccess();
    return guildId;
  };
  const requireCommand = (params: Params) => {
    const scope = requireScope(params);
    const command = world.commands.find((candidate) => candidate.id === params.command && scopeOf(candidate) === scope);
    if (!command) throw discordErrors.unknownCommand();
    return command;
  };
  for (const commandsPath of ['/applications/:app/commands', '/applications/:app/guilds/:guild/commands']) {
    api.get(commandsPath, ({ params, query, headers }) => {
      const scope = requireScope(params as Params);
      const commands = world.commands.filter((command) => scopeOf(command) === scope);
      if (/^(true|1)$/i.test((query as Params).with_localizations ?? '')) return commands;
      const requested = headers['x-discord-locale'];
      const locale = isLocale(requested) ? requested : localeOf(world, world.application.id);
      return commands.map((command) => localize(command, locale));
    });
    api.put(commandsPath, ({ params, body }) => overwriteCommands(world, body as JsonObject[], requireScope(params as Params)));
    api.post(commandsPath, ({ params, body }, reply) => {
      const { command, isNew } = upsertCommand(world, (body ?? {}) as JsonObject, requireScope(params as Params));
      return reply.code(isNew ? 201 : 200).send(command);
    });
    const commandPath = `${commandsPath}/:command`;
    api.get(commandPath, ({ params }) => requireCommand(params as Params));
    api.patch(commandPath, ({ params, body }) => editCommand(world, requireCommand(params as Params), (body ?? {}) as JsonObject));
    api.delete(commandPath, ({ params }, reply) => {
      deleteCommand(world, requireCommand(params as Params).id);
      return reply.code(204).send();
    });
  }
  // Nobody can set permissions of single commands: each is available as its definition says.
  api.get('/applications/:app/guilds/:guild/commands/permissions', ({ params }) => {
    requireScope(params as Params);
    return [];
  });
}
