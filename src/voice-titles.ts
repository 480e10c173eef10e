// Titles of voices in memory, for autocomplete: filled beside the members' typing, never waited for.
import type { Api, VoiceModel } from './api/index.ts';
import { truncate } from './embed.ts';
import type { Log } from './log.ts';

interface VoiceTitle {
  id: string;
  title: string;
}

export interface VoiceTitles {
  /** Voices whose title has what was typed, the best fitting first; the best of the catalogue for nothing. At once. */
  find(typed: string, count: number): VoiceTitle[];
  /** A voice by what a member sent: its id, or a title typed in full. What was never seen counts as an id. */
  resolve(typed: string): { id: string; title: string | null };
  /** Takes voices in that were seen elsewhere. */
  remember(models: VoiceModel[]): void;
  /** Loads the best of the catalogue. Failures are logged, and tried again when the titles are next needed. */
  refresh(): Promise<void>;
  close(): void;
}

/** The first page by score; what it lacks is searched for when somebody types it. */
const PAGE_SIZE = 100;
const CAPACITY = 2_000;
const FRESH_MS = 10 * 60_000;
const RETRY_MS = 30_000;

export function createVoiceTitles({ api, log }: { api: Api; log: Log }): VoiceTitles {
  /** By id; in the order of last being seen, the oldest first. */
  const seen = new Map<string, VoiceTitle>();
  /** Ids in the order of the catalogue. */
  let best: string[] = [];
  let refreshed = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | null = null;
  let searching = false;
  let wanted: string | null = null;
  const searched = new Set<string>();
  const closing = new AbortController();
  const options = { signal: closing.signal, priority: 'background' } as const;

  /** Only what can speak is offered. */
  function remember(models: VoiceModel[]): VoiceTitle[] {
    const voices = models.filter((model) => model.type === 'tts' && model.state === 'trained');
    const titles = voices.map(({ id, title }) => ({ id, title: title.trim() || id }));
    for (const voice of titles) {
      seen.delete(voice.id);
      seen.set(voice.id, voice);
    }
    for (const id of seen.keys()) {
      if (seen.size <= CAPACITY) break;
      seen.delete(id);
    }
    return titles;
  }

  async function load(): Promise<void> {
    try {
      const { items } = await api.listModels({ pageSize: PAGE_SIZE }, options);
      best = remember(items).map(({ id }) => id);
      refreshed = performance.now();
      searched.clear();
    } catch (error) {
      refreshed = performance.now() - FRESH_MS + RETRY_MS;
      if (!closing.signal.aborted) log.warn({ reason: String(error) }, 'the titles of the voices could not be loaded');
    }
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
      searched.add(title);
      await api.listModels({ title, pageSize: 25 }, options).then(
        ({ items }) => remember(items),
        () => searched.delete(title),
      );
    }
    searching = false;
  }

  return {
    find(typed, count) {
      if (performance.now() - refreshed > FRESH_MS) void refresh();
      const needle = fold(typed);
      if (needle === '') return best.flatMap((id) => seen.get(id) ?? []).slice(0, count);
      void search(needle);
      return [...seen.values()]
        .map((voice) => ({ voice, rank: rank(voice, needle) }))
        .filter(({ rank }) => rank < NO_FIT)
        .sort((a, b) => a.rank - b.rank || a.voice.title.localeCompare(b.voice.title))
        .slice(0, count)
        .map(({ voice }) => voice);
    },
    resolve(typed) {
      const known = seen.get(typed) ?? [...seen.values()].find(({ title }) => fold(title) === fold(typed));
      return known ?? { id: typed, title: null };
    },
    remember,
    refresh,
    close: () => closing.abort(),
  };
}

const NO_FIT = 4;

/** 0 the whole title or the id, 1 its beginning, 2 the beginning of a word, 3 anywhere. */
function rank({ id, title }: VoiceTitle, needle: string): number {
  const text = fold(title);
  if (text === needle || id === needle) return 0;
  if (text.startsWith(needle)) return 1;
  if (text.includes(` ${needle}`)) return 2;
  return text.includes(needle) ? 3 : NO_FIT;
}

/** Without accents and capitals, and no longer than a title in Discord can be typed. */
function fold(text: string): string {
  return truncate(text, 100).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
