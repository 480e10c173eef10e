// Discord's limits on buttons and select menus. https://docs.discord.com/developers/components/reference
import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import type { JsonObject, Validator } from '../validator.ts';
import { flattenWithPaths } from './component-tree.ts';

export const SELECT_TYPES: readonly number[] = [
  ComponentType.StringSelect,
  ComponentType.UserSelect,
  ComponentType.RoleSelect,
  ComponentType.MentionableSelect,
  ComponentType.ChannelSelect,
];

/** The types of `default_values` for each kind of menu. */
const DEFAULT_VALUE_TYPES: Record<number, string[]> = {
  [ComponentType.UserSelect]: ['user'],
  [ComponentType.RoleSelect]: ['role'],
  [ComponentType.MentionableSelect]: ['user', 'role'],
  [ComponentType.ChannelSelect]: ['channel'],
};

/** Checks the rows of buttons and menus below the content of a message without the flag IS_COMPONENTS_V2. */
export function validateRows(rows: JsonObject[], validator: Validator): void {
  if (rows.length > 5) validator.addError('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
  rows.forEach((row, index) => {
    if (row.type === ComponentType.ActionRow) validateActionRow(row, `components.${index}`, validator);
    else validator.addError(`components.${index}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1,).');
  });
  validateUniqueIds(rows, validator);
}

export function validateActionRow(row: JsonObject, path: string, validator: Validator): void {
  const components = validator.checkList(`${path}.components`, row.components);
  const max = components.some(({ type }) => type !== ComponentType.Button) ? 1 : 5;
  if (components.length < 1 || components.length > max)
    validator.addError(`${path}.components`, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${max} in length.`);
  components.forEach((component, index) => {
    const componentPath = `${path}.components.${index}`;
    if (component.type === ComponentType.Button) validateButton(component, componentPath, validator);
    else validateSelect(component, componentPath, validator);
  });
}

/** No two components of a message may share a `custom_id`, or an `id` that the application has chosen. */
export function validateUniqueIds(components: JsonObject[], validator: Validator): void {
  const customIds = new Set<string>();
  const ids = new Set<number>();
  for (const { path, component } of flattenWithPaths(components)) {
    const { custom_id, id } = component;
    if (custom_id !== undefined) {
      validator.checkLength(`${path}.custom_id`, custom_id, 1, 100);
      if (customIds.has(custom_id))
        validator.addError(`${path}.custom_id`, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated');
      customIds.add(custom_id);
    }
    if (!id) continue;
    if (!Number.isInteger(id) || id < 0 || id > 0x7fffffff)
      validator.addError(`${path}.id`, 'NUMBER_TYPE_MAX', 'int value should be between 0 and 2147483647.');
    if (ids.has(id)) validator.addError(`${path}.id`, 'COMPONENT_ID_DUPLICATED', 'Component id cannot be duplicated');
    ids.add(id);
  }
}

export function validateButton(button: JsonObject, path: string, validator: Validator): void {
  if (button.label != null) validator.checkLength(`${path}.label`, button.label, 0, 80);
  if (!button.label && !button.emoji) validator.addError(path, 'BUTTON_COMPONENT_INVALID', 'A button needs a label or an emoji.');
  const isLink = button.style === ButtonStyle.Link;
  if (isLink === (button.custom_id !== undefined) || isLink !== (button.url !== undefined))
    validator.addError(path, 'BUTTON_COMPONENT_INVALID', 'A link has a url and no custom_id; every other button the reverse.');
}

export function validateSelect(select: JsonObject, path: string, validator: Validator): void {
  const { type, options, placeholder, min_values: min = 1, max_values: max = 1 } = select;
  if (!SELECT_TYPES.includes(type)) {
    validator.addError(`${path}.type`, 'UNION_TYPE_CHOICES', 'Not a component that a message can hold.');
    return;
  }
  if (select.custom_id === undefined) validator.addError(`${path}.custom_id`, 'BASE_TYPE_REQUIRED', 'This field is required');
  if (placeholder != null) validator.checkLength(`${path}.placeholder`, placeholder, 0, 150);
  if (min < 0 || max > 25 || min > max) validator.addError(`${path}.max_values`, 'NUMBER_TYPE_MAX', 'Not a range within 0 and 25.');
  if (type !== ComponentType.StringSelect) {
    validateDefaultValues(select, path, validator);
    return;
  }
  if (!Array.isArray(options) || options.length < 1 || options.length > 25) {
    validator.addError(`${path}.options`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 25 in length.');
    return;
  }
  const seen = new Set<unknown>();
  validator.checkList(`${path}.options`, options).forEach((option, index) => {
    validator.checkLength(`${path}.options.${index}.label`, option.label, 1, 100);
    validator.checkLength(`${path}.options.${index}.value`, option.value, 1, 100);
    if (option.description != null) validator.checkLength(`${path}.options.${index}.description`, option.description, 0, 100);
    if (seen.has(option.value))
      validator.addError(
        `${path}.options.${index}.value`,
        'SELECT_COMPONENT_OPTION_VALUE_DUPLICATED',
        'The specified option value is already used',
      );
    seen.add(option.value);
  });
  if (max > options.length)
    validator.addError(
      `${path}.max_values`,
      'SELECT_COMPONENT_MAX_VALUES',
      `Must be less than or equal to the number of options (${options.length}).`,
    );
  if (options.filter((option) => option.default).length > max)
    validator.addError(`${path}.options`, 'SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES', 'More options are chosen already than may be.');
}

function validateDefaultValues(
  { type, default_values, min_values: min = 1, max_values: max = 1 }: JsonObject,
  path: string,
  validator: Validator,
): void {
  const values = validator.checkList(`${path}.default_values`, default_values);
  if (values.length > 0 && (values.length < min || values.length > max))
    validator.addError(`${path}.default_values`, 'BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`);
  for (const [index, value] of values.entries()) {
    if (!DEFAULT_VALUE_TYPES[type]?.includes(value.type))
      validator.addError(
        `${path}.default_values.${index}.type`,
        'BASE_TYPE_CHOICES',
        `Value must be one of {${DEFAULT_VALUE_TYPES[type]?.join(', ')}}.`,
      );
    if (!/^\d+$/.test(String(value.id)))
      validator.addError(`${path}.default_values.${index}.id`, 'NUMBER_TYPE_COERCE', `Value "${value.id}" is not snowflake.`);
  }
}
