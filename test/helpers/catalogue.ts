// A catalogue of any size, for tests and figures: the same one every time.
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
      // Many share a figure, so that the order among equals counts too.
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
