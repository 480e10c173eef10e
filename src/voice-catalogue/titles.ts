// Titles of the catalogue's voices in memory, with what is shown beside them, for autocomplete: loaded in the background, and nobody waits
// for it. Voices that members made are not among them, because not everybody may use those: see below.
import { LRUCache } from 'lru-cache';
import { type Api, ApiError, type VoiceModel } from '../api/index.ts';
import type { Translator } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { ChosenVoice } from '../store/settings.ts';
import { createFuzzyPattern } from '../text/fuzzy-match.ts';
import { asPlain, capitalized } from '../text/untrusted-text.ts';
import { handleOf, isHandle, type OwnVoice, type VoiceAccess, type VoiceOwners, type VoiceUser } from './owners.ts';
import { tagName } from './tags.ts';
import { MAX_TITLE_LENGTH, titleOf } from './voice-name.ts';

export interface VoiceTitle {
  id: string;
  title: string;
  /** Whether it is one of the operators' own and not public. */
  isPrivate: boolean;
  /** The codes of its first few languages, and its first few tags. */
  languages: string[];
  tags: string[];
  author: { id: string; name: string };
}

/** Who voices are offered to. Private ones are offered only to operators; everybody else needs to know their full id. */
type Audience = 'everybody' | 'operators';

/** `folded` is the title as it is compared. */
interface SeenTitle extends VoiceTitle {
  folded: string;
}

export interface VoiceTitles {
  /** Voices whose title contains what was typed, best match first, then fuzzy matches; for an empty text the first of the catalogue. */
  find(typed: string, count: number, audience?: Audience): VoiceTitle[];
  /** The voices that everybody may see whose titles are spelt most like what was typed, closest first. */
  closest(typed: string, count: number): VoiceTitle[];
  /** Every voice seen that everybody may see. */
  all(): VoiceTitle[];
  /** "English · Female, American": what to show beside the title of a voice; empty if nothing is known. */
  describe(id: string, t: Translator): string;
  /** The codes of the first few languages of a voice; empty if nothing is known. */
  languages(id: string): readonly string[];
  /** Whether the title or the id of this voice matches what was typed. */
  matches(voice: { id: string; title: string | null }, typed: string): boolean;
  /** A voice by what a member sent: its id, or its whole title. Anything unknown counts as an id. */
  resolve(typed: string, audience?: Audience): { id: string; title: string | null };
  /** Adds voices that were seen elsewhere. Never rejects. */
  remember(models: VoiceModel[]): Promise<void>;
  /**
   * Asks the service for the voice with this id, which no list may reach, and remembers it if anybody may use it: it is public, or unlisted, and no
   * member made it. Returns null if not, or if the service doesn't answer. Never rejects.
   */
  fetch(id: string, signal?: AbortSignal): Promise<VoiceModel | null>;
  /** Loads the first pages of the catalogue. Failures are logged, and retried when the titles are next needed. */
  refresh(): Promise<void>;
  close(): void;
}

/** Pages read by score; other voices are searched for when somebody types their title. */
const PAGES = 3;
const PAGE_SIZE = 100;
/** About 8 MB; searching all of them takes a few milliseconds. */
const CAPACITY = 10_000;
const MAX_LANGUAGES = 4;
const MAX_TAGS = 8;
const MAX_TAG_LENGTH = 40;
/** Tags shown beside a title. */
const SHOWN_TAGS = 2;
const MAX_DESCRIPTION_LENGTH = 50;
/** A longer id fits into no option value, so it cannot be chosen. */
const MAX_ID_LENGTH = 100;
/** Searches that are not repeated until the titles are reloaded. */
const MAX_SEARCHED = 1_000;
const FRESH_MS = 10 * 60_000;
const RETRY_MS = 30_000;
/** Milliseconds that a member waits for what the service has under an id. */
const FETCH_MS = 1_500;

/** Whether the voice may be shown to members who do not know its id. Unlisted ones, like private ones, may not. */
export function isPublic({ visibility }: VoiceModel): boolean {
  return visibility === 'public';
}

/** Whether the voice can speak texts. */
export function canSpeak({ type, state }: VoiceModel): boolean {
  return type === 'tts' && state === 'trained';
}

