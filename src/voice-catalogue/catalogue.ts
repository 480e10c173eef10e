// The service's catalogue of voices: a page of it, and one voice in it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type APIMessageTopLevelComponent, bold, type ChatInputCommandInteraction, ComponentType } from 'discord.js';
import type { Api, ModelQuery, VoiceModel } from '../api/index.ts';
import type { InteractionContext } from '../discord/command.ts';
import { UserError } from '../discord/errors.ts';
import type { IsOperator } from '../discord/operators.ts';
import type { IsServerMuted } from '../discord/voice-channels.ts';
import { findInAnyLanguage } from '../locales/command-texts.ts';
import { en, type KeyIn, type Translator } from '../locales/index.ts';
import { languageCode, languageName } from '../locales/language-names.ts';
import type { Settings } from '../store/settings.ts';
import { asMarkdown, asPlain } from '../text/untrusted-text.ts';
import type { Sessions } from '../voice-session/types.ts';
import type { VoiceOwners, VoiceUser } from './owners.ts';
import type { SafeFetch } from './safe-fetch.ts';
import { toTag } from './tags.ts';
import { canSpeak, fold, isPublic, type VoiceTitles } from './titles.ts';

// Reads the texts of a message of cards, which contain what its buttons need.

/** In order, those in sections included; none if the message has no cards. */
export function textsOf({ components }: { components: readonly { toJSON(): unknown }[] }): string[] {
  return components.flatMap((component) => textsIn(component.toJSON() as APIMessageTopLevelComponent));
}

function textsIn(part: APIMessageTopLevelComponent): string[] {
  if (part.type === ComponentType.TextDisplay) return [part.content];
  if (part.type === ComponentType.Container || part.type === ComponentType.Section) return part.components.flatMap(textsIn);
  return [];
}

// Languages by what members call them: a code, or a name in English, in their own language or in the language itself.

/** Names of languages in the languages themselves, by code. Each takes a fraction of a millisecond to make. */
const ownNames = new Map<string, string>();

/** @param code BCP 47; names of anything else are the code itself */
export function namesOf(code: string, t: Translator): string[] {
  const own = ownNames.get(code) ?? languageName(code, code);
  ownNames.set(code, own);
  return [t.format.language(code), en.format.language(code), own];
}

/**
 * The codes that stand for what was typed; anything unknown is returned as it is, because the service may know it. Yields after each language
 * that it names: the first time, all of them take a tenth of a second.
 * @param shown codes that the catalogue has shown, which are preferred
 */
export async function toLanguageCodes(typed: readonly string[], shown: Iterable<string>, t: Translator): Promise<string[]> {
  const wanted = new Set(typed.map(fold));
  const codesByName = new Map<string, string>();
  for (const code of new Set([...shown, ...knownCodes()])) {
    if (codesByName.size === wanted.size) break;
    for (const name of [code, ...namesOf(code, t)].map(fold)) if (wanted.has(name) && !codesByName.has(name)) codesByName.set(name, code);
    await nextTurn();
  }
  return typed.map((name) => codesByName.get(fold(name)) ?? name);
}

let codes: string[] | null = null;

/** Every code of two letters that has a name: https://www.loc.gov/standards/iso639-2/php/code_list.php */
function knownCodes(): string[] {
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  codes ??= letters.flatMap((first) => letters.map((second) => first + second)).filter((code) => languageCode(code) !== null);
  return codes;
}

// The filters of /voices: as typed, as every page shows them, and as the service gets them.

/** Voices on a page: as many as fit into a message, with their covers and menus. */
export const PAGE_SIZE = 5;
/** The highest page that can be typed; buttons lead further. */
export const MAX_PAGE = 100_000;
/** Longest filter that can be typed. */
export const MAX_FILTER_LENGTH = 60;
/** Longest filter in a message, where all filters together need room beside a voice. */
const MAX_SHOWN_LENGTH = 150;

export const SORTS = ['score', 'task_count', 'created_at'] as const satisfies KeyIn<'commands.voices.sorts'>[];

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
export async function typedFilters(
  { options }: Pick<ChatInputCommandInteraction, 'options'>,
  { voiceTitles, t }: Pick<VoicesContext, 'voiceTitles' | 't'>,
): Promise<Filters> {
  const voices = voiceTitles.all();
  const toCodes = async (typed: string) => {
    const shown = voices.flatMap((voice) => voice.languages);
    return (await toLanguageCodes(splitList(typed) ?? [], shown, t)).join(', ');
  };
  const toTags = (typed: string) => (splitList(typed) ?? []).map((tag) => toTag(tag, t)).join(', ');
  const toAuthor = (typed: string) => {
    const id = voices.find(({ author }) => fold(author.name) === fold(typed))?.author.id;
    return id !== undefined && asPlain(id, MAX_FILTER_LENGTH) === id ? id : typed;
  };
  const read = async (name: keyof Filters, change: (typed: string) => string | Promise<string> = (typed) => typed) => {
    // Cleaned first, because every page shows it, and the next page reads it from there.
    const typed = asPlain(options.getString(name) ?? '', MAX_FILTER_LENGTH);
    // An option that was not typed is no filter, not even for authors without a name.
    const value = typed && (await change(typed));
    return value ? { [name]: value } : {};
  };
  return {
    ...(await read('title')),
    ...(await read('tag', toTags)),
    ...(await read('language', toCodes)),
    ...(await read('title_language', toCodes)),
    ...(await read('author', toAuthor)),
    ...(await read('sort')),
    ...(options.getBoolean('mine') ? { mine: true } : {}),
    ...(options.getBoolean('all') ? { all: true } : {}),
  };
}

