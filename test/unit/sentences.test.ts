// What members read, as a whole.
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sentences } from '../../src/locales/en/index.ts';

it('has no two sentences of the same name, of which one would take the place of the other', async () => {
  const folder = new URL('../../src/locales/en/', import.meta.url);
  const topics = readdirSync(folder).filter((name) => !['index.ts', 'words.ts', 'failures.ts'].includes(name));
  const names: string[] = [];
  for (const topic of topics) {
    const module = (await import(new URL(topic, folder).href)) as Record<string, object>;
    names.push(...Object.keys(module[topic.replace('.ts', '')] ?? {}));
  }
  expect(topics.length).toBeGreaterThan(5);
  expect(names.toSorted()).toEqual(Object.keys(sentences).toSorted());
});
