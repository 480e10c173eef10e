// Discord's limits on modals: fields in labels, text between them, and the older rows of text inputs.
// https://docs.discord.com/developers/components/reference
import { ComponentType } from 'discord-api-types/v10';
import { SELECT_TYPES, validateSelect } from '../messages/component-validation.ts';
import { createValidator, type JsonObject, type Validator } from '../validator.ts';

/** @throws DiscordError 50035 */
export function validateModal(modal: JsonObject): void {
  const validator = createValidator();
  validator.checkLength('title', modal.title, 1, 45);
  validator.checkLength('custom_id', modal.custom_id, 1, 100);
  const rows = validator.checkList('components', modal.components);
  if (rows.length < 1 || rows.length > 5) validator.addError('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
  const ids = new Set<unknown>();
  for (const [index, row] of rows.entries()) validateRow(row, `components.${index}`, ids, validator);
  validator.throwIfInvalid();
}

function validateRow(row: JsonObject, path: string, ids: Set<unknown>, validator: Validator): void {
  if (row.type === ComponentType.TextDisplay) validator.checkLength(`${path}.content`, row.content, 1, 4000);
  else if (row.type === ComponentType.Label) {
    validator.checkLength(`${path}.label`, row.label, 1, 45);
    if (row.description != null) validator.checkLength(`${path}.description`, row.description, 1, 100);
    validateField(row.component, `${path}.component`, ids, validator);
  } else if (row.type === ComponentType.ActionRow) {
    const [input, ...others] = validator.checkList(`${path}.components`, row.components);
    if (!input || others.length > 0) validator.addError(`${path}.components`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 1 in length.');
    else if (input.type !== ComponentType.TextInput)
      validator.addError(`${path}.components.0.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (4,).');
    else {
      validator.checkLength(`${path}.components.0.label`, input.label, 1, 45);
      validateField(input, `${path}.components.0`, ids, validator);
    }
  } else validator.addError(`${path}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1, 10, 18).');
}

function validateField(field: JsonObject | undefined, path: string, ids: Set<unknown>, validator: Validator): void {
  if (typeof field !== 'object' || field === null) {
    validator.addError(path, 'BASE_TYPE_REQUIRED', 'This field is required');
    return;
  }
  validator.checkLength(`${path}.custom_id`, field.custom_id, 1, 100);
  if (ids.has(field.custom_id))
    validator.addError(`${path}.custom_id`, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated');
  ids.add(field.custom_id);
  if (field.type === ComponentType.TextInput) validateTextInput(field, path, validator);
  else if (field.type === ComponentType.FileUpload) validateFileUpload(field, path, validator);
  else if (SELECT_TYPES.includes(field.type)) {
    validateSelect(field, path, validator);
    if (field.disabled) validator.addError(`${path}.disabled`, 'BASE_TYPE_BAD', 'A menu in a form cannot be disabled.');
    if (field.required !== false && field.min_values === 0)
      validator.addError(`${path}.min_values`, 'NUMBER_TYPE_MIN', 'A required menu takes at least 1.');
  } else validator.addError(`${path}.type`, 'UNION_TYPE_CHOICES', 'Not a field that the local Discord knows.');
}

function validateFileUpload({ min_values: min, max_values: max, required }: JsonObject, path: string, validator: Validator): void {
  const isRange = (value: unknown, least: number) =>
    value == null || (Number.isInteger(value) && Number(value) >= least && Number(value) <= 10);
  if (!isRange(min, 0)) validator.addError(`${path}.min_values`, 'NUMBER_TYPE_MAX', 'int value should be between 0 and 10.');
  if (!isRange(max, 1)) validator.addError(`${path}.max_values`, 'NUMBER_TYPE_MAX', 'int value should be between 1 and 10.');
  if ((min ?? 1) > (max ?? 1)) validator.addError(`${path}.max_values`, 'NUMBER_TYPE_MIN', `Must be greater than or equal to ${min ?? 1}.`);
  if (required !== false && min === 0) validator.addError(`${path}.min_values`, 'NUMBER_TYPE_MIN', 'A required upload takes at least 1.');
}

function validateTextInput(
  { style, placeholder, value, min_length: min = 0, max_length: max = 4000 }: JsonObject,
  path: string,
  validator: Validator,
): void {
  if (style !== 1 && style !== 2) validator.addError(`${path}.style`, 'BASE_TYPE_CHOICES', 'Value must be one of {1, 2}.');
  if (placeholder != null) validator.checkLength(`${path}.placeholder`, placeholder, 0, 100);
  if (min < 0 || min > 4000) validator.addError(`${path}.min_length`, 'NUMBER_TYPE_MAX', 'Must be between 0 and 4000.');
  if (max < 1 || max > 4000 || max < min) validator.addError(`${path}.max_length`, 'NUMBER_TYPE_MAX', 'Must be between 1 and 4000.');
  if (value != null && value !== '') validator.checkLength(`${path}.value`, value, min, max);
}
