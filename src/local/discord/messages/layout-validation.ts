// Discord's limits on Components V2: the layout that replaces content and embeds in messages with the flag IS_COMPONENTS_V2.
// https://docs.discord.com/developers/components/reference
import { ComponentType } from 'discord-api-types/v10';
import type { JsonObject, Validator } from '../validator.ts';
import { flattenComponents, textsOf } from './component-tree.ts';
import { validateActionRow, validateButton, validateUniqueIds } from './component-validation.ts';

/** Limit for a message, including components inside others. */
const MAX_COMPONENTS = 40;
/** Limit for all text displays of a message together. */
const MAX_TEXT_LENGTH = 4000;

const IN_CONTAINER: readonly number[] = [
  ComponentType.ActionRow,
  ComponentType.Section,
  ComponentType.TextDisplay,
  ComponentType.MediaGallery,
  ComponentType.File,
  ComponentType.Separator,
];
const AT_TOP: readonly number[] = [...IN_CONTAINER, ComponentType.Container];

export function validateLayout(components: JsonObject[], validator: Validator): void {
  validateChildren(components, 'components', AT_TOP, validator);
  validateUniqueIds(components, validator);
  if (flattenComponents(components).length > MAX_COMPONENTS)
    validator.addError(
      'components',
      'COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED',
      `Total number of components cannot exceed ${MAX_COMPONENTS}`,
    );
  if (textsOf(components).join('').length > MAX_TEXT_LENGTH)
    validator.addError(
      'components',
      'COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED',
      `Components displayable text size exceeds maximum size of ${MAX_TEXT_LENGTH}`,
    );
}

function validateChildren(children: JsonObject[], path: string, types: readonly number[], validator: Validator): void {
  children.forEach((child, index) => {
    if (types.includes(child.type)) validateComponent(child, `${path}.${index}`, validator);
    else validator.addError(`${path}.${index}.type`, 'UNION_TYPE_CHOICES', `Value of field "type" must be one of (${types.join(', ')}).`);
  });
}

function validateComponent(component: JsonObject, path: string, validator: Validator): void {
  switch (component.type) {
    case ComponentType.ActionRow:
      validateActionRow(component, path, validator);
      break;
    case ComponentType.TextDisplay:
      validator.checkLength(`${path}.content`, component.content, 1, MAX_TEXT_LENGTH);
      break;
    case ComponentType.Section:
      validateSection(component, path, validator);
      break;
    case ComponentType.MediaGallery:
      validateGallery(component, path, validator);
      break;
    case ComponentType.File:
      validateMedia(component.file, `${path}.file`, ['attachment'], validator);
      break;
    case ComponentType.Separator:
      if (component.spacing != null && component.spacing !== 1 && component.spacing !== 2)
        validator.addError(`${path}.spacing`, 'BASE_TYPE_CHOICES', 'Value must be one of {1, 2}.');
      break;
    case ComponentType.Container:
      validateContainer(component, path, validator);
  }
}

function validateContainer({ accent_color: colour, components }: JsonObject, path: string, validator: Validator): void {
  if (colour != null && !(Number.isInteger(colour) && colour >= 0 && colour <= 0xffffff))
    validator.addError(`${path}.accent_color`, 'NUMBER_TYPE_MAX', 'int value should be between 0 and 16777215.');
  const children = validator.checkList(`${path}.components`, components);
  checkCount(children, `${path}.components`, MAX_COMPONENTS, validator);
  validateChildren(children, `${path}.components`, IN_CONTAINER, validator);
}

function validateSection({ components, accessory }: JsonObject, path: string, validator: Validator): void {
  const texts = validator.checkList(`${path}.components`, components);
  checkCount(texts, `${path}.components`, 3, validator);
  validateChildren(texts, `${path}.components`, [ComponentType.TextDisplay], validator);
  if (accessory?.type === ComponentType.Button) validateButton(accessory, `${path}.accessory`, validator);
  else if (accessory?.type === ComponentType.Thumbnail) validateMediaItem(accessory, `${path}.accessory`, validator);
  else if (accessory == null) validator.addError(`${path}.accessory`, 'BASE_TYPE_REQUIRED', 'This field is required');
  else validator.addError(`${path}.accessory.type`, 'UNION_TYPE_CHOICES', 'Value of field "type" must be one of (2, 11).');
}

function validateGallery({ items }: JsonObject, path: string, validator: Validator): void {
  const list = validator.checkList(`${path}.items`, items);
  checkCount(list, `${path}.items`, 10, validator);
  list.forEach((item, index) => {
    validateMediaItem(item, `${path}.items.${index}`, validator);
  });
}

function validateMediaItem({ media, description }: JsonObject, path: string, validator: Validator): void {
  if (description != null) validator.checkLength(`${path}.description`, description, 1, 1024);
  validateMedia(media, `${path}.media`, ['http', 'https', 'attachment'], validator);
}

function validateMedia(media: JsonObject | undefined, path: string, schemes: string[], validator: Validator): void {
  const url = media?.url;
  if (typeof url !== 'string') {
    validator.addError(media == null ? path : `${path}.url`, 'BASE_TYPE_REQUIRED', 'This field is required');
    return;
  }
  validator.checkLength(`${path}.url`, url, 1, 2048);
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\/\S+$/i.exec(url) ?? [];
  if (scheme === undefined) validator.addError(`${path}.url`, 'URL_TYPE_INVALID_URL', 'Not a well formed URL.');
  else if (!schemes.includes(scheme.toLowerCase()))
    validator.addError(
      `${path}.url`,
      'URL_TYPE_INVALID_SCHEME',
      `Scheme "${scheme}" is not supported. Scheme must be one of (${schemes.map((name) => `'${name}'`).join(', ')}).`,
    );
}

function checkCount(list: JsonObject[], path: string, max: number, validator: Validator): void {
  if (list.length < 1 || list.length > max) validator.addError(path, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${max} in length.`);
}
