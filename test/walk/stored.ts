// Writes what the bot stores as fixtures, so that later versions can show that they still read it.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exportStore, openSqliteStore, readKeptText } from '../../src/store/index.ts';
import type { Recorder } from './recorder.ts';

/** The most keys of each kind. */
const MOST = 6;

/**
 * A `parley.db` with the latest value under keys of every kind that were set in the walk, also of those that were deleted again; the same as an
 * export; and what it takes to read it all: when it was written, the bot's tokens, and the keys of the texts.
 */
export async function writeStored(folder: string, { everStored, randoms, tokens }: Recorder): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'data'), { recursive: true });
  const store = openSqliteStore(join(folder, 'data', 'parley.db'));
  const now = Date.now();
  const latest = [...everStored.values()].filter(({ expiresAt }) => expiresAt === null || expiresAt > now).reverse();
  const chosen = [...Map.groupBy(latest, ({ key }) => kindOf(key)).values()].flatMap((entries) => entries.slice(0, MOST));
  for (const { key, value, expiresAt } of chosen) await store.set(key, value, expiresAt === null ? {} : { expiresInMs: expiresAt - now });
  const texts: Record<string, string[]> = {};
  for (const memberId of new Set(chosen.flatMap(({ key }) => /^text:(\d+):/.exec(key)?.[1] ?? []))) {
    texts[memberId] = [];
    for (const random of randoms)
      if (random.length === 16 && (await readKeptText(store, memberId, random)) !== null) texts[memberId].push(random);
  }
  await store.scrub();
  await exportStore(store, join(folder, 'export.ndjson'));
  await store.close();
  writeFileSync(join(folder, 'facts.json'), `${JSON.stringify({ writtenAt: now, tokens: [...tokens], texts }, null, 2)}\n`);
}

/** A key without ids, days and random parts. */
function kindOf(key: string): string {
  return key
    .split(':')
    .map((part, index) => (index > 0 && !/^[a-z]{2,20}$/.test(part) ? '…' : part))
    .join(':');
}
