// Application commands: their definitions checked as Discord checks them, and what a member fills in.
import {
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  type APIAttachment,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from 'discord-api-types/v10';
import type { FilledOption } from './page/protocol.ts';
import { createFormCheck, type Form, type FormCheck } from './problems.ts';
import { snowflake } from './snowflake.ts';
import type { World } from './world.ts';

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

/** Replaces the commands of one scope (`null` = global) by these, keeping ids by name and type. @throws DiscordProblem 50035 */
export function overwriteCommands(world: World, definitions: Form[], guildId: string | null): APIApplicationCommand[] {
  const check = createFormCheck();
  if (!Array.isArray(definitions) || definitions.length > 110)
    check.fault('commands', 'BASE_TYPE_BAD_LENGTH', 'Must be a list of 110 or fewer.');
  check.done();
  for (const [index, definition] of definitions.entries()) checkCommand(definition, `${index}`, check);
  check.done();
  const others = world.commands.filter((command) => (command.guild_id ?? null) !== guildId);
  const fresh = definitions.map((definition) => store(world, definition, guildId));
  world.commands = [...others, ...fresh];
  world.tell({ t: 'COMMANDS_UPDATE', d: world.commands, to: 'members' });
  return fresh;
}

/** Adds one command, or replaces the one of its name and type. */
export function upsertCommand(world: World, definition: Form, guildId: string | null): APIApplicationCommand {
  const check = createFormCheck();
  checkCommand(definition, '', check);
  check.done();
  const command = store(world, definition, guildId);
  world.commands = [...world.commands.filter(({ id }) => id !== command.id), command];
  world.tell({ t: 'COMMANDS_UPDATE', d: world.commands, to: 'members' });
  return command;
}

function store(world: World, definition: Form, guildId: string | null): APIApplicationCommand {
  const { type = ApplicationCommandType.ChatInput } = definition;
  const known = world.commands.find(
    (command) => command.name === definition.name && command.type === type && (command.guild_id ?? null) === guildId,
  );
  return {
    description: '',
    name_localizations: null,
    description_localizations: null,
    default_member_permissions: null,
    nsfw: false,
    options: [],
    ...(guildId === null ? { contexts: null, integration_types: [0], dm_permission: true } : {}),
    ...definition,
    type,
    id: known?.id ?? snowflake(),
    application_id: world.application.id,
    version: snowflake(),
    ...(guildId === null ? {} : { guild_id: guildId }),
  } as unknown as APIApplicationCommand;
}

function checkCommand(command: Form, at: string, check: FormCheck): void {
  const path = (name: string) => (at ? `${at}.${name}` : name);
  const type = command.type ?? ApplicationCommandType.ChatInput;
  check.length(path('name'), command.name, 1, 32);
  if (type === ApplicationCommandType.ChatInput) {
    checkName(path('name'), command.name, check);
    check.length(path('description'), command.description, 1, 100);
    checkOptions(command.options ?? [], path('options'), check);
  } else if (command.description) {
    check.fault(path('description'), 'APPLICATION_COMMAND_DESCRIPTION_INVALID', 'Only slash commands have a description.');
  }
}

function checkName(path: string, name: unknown, check: FormCheck): void {
  if (typeof name === 'string' && (!NAME.test(name) || name !== name.toLowerCase()))
    check.fault(path, 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
}

function checkOptions(options: Form[], at: string, check: FormCheck): void {
  if (options.length > 25) check.fault(at, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  let optional = false;
  const names = new Set<string>();
  options.forEach((option, index) => {
    const path = `${at}.${index}`;
    check.length(`${path}.name`, option.name, 1, 32);
    checkName(`${path}.name`, option.name, check);
    check.length(`${path}.description`, option.description, 1, 100);
    if (names.has(option.name))
      check.fault(`${path}.name`, 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS', 'Option name already exists');
    names.add(option.name);
    if (option.required && optional)
      check.fault(path, 'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID', 'Required options must be placed before non-required options');
    optional ||= !option.required;
    if (option.autocomplete && option.choices?.length)
      check.fault(path, 'APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES', 'Autocomplete and choices exclude each other');
    (option.choices ?? []).forEach((choice: Record<string, unknown>, place: number) => {
      check.length(`${path}.choices.${place}.name`, choice.name, 1, 100);
    });
    if ((option.choices ?? []).length > 25) check.fault(`${path}.choices`, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
    if (option.options) checkOptions(option.options, `${path}.options`, check);
  });
}

/** What Discord's own clients refuse to send. @throws Error with a sentence for the member. */
export function readOptions(
  world: World,
  command: APIApplicationCommand,
  filled: FilledOption[],
  uploads: Map<string, APIAttachment>,
  isComplete = false,
) {
  const definitions = (command.options ?? []) as (APIApplicationCommandOption & Form)[];
  const resolved: Record<string, Record<string, unknown>> = {};
  const keep = (kind: string, id: string, thing: unknown) => {
    resolved[kind] ??= {};
    resolved[kind][id] = thing;
  };
  const options = filled.map((option) => {
    const definition = definitions.find(({ name }) => name === option.name);
    if (!definition) throw new Error(`/${command.name} has no option ${option.name}.`);
    // While a member types, what stands there need not be right yet.
    const value = isComplete ? option.value : readValue(world, definition, option.value, uploads, keep);
    return { name: option.name, type: definition.type, value, ...(option.focused ? { focused: true } : {}) };
  });
  const missing = definitions.find(({ name, required }) => required && !filled.some((option) => option.name === name));
  if (missing && !isComplete) throw new Error(`The option ${missing.name} of /${command.name} is required.`);
  return { options, ...(Object.keys(resolved).length > 0 ? { resolved } : {}) };
}

function readValue(
  world: World,
  definition: Form,
  value: string | number | boolean,
  uploads: Map<string, APIAttachment>,
  keep: (kind: string, id: string, thing: unknown) => void,
): string | number | boolean {
  const { name, type, choices, min_length, max_length, min_value, max_value, channel_types } = definition;
  const { guild } = world;
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
    const channel = guild.channels.get(String(value));
    if (!channel || (channel_types?.length && !channel_types.includes(channel.type))) throw wrong('a channel of the right kind');
    keep('channels', channel.id, { id: channel.id, type: channel.type, name: channel.name, permissions: '0' });
  } else if (type === T.Attachment) {
    const attachment = uploads.get(String(value));
    if (!attachment) throw wrong('a file');
    keep('attachments', attachment.id, attachment);
  } else if (type === T.User || type === T.Mentionable) {
    const member = guild.members.get(String(value));
    if (!member) throw wrong('a member');
    keep('users', member.user.id, member.user);
    keep('members', member.user.id, (({ user: _, ...rest }) => rest)(member));
  } else if (type === T.Role) {
    const role = guild.roles.find(({ id }) => id === value);
    if (!role) throw wrong('a role');
    keep('roles', role.id, role);
  }
  return value;
}
