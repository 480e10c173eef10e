// Builds the data of a command interaction: its options as the member filled them in, or the target message or user.
// Refuses what Discord's own clients would not send.
// https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-application-command-data-structure
import {
  type APIApplicationCommand,
  type APIApplicationCommandOption,
  type APIAttachment,
  ApplicationCommandType,
  ApplicationCommandOptionType as OptionType,
} from 'discord-api-types/v10';
import type { FilledOption } from '../page/protocol.ts';
import type { JsonObject } from '../validator.ts';
import { serializeMessage, serializeResolvedMember } from '../world/serialize.ts';
import { type Channel, findMessage, guildOf, isDm, type World } from '../world/world.ts';

/** Who uses a command, and where. */
export interface CommandUse {
  world: World;
  userId: string;
  channel: Channel;
  /** Finds a file that the member has uploaded. */
  findUpload: (id: string) => APIAttachment | undefined;
}

/**
 * `targetId`: the user or message that a context menu command is used on.
 * @throws Error with a sentence for the member
 */
export function buildCommandData(
  use: CommandUse,
  command: APIApplicationCommand,
  { options = [], targetId = '' }: { options?: FilledOption[]; targetId?: string | undefined },
): object {
  const { world, userId, channel } = use;
  if (command.type === ApplicationCommandType.Message) {
    const target = findMessage(world, channel.id, targetId, userId);
    if (!target) throw new Error('The message is gone.');
    return {
      ...commandFields(command),
      target_id: targetId,
      resolved: { messages: { [target.id]: serializeMessage(target, world.application.id) } },
    };
  }
  if (command.type === ApplicationCommandType.User)
    return { ...commandFields(command), target_id: targetId, resolved: resolveTargetUser(use, targetId) };
  const resolved: Resolved = {};
  const data = buildOptions(command, options, false, (definition, value) => readValue(use, definition, value, resolved));
  return { ...commandFields(command), options: data, ...(Object.keys(resolved).length > 0 && { resolved }) };
}

/** While the member types, options may be missing or invalid. @throws Error with a sentence for the member */
export function buildAutocompleteData(command: APIApplicationCommand, options: FilledOption[]): object {
  return { ...commandFields(command), options: buildOptions(command, options, true, (_, value) => value) };
}

function commandFields({ id, name, type, guild_id }: APIApplicationCommand) {
  return { id, name, type, ...(guild_id !== undefined && { guild_id }) };
}

function resolveTargetUser({ world, channel }: CommandUse, id: string): object {
  const user = world.users.get(id);
  const guild = guildOf(world, channel);
  const isHere = isDm(channel) ? channel.userIds.includes(id) : guild?.members.has(id);
  if (!user || !isHere) throw new Error('This member is gone.');
  return { users: { [id]: user }, ...(guild && { members: { [id]: serializeResolvedMember(guild, id, channel) } }) };
}

type OptionValue = FilledOption['value'];
type OptionDefinition = APIApplicationCommandOption & JsonObject;

/** Nests the options, in which a subcommand group and subcommand come before their own options. */
function buildOptions(
  command: APIApplicationCommand,
  options: FilledOption[],
  isPartial: boolean,
  read: (definition: OptionDefinition, value: OptionValue) => OptionValue,
): object[] {
  const build = (definitions: OptionDefinition[], filled: FilledOption[]): object[] => {
    const [first, ...others] = filled;
    const subcommands = definitions.filter(({ type }) => type === OptionType.Subcommand || type === OptionType.SubcommandGroup);
    const chosen = subcommands.find(({ name }) => name === first?.name);
    if (chosen) return [{ name: chosen.name, type: chosen.type, options: build((chosen.options ?? []) as OptionDefinition[], others) }];
    if (subcommands.length > 0) throw new Error(`Choose what /${command.name} is to do.`);
    const missing = definitions.find(({ name, required }) => required && !filled.some((option) => option.name === name));
    if (missing && !isPartial) throw new Error(`The option ${missing.name} of /${command.name} is required.`);
    return filled.map((option) => {
      const definition = definitions.find(({ name }) => name === option.name);
      if (!definition) throw new Error(`/${command.name} has no option ${option.name}.`);
      return {
        name: option.name,
        type: definition.type,
        value: read(definition, option.value),
        ...(option.focused && { focused: true }),
      };
    });
  };
  return build((command.options ?? []) as OptionDefinition[], options);
}

