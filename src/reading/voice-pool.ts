// Everybody's own voice: the one they chose, otherwise one that is assigned to them, so that people sound different from the first message.
// The server's, channel's and operator's voices are for /say: everybody would sound the same in them.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guild } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { Words } from '../locales/index.ts';
import type { Voice } from '../say/voices.ts';
import type { ChosenVoice } from '../settings/index.ts';
import type { VoiceOwners } from '../voices/owners.ts';
import type { VoiceTitle, VoiceTitles } from '../voices/titles.ts';

export interface VoicePool {
  /**
   * The voices to try, in this order.
   * @param chosen by the member @param language of the text (BCP 47); null = not known @throws StoreError
   */
  voicesFor(speaker: Speaker, chosen: ChosenVoice | null, language: string | null): Promise<[Voice, ...Voice[]]>;
}

interface Speaker {
  guild: Guild;
  memberId: string;
  /** Of the server. */
  words: Words;
}

/** The best-rated voices of a language: enough for most servers, and few enough to leave out bad ones. */
const POOL_SIZE = 48;
/** Loaded at the start. */
const BEST_RATED = 300;
/** Milliseconds: the first message after a start waits for the catalogue, but not for long. */
const LOAD_MS = 1_500;
/** Guilds whose assignments are remembered, so that nobody gets the voice of another who is heard there. */
const MAX_GUILDS = 1_000;
const MAX_MEMBERS = 500;

export function createVoicePool(options: { voiceTitles: VoiceTitles; voiceOwners: VoiceOwners; defaultVoice: string | null }): VoicePool {
  const { voiceTitles, voiceOwners, defaultVoice } = options;
  const assigned = new LRUCache<string, LRUCache<string, string>>({ max: MAX_GUILDS });
  let loading: Promise<unknown> | null = null;

  /** Of the catalogue: voices that members made are for those who choose them. */
  async function listBestRated(): Promise<VoiceTitle[]> {
    const known = voiceTitles.find('', BEST_RATED);
    if (known.length > 0) return known;
    loading ??= voiceTitles.refresh();
    await Promise.race([loading, sleep(LOAD_MS, undefined, { ref: false })]);
    return voiceTitles.find('', BEST_RATED);
  }

  /** @param language if no voice speaks it, all count */
  function assign(voices: readonly VoiceTitle[], { guild, memberId }: Speaker, language: string): VoiceTitle | null {
    const speaking = voices.filter((voice) => voice.languages.some((code) => baseOf(code) === language));
    const pool = (speaking.length > 0 ? speaking : voices).slice(0, POOL_SIZE);
    const inGuild = assigned.get(guild.id) ?? new LRUCache<string, string>({ max: MAX_MEMBERS });
    assigned.set(guild.id, inGuild);
    const key = `${memberId}:${language}`;
    const before = pool.find(({ id }) => id === inGuild.get(key));
    if (before) return before;
    const isOthers = (id: string) => inGuild.entries().some(([other, voiceId]) => voiceId === id && !other.startsWith(`${memberId}:`));
    const ranked = rankByHash(pool, memberId);
    const voice = ranked.find(({ id }) => !isOthers(id)) ?? ranked[0];
    if (voice) inGuild.set(key, voice.id);
    return voice ?? null;
  }

  return {
    async voicesFor(speaker, chosen, language) {
      const { guild, memberId, words } = speaker;
      const user = { userId: memberId, guildId: guild.id };
      const ifUsable = async (voice: ChosenVoice | null) => (voice !== null && (await voiceOwners.mayUse(voice.id, user)) ? voice : null);
      const own = await ifUsable(chosen);
      const ofOperator = await ifUsable(defaultVoice === null ? null : voiceTitles.resolve(defaultVoice));
      const voices = await listBestRated();
      const candidates = [
        own,
        language === null ? null : assign(voices, speaker, baseOf(language)),
        assign(voices, speaker, baseOf(words.locale)),
        ofOperator,
      ].filter((voice) => voice !== null);
      const [first, ...others] = candidates.filter(({ id }, index) => candidates.findIndex((other) => other.id === id) === index);
      return first ? [first, ...others, null] : [null];
    },
  };
}

/**
 * Rendezvous hashing: each member has an order of all voices, so a voice that comes or goes changes nothing for members who don't have it.
 */
function rankByHash(pool: readonly VoiceTitle[], memberId: string): VoiceTitle[] {
  const weight = (id: string) => createHash('sha256').update(`${memberId}:${id}`).digest('hex');
  const weighted = pool.map((voice) => ({ voice, weight: weight(voice.id) }));
  return weighted.sort((a, b) => (a.weight < b.weight ? -1 : 1)).map(({ voice }) => voice);
}

/** "en" of "en-US". */
function baseOf(code: string): string {
  return code.split('-')[0]?.toLowerCase() ?? code;
}
