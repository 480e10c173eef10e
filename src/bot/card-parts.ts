// Reads the components of a message back, so that what its buttons do needs nothing but the message.
import { type APIComponentInContainer, type APIMessageTopLevelComponent, ComponentType } from 'discord.js';

type Part = APIMessageTopLevelComponent | APIComponentInContainer;
/** The components of a message as Discord sends them, or as discord.js holds them. */
type Components = readonly (Part | { toJSON(): unknown })[] | undefined;

/** A file that a card shows. Discord doesn't list it among the attachments of the message as well. */
export interface ShownFile {
  /** Id of the attachment, to keep it in an edit. */
  id: string;
  name: string;
  url: string;
  /** Bytes. */
  size: number;
}

/** The Markdown of every text, in order. */
export function readTexts(components: Components): string[] {
  return flatten(components).flatMap((part) => (part.type === ComponentType.TextDisplay ? [part.content] : []));
}

export function readFiles(components: Components): ShownFile[] {
  return flatten(components).flatMap((part) => {
    if (part.type !== ComponentType.File) return [];
    const { name = '', size = 0, file } = part;
    return [{ id: file.attachment_id ?? '', name, url: file.url, size }];
  });
}

/** Every component, those in cards after their card; not those in rows and sections. */
function flatten(components: Components = []): Part[] {
  return components.flatMap((component) => {
    const part = ('toJSON' in component ? component.toJSON() : component) as Part;
    return part.type === ComponentType.Container ? [part, ...flatten(part.components)] : [part];
  });
}
