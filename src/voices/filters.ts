// What /voices lists: the filters as they were given, as every page shows them, and as the service is asked.
import type { APIEmbed } from 'discord.js';
import type { ModelQuery } from '../api/index.ts';
import { COLOR } from '../bot/discord-limits.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';

/** Five cards fit into the 6,000 characters of a message's embeds with room to spare. */
export const PAGE_SIZE = 5;
/** That can be typed; buttons lead further. */
export const MAX_PAGE = 100_000;

export const SORTS = ['score', 'task_count', 'created_at'] as const satisfies (keyof typeof en.voices.sorts)[];

/** The options as given, by their names. Every page shows them, and is where the next one reads them. */
export interface Filters {
  title?: string;
  tag?: string;
  language?: string;
  title_language?: string;
  author?: string;
  mine?: boolean;
  sort?: (typeof SORTS)[number];
}

export function queryOf(filters: Filters, page: number): ModelQuery {
  return {
    title: filters.title ?? null,
    tag: several(filters.tag),
    language: several(filters.language),
    titleLanguage: several(filters.title_language),
    authorId: filters.author ?? null,
    self: filters.mine ?? false,
    sortBy: filters.sort ?? 'score',
    pageSize: PAGE_SIZE,
    pageNumber: page,
  };
}

/** `a, b` → both; nothing → null. */
function several(values: string | undefined): string[] | null {
  const list = (values ?? '').split(',').map((value) => value.trim());
  return list.some(Boolean) ? list.filter(Boolean) : null;
}

/** The embed above the voices. It stays while one of them is looked at, so that the page is found again. */
export function headOf(filters: Filters, total: number, page: number): APIEmbed {
  return {
    color: COLOR,
    description: en.voices.found(total, page, pagesOf(total, page)),
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

/** How many there are, the one that is shown included. */
export function pagesOf(total: number, page: number): number {
  return Math.max(1, page, Math.ceil(total / PAGE_SIZE));
}

/** @throws UserError where a moderator took the embeds away */
export function readFilters({ embeds: [head] }: { embeds: readonly Pick<APIEmbed, 'fields'>[] }): Filters {
  if (!head) throw new UserError(en.general.expiredMessage);
  const { mine, sort, ...texts } = Object.fromEntries((head.fields ?? []).map(({ name, value }) => [name, unescapeText(value)]));
  const known = SORTS.find((name) => en.voices.sorts[name] === sort);
  return { ...texts, ...(mine ? { mine: true } : {}), ...(known ? { sort: known } : {}) };
}

/** The number in a custom_id. @throws UserError where it is none */
export function readPage(text: string | undefined): number {
  const page = Number(text);
  if (!Number.isSafeInteger(page) || page < 1) throw new UserError(en.general.expiredMessage);
  return page;
}

/** Shown as it was typed, and got back as it was typed. */
function escapeText(text: string): string {
  return text.replace(/[\\*_~`|<>[\]()#:@-]/g, '\\$&');
}

function unescapeText(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}
