// The catalogue of an engine behind HTTP: asked for when it is needed, kept while the engine is away, and refreshed now and then.
import { type Catalogue, type CatalogueFile, createCatalogue } from './catalogue.ts';
import type { ListedVoice } from './engines/index.ts';
import { SAMPLE_TEXTS } from './sample-texts.ts';

/** Milliseconds after which the list is asked for again, in the background. */
const FRESH_MS = 60_000;
const AUTHOR = { _id: 'engine', nickname: 'Speech engine' };

/**
 * Returns the catalogue as far as it is known, or waits for it.
 * @param listVoices may reject, with an EngineError: so does the returned function while nothing is known yet
 */
export function createEngineCatalogue(listVoices: () => Promise<ListedVoice[]>): () => Promise<Catalogue> {
  const since = new Date().toISOString();
  let known: Catalogue | null = null;
  let askedAt = 0;
  let asking: Promise<Catalogue> | null = null;

  function refresh(): Promise<Catalogue> {
    askedAt = Date.now();
    asking ??= listVoices()
      .then((voices) => {
        known = createCatalogue({ file: toFile(voices, since), defaults: null });
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
    if (Date.now() - askedAt > FRESH_MS) refresh().catch(() => {});
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
      const text = SAMPLE_TEXTS[language];
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
