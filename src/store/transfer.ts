// Moves a whole store: into a file, and from there into another store, whatever the two are.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type Entry, type Store, StoreError } from './types.ts';

/** What was moved: how many entries, and the SHA-256 of their names and values in order, in hexadecimal. */
export interface Transfer {
  count: number;
  hash: string;
}

/** One line of the file. */
const line = z.object({ key: z.string(), value: z.json(), expiresAt: z.number().nullable() });

/**
 * Writes all entries into a new file, one JSON object a line. It holds the bot's secrets: only its owner may read it.
 * @throws StoreError, also if there is nothing to export; an error of the file system, also if the file exists
 */
export async function exportStore(store: Store, path: string): Promise<Transfer> {
  if (await isEmpty(store)) throw new StoreError('The store is empty: DATA_DIR or REDIS_URL is not what Parley runs with.');
  const file = await open(path, 'wx', 0o600);
  try {
    const sum = createSum();
    for await (const entry of store.entries()) {
      sum.add(entry);
      await file.write(`${JSON.stringify(entry)}\n`);
    }
    return sum.end();
  } finally {
    await file.close();
  }
}

/**
 * Replaces what the store has by the entries of a file, and reads them back. Entries that have expired by then are left out.
 * @throws StoreError if the file wasn't written by `exportStore`, if the store is not empty and `replace` is false, or if reading it back
 * gives anything else
 */
export async function importStore(store: Store, path: string, { replace = false, now = Date.now } = {}): Promise<Transfer> {
  // Checks the whole file before anything is deleted.
  for await (const _ of readEntries(path));
  if (!replace && !(await isEmpty(store)))
    throw new StoreError('The store has entries already. Add --replace to delete them, or use another one.');
  await store.deleteAll('');
  for await (const { key, value, expiresAt } of readEntries(path)) {
    const expiresInMs = expiresAt === null ? null : expiresAt - now();
    if (expiresInMs !== null && expiresInMs <= 0) continue;
    await store.set(key, value, expiresInMs === null ? {} : { expiresInMs });
  }
  const [wanted, transferred] = [createSum(), createSum()];
  // Both are in the order of their keys.
  const stored = store.entries()[Symbol.asyncIterator]();
  let next = await stored.next();
  for await (const entry of readEntries(path)) {
    const isThere = !next.done && next.value.key === entry.key;
    if (!isThere && entry.expiresAt !== null && entry.expiresAt <= now()) continue;
    wanted.add(entry);
    if (next.done || !isThere) continue;
    transferred.add(next.value);
    next = await stored.next();
  }
  for (; !next.done; next = await stored.next()) transferred.add(next.value);
  const [expected, actual] = [wanted.end(), transferred.end()];
  if (expected.count !== actual.count || expected.hash !== actual.hash)
    throw new StoreError(
      `The store holds ${actual.count} entries instead of ${expected.count}, or other values: something else is writing to it. Stop every Parley that uses it, and import again.`,
    );
  return actual;
}

async function* readEntries(path: string): AsyncGenerator<Entry> {
  let number = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    try {
      yield line.parse(JSON.parse(text)) as Entry;
    } catch {
      throw new StoreError(`Line ${number} of the file is not an entry of a store. Export it again.`);
    }
  }
}

async function isEmpty(store: Store): Promise<boolean> {
  for await (const _ of store.entries()) return false;
  return true;
}

function createSum() {
  const hash = createHash('sha256');
  let count = 0;
  return {
    add({ key, value }: Pick<Entry, 'key' | 'value'>): void {
      count++;
      hash.update(`${JSON.stringify([key, value])}\n`);
    },
    end: (): Transfer => ({ count, hash: hash.digest('hex') }),
  };
}
