// Discord's limits on the definition of an application command.
// https://docs.discord.com/developers/interactions/application-commands
import { ApplicationCommandType, ApplicationCommandOptionType as OptionType } from 'discord-api-types/v10';
import type { JsonObject, Validator } from '../validator.ts';
import { isLocale } from '../world/languages.ts';

const NAME_PATTERN = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;
/** Limit for the names, descriptions and values of a command and its options together, counting the longest localization of each. */
const MAX_CHARACTERS = 8000;

/** Validates one command; `at` is its path in the request body. */
export function validateCommand(command: JsonObject, at: string, validator: Validator): void {
  const path = (name: string) => (at ? `${at}.${name}` : name);
  const {
    type = ApplicationCommandType.ChatInput,
    contexts,
    integration_types: integrationTypes,
    default_member_permissions: permissions,
  } = command;
  if (![1, 2, 3].includes(type)) validator.addError(path('type'), 'BASE_TYPE_CHOICES', 'Value must be one of {1, 2, 3}.');
  checkText(command, path, 'name', 32, validator);
  if (type === ApplicationCommandType.ChatInput) {
    checkNames(command, path, validator);
    checkText(command, path, 'description', 100, validator);
    checkOptions(validator.checkList(path('options'), command.options), path('options'), 0, validator);
    if (countCharacters(command) > MAX_CHARACTERS)
      validator.addError(path('options'), 'APPLICATION_COMMAND_TOO_LARGE', `Command exceeds maximum size (${MAX_CHARACTERS})`);
  } else {
    if (command.description)
      validator.addError(
        path('description'),
        'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION',
        'Context menu commands cannot have description',
      );
    if (command.options?.length)
      validator.addError(path('options'), 'APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS', 'Context menu commands cannot have options');
  }
  checkSet(contexts, path('contexts'), [0, 1, 2], validator);
  checkSet(integrationTypes, path('integration_types'), [0, 1], validator);
  if (permissions != null && !/^\d+$/.test(String(permissions)))
    validator.addError(path('default_member_permissions'), 'NUMBER_TYPE_COERCE', 'Not a permission set.');
}

