// The filters of /voices: as typed, as every page shows them, and as the service gets them.
import type { APIEmbed } from 'discord.js';
import type { ModelQuery } from '../api/index.ts';
import { COLOR } from '../bot/discord-limits.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';

/** Five cards fit easily into the 6,000 characters of a message's embeds. */
export const PAGE_SIZE = 5;
/** For typing; buttons lead further. */
export const MAX_PAGE = 100_000;

export const SORTS = ['score', 'task_count', 'created_at'] as const satisfies (keyof typeof en.voices.sorts)[];

/** The options by their names. Every page shows them, and the next page reads them from there. */
export interface Filters {
  title?: string;
  tag?: string;
  language?: string;
  title_language?: string;
  author?: string;
  mine?: boolean;
  sort?: (typeof SORTS)[number];
}

export function toModelQuery(filters: Filters, page: number): ModelQuery {
  return {
    title: filters.title ?? null,
    tag: splitList(filters.tag),
    language: splitList(filters.language),
    titleLanguage: splitList(filters.title_language),
    authorId: filters.author ?? null,
    self: filters.mine ?? false,
    sortBy: filters.sort ?? 'score',
    pageSize: PAGE_SIZE,
    pageNumber: page,
  };
}

/** `a, b` → both; nothing → null. */
function splitList(values: string | undefined): string[] | null {
  const list = (values ?? '').split(',').map((value) => value.trim());
  return list.some(Boolean) ? list.filter(Boolean) : null;
}

/** The embed above the voices. It stays while one of them is open, so that the buttons can lead back. */
export function listHeader(filters: Filters, total: number, page: number): APIEmbed {
  return {
    color: COLOR,
    description: en.voices.found(total, page, countPages(total, page)),
    fields: Object.entries(filters).map(([name, value]) => ({
      name,
      value: shownAs(name, value),
      inline: true,
    })),
  };
}

function shownAs(name: string, value: string | true): string {
  if (value === true) return en.voices.own;
  const sort = name === 'sort' ? SORTS.find((one) => one === value) : undefined;
  return sort ? en.voices.sorts[sort] : escapeText(value);
}

/** The number of pages, at least the one shown. */
export function countPages(total: number, page: number): number {
  return Math.max(1, page, Math.ceil(total / PAGE_SIZE));
}

/** @throws UserError if a moderator removed the embeds */
export function readFilters({ embeds: [header] }: { embeds: readonly Pick<APIEmbed, 'fields'>[] }): Filters {
  if (!header) throw new UserError((t) => t.general.expiredMessage);
  const { mine, sort, ...texts } = Object.fromEntries((header.fields ?? []).map(({ name, value }) => [name, unescapeText(value)]));
  const known = SORTS.find((name) => en.voices.sorts[name] === sort);
  return { ...texts, ...(mine ? { mine: true } : {}), ...(known ? { sort: known } : {}) };
}

/** The page number in a custom_id. @throws UserError if it is not one */
export function readPage(text: string | undefined): number {
  const page = Number(text);
  if (!Number.isSafeInteger(page) || page < 1) throw new UserError((t) => t.general.expiredMessage);
  return page;
}

/** So that it is shown, and read back, as it was typed. */
function escapeText(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#:@-]/g, '\\$&');
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
