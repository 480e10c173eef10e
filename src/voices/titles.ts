// Titles of voices in memory, for autocomplete: filled beside the members' typing, never waited for.
import { type Api, ApiError, type VoiceModel } from '../api/index.ts';
import type { Log } from '../log.ts';
import { createFuzzyPattern } from '../text/fuzzy-match.ts';
import { asPlain } from '../text/untrusted-text.ts';

interface VoiceTitle {
  id: string;
  title: string;
  /** One of the operators' own that they have not made public. */
  isPrivate: boolean;
}

/** To whom voices are offered: private ones to operators alone. Everybody else finds those by their whole id, as it was given to them. */
type Audience = 'everybody' | 'operators';

/** With its title as it is compared. */
interface SeenTitle extends VoiceTitle {
  folded: string;
}

export interface VoiceTitles {
  /** Voices whose title has what was typed, the best fitting first, then those spelt closely; the best of the catalogue for nothing. At once. */
  find(typed: string, count: number, audience?: Audience): VoiceTitle[];
  /** Does the title, or the id, of this voice have what was typed? */
  fits(voice: { id: string; title: string | null }, typed: string): boolean;
  /** A voice by what a member sent: its id, or a title typed in full. What was never seen counts as an id. */
  resolve(typed: string, audience?: Audience): { id: string; title: string | null };
  /** Takes voices in that were seen elsewhere. */
  remember(models: VoiceModel[]): void;
  /** Loads the best of the catalogue. Failures are logged, and tried again when the titles are next needed. */
  refresh(): Promise<void>;
  close(): void;
}

/** The first pages by score; what they lack is searched for when somebody types it. */
const PAGES = 3;
const PAGE_SIZE = 100;
/** Some 3 MB; a look through all of them takes a few milliseconds. */
const CAPACITY = 10_000;
/** UTF-16 units of a title that are kept: as many as Discord's menus and choices show. */
export const LONGEST_TITLE = 100;
/** A longer id fits into no option, and can be chosen nowhere. */
const LONGEST_ID = 100;
/** Searches that are not repeated until the titles are loaded anew. */
const MAX_SEARCHED = 1_000;
const FRESH_MS = 10 * 60_000;
const RETRY_MS = 30_000;

/** May the voice be shown to members who did not ask for it by its id? Unlisted ones are for those who were given the id, too. */
export function isPublic({ visibility }: VoiceModel): boolean {
  return visibility === 'public';
}