interface Dependencies {
  api: Api;
  voiceOwners: Pick<VoiceOwners, 'made'>;
  log: Log;
}

export function createVoiceTitles({ api, voiceOwners, log }: Dependencies): VoiceTitles {
  /** By id. Only `set` makes an entry recent: it was seen at the service, not just looked up. */
  const seen = new LRUCache<string, SeenTitle>({ max: CAPACITY });
  /** Ids in the order of the catalogue. */
  let first: string[] = [];
  let refreshed = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | null = null;
  let searching = false;
  /** The service has no catalogue: voices are known only by their ids. */
  let hasNoCatalogue = false;
  let wanted: string | null = null;
  const searched = new Set<string>();
  const closing = new AbortController();
  const options = { signal: closing.signal, priority: 'background' } as const;

  /** Only voices that can speak, and that no member made. */
  async function remember(models: VoiceModel[]): Promise<VoiceTitle[]> {
    const offered = models.filter((voice) => canSpeak(voice) && voice.id !== '' && voice.id.length <= MAX_ID_LENGTH);
    const madeByMembers = await voiceOwners.made(offered.map(({ id }) => id)).catch((error: unknown) => {
      log.warn({ reason: String(error) }, 'not learning voice titles: could not read which voices members made');
      return null;
    });
    if (!madeByMembers) return [];
    const voices = offered.filter(({ id }) => !madeByMembers.has(id));
    const titles = voices.map((model) => ({
      id: model.id,
      title: titleOf(model),
      isPrivate: !isPublic(model),
      languages: cleanList(model.languages, MAX_LANGUAGES),
      tags: cleanList(model.tags, MAX_TAGS),
      author: { id: model.author.id, name: asPlain(model.author.nickname, MAX_TITLE_LENGTH) },
    }));
    for (const voice of titles) seen.set(voice.id, { ...voice, folded: fold(voice.title) });
    return titles;
  }

  async function load(): Promise<void> {
    try {
      const own = api.listModels({ self: true, pageSize: PAGE_SIZE }, options);
      // The request may fail before it is awaited.
      own.catch(() => {});
      const pages: string[] = [];
      for (let pageNumber = 1; pageNumber <= PAGES; pageNumber++) {
        const { items, total } = await api.listModels({ pageSize: PAGE_SIZE, pageNumber }, options);
        pages.push(...(await remember(items)).map(({ id }) => id));
        first = [...new Set([...pages, ...first])];
        // A page may lack entries that could not be read.
        if (items.length === 0 || (items.length < PAGE_SIZE && pageNumber * PAGE_SIZE >= total)) break;
      }
      await remember((await own).items);
      first = [...new Set(pages)];
      refreshed = performance.now();
      hasNoCatalogue = false;
      searched.clear();
    } catch (error) {
      if (error instanceof ApiError && error.kind === 'unsupported') return noteNoCatalogue(error);
      refreshed = performance.now() - FRESH_MS + RETRY_MS;
      if (!closing.signal.aborted) log.warn({ reason: String(error) }, 'could not load the voice titles');
    }
  }

  function noteNoCatalogue({ status }: ApiError): void {
    if (!hasNoCatalogue) log.info({ status }, 'the voice service has no catalogue: voices are identified by their ids');
    hasNoCatalogue = true;
    refreshed = performance.now();
  }

  async function fetch(id: string, signal?: AbortSignal): Promise<VoiceModel | null> {
    if (hasNoCatalogue) return null;
    const signals = [closing.signal, AbortSignal.timeout(FETCH_MS), ...(signal ? [signal] : [])];
    try {
      const model = await api.getModel(id, { signal: AbortSignal.any(signals) });
      const isOffered = model.id === id && model.visibility !== 'private' && !(await voiceOwners.made([id])).has(id);
      if (!isOffered) return null;
      await remember([model]);
      return model;
    } catch (error) {
      if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return null;
      log.debug({ reason: String(error) }, 'could not look up a voice by its id');
      return null;
    }
  }

  function refresh(): Promise<void> {
    refreshing ??= load().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  function keepFresh(): void {
    if (performance.now() - refreshed > FRESH_MS) void refresh();
  }

  /** One search at a time, next the latest text typed: its results are there for the following keystroke. */
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

  /** Takes titles from the closest level on, until there are enough. */
  function pick(count: number, levels: SeenTitle[][]): SeenTitle[] {
    const picked: SeenTitle[] = [];
    for (const level of levels) {
      if (picked.length >= count) break;
      picked.push(...level.sort((a, b) => (a.folded < b.folded ? -1 : 1)));
    }
    return picked.slice(0, count);
  }

  function matching(voices: Iterable<SeenTitle>, needle: string, count: number): SeenTitle[] {
    const levels: SeenTitle[][] = Array.from({ length: NO_MATCH }, () => []);
    for (const voice of voices) levels[rank(voice, needle)]?.push(voice);
    return pick(count, levels);
  }

  function fuzzyMatching(voices: Iterable<SeenTitle>, needle: string, count: number): SeenTitle[] {
    const pattern = createFuzzyPattern(needle);
    const levels: SeenTitle[][] = Array.from({ length: pattern.maxEdits + 1 }, () => []);
    if (pattern.maxEdits > 0) for (const voice of voices) levels[pattern.editDistance(voice.folded)]?.push(voice);
    // The first level, without edits, is an exact match.
    return pick(count, levels.slice(1));
  }

  return {
    find(typed, count, audience = 'everybody') {
      keepFresh();
      const needle = fold(typed);
      const isOffered = ({ id, isPrivate }: SeenTitle) => !isPrivate || audience === 'operators' || id === typed.trim();
      if (needle === '')
        return first
          .flatMap((id) => seen.peek(id) ?? [])
          .filter(isOffered)
          .slice(0, count);
      if (!hasNoCatalogue) void search(needle);
      const voices = [...seen.values()].filter(isOffered);
      const matches = matching(voices, needle, count);
      return matches.length < count ? [...matches, ...fuzzyMatching(voices, needle, count - matches.length)] : matches;
    },
    closest(typed, count) {
      const pattern = createFuzzyPattern(fold(typed));
      const rated = seen
        .values()
        .filter(({ isPrivate }) => !isPrivate)
        .map((voice) => ({ voice, edits: pattern.editDistance(voice.folded) }));
      return [...rated]
        .sort((a, b) => a.edits - b.edits || (a.voice.folded < b.voice.folded ? -1 : 1))
        .slice(0, count)
        .map(({ voice }) => voice);
    },
    all() {
      keepFresh();
      return [...seen.values()].filter(({ isPrivate }) => !isPrivate);
    },
    describe(id, t) {
      const { languages, tags } = seen.peek(id) ?? { languages: [], tags: [] };
      const parts = [
        languages.slice(0, 1).map((value) => t.format.language(value)),
        tags.slice(0, SHOWN_TAGS).map((tag) => tagName(tag, t)),
      ].map((part) => part.map(capitalized).join(', '));
      return asPlain(parts.filter(Boolean).join(' · '), MAX_DESCRIPTION_LENGTH);
    },
    languages: (id) => seen.peek(id)?.languages ?? [],
    matches({ id, title }, typed) {
      return rank({ id, folded: fold(title ?? id) }, fold(typed)) < NO_MATCH;
    },
    resolve(typed, audience = 'everybody') {
      const byId = seen.peek(typed);
      if (byId) return { id: byId.id, title: byId.title };
      const folded = fold(typed);
      const byTitle = seen.rvalues().find((voice) => voice?.folded === folded && (!voice.isPrivate || audience === 'operators'));
      return byTitle ? { id: byTitle.id, title: byTitle.title } : { id: typed, title: null };
    },
    async remember(models) {
      await remember(models);
    },
    fetch,
    refresh,
    close: () => closing.abort(),
  };
}

const NO_MATCH = 4;

/** 0 the whole title or the id, 1 its beginning, 2 the beginning of a word, 3 anywhere. */
function rank({ id, folded }: Pick<SeenTitle, 'id' | 'folded'>, needle: string): number {
  if (folded === needle || id === needle) return 0;
  if (!folded.includes(needle)) return NO_MATCH;
  if (folded.startsWith(needle)) return 1;
  return folded.includes(` ${needle}`) ? 2 : 3;
}

function cleanList(texts: readonly string[], count: number): string[] {
  const cleaned = texts.slice(0, count).map((text) => asPlain(text, MAX_TAG_LENGTH));
  return [...new Set(cleaned)].filter(Boolean);
}

/** The text without accents and case, and no longer than can be typed for a title. */
export function fold(text: string): string {
  return asPlain(text, MAX_TITLE_LENGTH).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}

// Voices as one member may use them in one place: the catalogue's, their own, and those that were shared with the server.

/** As of now: sharing may end at any time. All methods reject with StoreError on failure. */
export interface UsableVoices {
  /** Those that members made whose title or id matches what was typed; all of them for an empty text. Their own ones first. */
  findOwn(typed: string): Promise<OwnVoice[]>;
  accessOf(voiceId: string): Promise<VoiceAccess>;
  /**
   * A voice by what a member sent: its id, its handle, or its whole title. Their own come before the catalogue's, and those before shared
   * ones, so nobody's voice can replace another. Anything else counts as an unknown id, even if it is that of a voice they may not use.
   */
  resolve(typed: string, audience?: Audience): Promise<ChosenVoice>;
  /** The same for an id, or a link to a voice, that no list has shown: the service is asked for it. */
  fetch(typed: string): Promise<ChosenVoice>;
}

/** @param interaction whose member wants to use a voice */
export function voiceUserOf(interaction: { user: { id: string }; guildId: string | null; inCachedGuild(): boolean }): VoiceUser {
  return { userId: interaction.user.id, guildId: interaction.inCachedGuild() ? interaction.guildId : null };
}

export function usableVoices(
  user: VoiceUser,
  {
    voiceOwners,
    voiceTitles,
  }: {
    voiceOwners: Pick<VoiceOwners, 'usableBy' | 'accessOf' | 'find'>;
    voiceTitles: Pick<VoiceTitles, 'resolve' | 'matches' | 'fetch'>;
  },
): UsableVoices {
  const accessOf = (voiceId: string) => voiceOwners.accessOf(voiceId, user);
  const usable: UsableVoices = {
    findOwn: async (typed) => (await voiceOwners.usableBy(user)).filter((voice) => voiceTitles.matches(voice, typed)),
    accessOf,
    async resolve(typed, audience) {
      if (isHandle(typed)) {
        const voice = (await voiceOwners.usableBy(user)).find(({ id }) => handleOf(id) === typed);
        return voice ? toChosen(voice) : { id: typed, title: null };
      }
      const access = await accessOf(typed);
      const byId = access === 'own' ? await voiceOwners.find(typed) : null;
      if (byId) return toChosen(byId);
      if (access !== 'catalogue') return { id: typed, title: null };
      const ofCatalogue = voiceTitles.resolve(typed, audience);
      // An id, as it comes from a menu: no titles need to be read.
      if (ofCatalogue.title !== null && ofCatalogue.id === typed) return ofCatalogue;
      const folded = fold(typed);
      const byTitle = (await voiceOwners.usableBy(user)).filter(({ title }) => fold(title) === folded);
      const ownVoice = byTitle.find(({ ownerId }) => ownerId === user.userId);
      if (ownVoice) return toChosen(ownVoice);
      const [shared] = byTitle;
      return ofCatalogue.title === null && shared ? toChosen(shared) : ofCatalogue;
    },
    async fetch(typed) {
      const id = idIn(typed);
      const voice = await usable.resolve(id);
      if (voice.title !== null || !LIKE_AN_ID.test(id) || (await accessOf(id)) !== 'catalogue') return voice;
      await voiceTitles.fetch(id);
      return usable.resolve(id);
    },
  };
  return usable;
}

/** What may be typed as one: shorter words are looked up by their titles alone. */
const LIKE_AN_ID = /^[\w-]{6,128}$/;
const ANY_ID = /^[\w-]{1,128}$/;

/** The last part of the path of a link, or what was typed if it isn't one. */
function idIn(typed: string): string {
  if (!/^https?:\/\//i.test(typed)) return typed;
  const id = URL.parse(typed)?.pathname.split('/').findLast(Boolean);
  return id && ANY_ID.test(id) ? id : typed;
}

function toChosen({ id, title }: OwnVoice): ChosenVoice {
  return { id, title };
}