/** The objects that ids in the options stand for, by kind and id. */
type Resolved = Record<string, Record<string, unknown>>;

function addResolved(resolved: Resolved, kind: string, id: string, object: unknown): void {
  resolved[kind] ??= {};
  resolved[kind][id] = object;
}

/** Validates an option's value, and adds the object that it stands for, if any, to `resolved`. */
function readValue(
  { world, channel, findUpload }: CommandUse,
  definition: JsonObject,
  value: OptionValue,
  resolved: Resolved,
): OptionValue {
  const guild = guildOf(world, channel);
  const invalid = (expected: string) => new Error(`The option ${definition.name} must be ${expected}.`);
  switch (definition.type) {
    case OptionType.String:
      checkText(definition, value, invalid);
      return value;
    case OptionType.Integer:
    case OptionType.Number:
      return readNumber(definition, value, invalid);
    case OptionType.Boolean:
      if (typeof value !== 'boolean') throw invalid('true or false');
      return value;
    case OptionType.Channel: {
      const types: number[] = definition.channel_types ?? [];
      const chosen = guild?.channels.get(String(value)) ?? guild?.threads.get(String(value));
      if (!chosen || (types.length > 0 && !types.includes(chosen.type))) throw invalid('a channel of the right kind');
      addResolved(resolved, 'channels', chosen.id, { id: chosen.id, type: chosen.type, name: chosen.name, permissions: '0' });
      return value;
    }
    case OptionType.Attachment: {
      const attachment = findUpload(String(value));
      if (!attachment) throw invalid('a file');
      addResolved(resolved, 'attachments', attachment.id, { ...attachment, ephemeral: true });
      return value;
    }
    case OptionType.User:
    case OptionType.Mentionable: {
      const user = world.users.get(String(value));
      const member = guild?.members.get(String(value));
      const role = definition.type === OptionType.Mentionable ? guild?.roles.find(({ id }) => id === value) : undefined;
      if (role) addResolved(resolved, 'roles', role.id, role);
      else if (!user || (guild && !member)) throw invalid('a member');
      else addResolved(resolved, 'users', user.id, user);
      if (guild && member) addResolved(resolved, 'members', member.user.id, serializeResolvedMember(guild, member.user.id, channel));
      return value;
    }
    case OptionType.Role: {
      const role = guild?.roles.find(({ id }) => id === value);
      if (!role) throw invalid('a role');
      addResolved(resolved, 'roles', role.id, role);
      return value;
    }
    default:
      return value;
  }
}

function checkText({ choices, min_length: min = 0, max_length: max = 6000 }: JsonObject, value: OptionValue, invalid: Invalid): void {
  if (typeof value !== 'string' || value === '') throw invalid('a text');
  if (choices?.length && !choices.some((choice: { value: unknown }) => choice.value === value)) throw invalid('one of its choices');
  if (value.length < min || value.length > max) throw invalid(`between ${min} and ${max} characters long`);
}

function readNumber({ type, min_value: min, max_value: max }: JsonObject, value: OptionValue, invalid: Invalid): number {
  const number = Number(value);
  if (!Number.isFinite(number) || (type === OptionType.Integer && !Number.isInteger(number))) throw invalid('a number');
  if (number < (min ?? -Infinity) || number > (max ?? Infinity)) throw invalid(`between ${min ?? '−∞'} and ${max ?? '∞'}`);
  return number;
}

type Invalid = (expected: string) => Error;
