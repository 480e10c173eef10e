// Completes the components of a message or modal as Discord does: ids, default values, and the media that they show.
// https://docs.discord.com/developers/components/reference
import { type APIAttachment, ComponentType } from 'discord-api-types/v10';
import { createValidator, type JsonObject, type Validator } from '../validator.ts';
import { createSnowflake } from '../world/snowflake.ts';
import { flattenComponents } from './component-tree.ts';
import { SELECT_TYPES } from './component-validation.ts';

/** @throws DiscordError 50035 if a component refers to an attachment that isn't there */
export function completeComponents(components: JsonObject[], attachments: APIAttachment[]): JsonObject[] {
  const validator = createValidator();
  const taken = new Set(flattenComponents(components).map(({ id }) => id));
  let last = 0;
  function nextId(): number {
    do last++;
    while (taken.has(last));
    return last;
  }

  function complete(component: JsonObject, path: string): JsonObject {
    const numbered = { ...component, id: component.id || nextId() };
    const completeAll = (children: JsonObject[] = []) => children.map((child, index) => complete(child, `${path}.components.${index}`));
    switch (component.type) {
      case ComponentType.ActionRow:
        return { ...numbered, components: completeAll(component.components) };
      case ComponentType.Container:
        return {
          ...numbered,
          accent_color: component.accent_color ?? null,
          spoiler: component.spoiler ?? false,
          components: completeAll(component.components),
        };
      case ComponentType.Section:
        return {
          ...numbered,
          components: completeAll(component.components),
          accessory: complete(component.accessory, `${path}.accessory`),
        };
      case ComponentType.Thumbnail:
        return { ...numbered, ...completeItem(component, path) };
      case ComponentType.MediaGallery:
        return {
          ...numbered,
          items: component.items.map((item: JsonObject, index: number) => completeItem(item, `${path}.items.${index}`)),
        };
      case ComponentType.File: {
        const { media, attachment } = resolveMedia(component.file, `${path}.file`);
        const { filename = null, size = null } = attachment ?? {};
        return { ...numbered, file: media, name: filename, size, spoiler: component.spoiler ?? false };
      }
      case ComponentType.Separator:
        return { ...numbered, divider: component.divider ?? true, spacing: component.spacing ?? 1 };
      case ComponentType.Label:
        return { ...numbered, component: complete(component.component, `${path}.component`) };
      default:
        if (!SELECT_TYPES.includes(component.type)) return numbered;
        return { ...numbered, min_values: component.min_values ?? 1, max_values: component.max_values ?? 1 };
    }
  }

  function completeItem({ media, description, spoiler }: JsonObject, path: string): JsonObject {
    return { media: resolveMedia(media, `${path}.media`).media, description: description ?? null, spoiler: spoiler ?? false };
  }

  function resolveMedia({ url }: JsonObject, path: string) {
    const attachment = findAttachment(url, attachments);
    if (!attachment && url.startsWith('attachment:')) addMissing(url, path, validator);
    return { media: unfurl(url, attachment), attachment };
  }

  const completed = components.map((component, index) => complete(component, `components.${index}`));
  validator.throwIfInvalid();
  return completed;
}

/** By `attachment://name`, or by the URL that an earlier response gave. */
function findAttachment(url: string, attachments: APIAttachment[]): APIAttachment | undefined {
  return attachments.find((attachment) => url === `attachment://${attachment.filename}` || url === attachment.url);
}

function addMissing(url: string, path: string, validator: Validator): void {
  validator.addError(
    `${path}.url`,
    'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND',
    `The referenced attachment in unfurled media item '${url}' was not found`,
  );
}

/** https://docs.discord.com/developers/components/reference#unfurled-media-item */
function unfurl(url: string, attachment: APIAttachment | undefined): JsonObject {
  if (!attachment) return { id: createSnowflake(), url, proxy_url: url, width: null, height: null, content_type: null };
  const { id, url: fileUrl, proxy_url, width = null, height = null, content_type = null } = attachment;
  return { id: createSnowflake(), url: fileUrl, proxy_url, width, height, content_type, attachment_id: id };
}