function checkSet(value: unknown, path: string, allowed: number[], validator: Validator): void {
  if (value == null) return;
  if (!Array.isArray(value) || value.length === 0)
    validator.addError(path, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${allowed.length} in length.`);
  else if (new Set(value).size < value.length)
    validator.addError(path, 'SET_TYPE_ALREADY_CONTAINS_VALUE', 'The set already contains this value.');
  else if (!value.every((item) => allowed.includes(item)))
    validator.addError(path, 'BASE_TYPE_CHOICES', `Value must be one of {${allowed.join(', ')}}.`);
}

/** Checks a name or description, and its localizations. */
export function checkText(definition: JsonObject, path: (name: string) => string, field: string, max: number, validator: Validator): void {
  validator.checkLength(path(field), definition[field], 1, max);
  const localizations = definition[`${field}_localizations`] ?? {};
  if (typeof localizations !== 'object' || Array.isArray(localizations))
    validator.addError(path(`${field}_localizations`), 'DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType');
  else
    for (const [locale, text] of Object.entries(localizations)) {
      const at = path(`${field}_localizations.${locale}`);
      if (!isLocale(locale)) validator.addError(at, 'BASE_TYPE_CHOICES', 'Not a locale that Discord knows.');
      if (text != null) validator.checkLength(at, text, 1, max);
    }
}

function checkNames(definition: JsonObject, path: (name: string) => string, validator: Validator): void {
  const names = { name: definition.name };
  for (const [locale, name] of Object.entries(definition.name_localizations ?? {}))
    Object.assign(names, { [`name_localizations.${locale}`]: name });
  for (const [at, name] of Object.entries(names)) {
    if (typeof name === 'string' && (!NAME_PATTERN.test(name) || name !== name.toLowerCase()))
      validator.addError(path(at), 'APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid');
  }
}

function checkOptions(options: JsonObject[], at: string, depth: number, validator: Validator): void {
  if (options.length > 25) validator.addError(at, 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  let hasOptional = false;
  const names = new Set<string>();
  for (const [index, option] of options.entries()) {
    const path = (name: string) => `${at}.${index}.${name}`;
    checkText(option, path, 'name', 32, validator);
    checkNames(option, path, validator);
    checkText(option, path, 'description', 100, validator);
    if (names.has(option.name))
      validator.addError(path('name'), 'APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS', 'Option name already exists in this command');
    names.add(option.name);
    if (option.required && hasOptional)
      validator.addError(
        `${at}.${index}`,
        'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
        'Required options must be placed before non-required options',
      );
    hasOptional ||= !option.required;
    checkType(option, path, depth, validator);
  }
}

function checkType(option: JsonObject, path: (name: string) => string, depth: number, validator: Validator): void {
  const { type, choices, autocomplete, min_length, max_length, min_value, max_value, channel_types, file_types } = option;
  const isNumber = type === OptionType.Integer || type === OptionType.Number;
  const isGroup = type === OptionType.Subcommand || type === OptionType.SubcommandGroup;
  const isText = type === OptionType.String;
  const allowIf = (isAllowed: boolean, value: unknown, field: string) => {
    if (value != null && !isAllowed)
      validator.addError(path(field), 'APPLICATION_COMMAND_OPTION_FIELD_INVALID', `An option of type ${type} has no ${field}.`);
  };
  if (!Number.isInteger(type) || type < 1 || type > 11)
    validator.addError(path('type'), 'BASE_TYPE_CHOICES', 'Value must be one of {1 … 11}.');
  allowIf(isText || isNumber, choices?.length ? choices : null, 'choices');
  allowIf(isText || isNumber, autocomplete || null, 'autocomplete');
  allowIf(isText, min_length ?? max_length, 'min_length');
  allowIf(isNumber, min_value ?? max_value, 'min_value');
  allowIf(type === OptionType.Channel, channel_types, 'channel_types');
  allowIf(type === OptionType.Attachment, file_types, 'file_types');
  const fileTypes: unknown[] = Array.isArray(file_types) ? file_types : file_types == null ? [] : [null];
  if (fileTypes.length > 10) validator.addError(path('file_types'), 'BASE_TYPE_MAX_LENGTH', 'Must be 10 or fewer in length.');
  if (fileTypes.some((one) => !/^(audio|image|video|\.\w+)$/.test(String(one))))
    validator.addError(path('file_types'), 'FILE_TYPE_INVALID', 'Must be audio, image, video or an extension with its dot.');
  allowIf(isGroup, option.options?.length ? option.options : null, 'options');
  if (isGroup && depth >= (type === OptionType.Subcommand ? 2 : 1))
    validator.addError(path('type'), 'APPLICATION_COMMAND_OPTION_TYPE_INVALID', 'Subcommands cannot be nested so deep.');
  if (min_length != null && (min_length < 0 || min_length > 6000))
    validator.addError(path('min_length'), 'NUMBER_TYPE_MAX', 'Must be between 0 and 6000.');
  if (max_length != null && (max_length < 1 || max_length > 6000))
    validator.addError(path('max_length'), 'NUMBER_TYPE_MAX', 'Must be between 1 and 6000.');
  if (autocomplete && choices?.length)
    validator.addError(path('autocomplete'), 'APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES', 'Autocomplete and choices exclude each other');
  if (choices?.length > 25) validator.addError(path('choices'), 'BASE_TYPE_MAX_LENGTH', 'Must be 25 or fewer in length.');
  for (const [index, choice] of validator.checkList(path('choices'), choices).entries()) {
    checkText(choice, (name) => path(`choices.${index}.${name}`), 'name', 100, validator);
    if (isText) validator.checkLength(path(`choices.${index}.value`), choice.value, 1, 100);
    else if (typeof choice.value !== 'number')
      validator.addError(path(`choices.${index}.value`), 'NUMBER_TYPE_COERCE', 'Value is not a number.');
  }
  if (option.options) checkOptions(validator.checkList(path('options'), option.options), path('options'), depth + 1, validator);
}

function countCharacters(definition: JsonObject): number {
  const longest = (field: string) =>
    Math.max(
      String(definition[field] ?? '').length,
      ...Object.values(definition[`${field}_localizations`] ?? {}).map((text) => String(text ?? '').length),
    );
  const value = typeof definition.value === 'string' ? definition.value.length : 0;
  const children = [definition.options, definition.choices]
    .flatMap((list): JsonObject[] => (Array.isArray(list) ? list : []))
    .filter(Boolean);
  return longest('name') + longest('description') + value + children.reduce((sum, child) => sum + countCharacters(child), 0);
}
