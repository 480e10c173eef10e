// The filters of /voices: as typed, as every page shows them, and as the service gets them.
import { bold, type ChatInputCommandInteraction } from 'discord.js';
import type { ModelQuery, VoiceModel } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { languages, type Words } from '../locales/index.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import type { VoicesContext } from './context.ts';
import { toLanguageCode } from './languages.ts';
import { textsOf } from './shown-texts.ts';
import { fold } from './titles.ts';

/** Voices on a page: as many as have room in a message, with their covers and menus. */
export const PAGE_SIZE = 5;
/** The highest page that can be typed; buttons lead further. */
export const MAX_PAGE = 100_000;
/** Longest filter that can be typed. */
export const MAX_FILTER_LENGTH = 60;
/** Longest filter in a message, where all filters together need room beside a voice. */
const MAX_SHOWN_LENGTH = 150;

export const SORTS = ['score', 'task_count', 'created_at'] as const satisfies (keyof Words['commands']['voices']['sorts'])[];

/** The options by their names. Every page shows them, and the next page reads them from there. */
export interface Filters {
  title?: string;
  tag?: string;
  language?: string;
  title_language?: string;
  author?: string;
  mine?: boolean;
  /** Also voices that cannot speak. */
  all?: boolean;
  sort?: (typeof SORTS)[number];
}

/** The filters as a member typed them, with languages and authors by name or code. */
export function typedFilters(
  { options }: Pick<ChatInputCommandInteraction, 'options'>,
  { voiceTitles, words }: Pick<VoicesContext, 'voiceTitles' | 'words'>,
): Filters {
  const voices = voiceTitles.all();
  const toCodes = (typed: string) => {
    const shown = voices.flatMap((voice) => voice.languages);
    return (splitList(typed) ?? []).map((one) => toLanguageCode(one, shown, words)).join(', ');
  };
  const toAuthor = (typed: string) => {
    const id = voices.find(({ author }) => fold(author.name) === fold(typed))?.author.id;
    return id !== undefined && asPlain(id, MAX_FILTER_LENGTH) === id ? id : typed;
  };
  const read = (name: keyof Filters, change = (typed: string) => typed) => {
    // Cleaned first, as every page shows it and the next one reads it from there.
    const typed = asPlain(options.getString(name) ?? '', MAX_FILTER_LENGTH);
    // What was not typed is no filter, though an author may have no name.
    const value = typed && change(typed);
    return value ? { [name]: value } : {};
  };
  return {
    ...read('title'),
    ...read('tag'),
    ...read('language', toCodes),
    ...read('title_language', toCodes),
    ...read('author', toAuthor),
    ...read('sort'),
    ...(options.getBoolean('mine') ? { mine: true } : {}),
    ...(options.getBoolean('all') ? { all: true } : {}),
  };
}

export function toModelQuery(filters: Filters, pageNumber: number, pageSize: number): ModelQuery {
  return {
    title: filters.title ?? null,
    tag: splitList(filters.tag),
    language: splitList(filters.language),
    titleLanguage: splitList(filters.title_language),
    authorId: filters.author ?? null,
    self: filters.mine ?? false,
    sortBy: filters.sort ?? 'score',
    pageSize,
    pageNumber,
  };
}

/** `a, b` → both; nothing → null. */
function splitList(values: string | undefined): string[] | null {
  const list = (values ?? '').split(',').map((value) => value.trim());
  return list.some(Boolean) ? list.filter(Boolean) : null;
}

/**
 * One small line, from which the buttons read them back; empty if there are none. It stays while one of the voices is open.
 * @param voice one that they found, which may tell the author's name
 */
export function filterLine(t: Words, filters: Filters, voice: VoiceModel | undefined): string {
  const shown = Object.entries(filters).map(([name, value]) => `${bold(name)} ${shownAs(t, name, value, voice)}`);
  return shown.length > 0 ? `-# ${shown.join(' · ')}` : '';
}

function shownAs(t: Words, name: string, value: string | true, voice: VoiceModel | undefined): string {
  if (value === true) return t.voices.yes;
  const sort = name === 'sort' ? SORTS.find((one) => one === value) : undefined;
  if (sort) return t.commands.voices.sorts[sort];
  const named = name.endsWith('language') ? nameLanguages(t, value) : name === 'author' ? nameAuthor(value, voice) : null;
  return named !== null && named.length <= MAX_SHOWN_LENGTH && !/[`*]/.test(value) ? named : escapeText(value);
}

/** What is in code is read back; the names are for people. */
function nameLanguages(t: Words, codes: string): string {
  const withName = (code: string) => {
    const name = t.voices.languageName(code);
    return name === code ? `\`${code}\`` : `${asMarkdown(name, MAX_FILTER_LENGTH)} \`${code}\``;
  };
  return (splitList(codes) ?? []).map(withName).join(', ');
}

function nameAuthor(id: string, voice: VoiceModel | undefined): string | null {
  const name = voice?.author.id === id ? asMarkdown(voice.author.nickname, MAX_FILTER_LENGTH) : '';
  return name ? `${name} \`${id}\`` : null;
}

/** What a page, or a voice opened from it, was filtered by. */
export function readFilters(message: Parameters<typeof textsOf>[0]): Filters {
  const line = textsOf(message)
    .flatMap((text) => text.split('\n'))
    .find((one) => one.startsWith('-# **'));
  const found = (line ?? '').matchAll(/(?:^-# | · )\*\*(\w+)\*\* ((?:(?! · \*\*\w+\*\* ).)*)/g);
  const { mine, all, sort, ...texts } = Object.fromEntries([...found].map(([, name = '', shown = '']) => [name, readValue(shown)]));
  // The page may have been made in another language.
  const known = SORTS.find((name) => languages.some(({ commands }) => commands.voices.sorts[name] === sort));
  return { ...texts, ...(mine ? { mine: true } : {}), ...(all ? { all: true } : {}), ...(known ? { sort: known } : {}) };
}

function readValue(shown: string): string {
  const codes = [...shown.matchAll(/(?<!\\)`([^`]+)`/g)].map(([, code]) => code);
  return codes.length > 0 ? codes.join(', ') : unescapeText(shown);
}

/** The page number in a custom_id. @throws UserError if it is not one */
export function readPage(text: string | undefined): number {
  const page = Number(text);
  if (!Number.isSafeInteger(page) || page < 1) throw new UserError((t) => t.general.expiredMessage);
  return page;
}

/** Escapes a text so that it is shown, and read back, as it was typed. */
function escapeText(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#:@-]/g, '\\$&');
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
