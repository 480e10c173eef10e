// Application commands: their definitions checked as Discord checks them, and what a member fills in.
import {
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  type APIAttachment,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from 'discord-api-types/v10';
import { createFormCheck, type Form, problems } from '../errors.ts';
import type { FilledOption } from '../page/protocol.ts';
import { type Channel, guildOf, type World } from '../world/index.ts';
import { asResolvedMember } from '../world/payloads.ts';
import { snowflake } from '../world/snowflake.ts';
import { checkCommand } from './command-validation.ts';

/** How many of each kind one scope may hold. https://docs.discord.com/developers/interactions/application-commands#registering-a-command */
const MOST: Record<number, number> = {
  [ApplicationCommandType.ChatInput]: 100,
  [ApplicationCommandType.User]: 15,
  [ApplicationCommandType.Message]: 15,
};

/** Replaces the commands of one scope (`null` = global) by these, keeping ids by name and type. @throws DiscordProblem 50035, 30032 */
export function overwriteCommands(world: World, definitions: Form[], guildId: string | null): APIApplicationCommand[] {
  if (!Array.isArray(definitions) || !definitions.every((one) => typeof one === 'object' && one !== null)) throw problems.malformed();
  const check = createFormCheck();
  const names = new Set<string>();
  for (const [index, definition] of definitions.entries()) {
    checkCommand(definition, `${index}`, check);
    const key = `${typeOf(definition)} ${definition.name}`;
    if (names.has(key)) check.fault(`${index}.name`, 'APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique');
    names.add(key);
  }
  check.done();
  checkNumber(definitions);
  const others = world.commands.filter((command) => (command.guild_id ?? null) !== guildId);
  const fresh = definitions.map((definition) => build(world, definition, guildId, find(world, definition, guildId)));
  keep(world, [...others, ...fresh]);
  return fresh;
}

/** Adds one command, or replaces the one of its name and type. @throws DiscordProblem 50035, 30032 */
export function upsertCommand(world: World, definition: Form, guildId: string | null): { command: APIApplicationCommand; isNew: boolean } {
  checkOne(definition);
  const known = find(world, definition, guildId);
  const command = build(world, definition, guildId, known);
  const others = world.commands.filter(({ id }) => id !== command.id);
  checkNumber([...others.filter(({ guild_id }) => (guild_id ?? null) === guildId), command]);
  keep(world, [...others, command]);
  return { command, isNew: known === undefined };
}

/** Changes what is named of a command. @throws DiscordProblem 50035 */
export function changeCommand(world: World, known: APIApplicationCommand, changes: Form): APIApplicationCommand {
  const definition = { ...known, ...changes, type: known.type };
  checkOne(definition);
  const command = build(world, definition, known.guild_id ?? null, known);
  keep(
    world,
    world.commands.map((one) => (one.id === known.id ? command : one)),
  );
  return command;
}

export function removeCommand(world: World, id: string): void {
  keep(
    world,
    world.commands.filter((command) => command.id !== id),
  );
}

function keep(world: World, commands: APIApplicationCommand[]): void {
  world.commands = commands;
  tellCommands(world);
}

/** Members may find other commands now. */
export function tellCommands(world: World): void {
  world.tell({ t: 'COMMANDS_UPDATE', d: null, to: 'members' });
}

function typeOf({ type = ApplicationCommandType.ChatInput }: Form): ApplicationCommandType {
  return type;
}

function checkOne(definition: Form): void {
  const check = createFormCheck();
  checkCommand(definition, '', check);
  check.done();
}

function checkNumber(commands: Form[]): void {
  for (const [type, most] of Object.entries(MOST))
    if (commands.filter((command) => typeOf(command) === Number(type)).length > most) throw problems.tooManyCommands();
}

function find(world: World, { name, type }: Form, guildId: string | null): APIApplicationCommand | undefined {
  return world.commands.find(
    (command) => command.name === name && command.type === typeOf({ type }) && (command.guild_id ?? null) === guildId,
  );
}

function build(world: World, definition: Form, guildId: string | null, known: APIApplicationCommand | undefined): APIApplicationCommand {
  return {
    name_localizations: null,
    description_localizations: null,
    default_member_permissions: null,
    nsfw: false,
    options: [],
    ...(guildId === null && { contexts: null, integration_types: [0], dm_permission: true }),
    ...definition,
    // These two are for global commands. Whoever names them for a guild's is not refused, but they mean nothing there.
    ...(guildId !== null && { guild_id: guildId, contexts: undefined, integration_types: undefined }),
    description: definition.description ?? '',
    ...(definition.default_member_permissions != null && { default_member_permissions: String(definition.default_member_permissions) }),
    type: typeOf(definition),
    id: known?.id ?? snowflake(),
    application_id: world.application.id,
    version: snowflake(),
  } as unknown as APIApplicationCommand;
}

/** What the member has uploaded. */
type FindUpload = (id: string) => APIAttachment | undefined;

/**
 * What a member filled in, as an interaction carries it. Options of the types subcommand and group stand before those
 * that belong to them. Whatever Discord's own clients refuse to send is refused here. `isComplete`: the member still types.
 * @throws Error with a sentence for the member
 */
export function readOptions(
  world: World,
  place: Channel,
  command: APIApplicationCommand,
  filled: FilledOption[],
  findUpload: FindUpload,
  isComplete = false,
): { options: object[]; resolved?: object } {
  const resolved: Record<string, Record<string, unknown>> = {};
  const resolve = (kind: string, id: string, thing: unknown) => {
    resolved[kind] ??= {};
    resolved[kind][id] = thing;
  };
  const read = (definitions: (APIApplicationCommandOption & Form)[], given: FilledOption[]): object[] => {
    const [first, ...others] = given;
    const group = definitions.find(({ name, type }) => (type === 1 || type === 2) && name === first?.name);
    if (group) return [{ name: group.name, type: group.type, options: read((group.options ?? []) as never, others) }];
    if (definitions.some(({ type }) => type === 1 || type === 2)) throw new Error(`Choose what /${command.name} is to do.`);
    const missing = definitions.find(({ name, required }) => required && !given.some((option) => option.name === name));
    if (missing && !isComplete) throw new Error(`The option ${missing.name} of /${command.name} is required.`);
    return given.map((option) => {
      const definition = definitions.find(({ name }) => name === option.name);
      if (!definition) throw new Error(`/${command.name} has no option ${option.name}.`);
      // While a member types, what stands there need not be right yet.
      const value = isComplete ? option.value : readValue(world, place, definition, option.value, findUpload, resolve);
      return { name: option.name, type: definition.type, value, ...(option.focused ? { focused: true } : {}) };
    });
  };
  const options = read((command.options ?? []) as never, filled);
  return { options, ...(Object.keys(resolved).length > 0 ? { resolved } : {}) };
}

function readValue(
  world: World,
  place: Channel,
  definition: Form,
  value: string | number | boolean,
  findUpload: FindUpload,
  keep: (kind: string, id: string, thing: unknown) => void,
): string | number | boolean {
  const { name, type, choices, min_length, max_length, min_value, max_value, channel_types } = definition;
  const guild = guildOf(world, place);
  const T = ApplicationCommandOptionType;
  const wrong = (what: string) => new Error(`The option ${name} must be ${what}.`);
  if (type === T.String) {
    if (typeof value !== 'string' || value === '') throw wrong('a text');
    if (choices?.length && !choices.some((choice: { value: unknown }) => choice.value === value)) throw wrong('one of its choices');
    if (value.length < (min_length ?? 0) || value.length > (max_length ?? 6000))
      throw wrong(`between ${min_length ?? 0} and ${max_length ?? 6000} characters long`);
  } else if (type === T.Integer || type === T.Number) {
    const number = Number(value);
    if (!Number.isFinite(number) || (type === T.Integer && !Number.isInteger(number))) throw wrong('a number');
    if (number < (min_value ?? -Infinity) || number > (max_value ?? Infinity))
      throw wrong(`between ${min_value ?? '−∞'} and ${max_value ?? '∞'}`);
    return number;
  } else if (type === T.Boolean) {
    if (typeof value !== 'boolean') throw wrong('true or false');
  } else if (type === T.Channel) {
    const channel = guild?.channels.get(String(value));
    if (!channel || (channel_types?.length && !channel_types.includes(channel.type))) throw wrong('a channel of the right kind');
    keep('channels', channel.id, { id: channel.id, type: channel.type, name: channel.name, permissions: '0' });
  } else if (type === T.Attachment) {
    const attachment = findUpload(String(value));
    if (!attachment) throw wrong('a file');
    keep('attachments', attachment.id, { ...attachment, ephemeral: true });
  } else if (type === T.User || type === T.Mentionable) {
    const user = world.users.get(String(value));
    const member = guild?.members.get(String(value));
    const role = type === T.Mentionable ? guild?.roles.find(({ id }) => id === value) : undefined;
    if (role) keep('roles', role.id, role);
    else if (!user || (guild && !member)) throw wrong('a member');
    else keep('users', user.id, user);
    if (guild && member) keep('members', member.user.id, asResolvedMember(guild, member.user.id, place));
  } else if (type === T.Role) {
    const role = guild?.roles.find(({ id }) => id === value);
    if (!role) throw wrong('a role');
    keep('roles', role.id, role);
  }
  return value;
}
