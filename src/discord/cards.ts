// The pieces of Parley's messages, in Discord's Components V2: a card is a container with an accent colour.
// https://discord.com/developers/docs/components/reference
import {
  type APIActionRowComponent,
  type APIButtonComponent,
  type APIComponentInContainer,
  type APIComponentInMessageActionRow,
  type APIContainerComponent,
  type APIFileComponent,
  type APIMediaGalleryComponent,
  type APIMessageTopLevelComponent,
  type APISectionComponent,
  type APISelectMenuOption,
  type APISeparatorComponent,
  type APIStringSelectComponent,
  type APITextDisplayComponent,
  type APIThumbnailComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
  SeparatorSpacingSize,
} from 'discord.js';
import { truncate } from '../text/untrusted-text.ts';

/** What a card is about, by the colour of its edge. */
const ACCENTS = { neutral: 0x5b7cfa, waiting: 0xf0a92e, speaking: 0x3b9eff, done: 0x2fa968, failed: 0xe5484d } as const;
export type Accent = keyof typeof ACCENTS;

/** A message of cards. Its text pings nobody: the client allows no mentions. */
export interface CardMessage {
  flags: MessageFlags.IsComponentsV2;
  components: APIContainerComponent[];
}

/** Parts that are null are left out. */
export function card(accent: Accent, ...parts: (APIComponentInContainer | null)[]): APIContainerComponent {
  return { type: ComponentType.Container, accent_color: ACCENTS[accent], components: parts.filter((part) => part !== null) };
}

export function cards(...components: APIContainerComponent[]): CardMessage {
  return { flags: MessageFlags.IsComponentsV2, components };
}

/** A card with one sentence, and the controls below it, if there are any. */
export function notice(sentence: string, accent: Accent = 'failed', controls: APIComponentInContainer | null = null): CardMessage {
  return cards(card(accent, text(sentence), controls));
}

/** The page that is shown if this one is wanted: ids of buttons may name any, and there may be fewer now. */
export const pageWithin = (pages: number, wanted: number): number => Math.min(Math.max(1, Math.floor(wanted) || 1), pages);

/** The message as an edit, which also clears what Components V2 don't allow. */
export function asEdit<M extends CardMessage>(message: M): M & { content: null; embeds: [] } {
  return { ...message, content: null, embeds: [] };
}

/** The message, to be seen by the member alone. */
export function asPrivate<M extends CardMessage>(message: M) {
  return { ...message, flags: MessageFlags.IsComponentsV2 | MessageFlags.Ephemeral };
}

/** Markdown, cut to the limit for a whole message. Discord refuses empty texts: leave the part out instead. */
export function text(markdown: string): APITextDisplayComponent {
  return { type: ComponentType.TextDisplay, content: truncate(markdown, limits.cardText) };
}

/** One to three texts beside a picture or a button. */
export function section(accessory: APIThumbnailComponent | APIButtonComponent, ...texts: string[]): APISectionComponent {
  return { type: ComponentType.Section, accessory, components: texts.map(text) };
}

/** @param url https, or attachment:// for a file of the message @param description alt text */
export function thumbnail(url: string, description: string): APIThumbnailComponent {
  return { type: ComponentType.Thumbnail, media: { url }, description };
}

export function separator(): APISeparatorComponent {
  return { type: ComponentType.Separator, divider: true, spacing: SeparatorSpacingSize.Small };
}

/** @param name of a file of the same message */
export function file(name: string): APIFileComponent {
  return { type: ComponentType.File, file: { url: `attachment://${name}` } };
}

/** @param description alt text */
export function picture(url: string, description: string): APIMediaGalleryComponent {
  return { type: ComponentType.MediaGallery, items: [{ media: { url }, description }] };
}

/** A row of buttons, or with one menu; null if nothing is left of it. */
export function row(
  ...components: (APIComponentInMessageActionRow | null)[]
): APIActionRowComponent<APIComponentInMessageActionRow> | null {
  const left = components.filter((component) => component !== null);
  return left.length > 0 ? { type: ComponentType.ActionRow, components: left } : null;
}

type Style = ButtonStyle.Primary | ButtonStyle.Secondary | ButtonStyle.Success | ButtonStyle.Danger;

/** @param custom_id see custom-ids.ts */
export function button(label: string, custom_id: string, style: Style = ButtonStyle.Secondary): APIButtonComponent {
  return { type: ComponentType.Button, style, label: truncate(label, limits.buttonLabel), custom_id };
}

/** A menu of texts, of which one is chosen unless `max_values` says otherwise. */
export function menu(
  custom_id: string,
  placeholder: string,
  options: APISelectMenuOption[],
  more: Pick<APIStringSelectComponent, 'min_values' | 'max_values' | 'disabled'> = {},
): APIStringSelectComponent {
  return { type: ComponentType.StringSelect, custom_id, placeholder: truncate(placeholder, limits.placeholder), options, ...more };
}

// Reads the components of a message back: its buttons need nothing but the message.

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

/** The custom_id of every button in a row, in order. */
export function readButtonIds(components: Components): string[] {
  return flatten(components)
    .flatMap((part) => (part.type === ComponentType.ActionRow ? part.components : []))
    .flatMap((part) => (part.type === ComponentType.Button && 'custom_id' in part ? [part.custom_id] : []));
}

export function readFiles(components: Components): ShownFile[] {
  return flatten(components).flatMap((part) => {
    if (part.type !== ComponentType.File) return [];
    const { name = '', size = 0, file } = part;
    return [{ id: file.attachment_id ?? '', name, url: file.url, size }];
  });
}

/** Every component, with those in cards after their card, without those in rows and sections. */
function flatten(components: Components = []): Part[] {
  return components.flatMap((component) => {
    const part = ('toJSON' in component ? component.toJSON() : component) as Part;
    return part.type === ComponentType.Container ? [part, ...flatten(part.components)] : [part];
  });
}

// Discord's limits on messages, and the helpers that keep them: every text in a card, a button or a choice goes through `truncate` or,
// if somebody else wrote it, through text/untrusted-text.ts.

/** In characters or items. */
export const limits = {
  /** All text displays of a message together: https://discord.com/developers/docs/components/reference#text-display */
  cardText: 4000,
  buttonLabel: 80,
  placeholder: 150,
  optionLabel: 100,
  customId: 100,
  choices: 25,
  choiceName: 100,
  choiceValue: 100,
  url: 2048,
} as const;

/** Returns the address if Discord can load a picture from it, else null (empty, relative, in a private network). */
export function publicImage(address: string): string | null {
  const url = address.length > limits.url ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > limits.url || url.username) return null;
  // Names without a dot and bare IP addresses are local, or unlikely to host pictures.
  const isName = /\.[a-z][a-z0-9-]*$/i.test(url.hostname) && !/\.(local|localhost|internal|lan|home\.arpa)$/i.test(url.hostname);
  return isName ? url.href : null;
}
