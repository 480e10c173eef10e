// A catalogue of any size for tests and benchmarks, always the same.
import type { CatalogueFile } from '../../src/local/voice-service/index.ts';

const tags = ['calm', 'deep', 'robot', 'news', 'funny', 'fast', 'slow'];
const languages = [['en'], ['en', 'de'], ['en-GB'], ['ja'], ['fr', 'en']];
const visibilities = ['public', 'public', 'public', 'public', 'unlist', 'private'] as const;

export function makeCatalogue(size: number): CatalogueFile {
  const authors = [...Array.from({ length: 20 }, (_, index) => `author-${index}`), 'local'];
  const pick = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
  return {
    authors: authors.map((_id) => ({ _id, nickname: _id })),
    default_model: 'model-0',
    models: Array.from({ length: size }, (_, index) => ({
      _id: `model-${index}`,
      title: `Voice ${index} ${pick(tags, index * 3)}`,
      title_language: pick(['en', 'en', 'fr'], index),
      description: 'One of many, with a description of about the length that people write for their voices.',
      tags: [pick(tags, index), pick(tags, index * 5 + 2)],
      samples: [{ title: 'Hello', text: `Hello, I am voice ${index}.` }],
      languages: pick(languages, index),
      visibility: index === 0 ? 'public' : pick(visibilities, index),
      // Many share a count, so that ties are sorted too.
      like_count: (index * 7919) % 500,
      mark_count: (index * 104_729) % 50,
      shared_count: index % 13,
      task_count: (index * 31) % 1000,
      created_at: new Date(Date.UTC(2025, 0, 1 + (index % 300))).toISOString(),
      author: pick(authors, index),
      voice: { base: 'slt' as const },
    })),
  };
}

/** A voice model as a service sends it, empty except for the given fields. */
export function modelOnWire(id: string, given: Record<string, unknown> = {}) {
  const texts = { title: id, description: '', cover_image: '', state: 'trained', visibility: 'public' };
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' };
  const counts = { like_count: 0, mark_count: 0, shared_count: 0, task_count: 0 };
  const author = { _id: 'a', nickname: 'A', avatar: '' };
  return { _id: id, type: 'tts', ...texts, ...times, ...counts, tags: [], languages: [], samples: [], author, ...given };
}
