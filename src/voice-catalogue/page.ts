// The view of a page of the catalogue: a section for each voice, with menus to hear and choose them, and buttons for other pages.
import { type APIComponentInContainer, type APISelectMenuOption, AttachmentBuilder } from 'discord.js';
import type { VoiceModel } from '../api/index.ts';
import { button, card, cards, limits, menu, publicImage, row, section, separator, text, thumbnail } from '../discord/cards.ts';
import { type CustomId, customId, part } from '../discord/custom-ids.ts';
import { UserError } from '../discord/errors.ts';
import type { Translator } from '../locales/index.ts';
import { asList, asMarkdown, asPlain, capitalized } from '../text/untrusted-text.ts';
import { type Filters, filterLine, listPage, PAGE_SIZE, type ShownPage, type VoicesContext } from './catalogue.ts';
import { OWN_VOICE_TAG, type VoiceUser } from './owners.ts';
import type { SafeFetch } from './safe-fetch.ts';
import { tagName } from './tags.ts';
import { canSpeak } from './titles.ts';
import { titleOf } from './voice-name.ts';

/** The page of the catalogue that a message shows, and its owner. */
export interface Position {
  filters: Filters;
  page: number;
  /** The only member who can use the buttons. */
  ownerId: string;
  /** Whether its owner may show it to everybody. */
  canShare: boolean;
}

/** Where a button or a menu is shown: the page, and its owner. */
export type ShownIn = Pick<Position, 'page' | 'ownerId'>;

const shownIn = {
  page: {
    write: String,
    read(written: string): number {
      const page = Number(written);
      if (!Number.isSafeInteger(page) || page < 1) throw new UserError((t) => t('general.expiredMessage'));
      return page;
    },
  },
  ownerId: part.text,
};

/** Turns to that page, or back to it. The name only tells the buttons apart. */
export const turnId = customId('voices', { name: part.text, ...shownIn });
/** Shows the page to everybody. */
export const shareId = customId('voices-share', shownIn);
// Menus of voices.
export const listenId = customId('voices-listen', shownIn);
export const useId = customId('voices-use', shownIn);
export const openId = customId('voices-open', shownIn);
// Below a voice.
export const chooseId = customId('voices-choose', { choice: part.oneOf('mine', 'favourite', 'server'), ...shownIn });
export const hearId = customId('voices-hear', { sample: part.number, ...shownIn });
/** A menu of samples. */
export const sampleId = customId('voices-sample', shownIn);

/** @param viewer who sees the page @throws UserError if the page is empty; ApiError, StoreError */
export async function loadPage(t: Translator, context: VoicesContext, position: Position, viewer: VoiceUser) {
  const shownPage = await listPage(context, { ...position, viewer });
  return voicesMessage(t, shownPage, position, await loadCovers(context.safeFetch, shownPage.items, context.signal));
}

/** @param covers of the voices, in order; null or absent = none */
export function voicesMessage(
  t: Translator,
  { total: serviceTotal, items, isWindow }: ShownPage,
  position: Position,
  covers: (Cover | null)[] = [],
) {
  const { filters, page, ownerId } = position;

  const voices = items.slice(0, PAGE_SIZE);
  const total = Math.max(serviceTotal, voices.length);
  const pages = Math.max(1, page, Math.ceil(total / PAGE_SIZE));
  const header = [
    `### ${t('voices.heading')}`,
    isWindow
      ? `${t('voices.foundPageOfMany', { total, page, pages })}\n-# ${t('voices.narrowDown')}`
      : pages > 1
        ? t('voices.foundPage', { total, page, pages })
        : t('voices.found', { total }),
    filterLine(t, filters, voices[0]),
  ];
  const openable = uniqueById(voices).filter(({ id }) => READABLE_ID.test(id) && id.length <= limits.choiceValue);
  const menuOf = (id: CustomId<ShownIn>, placeholder: string, chosen: VoiceModel[]) =>
    chosen.length > 0
      ? row(
          menu(
            id.write({ page, ownerId }),
            placeholder,
            chosen.map((voice) => optionOf(t, voice)),
          ),
        )
      : null;
  return {
    ...cards(
      card(
        'neutral',
        text(header.filter(Boolean).join('\n')),
        ...voices.flatMap((voice, index) => [separator(), voicePart(t, voice, covers[index] ?? null)]),
        ...(voices.length === 0 ? [text(t('voices.nothingOnPage'))] : []),
        separator(),
        menuOf(listenId, t('voices.hearOne'), openable.filter(hasSample)),
        menuOf(useId, t('voices.useOne'), openable.filter(canSpeak)),
        menuOf(openId, t('voices.open'), openable),
        pageButtons(t, position, pages),
      ),
    ),
    ...coverFiles(covers),
  };
}

/** Replaces all files that the message had before. */
export function coverFiles(covers: (Cover | null)[]) {
  return {
    files: covers.flatMap((cover) =>
      cover?.file ? [new AttachmentBuilder(Buffer.from(cover.file.bytes), { name: cover.file.name })] : [],
    ),
    attachments: [],
  };
}

