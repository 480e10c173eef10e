// The catalogue of an engine behind HTTP: asked for when it is needed, kept while the engine is away, and refreshed now and then.
import { type Catalogue, type CatalogueFile, createCatalogue } from './catalogue.ts';
import type { ListedVoice } from './engines/index.ts';

/** Milliseconds after which the list is asked for again, in the background. */
const FRESH_MS = 60_000;
const AUTHOR = { _id: 'engine', nickname: 'Speech engine' };
/** What a voice says as its sample, by language; a voice of any other language has none, because it would stumble over English. */
const SAMPLES: Record<string, string> = {
  en: 'Hello! This is what I sound like.',
  de: 'Hallo! So klinge ich.',
  es: '¡Hola! Así suena mi voz.',
  fr: 'Bonjour ! Voici le son de ma voix.',
  it: 'Ciao! Questa è la mia voce.',
  ja: 'こんにちは。これが私の声です。',
  pt: 'Olá! Esta é a minha voz.',
  zh: '你好！这就是我的声音。',
};

/**
 * Returns the catalogue as far as it is known, or waits for it.
 * @param listVoices may reject, with an EngineError: so does the returned function while nothing is known yet
 */
export function createEngineCatalogue(listVoices: () => Promise<ListedVoice[]>, now: () => number = Date.now): () => Promise<Catalogue> {
  const since = new Date(now()).toISOString();
  let known: Catalogue | null = null;
  let askedAt = 0;
  let asking: Promise<Catalogue> | null = null;

  function refresh(): Promise<Catalogue> {
    askedAt = now();
    asking ??= listVoices()
      .then((voices) => {
        known = createCatalogue(toFile(voices, since));
        return known;
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  }

  return async () => {
    if (!known) return refresh();
    // The engine's problem is in the log already.
    if (now() - askedAt > FRESH_MS) refresh().catch(() => {});
    return known;
  };
}

/** @param since when the voices became known, ISO 8601: engines don't say when they were made */
function toFile(voices: ListedVoice[], since: string): CatalogueFile {
  return {
    authors: [AUTHOR],
    default_model: voices[0]?.id ?? '',
    models: voices.map(({ id, title, description, languages, tags, voice }) => {
      const [language = 'en'] = (languages[0] ?? 'en').split('-');
      const text = SAMPLES[language];
      return {
        _id: id,
        title,
        description,
        languages,
        tags,
        samples: text ? [{ title: 'Hello', text }] : [],
        created_at: since,
        author: AUTHOR._id,
        voice,
      };
    }),
  };
}
