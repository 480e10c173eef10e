// Which voice speaks a text by its language. The built-in voices know one language each, and make gibberish of every other; the voices of hosted
// services, and of engines of an operator's own, get every text.
import type { Api, VoiceModel } from '../api/index.ts';
import { createRemembered, within } from '../async/waiting.ts';
import { baseOf } from '../locales/language-names.ts';
import { detectLanguage } from '../text/language.ts';
import { canSpeak, isPublic } from './titles.ts';

export interface LanguageVoices {
  /** The most used voice that speaks this language (BCP 47); null if none does, or the service doesn't answer in time. Never rejects. */
  for(language: string): Promise<VoiceModel | null>;
}

/** Among the most used, this many are looked at. */
const LOOKED_AT = 20;
/** Milliseconds that a text waits, at most, for each: its language, and who speaks it. Discord waits 3 s for the reply. */
const WAIT_MS = 1_000;
/** Milliseconds until the service is asked again. */
const FRESH_MS = 10 * 60_000;
const RETRY_MS = 10_000;

/** Languages whose voices an operator can install: espeak-ng has them. */
export const INSTALLABLE: readonly string[] = ['de', 'es', 'fr', 'it', 'ja', 'ko', 'pl', 'pt', 'zh'];

/** For the built-in voices alone. */
export function createLanguageVoices({ api }: { api: Pick<Api, 'listModels'> }): LanguageVoices {
  async function load(language: string): Promise<VoiceModel | null> {
    const { items } = await api.listModels({ language, sortBy: 'task_count', pageSize: LOOKED_AT }, { priority: 'background' });
    return items.find((voice) => isPublic(voice) && canSpeak(voice) && speaks(voice.languages, language)) ?? null;
  }

  const byLanguage = createRemembered(
    (language: string) => load(language).catch(() => null),
    (voice) => (voice ? FRESH_MS : RETRY_MS),
  );
  return { for: (language) => within(WAIT_MS, byLanguage.get(baseOf(language)), null) };
}

/** BCP 47, without a region; null unless it is certain, and known in time. Never rejects. @param usual the server's language */
export const languageOfText = (text: string, usual: string): Promise<string | null> => within(WAIT_MS, detectLanguage(text, usual), null);

/** Whether one of these languages (BCP 47) is this one, of any region. */
export const speaks = (languages: readonly string[], language: string): boolean =>
  languages.some((code) => baseOf(code) === baseOf(language));