/** The tags that mean something to members. */
function shownTags({ tags }: VoiceModel): string[] {
  return tags.filter((tag) => !tag.startsWith(OWN_VOICE_TAG));
}

/** Its languages and tags, each list with at most so many characters. */
export function listFacts(t: Translator, voice: VoiceModel, languages: number, tags: number): string {
  const lists = [
    asList(
      voice.languages.map((code) => capitalized(t.format.language(code))),
      languages,
    ),
    asList(
      shownTags(voice).map((tag) => capitalized(tagName(tag, t))),
      tags,
    ),
  ];
  return lists.filter(Boolean).join(' · ');
}

/** At most 600 characters, so that five of them and the header stay under the limit. */
function voicePart(t: Translator, voice: VoiceModel, cover: Cover | null): APIComponentInContainer {
  const facts = listFacts(t, voice, 100, 100);
  const lines = [
    `**${asMarkdown(titleOf(voice), 120)}**`,
    asMarkdown(voice.description, 120),
    facts && `-# ${facts}`,
    canSpeak(voice) ? '' : `-# ${whyCannotSpeak(t, voice)}`,
  ];
  return withCover(t, voice, cover, lines.filter(Boolean).join('\n'));
}

/** A text about a voice, beside its cover if there is one. */
export function withCover(
  t: Translator,
  voice: Pick<VoiceModel, 'id' | 'title'>,
  cover: Cover | null,
  markdown: string,
): APIComponentInContainer {
  return cover ? section(thumbnail(cover.url, t('voices.coverOf', { voice: titleOf(voice) })), markdown) : text(markdown);
}

/** Why the voice can't speak text. */
export function whyCannotSpeak(t: Translator, { type, state }: VoiceModel): string {
  return type === 'tts' ? t('voices.notReady', { state }) : t('voices.sings');
}

/** Whether there is a recording of it. */
function hasSample({ samples }: VoiceModel): boolean {
  return samples.some(({ audio }) => audio.trim() !== '');
}

/** Ids are menu values and are shown; a voice whose id Discord would alter cannot be opened. */
const READABLE_ID = /^[^\s`\p{C}]+$/u;

function uniqueById(voices: readonly VoiceModel[]): VoiceModel[] {
  return [...new Map(voices.map((voice) => [voice.id, voice])).values()];
}

function optionOf(t: Translator, voice: VoiceModel): APISelectMenuOption {
  const author = asPlain(voice.author.nickname, 70);
  return { label: titleOf(voice), value: voice.id, ...(author ? { description: t('voices.by', { creator: author }) } : {}) };
}

function pageButtons(t: Translator, { page, ownerId, canShare }: Position, pages: number) {
  const turn = (name: string, label: string, to: number, disabled: boolean) => ({
    ...button(label, turnId.write({ name, page: to, ownerId })),
    disabled,
  });
  const hasPages = pages > 1;
  return row(
    hasPages ? turn('previous', t('general.previousPage'), Math.max(1, page - 1), page <= 1) : null,
    hasPages ? turn('next', t('general.nextPage'), page + 1, page >= pages) : null,
    canShare ? button(t('voices.share'), shareId.write({ page, ownerId })) : null,
  );
}

// Covers of voices: by address if Discord can load it, as attached files if only the service has them, otherwise none.

export interface Cover {
  /** An address, or `attachment://…`. */
  url: string;
  file: { name: string; bytes: Uint8Array } | null;
}

const MAX_BYTES = 256 * 1024;
/** Milliseconds that a page waits, at most, for its pictures. */
const WAIT_MS = 2_000;

/** The covers of these voices, in order; null = none. @throws only the signal's reason */
export async function loadCovers(safeFetch: SafeFetch, models: VoiceModel[], signal: AbortSignal): Promise<(Cover | null)[]> {
  const wait = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
  const covers = await Promise.all(
    models.map(({ coverImage }, index) => loadCover(safeFetch, coverImage, index + 1, wait).catch(() => null)),
  );
  signal.throwIfAborted();
  return covers;
}

async function loadCover(safeFetch: SafeFetch, address: string, number: number, signal: AbortSignal): Promise<Cover | null> {
  const link = safeFetch.resolve(address);
  const url = link && publicImage(link.href);
  if (url) return { url, file: null };
  if (!link || !safeFetch.isOwn(link)) return null;
  const { bytes } = await safeFetch.read(link.href, { maxBytes: MAX_BYTES, signal });
  const extension = detectImageType(bytes);
  if (!extension) return null;
  const name = `cover-${number}.${extension}`;
  return { url: `attachment://${name}`, file: { name, bytes } };
}

/** The type of an image by its first bytes; null if Discord would not show it. */
function detectImageType(bytes: Uint8Array): 'png' | 'jpg' | 'gif' | 'webp' | null {
  const start = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpg';
  if (/^GIF8[79]a/.test(start)) return 'gif';
  return /^RIFF.{4}WEBP/s.test(start) ? 'webp' : null;
}
