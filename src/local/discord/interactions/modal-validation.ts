// Discord's limits on a form: fields in labels, text between them, and the older rows of text inputs.
// https://docs.discord.com/developers/components/reference
import { ComponentType } from 'discord-api-types/v10';
import { createFormCheck, type Form, type FormCheck } from '../errors.ts';
import { checkSelect, SELECTS } from '../messages/validation.ts';

/** @throws DiscordProblem 50035 */
export function checkModal(form: Form): void {
  const check = createFormCheck();
  check.length('title', form.title, 1, 45);
  check.length('custom_id', form.custom_id, 1, 100);
  const rows = check.list('components', form.components);
  if (rows.length < 1 || rows.length > 5) check.fault('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 in length.');
  const ids = new Set<unknown>();
  for (const [index, row] of rows.entries()) checkRow(row, `components.${index}`, ids, check);
  check.done();
}

function checkRow(row: Form, at: string, ids: Set<unknown>, check: FormCheck): void {
  if (row.type === ComponentType.TextDisplay) check.length(`${at}.content`, row.content, 1, 4000);
  else if (row.type === ComponentType.Label) {
    check.length(`${at}.label`, row.label, 1, 45);
    if (row.description != null) check.length(`${at}.description`, row.description, 1, 100);
    checkField(row.component, `${at}.component`, ids, check);
  } else if (row.type === ComponentType.ActionRow) {
    const [input, ...more] = check.list(`${at}.components`, row.components);
    if (!input || more.length > 0) check.fault(`${at}.components`, 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 1 in length.');
    else if (input.type !== ComponentType.TextInput)
      check.fault(`${at}.components.0.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (4,).');
    else {
      check.length(`${at}.components.0.label`, input.label, 1, 45);
      checkField(input, `${at}.components.0`, ids, check);
    }
  } else check.fault(`${at}.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (1, 10, 18).');
}

function checkField(field: Form | undefined, at: string, ids: Set<unknown>, check: FormCheck): void {
  if (typeof field !== 'object' || field === null) {
    check.fault(at, 'BASE_TYPE_REQUIRED', 'This field is required');
    return;
  }
  check.length(`${at}.custom_id`, field.custom_id, 1, 100);
  if (ids.has(field.custom_id))
    check.fault(`${at}.custom_id`, 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated');
  ids.add(field.custom_id);
  if (field.type === ComponentType.TextInput) checkTextInput(field, at, check);
  else if (SELECTS.includes(field.type)) {
    checkSelect(field, at, check);
    if (field.disabled) check.fault(`${at}.disabled`, 'BASE_TYPE_BAD', 'A menu in a form cannot be disabled.');
    if (field.required !== false && field.min_values === 0)
      check.fault(`${at}.min_values`, 'NUMBER_TYPE_MIN', 'A required menu takes at least 1.');
  } else check.fault(`${at}.type`, 'UNION_TYPE_CHOICES', 'Not a field that the local Discord knows.');
}

function checkTextInput(
  { style, placeholder, value, min_length: least = 0, max_length: most = 4000 }: Form,
  at: string,
  check: FormCheck,
): void {
  if (style !== 1 && style !== 2) check.fault(`${at}.style`, 'BASE_TYPE_CHOICES', 'Value must be one of {1, 2}.');
  if (placeholder != null) check.length(`${at}.placeholder`, placeholder, 0, 100);
  if (least < 0 || least > 4000) check.fault(`${at}.min_length`, 'NUMBER_TYPE_MAX', 'Must be between 0 and 4000.');
  if (most < 1 || most > 4000 || most < least) check.fault(`${at}.max_length`, 'NUMBER_TYPE_MAX', 'Must be between 1 and 4000.');
  if (value != null && value !== '') check.length(`${at}.value`, value, least, most);
}
