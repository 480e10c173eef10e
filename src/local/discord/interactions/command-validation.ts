// Discord's limits on what an application command may be.
// https://docs.discord.com/developers/interactions/application-commands
import { ApplicationCommandType, Locale, ApplicationCommandOptionType as OptionType } from 'discord-api-types/v10';
import type { Form, FormCheck } from '../errors.ts';

const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
const LOCALES = new Set<string>(Object.values(Locale));
/** Name, description and values of a command and all its options, the longest localization of each. */
const CHARACTERS = 8000;

/** Notes the faults of one command at `at` in the form. */
export function checkCommand(command: Form, at: string, check: FormCheck): void {
  const path = (name: string) => (at ? `${at}.${name}` : name);
  const { type = ApplicationCommandType.ChatInput, contexts, integration_types: installs, default_member_permissions: needed } = command;
  if (![1, 2, 3].includes(type)) check.fault(path('type'), 'BASE_TYPE_CHOICES', 'Value must be one of {1, 2, 3}.');
  checkText(command, path, 'name', 32, check);
  if (type === ApplicationCommandType.ChatInput) {
    checkNames(command, path, check);
    checkText(command, path, 'description', 100, check);
    checkOptions(check.list(path('options'), command.options), path('options'), 0, check);
    if (countCharacters(command) > CHARACTERS)
      check.fault(path('options'), 'APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${CHARACTERS})`);
  } else {
    if (command.description)
      check.fault(path('description'), 'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION', 'Context menu commands cannot have description');
    if (command.options?.length)
      check.fault(path('options'), 'APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS', 'Context menu commands cannot have options');
  }
  checkSet(contexts, path('contexts'), [0, 1, 2], check);
  checkSet(installs, path('integration_types'), [0, 1], check);
  if (needed != null && !/^\d+$/.test(String(needed)))
    check.fault(path('default_member_permissions'), 'NUMBER_TYPE_COERCE', 'Not a permission set.');
}

function checkSet(value: unknown, path: string, known: number[], check: FormCheck): void {
  if (value == null) return;
  if (!Array.isArray(value) || value.length === 0)
    check.fault(path, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${known.length} in length.`);
  else if (new Set(value).size < value.length) check.fault(path, 'SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value.');
  else if (!value.every((one) => known.includes(one)))
    check.fault(path, 'BASE_TYPE_CHOICES', `Value must be one of {${known.join(', ')}}.`);
}

/** A name or description and its localizations. */
function checkText(form: Form, path: (name: string) => string, field: string, most: number, check: FormCheck): void {
  check.length(path(field), form[field], 1, most);
  for (const [locale, text] of Object.entries(form[`${field}_localizations`] ?? {})) {
    const at = path(`${field}_localizations.${locale}`);
    if (!LOCALES.has(locale)) check.fault(at, 'BASE_TYPE_CHOICES', 'Not a locale that Discord knows.');
    if (text != null) check.length(at, text, 1, most);
  }
}

function checkNames(form: Form, path: (name: string) => string, check: FormCheck): void {
  const names = { name: form.name };
  for (const [locale, name] of Object.entries(form.name_localizations ?? {}))
    Object.assign(names, { [`name_localizations.${locale}`]: name });
  for (const [at, name] of Object.entries(names)) {
    if (typeof name === 'string' && (!NAME.test(name) || name !== name.toLowerCase()))
      check.fault(path(at), 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
  }
}

function checkOptions(options: Form[], at: string, depth: number, check: FormCheck): void {
  if (options.length > 25) check.fault(at, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  let optional = false;
  const names = new Set<string>();
  for (const [index, option] of check.list(at, options).entries()) {
    const path = (name: string) => `${at}.${index}.${name}`;
    checkText(option, path, 'name', 32, check);
    checkNames(option, path, check);
    checkText(option, path, 'description', 100, check);
    if (names.has(option.name))
      check.fault(path('name'), 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS', 'Option name already exists in this command');
    names.add(option.name);
    if (option.required && optional)
      check.fault(
        `${at}.${index}`,
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        'Required options must be placed before non-required options',
      );
    optional ||= !option.required;
    checkKind(option, path, depth, check);
  }
}

function checkKind(option: Form, path: (name: string) => string, depth: number, check: FormCheck): void {
  const { type, choices, autocomplete, min_length, max_length, min_value, max_value, channel_types } = option;
  const isNumber = type === OptionType.Integer || type === OptionType.Number;
  const isGroup = type === OptionType.Subcommand || type === OptionType.SubcommandGroup;
  const isText = type === OptionType.String;
  const only = (value: unknown, fits: boolean, field: string) => {
    if (value != null && !fits)
      check.fault(path(field), 'APPLICATION_COMMAND_OPTION_FIELD_INVALID', `An option of type ${type} has no ${field}.`);
  };
  if (!Number.isInteger(type) || type < 1 || type > 11) check.fault(path('type'), 'BASE_TYPE_CHOICES', 'Value must be one of {1 … 11}.');
  only(choices?.length ? choices : null, isText || isNumber, 'choices');
  only(autocomplete || null, isText || isNumber, 'autocomplete');
  only(min_length ?? max_length, isText, 'min_length');
  only(min_value ?? max_value, isNumber, 'min_value');
  only(channel_types, type === OptionType.Channel, 'channel_types');
  only(option.options?.length ? option.options : null, isGroup, 'options');
  if (isGroup && depth >= (type === OptionType.Subcommand ? 2 : 1))
    check.fault(path('type'), 'APPLICATION_COMMAND_OPTION_TYPE_INVALID', 'Subcommands cannot be nested so deep.');
  if (min_length != null && (min_length < 0 || min_length > 6000))
    check.fault(path('min_length'), 'NUMBER_TYPE_MAX', 'Must be between 0 and 6000.');
  if (max_length != null && (max_length < 1 || max_length > 6000))
    check.fault(path('max_length'), 'NUMBER_TYPE_MAX', 'Must be between 1 and 6000.');
  if (autocomplete && choices?.length)
    check.fault(path('autocomplete'), 'APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES', 'Autocomplete and choices exclude each other');
  if (choices?.length > 25) check.fault(path('choices'), 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  for (const [place, choice] of check.list(path('choices'), choices).entries()) {
    checkText(choice, (name) => path(`choices.${place}.${name}`), 'name', 100, check);
    if (isText) check.length(path(`choices.${place}.value`), choice.value, 1, 100);
    else if (typeof choice.value !== 'number') check.fault(path(`choices.${place}.value`), 'NUMBER_TYPE_COERCE', 'Value is not a number.');
  }
  if (option.options) checkOptions(check.list(path('options'), option.options), path('options'), depth + 1, check);
}

function countCharacters(form: Form): number {
  const longest = (field: string) =>
    Math.max(
      String(form[field] ?? '').length,
      ...Object.values(form[`${field}_localizations`] ?? {}).map((text) => String(text ?? '').length),
    );
  const value = typeof form.value === 'string' ? form.value.length : 0;
  const inner = [form.options, form.choices].flatMap((list): Form[] => (Array.isArray(list) ? list : [])).filter(Boolean);
  return longest('name') + longest('description') + value + inner.reduce((sum, one) => sum + countCharacters(one), 0);
}
