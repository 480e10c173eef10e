// The registered application commands, globally and for each guild.
// https://docs.discord.com/developers/interactions/application-commands#endpoints
import { type APIApplicationCommand, ApplicationCommandType, ApplicationIntegrationType } from 'discord-api-types/v10';
import { discordErrors } from '../errors.ts';
import { createValidator, type JsonObject } from '../validator.ts';
import { createSnowflake } from '../world/snowflake.ts';
import type { World } from '../world/world.ts';
import { validateCommand } from './command-validation.ts';

/** Per scope. https://docs.discord.com/developers/interactions/application-commands#registering-a-command */
const MAX_COMMANDS: Record<number, number> = {
  [ApplicationCommandType.ChatInput]: 100,
  [ApplicationCommandType.User]: 15,
  [ApplicationCommandType.Message]: 15,
};

/**
 * Replaces all commands of a scope: a guild, or global (null). Commands of the same name and type keep their id.
 * @throws DiscordError 50035, 30032
 */
export function overwriteCommands(world: World, definitions: JsonObject[], guildId: string | null): APIApplicationCommand[] {
  if (!Array.isArray(definitions) || !definitions.every((definition) => typeof definition === 'object' && definition !== null))
    throw discordErrors.malformed();
  const validator = createValidator();
  const names = new Set<string>();
  for (const [index, definition] of definitions.entries()) {
    validateCommand(definition, `${index}`, validator);
    const key = `${typeOf(definition)} ${definition.name}`;
    if (names.has(key))
      validator.addError(`${index}.name`, 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique');
    names.add(key);
  }
  validator.throwIfInvalid();
  checkCount(definitions);
  const others = world.commands.filter((command) => scopeOf(command) !== guildId);
  const commands = definitions.map((definition) => build(world, definition, guildId, find(world, definition, guildId)));
  setCommands(world, [...others, ...commands]);
  return commands;
}

/** Adds a command, or replaces the one of the same name and type. @throws DiscordError 50035, 30032 */
export function upsertCommand(
  world: World,
  definition: JsonObject,
  guildId: string | null,
): { command: APIApplicationCommand; isNew: boolean } {
  validate(definition);
  const existing = find(world, definition, guildId);
  const command = build(world, definition, guildId, existing);
  const others = world.commands.filter(({ id }) => id !== command.id);
  checkCount([...others.filter((other) => scopeOf(other) === guildId), command]);
  setCommands(world, [...others, command]);
  return { command, isNew: existing === undefined };
}

/** Changes the fields that `changes` sets. @throws DiscordError 50035 */
export function editCommand(world: World, existing: APIApplicationCommand, changes: JsonObject): APIApplicationCommand {
  const definition = { ...existing, ...changes, type: existing.type };
  validate(definition);
  const edited = build(world, definition, scopeOf(existing), existing);
  const commands = world.commands.map((command) => (command.id === existing.id ? edited : command));
  setCommands(world, commands);
  return edited;
}

export function deleteCommand(world: World, id: string): void {
  const commands = world.commands.filter((command) => command.id !== id);
  setCommands(world, commands);
}

export function scopeOf({ guild_id }: APIApplicationCommand): string | null {
  return guild_id ?? null;
}

/** Tells members that the commands available to them may have changed. */
export function emitCommandsUpdate(world: World): void {
  world.emit({ t: 'COMMANDS_UPDATE', d: null, to: 'members' });
}

function setCommands(world: World, commands: APIApplicationCommand[]): void {
  world.commands = commands;
  emitCommandsUpdate(world);
}

function typeOf({ type = ApplicationCommandType.ChatInput }: JsonObject): ApplicationCommandType {
  return type;
}

function validate(definition: JsonObject): void {
  const validator = createValidator();
  validateCommand(definition, '', validator);
  validator.throwIfInvalid();
}

function checkCount(commands: JsonObject[]): void {
  for (const [type, max] of Object.entries(MAX_COMMANDS))
    if (commands.filter((command) => typeOf(command) === Number(type)).length > max) throw discordErrors.tooManyCommands();
}

function find(world: World, definition: JsonObject, guildId: string | null): APIApplicationCommand | undefined {
  return world.commands.find(
    (command) => command.name === definition.name && command.type === typeOf(definition) && scopeOf(command) === guildId,
  );
}

function build(
  world: World,
  definition: JsonObject,
  guildId: string | null,
  existing: APIApplicationCommand | undefined,
): APIApplicationCommand {
  const { description = '', default_member_permissions: permissions } = definition;
  return {
    name_localizations: null,
    description_localizations: null,
    default_member_permissions: null,
    nsfw: false,
    options: [],
    ...(guildId === null && { contexts: null, integration_types: [ApplicationIntegrationType.GuildInstall], dm_permission: true }),
    ...definition,
    // Both are for global commands only. Discord accepts them for a guild's commands, too, but ignores them.
    ...(guildId !== null && { guild_id: guildId, contexts: undefined, integration_types: undefined }),
    description,
    ...(permissions != null && { default_member_permissions: String(permissions) }),
    type: typeOf(definition),
    id: existing?.id ?? createSnowflake(),
    application_id: world.application.id,
    version: createSnowflake(),
  } as unknown as APIApplicationCommand;
}
