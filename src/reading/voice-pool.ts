// Everybody's own voice: the one they chose, otherwise one that is assigned to them and stored, so people sound different from each other
// from the first message on, and the same each time. A newcomer is assigned a voice that nobody else in the server has or, if there is
// none, that of the member who hasn't been heard for longest. Members whose voice the service no longer has count as newcomers.
// The server's, channel's and operator's voices are for /say: everybody would sound the same in them. So are those that take longer to make
// than to hear: a conversation doesn't wait.
import { createHash } from 'node:crypto';
import type { Guild } from 'discord.js';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { type Api, ApiError } from '../api/index.ts';
import { createInTurn, within } from '../async/waiting.ts';
import type { Translator } from '../locales/index.ts';
import { baseOf } from '../locales/language-names.ts';
import type { Store } from '../store/index.ts';
import type { ChosenVoice } from '../store/settings.ts';
import { speaks as speaksLanguage } from '../voice-catalogue/language-voices.ts';
import type { VoiceOwners } from '../voice-catalogue/owners.ts';
import { isPublic, type VoiceTitle, type VoiceTitles } from '../voice-catalogue/titles.ts';
import type { Voice } from '../voice-catalogue/voice-name.ts';

export interface VoicePool {
  /**
   * The voices to try, in this order; empty if all of them would make gibberish of the text.
   * @param chosen by the member @param language of the text (BCP 47); null = not known @throws StoreError
   */
  voicesFor(speaker: Speaker, chosen: ChosenVoice | null, language: string | null): Promise<Voice[]>;
}

interface Speaker {
  guild: Guild;
  memberId: string;
  /** In the server's language. */
  t: Translator;
}

/** The best-rated voices of a language: enough for most servers, and few enough to leave out bad ones. */
const POOL_SIZE = 48;
/** How many voices are loaded at the start. */
const BEST_RATED = 300;
/** Milliseconds that a message waits, at most, for the catalogue, or to find out whether a voice is gone. */
const LOAD_MS = 1_500;
/** Milliseconds after which the service is asked again whether a voice is gone: as often as the catalogue is loaded. */
const GONE_MS = 10 * 60_000;
const MAX_ASKED = 1_000;

export interface VoicePoolOptions {
  api: Pick<Api, 'getModel'>;
  store: Store;
  voiceTitles: VoiceTitles;
  voiceOwners: VoiceOwners;
  /** The id of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  /** Ids of voices that nothing is read in: they take longer to make than to hear. */
  slowVoices: () => readonly string[];
  /** Each voice makes gibberish of every language but its own. */
  speaksOneLanguage: boolean;
  /** Milliseconds since 1970. */
  now: () => number;
}