function toModelQuery(filters: Filters, pageNumber: number, pageSize: number): ModelQuery {
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
 * The filters as one small line, from which the buttons read them back; empty if there are none. It stays while one of the voices is open.
 * @param voice one of the results, which may tell the author's name
 */
export function filterLine(t: Translator, filters: Filters, voice: VoiceModel | undefined): string {
  const shown = Object.entries(filters).map(([name, value]) => `${bold(name)} ${shownAs(t, name, value, voice)}`);
  return shown.length > 0 ? `-# ${shown.join(' · ')}` : '';
}

function shownAs(t: Translator, name: string, value: string | true, voice: VoiceModel | undefined): string {
  if (value === true) return t('voices.yes');
  const sort = name === 'sort' ? SORTS.find((sortName) => sortName === value) : undefined;
  if (sort) return t(`commands.voices.sorts.${sort}`);
  const named = name.endsWith('language') ? nameLanguages(t, value) : name === 'author' ? nameAuthor(value, voice) : null;
  return named !== null && named.length <= MAX_SHOWN_LENGTH && !/[`*]/.test(value) ? named : escapeText(value);
}

/** The code is read back; the name is for people. */
function nameLanguages(t: Translator, codes: string): string {
  const withName = (code: string) => {
    const name = t.format.language(code);
    return name === code ? `\`${code}\`` : `${asMarkdown(name, MAX_FILTER_LENGTH)} \`${code}\``;
  };
  return (splitList(codes) ?? []).map(withName).join(', ');
}

function nameAuthor(id: string, voice: VoiceModel | undefined): string | null {
  const name = voice?.author.id === id ? asMarkdown(voice.author.nickname, MAX_FILTER_LENGTH) : '';
  return name ? `${name} \`${id}\`` : null;
}

/** The filters of a page, or of a voice opened from it. */
export function readFilters(message: Parameters<typeof textsOf>[0]): Filters {
  const line = textsOf(message)
    .flatMap((text) => text.split('\n'))
    .find((line) => line.startsWith('-# **'));
  const facts = (line ?? '').matchAll(/(?:^-# | · )\*\*(\w+)\*\* ((?:(?! · \*\*\w+\*\* ).)*)/g);
  const { mine, all, sort, ...texts } = Object.fromEntries([...facts].map(([, name = '', shown = '']) => [name, readValue(shown)]));
  // The page may be in another language.
  const sortName =
    sort === undefined
      ? null
      : findInAnyLanguage(
          SORTS.map((name) => [`commands.voices.sorts.${name}`, name] as const),
          sort,
        );
  return { ...texts, ...(mine ? { mine: true } : {}), ...(all ? { all: true } : {}), ...(sortName ? { sort: sortName } : {}) };
}

function readValue(shown: string): string {
  const codes = [...shown.matchAll(/(?<!\\)`([^`]+)`/g)].map(([, code]) => code);
  return codes.length > 0 ? codes.join(', ') : unescapeText(shown);
}

/** Escapes a text so that it is shown, and read back, as it was typed. */
function escapeText(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#:@-]/g, '\\$&');
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

/** What browsing voices needs besides the interaction. */
export interface VoicesContext extends InteractionContext {
  api: Api;
  voiceTitles: VoiceTitles;
  voiceOwners: VoiceOwners;
  safeFetch: SafeFetch;
  settings: Settings;
  sessions: Sessions;
  isOperator: IsOperator;
  isServerMuted: IsServerMuted;
}

type Dependencies = Pick<VoicesContext, 'api' | 'voiceTitles' | 'voiceOwners' | 'signal'>;

/** A page of the catalogue. */
interface CataloguePage {
  filters: Filters;
  page: number;
  /** Who sees it: voices that members made show only to those who may use them. */
  viewer: VoiceUser;
}

/** Voices requested at once: usually all that a search finds. */
const BATCH_SIZE = 100;

/** Voices of a page, and how many there are on all pages together, or can be listed if `isWindow`. */
export interface ShownPage {
  total: number;
  items: VoiceModel[];
  isWindow: boolean;
}

/**
 * A page of voices: private ones only among the operators' own, those that can't speak only on request. The service can't filter them out,
 * so if it finds more than fit into one answer, pages with such voices come out shorter. What is on a page counts, whatever the total says.
 * @throws UserError if there is no such page; ApiError, StoreError
 */
export async function listPage(context: Dependencies, { filters, page, viewer }: CataloguePage): Promise<ShownPage> {
  const { api, voiceTitles, voiceOwners, signal } = context;
  const shownOf = async (voices: VoiceModel[]) => {
    const candidates = voices.filter((voice) => (filters.mine || isPublic(voice)) && (filters.all || canSpeak(voice)));
    const access = await Promise.all(candidates.map(({ id }) => voiceOwners.accessOf(id, viewer)));
    return candidates.filter((_, index) => access[index] !== 'refused');
  };
  const pageOf = (voices: VoiceModel[]) => voices.slice(PAGE_SIZE * (page - 1), PAGE_SIZE * page);
  const list = (number: number) => api.listModels(toModelQuery(filters, number, PAGE_SIZE), { signal });
  const batch = await api.listModels(toModelQuery(filters, 1, BATCH_SIZE), { signal });
  const { items: first, isWindow } = batch;
  await voiceTitles.remember(first);
  // A full batch that is said to be the last one may not be.
  const isAll = batch.hasMore === null ? first.length >= batch.total : !batch.hasMore && first.length < BATCH_SIZE;
  if (isAll) {
    const shown = await shownOf(first);
    if (shown.length === 0) throw new UserError((t) => t('voices.noneFound'), { isEmptyState: true });
    const items = pageOf(shown);
    if (items.length === 0) throw noSuchPage(page, Math.ceil(shown.length / PAGE_SIZE));
    return { total: shown.length, items, isWindow: false };
  }
  const isInBatch = page * PAGE_SIZE <= first.length;
  const { items: models, hasMore } = isInBatch ? { items: pageOf(first), hasMore: null } : await list(page);
  const pages = Math.ceil(batch.total / PAGE_SIZE);
  if (models.length === 0) {
    const isThere = async (number: number) => (await list(number)).items.length > 0;
    throw noSuchPage(page, await findLast(isThere, Math.ceil(first.length / PAGE_SIZE), Math.min(page - 1, pages)));
  }
  await voiceTitles.remember(models);
  const before = PAGE_SIZE * (page - 1);
  const least = before + models.length + (hasMore ? 1 : 0);
  const isLast = hasMore === false && (isWindow || models.length < PAGE_SIZE);
  const total = isLast ? least : Math.max(least, batch.total);
  return { total, items: await shownOf(models), isWindow };
}

function noSuchPage(page: number, pages: number): UserError {
  return new UserError((t) => (pages <= 1 ? t('voices.onlyOnePage', { page }) : t('voices.pageOutOfRange', { page, pages })));
}

/** The last page that is there, at a few pages' cost: `likely`, or else one between it and `first`, which is there. */
async function findLast(isThere: (page: number) => Promise<boolean>, first: number, likely: number): Promise<number> {
  if (likely <= first || (await isThere(likely))) return Math.max(first, likely);
  let [lastFound, firstMissing] = [first, likely];
  while (firstMissing - lastFound > 1) {
    const middle = (lastFound + firstMissing) >> 1;
    if (await isThere(middle)) lastFound = middle;
    else firstMissing = middle;
  }
  return lastFound;
}

/**
 * The voice as the service has it now. It is looked for near the page where it was seen, then on that page alone, because services may return
 * fewer at once than requested, then by title, because others may have moved ahead of it, and in the end by its id, because not every voice can
 * be listed.
 * @throws UserError if the service no longer has it, or the viewer may not use it; ApiError, StoreError
 */
export async function findVoice(
  { api, voiceTitles, voiceOwners, signal }: Dependencies,
  shownVoice: { id: string; title: string },
  { filters, page, viewer }: CataloguePage,
): Promise<VoiceModel> {
  const access = await voiceOwners.accessOf(shownVoice.id, viewer);
  const title = (voiceTitles.resolve(shownVoice.id).title ?? shownVoice.title).replace(/…$/, '').trim();
  const near = toModelQuery(filters, Math.ceil((page * PAGE_SIZE) / BATCH_SIZE), BATCH_SIZE);
  const samePage = toModelQuery(filters, page, PAGE_SIZE);
  for (const query of [near, samePage, { title, self: filters.mine ?? false, pageSize: BATCH_SIZE }]) {
    const { items } = await api.listModels(query, { signal });
    const model = items.find(({ id }) => id === shownVoice.id);
    if (model && access !== 'refused') return model;
  }
  const beyond = access === 'catalogue' ? await voiceTitles.fetch(shownVoice.id, signal) : null;
  if (beyond) return beyond;
  throw new UserError((t) => t('voices.gone', { title: title || shownVoice.id }));
}

/** @throws UserError if a member who is no operator asks for the operators' own voices */
export async function checkMine(filters: Filters, { isOperator }: Pick<VoicesContext, 'isOperator'>, userId: string): Promise<void> {
  if (filters.mine && !(await isOperator(userId))) throw new UserError((t) => t('voices.ownVoicesForOperators'));
}
