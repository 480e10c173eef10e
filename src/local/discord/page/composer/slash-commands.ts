// Slash commands and their options: which there are, and whether what the member typed is valid.
import {
  type APIApplicationCommand,
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandOption,
  type APIApplicationCommandSubcommandGroupOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
} from 'discord-api-types/v10';
import type { FilledOption } from '../protocol.ts';

/** A command as a member types it: each subcommand is a separate one. */
export interface SlashCommand {
  id: string;
  /** The application's own: `say`, or `voice list` for a subcommand. */
  name: string;
  /** The name in the member's language. */
  title: string;
  description: string;
  /** The group and the subcommand, which precede the options. */
  path: FilledOption[];
  /** Required ones first, as Discord demands. */
  options: APIApplicationCommandBasicOption[];
}

/** An option and what the member has entered. */
export interface Field {
  option: APIApplicationCommandBasicOption;
  text: string;
  /** Set when a choice was taken from a list; typing clears it. */
  chosen?: string | number | boolean | undefined;
  file?: File | undefined;
  problem?: string | undefined;
}

/** The name of a command, option or choice in the member's language; interactions carry its own name. */
export function shownName({ name, name_localized }: { name: string; name_localized?: string | null }): string {
  return name_localized ?? name;
}

export function shownDescription({
  description,
  description_localized,
}: {
  description: string;
  description_localized?: string | null;
}): string {
  return description_localized ?? description;
}

/** In the application's own order: what it registered first, it considers most important. */
export function listSlashCommands(commands: APIApplicationCommand[]): SlashCommand[] {
  return commands
    .filter((command) => command.type === ApplicationCommandType.ChatInput)
    .flatMap((command) =>
      expand(
        { id: command.id, name: command.name, title: shownName(command), description: shownDescription(command), path: [] },
        command.options ?? [],
      ),
    );
}

/** The command itself, or its subcommands instead. */
function expand(command: Omit<SlashCommand, 'options'>, options: APIApplicationCommandOption[]): SlashCommand[] {
  const nested = options.filter(isNested);
  if (nested.length === 0) return [{ ...command, options: sortOptions(options) }];
  return nested.flatMap((inner) =>
    expand(
      {
        id: command.id,
        name: `${command.name} ${inner.name}`,
        title: `${command.title} ${shownName(inner)}`,
        description: shownDescription(inner),
        path: [...command.path, { name: inner.name, type: inner.type, value: '' }],
      },
      inner.options ?? [],
    ),
  );
}

/** Commands that match what was typed after the slash: names that start with it, then names and descriptions that contain it. */
export function matchCommands(commands: SlashCommand[], typed: string): SlashCommand[] {
  const word = typed.trim().toLowerCase();
  const rank = (command: SlashCommand): number => {
    if (command.title.startsWith(word)) return 0;
    if (command.title.includes(word)) return 1;
    return word.length > 2 && command.description.toLowerCase().includes(word) ? 2 : 3;
  };
  return commands.filter((command) => rank(command) < 3).sort((one, other) => rank(one) - rank(other));
}

function sortOptions(options: APIApplicationCommandOption[]): APIApplicationCommandBasicOption[] {
  const basic = options.filter((option) => !isNested(option)) as APIApplicationCommandBasicOption[];
  return [...basic.filter((option) => option.required), ...basic.filter((option) => !option.required)];
}

type Nested = APIApplicationCommandSubcommandOption | APIApplicationCommandSubcommandGroupOption;

function isNested(option: APIApplicationCommandOption): option is Nested {
  return option.type === ApplicationCommandOptionType.Subcommand || option.type === ApplicationCommandOptionType.SubcommandGroup;
}

/** The application's fixed choices; true and false for booleans. */
export function fixedChoices(
  option: APIApplicationCommandBasicOption,
): { name: string; name_localized?: string | null; value: string | number | boolean }[] | undefined {
  if (option.type === ApplicationCommandOptionType.Boolean) {
    return [
      { name: 'True', value: true },
      { name: 'False', value: false },
    ];
  }
  return 'choices' in option && option.choices?.length ? option.choices : undefined;
}

export function isEmpty(field: Field): boolean {
  return field.chosen === undefined && !field.file && field.text.trim() === '';
}

/** The value to send, or the problem with it; undefined if an optional option is empty. */
export function readField(field: Field): { value: string | number | boolean } | { problem: string } | undefined {
  const { option, text, chosen } = field;
  if (isEmpty(field)) return option.required ? { problem: 'This option is required.' } : undefined;
  if (chosen !== undefined) return { value: chosen };
  switch (option.type) {
    case ApplicationCommandOptionType.String:
      return fixedChoices(option) ? readChoice(field) : readText(text, option);
    case ApplicationCommandOptionType.Integer:
    case ApplicationCommandOptionType.Number:
      return fixedChoices(option) ? readChoice(field) : readNumber(text, option);
    case ApplicationCommandOptionType.Boolean:
      return readChoice(field);
    case ApplicationCommandOptionType.Attachment:
      return field.file ? { value: field.file.name } : { problem: 'Choose a file.' };
    default:
      return { problem: 'Choose one from the list.' };
  }
}

function readChoice({ option, text }: Field): { value: string | number | boolean } | { problem: string } {
  const word = text.trim().toLowerCase();
  const choice = fixedChoices(option)?.find((one) =>
    [shownName(one), one.name, String(one.value)].some((name) => name.toLowerCase() === word),
  );
  return choice ? { value: choice.value } : { problem: 'Choose one from the list.' };
}

function readText(text: string, { min_length = 0, max_length = 6000 }: { min_length?: number; max_length?: number }) {
  if (text.length < min_length) return { problem: `At least ${min_length} characters are needed; these are ${text.length}.` };
  if (text.length > max_length) return { problem: `${max_length} characters at most; these are ${text.length}.` };
  return { value: text };
}

function readNumber(text: string, option: { type: ApplicationCommandOptionType; min_value?: number; max_value?: number }) {
  const value = Number(text.trim().replace(',', '.'));
  const whole = option.type === ApplicationCommandOptionType.Integer;
  if (!Number.isFinite(value)) return { problem: 'Enter a number.' };
  if (whole && !Number.isInteger(value)) return { problem: 'Enter a whole number.' };
  if (option.min_value !== undefined && value < option.min_value) return { problem: `${option.min_value} or more is needed.` };
  if (option.max_value !== undefined && value > option.max_value) return { problem: `${option.max_value} at most.` };
  return { value };
}