export function createVoicePool(options: VoicePoolOptions): VoicePool {
  const { api, store, voiceTitles, voiceOwners, defaultVoice, slowVoices, speaksOneLanguage, now } = options;
  const assignments = createVoiceAssignments(store, now);
  /** Whether voices that aren't among the best-rated are gone. */
  const areGone = new LRUCache<string, Promise<boolean>>({ max: MAX_ASKED, ttl: GONE_MS });
  let loading: Promise<unknown> | null = null;
  const inTurn = createInTurn();

  /** The best-rated voices of the catalogue. Voices that members made are not assigned to anybody. */
  async function listBestRated(): Promise<VoiceTitle[]> {
    const rated = findBestRated();
    if (rated.length > 0) return rated;
    loading ??= voiceTitles.refresh();
    await within(LOAD_MS, loading);
    return findBestRated();
  }

  const findBestRated = () => voiceTitles.find('', BEST_RATED).filter(({ id }) => !slowVoices().includes(id));

  /** Whether the service no longer has the voice for everybody; while it can't be asked, it has. */
  function isGone(id: string): Promise<boolean> {
    const asked =
      areGone.get(id) ??
      api.getModel(id, { signal: AbortSignal.timeout(LOAD_MS) }).then(
        (model) => !isPublic(model),
        (error: unknown) => error instanceof ApiError && error.kind === 'not-found',
      );
    areGone.set(id, asked, { noUpdateTTL: true });
    return asked;
  }

  /** The member's assigned voices, without those that are gone. @throws StoreError */
  async function load({ guild, memberId }: Speaker): Promise<PersistedVoices | null> {
    const kept = await assignments.load(guild.id, memberId);
    if (!kept) return null;
    const bestRated = await listBestRated();
    const isThere = async (id: string) =>
      !slowVoices().includes(id) && (bestRated.length === 0 || bestRated.some((voice) => voice.id === id) || !(await isGone(id)));
    const voices = Object.entries(kept.voices);
    const areThere = await Promise.all(voices.map(([, id]) => isThere(id)));
    return { ...kept, voices: Object.fromEntries(voices.filter((_, index) => areThere[index])) };
  }

  async function firstChoices(memberId: string, languages: readonly string[]): Promise<PersistedVoices['voices']> {
    const bestRated = await listBestRated();
    return Object.fromEntries(
      languages.flatMap((code) =>
        rankByHash(poolOf(bestRated, code), memberId)
          .slice(0, 1)
          .map(({ id }) => [code, id]),
      ),
    );
  }

  /** Ids by language; one may be missing if no voice is known. @throws StoreError */
  async function voicesOf(speaker: Speaker, languages: readonly string[]): Promise<PersistedVoices['voices']> {
    const { guild, memberId } = speaker;
    const kept = await load(speaker);
    if (kept && languages.every((language) => language in kept.voices)) {
      await assignments.renew(guild.id, memberId, kept);
      return kept.voices;
    }
    const bestRated = await listBestRated();
    if (bestRated.length === 0) return kept?.voices ?? {};
    // One after another, or two newcomers would be assigned the same voice.
    return inTurn(() => assign(speaker, languages, bestRated));
  }

  /** @throws StoreError */
  async function assign(
    speaker: Speaker,
    languages: readonly string[],
    bestRated: readonly VoiceTitle[],
  ): Promise<PersistedVoices['voices']> {
    const { guild, memberId } = speaker;
    const voices = { ...(await load(speaker))?.voices };
    const others = await assignments.loadOthers(guild.id, memberId);
    /** When somebody else was last heard in a voice, by its id. */
    const heard = new Map<string, number>();
    for (const other of others) for (const id of Object.values(other.voices)) heard.set(id, Math.max(heard.get(id) ?? 0, other.heardAt));
    const heardAt = ({ id }: VoiceTitle) => heard.get(id) ?? 0;
    for (const language of languages) {
      const ranked = rankByHash(poolOf(bestRated, language), memberId);
      voices[language] ??= ranked.reduce((best, voice) => (heardAt(voice) < heardAt(best) ? voice : best)).id;
    }
    await assignments.save(guild.id, memberId, voices);
    return voices;
  }

  return {
    async voicesFor(speaker, chosen, language) {
      const { guild, memberId, t } = speaker;
      const user = { userId: memberId, guildId: guild.id };
      const ifUsable = async (voice: ChosenVoice | null) =>
        voice !== null && !slowVoices().includes(voice.id) && (await voiceOwners.accessOf(voice.id, user)) !== 'refused' ? voice : null;
      const speaks = ({ id }: ChosenVoice) => {
        const voiceLanguages = voiceTitles.languages(id);
        return voiceLanguages.length === 0 || language === null || speaksLanguage(voiceLanguages, language);
      };
      const isStrict = speaksOneLanguage && language !== null;
      const usable = await ifUsable(chosen);
      const own = usable && isStrict && !speaks(usable) ? null : usable;
      if (isStrict && !own) {
        const bestRated = await listBestRated();
        if (bestRated.length > 0 && !bestRated.some((voice) => speaksLanguage(voice.languages, language))) return [];
      }
      const ofOperator = await ifUsable(defaultVoice === null ? null : voiceTitles.resolve(defaultVoice));
      const languages = [...new Set([language ?? t.locale, t.locale].map(baseOf))];
      // A member with a voice of their own reserves none. If the service refuses it, their stand-in may be another member's voice, too.
      const assigned = own ? await firstChoices(memberId, languages) : await voicesOf(speaker, languages);
      const ids = languages.flatMap((code) => assigned[code] ?? []);
      const candidates = [own, ...ids.map((id) => voiceTitles.resolve(id)), ofOperator]
        .filter((voice) => voice !== null)
        .filter((voice) => !isStrict || speaks(voice));
      const [first, ...others] = candidates.filter(({ id }, index) => candidates.findIndex((other) => other.id === id) === index);
      if (isStrict && first) return [first, ...others];
      return first ? [first, ...others, null] : [null];
    },
  };
}