export function createVoiceTitles({ api, log }: { api: Api; log: Log }): VoiceTitles {
  /** By id; in the order of last being seen, the oldest first. */
  const seen = new Map<string, SeenTitle>();
  /** Ids in the order of the catalogue. */
  let best: string[] = [];
  let refreshed = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | null = null;
  let searching = false;
  /** The service has none: every voice is told by its id. */
  let hasNoCatalogue = false;
  let wanted: string | null = null;
  const searched = new Set<string>();
  const closing = new AbortController();
  const options = { signal: closing.signal, priority: 'background' } as const;

  /** Only what can speak is offered. */
  function remember(models: VoiceModel[]): VoiceTitle[] {
    const voices = models.filter(({ id, type, state }) => type === 'tts' && state === 'trained' && id !== '' && id.length <= LONGEST_ID);
    const titles = voices.map((model) => ({
      id: model.id,
      title: asPlain(model.title, LONGEST_TITLE) || asPlain(model.id, LONGEST_TITLE) || '?',
      isPrivate: !isPublic(model),
    }));
    for (const voice of titles) {
      seen.delete(voice.id);
      seen.set(voice.id, { ...voice, folded: fold(voice.title) });
    }
    for (const id of seen.keys()) {
      if (seen.size <= CAPACITY) break;
      seen.delete(id);
    }
    return titles;
  }

  async function load(): Promise<void> {
    try {
      const own = api.listModels({ self: true, pageSize: PAGE_SIZE }, options);
      // It may fail before its turn comes.
      own.catch(() => {});
      const pages: string[] = [];
      for (let pageNumber = 1; pageNumber <= PAGES; pageNumber++) {
        const { items, total } = await api.listModels({ pageSize: PAGE_SIZE, pageNumber }, options);
        pages.push(...remember(items).map(({ id }) => id));
        best = [...new Set([...pages, ...best])];
        // A page may lack what could not be read of it.
        if (items.length === 0 || (items.length < PAGE_SIZE && pageNumber * PAGE_SIZE >= total)) break;
      }
      remember((await own).items);
      best = [...new Set(pages)];
      refreshed = performance.now();
      hasNoCatalogue = false;
      searched.clear();
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unsupported') return noteNoCatalogue(error);
      refreshed = performance.now() - FRESH_MS + RETRY_MS;
      if (!closing.signal.aborted) log.warn({ reason: String(error) }, 'the titles of the voices could not be loaded');
    }
  }

  function noteNoCatalogue({ status }: ApiError): void {
    if (!hasNoCatalogue) log.info({ status }, 'the voice service has no catalogue: voices are told by their ids');
    hasNoCatalogue = true;
    refreshed = performance.now();
  }

  function refresh(): Promise<void> {
    refreshing ??= load().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  /** One search at a time, the last thing typed next: there for the following key stroke. */
  async function search(typed: string): Promise<void> {
    wanted = typed;
    if (searching) return;
    searching = true;
    while (wanted !== null && !closing.signal.aborted) {
      const title: string = wanted;
      wanted = null;
      if (searched.has(title)) continue;
      if (searched.size >= MAX_SEARCHED) searched.clear();
      searched.add(title);
      await api.listModels({ title, pageSize: 25 }, options).then(
        ({ items }) => remember(items),
        () => searched.delete(title),
      );
    }
    searching = false;
  }

  /** Those of a closeness, from the best on, until there are enough. */
  function pick(count: number, levels: SeenTitle[][]): SeenTitle[] {
    const picked: SeenTitle[] = [];
    for (const level of levels) {
      if (picked.length >= count) break;
      picked.push(...level.sort((a, b) => (a.folded < b.folded ? -1 : 1)));
    }
    return picked.slice(0, count);
  }

  function withTyped(voices: Iterable<SeenTitle>, needle: string, count: number): SeenTitle[] {
    const levels: SeenTitle[][] = Array.from({ length: NO_FIT }, () => []);
    for (const voice of voices) levels[rank(voice, needle)]?.push(voice);
    return pick(count, levels);
  }

  function speltClosely(voices: Iterable<SeenTitle>, needle: string, count: number): SeenTitle[] {
    const pattern = createFuzzyPattern(needle);
    const levels: SeenTitle[][] = Array.from({ length: pattern.maxEdits + 1 }, () => []);
    if (pattern.maxEdits > 0) for (const voice of voices) levels[pattern.editDistance(voice.folded)]?.push(voice);
    // Without edits it matches exactly.
    return pick(count, levels.slice(1));
  }

  return {
    find(typed, count, audience = 'everybody') {
      if (performance.now() - refreshed > FRESH_MS) void refresh();
      const needle = fold(typed);
      const isOffered = ({ id, isPrivate }: SeenTitle) => !isPrivate || audience === 'operators' || id === typed.trim();
      if (needle === '')
        return best
          .flatMap((id) => seen.get(id) ?? [])
          .filter(isOffered)
          .slice(0, count);
      if (!hasNoCatalogue) void search(needle);
      const voices = [...seen.values()].filter(isOffered);
      const fitting = withTyped(voices, needle, count);
      return fitting.length < count ? [...fitting, ...speltClosely(voices, needle, count - fitting.length)] : fitting;
    },
    fits({ id, title }, typed) {
      return rank({ id, folded: fold(title ?? id) }, fold(typed)) < NO_FIT;
    },
    resolve(typed, audience = 'everybody') {
      const byId = seen.get(typed);
      if (byId) return { id: byId.id, title: byId.title };
      const folded = fold(typed);
      const byTitle = seen.values().find((voice) => voice.folded === folded && (!voice.isPrivate || audience === 'operators'));
      return byTitle ? { id: byTitle.id, title: byTitle.title } : { id: typed, title: null };
    },
    remember,
    refresh,
    close: () => closing.abort(),
  };
}

const NO_FIT = 4;

/** 0 the whole title or the id, 1 its beginning, 2 the beginning of a word, 3 anywhere. */
function rank({ id, folded }: Pick<SeenTitle, 'id' | 'folded'>, needle: string): number {
  if (folded === needle || id === needle) return 0;
  if (!folded.includes(needle)) return NO_FIT;
  if (folded.startsWith(needle)) return 1;
  return folded.includes(` ${needle}`) ? 2 : 3;
}

/** Without accents and capitals, and no longer than a title in Discord can be typed. */
function fold(text: string): string {
  return asPlain(text, LONGEST_TITLE).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
