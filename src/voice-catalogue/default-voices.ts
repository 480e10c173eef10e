// The voice that speaks if nobody has chosen one. A service's own default may be another voice in each request, so a text in several requests
// would change its voice on the way. Therefore one is named, the most used that speaks the server's language, and stored for all processes.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Api, VoiceModel } from '../api/index.ts';
import { createRemembered, within } from '../async/waiting.ts';
import { baseOf } from '../locales/language-names.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import type { VoiceOwners } from './owners.ts';
import { canSpeak, isPublic } from './titles.ts';

export interface DefaultVoices {
  /** The id of the voice for texts of this language (BCP 47); null if the service lists none, or doesn't answer in time. Never rejects. */
  for(language: string): Promise<string | null>;
  /** The service no longer has this voice: another one takes its place. Never rejects. */
  replace(language: string, id: string): Promise<void>;
}

const stored = z.object({ id: z.string().min(1) });

/** Among the most used, this many are looked at: some can't speak, or belong to members. */
const LOOKED_AT = 20;
/** Milliseconds that a text waits, at most, for a voice to be named. */
const WAIT_MS = 1_500;
/** Milliseconds until the service is asked again if it listed none. */
const RETRY_MS = 60_000;

interface Dependencies {
  api: Pick<Api, 'listModels'>;
  store: Store;
  /** Two services may have different voices under one id. */
  service: string;
  voiceOwners: Pick<VoiceOwners, 'made'>;
  log: Log;
}

export function createDefaultVoices({ api, store, service, voiceOwners, log }: Dependencies): DefaultVoices {
  const keyOf = (language: string) => `default-voice:${createHash('sha256').update(service).digest('base64url')}:${language}`;

  async function mostUsed(language: string | null): Promise<VoiceModel | null> {
    const query = { language, sortBy: 'task_count' as const, pageSize: LOOKED_AT };
    const { items } = await api.listModels(query, { priority: 'background' });
    const madeByMembers = await voiceOwners.made(items.map(({ id }) => id));
    const candidates = items.filter((voice) => {
      const isOffered = canSpeak(voice) && isPublic(voice) && !madeByMembers.has(voice.id);
      // Services may not know the language filter, so the languages are checked here as well.
      return isOffered && (language === null || voice.languages.some((code) => baseOf(code) === language));
    });
    // The spec doesn't say in which direction they are sorted.
    return candidates.reduce<VoiceModel | null>((best, voice) => (best && best.taskCount >= voice.taskCount ? best : voice), null);
  }

  async function load(language: string): Promise<string | null> {
    const storedVoice = stored.safeParse(await store.get(keyOf(language))).data;
    if (storedVoice) return storedVoice.id;
    const voice = (await mostUsed(language)) ?? (await mostUsed(null));
    if (!voice) return null;
    const before = await store.get(keyOf(language));
    const isFirst = !stored.safeParse(before).success && (await store.compareAndSet(keyOf(language), before, { id: voice.id }));
    if (isFirst) log.info({ language, voice: voice.id }, 'texts without a voice are spoken in the most used one of their language');
    // If another process has named a voice first, its voice counts.
    return isFirst ? voice.id : (stored.safeParse(await store.get(keyOf(language))).data?.id ?? null);
  }

  const byLanguage = createRemembered(
    (language: string) =>
      load(language).catch((error: unknown) => {
        log.debug({ language, reason: String(error) }, 'no voice could be named for texts without one');
        return null;
      }),
    (id) => (id === null ? RETRY_MS : Number.POSITIVE_INFINITY),
  );

  return {
    for: (language) => within(WAIT_MS, byLanguage.get(baseOf(language)), null),
    async replace(locale, id) {
      const language = baseOf(locale);
      byLanguage.forget(language);
      // Deleted only if no other process has replaced it already.
      await store.compareAndSet(keyOf(language), { id }, null).catch((error: unknown) => {
        log.warn({ language, reason: String(error) }, 'a voice that is gone could not be replaced');
      });
    },
  };
}