/** The best-rated voices of a language; of all, if none speaks it. */
function poolOf(voices: readonly VoiceTitle[], language: string): VoiceTitle[] {
  const speaking = voices.filter((voice) => speaksLanguage(voice.languages, language));
  return (speaking.length > 0 ? speaking : voices).slice(0, POOL_SIZE);
}

/**
 * Rendezvous hashing: each member has an order of all voices, so a voice that comes or goes changes nothing for members who don't have it.
 */
function rankByHash(pool: readonly VoiceTitle[], memberId: string): VoiceTitle[] {
  const weight = (id: string) => createHash('sha256').update(`${memberId}:${id}`).digest('hex');
  const weighted = pool.map((voice) => ({ voice, weight: weight(voice.id) }));
  return weighted.sort((a, b) => (a.weight < b.weight ? -1 : 1)).map(({ voice }) => voice);
}

// Which voice each member's messages are read in. Stored until they haven't been heard for thirty days.

const persistedSchema = z
  .object({
    /** Ids of voices, by the language of the texts that they were assigned for (`de`). */
    voices: z.record(z.string(), z.string()),
    /** When the member was last heard, to the hour; milliseconds since 1970. */
    heardAt: z.number(),
  })
  .nullable()
  .catch(null);
type PersistedVoices = NonNullable<z.infer<typeof persistedSchema>>;

/** All methods reject with StoreError. */
interface VoiceAssignments {
  load(guildId: string, memberId: string): Promise<PersistedVoices | null>;
  /** The voices of the other members of the guild. */
  loadOthers(guildId: string, memberId: string): Promise<PersistedVoices[]>;
  save(guildId: string, memberId: string, voices: PersistedVoices['voices']): Promise<void>;
  /** The member is heard again. */
  renew(guildId: string, memberId: string, kept: PersistedVoices): Promise<void>;
}

const RETENTION_MS = 30 * 24 * 3600_000;
/** Milliseconds: it is noted no more often than this that a member was heard. */
const RENEW_MS = 3600_000;

/** @param now milliseconds since 1970 */
export function createVoiceAssignments(store: Store, now: () => number): VoiceAssignments {
  const assignments: VoiceAssignments = {
    load: async (guildId, memberId) => persistedSchema.parse(await store.get(guildPrefix(guildId) + memberId)),
    async loadOthers(guildId, memberId) {
      const entries = await store.list(guildPrefix(guildId));
      return entries.flatMap(([key, value]) => (key === guildPrefix(guildId) + memberId ? [] : (persistedSchema.parse(value) ?? [])));
    },
    async save(guildId, memberId, voices) {
      // The key that deleting needs to find the rest is written first.
      await store.set(memberPrefix(memberId) + guildId, true, { expiresInMs: RETENTION_MS });
      await store.set(guildPrefix(guildId) + memberId, { voices, heardAt: now() }, { expiresInMs: RETENTION_MS });
    },
    async renew(guildId, memberId, { voices, heardAt }) {
      if (now() - heardAt >= RENEW_MS) await assignments.save(guildId, memberId, voices);
    },
  };
  return assignments;
}

/** Forgets in all guilds which voices the member's messages were read in. @throws StoreError */
export async function forgetVoiceAssignments(store: Store, memberId: string): Promise<void> {
  for (const [key] of await store.list(memberPrefix(memberId))) {
    const guildId = key.slice(memberPrefix(memberId).length);
    await store.delete(guildPrefix(guildId) + memberId);
    await store.delete(key);
  }
}

const guildPrefix = (guildId: string) => `reading-voices:${guildId}:`;
/** Prefix of the keys that name the guilds in which the member has voices assigned. */
const memberPrefix = (memberId: string) => `reading-voices-of:${memberId}:`;
