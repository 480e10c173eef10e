// The store on SQLite: the contract of any store, and what a file is in for: kills, full disks, other versions, other processes.

import { once } from 'node:events';
import { chmod, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  keepText,
  keepValue,
  openSqliteStore,
  readKeptText,
  readKeptValue,
  StoreError,
  takeKeptText,
  takeKeptValue,
  whileStoreFails,
} from '../../src/store/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { startTestProcess } from '../helpers/program.ts';
import { below, createRandom } from '../helpers/random.ts';

const keep = fileURLToPath(new URL('../fixtures/programs/store-writer.ts', import.meta.url));

it('has everything after a kill -9 that it had said to have', async () => {
  const file = join(await makeFolder(), 'parley.db');
  let sets = 0;
  let counts = 0;
  for (let round = 0; round < 2; round++) {
    let countedNow = 0;
    const program = startTestProcess([keep, file], {
      onLine(line, kill) {
        const [what, number] = line.split(' ');
        if (what === 'set') sets = Math.max(sets, Number(number));
        else countedNow += 1;
        if (countedNow === 50 + round * 37) kill();
      },
    });
    await program.ended;
    counts += countedNow;
    const store = openSqliteStore(file);
    const kept = new Set((await store.list('set:')).map(([key]) => key));
    for (let number = 1; number <= sets; number++) expect(kept).toContain(`set:${number}`);
    // At most one more was kept, and killed before it could say so.
    const count = Number(await store.get('count'));
    expect(count).toBeGreaterThanOrEqual(counts);
    expect(count).toBeLessThanOrEqual(counts + 1);
    counts = count;
    await store.close();
  }
});

it('throws a StoreError if the disk is full, and keeps its data', async () => {
  const file = join(await makeFolder(), 'parley.db');
  // Files of this process may have 256 KiB and no more.
  const limited = ['-c', `trap '' XFSZ; ulimit -f 512; exec "$0" "$1" "$2"`, process.execPath, keep, file];
  const { out: lines, ended } = startTestProcess(limited, { command: 'sh' });
  await ended;
  expect(lines.at(-2)).toBe('StoreError');
  const sets = lines.filter((line) => line.startsWith('set ')).length;
  expect(sets).toBeGreaterThan(10);
  expect(lines.at(-1)).toBe(`${sets} are there`);
  const store = openSqliteStore(file);
  expect(await store.list('set:')).toHaveLength(sets);
  expect(await store.get('count')).toBe(lines.filter((line) => line.startsWith('counted ')).length);
  await store.set('more', 1);
  await store.close();
});

it('throws a StoreError if it may not write', async () => {
  const file = join(await makeFolder(), 'parley.db');
  await openSqliteStore(file).close();
  const other = new DatabaseSync(file);
  const store = openSqliteStore(file);
  onTestFinished(() => store.close());
  await store.set('a', 1);
  // Held by another process for longer than anybody waits.
  other.exec('BEGIN IMMEDIATE');
  await expect(store.set('a', 2)).rejects.toThrow(StoreError);
  expect(await store.get('a')).toBe(1);
  other.close();
  await store.set('a', 2);
});

it.skipIf(process.platform === 'win32')('is not readable by other users, even if its files and its folder were', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'parley.db');
  const files = [file, `${file}-wal`, `${file}-shm`];
  const modes = async () => Promise.all([folder, ...files].map(async (path) => (await stat(path)).mode & 0o777));
  await chmod(folder, 0o755);
  const store = openSqliteStore(file);
  await store.set('a', 1);
  expect(await modes()).toEqual([0o700, 0o600, 0o600, 0o600]);
  // An earlier version may have left them like this.
  for (const path of files) await chmod(path, 0o644);
  await chmod(folder, 0o755);
  const other = openSqliteStore(file);
  expect(await modes()).toEqual([0o700, 0o600, 0o600, 0o600]);
  await other.close();
  await store.close();
});

it('removes many expired entries a few at a time, with each write, until all are gone', async () => {
  const file = join(await makeFolder(), 'parley.db');
  let now = Date.now();
  const store = openSqliteStore(file, () => now);
  for (let name = 0; name < 250; name++) await store.set(`old:${name}`, name, { expiresInMs: 1000 });
  now += 11 * 60_000;
  const db = new DatabaseSync(file);
  const left = () => db.prepare("SELECT count(*) AS count FROM entries WHERE key LIKE 'old:%'").get()?.count;
  const counts = [];
  for (let write = 0; write < 4; write++) {
    await store.set('new', write);
    counts.push(left());
  }
  expect(counts).toEqual([150, 50, 0, 0]);
  db.close();
  await store.close();
});

it('leaves nothing in the file of what has expired, also after the clock was set back', async () => {
  const file = join(await makeFolder(), 'parley.db');
  let clock = Date.UTC(2030, 0, 1);
  const store = openSqliteStore(file, () => clock);
  await store.set('old', 1, { expiresInMs: 1000 });
  clock -= 24 * 3600_000;
  await store.set('new', 'told-to-nobody', { expiresInMs: 1000 });
  clock += 24 * 3600_000 + 5000;
  await store.set('other', 1);
  await store.close();
  const db = new DatabaseSync(file);
  expect(db.prepare('SELECT key FROM entries').all()).toEqual([{ key: 'other' }]);
  db.close();
});

describe('deleted values', () => {
  /** Which of these texts can be read in any file of the folder. */
  async function readable(folder: string, texts: readonly string[]): Promise<string[]> {
    const files = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
    return texts.filter((text) => files.some((file) => file.includes(text)));
  }

  /** A store in which most values were deleted, and its folder. */
  async function openWithDeleted() {
    const folder = await makeFolder();
    const store = openSqliteStore(join(folder, 'parley.db'));
    onTestFinished(() => store.close());
    // Values that grow and shrink move rows from page to page, which leaves copies behind; a fixed sequence, so that it always does.
    const random = createRandom(1);
    const ids = Array.from({ length: 1500 }, (_, index) => `${below(900_000, random) + 100_000}-${index}-id`);
    const last = new Map<string, string>();
    for (let round = 0; round < 4; round++) {
      for (const id of ids) {
        last.set(id, `voice of ${id} `.repeat(below(10, random) + 1));
        await store.set(`member:${id}`, last.get(id) ?? '');
        if (below(2, random) === 0) await store.set(`use:${round}:${id}`, 1, { expiresInMs: 60_000 });
      }
    }
    const [deleted, kept] = [ids.slice(0, 1200), ids.slice(1200)];
    for (const id of deleted) {
      await store.delete(`member:${id}`);
      for (let round = 0; round < 4; round++) await store.delete(`use:${round}:${id}`);
    }
    return { folder, store, deleted, kept, last };
  }

  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('leave the log at once, and all files within 10 minutes, rewritten once; meanwhile the store can be read, and writing waits', async () => {
    const { folder, store, deleted, kept, last } = await openWithDeleted();
    await store.scrub();
    expect((await stat(join(folder, 'parley.db-wal'))).size).toBe(0);
    // Copies in the file's free space, which nothing but rewriting it removes.
    expect((await readable(folder, deleted)).length).toBeLessThan(deleted.length / 2);
    await store.scrub();
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    expect(vi.getTimerCount()).toBe(0);
    const order: string[] = [];
    const written = store.increment('count', 1).then(() => order.push('written'));
    const scrubbed = store.scrub().then(() => order.push('scrubbed'));
    // Nor does that keep the process from anything else.
    await new Promise((resolve) => void setImmediate(resolve));
    expect(await store.get(`member:${kept[0]}`)).toBe(last.get(kept[0] ?? ''));
    order.push('read');
    await Promise.all([written, scrubbed]);
    expect(order).toEqual(['read', 'written', 'scrubbed']);
    expect(await store.get('count')).toBe(1);
    expect((await stat(join(folder, 'parley.db-wal'))).size).toBeLessThan(100_000);
    expect(await readable(folder, deleted)).toEqual([]);
    for (const id of kept) expect(await store.get(`member:${id}`)).toBe(last.get(id));
  });

  it('leave all files when the store is closed, or soon after the next start if the process was killed, whoever visited the store in between', async () => {
    const { folder, store, deleted } = await openWithDeleted();
    await store.scrub();
    const afterKill = await makeFolder();
    await cp(folder, afterKill, { recursive: true });
    await store.close();
    expect(await readable(folder, deleted)).toEqual([]);
    const visitor = openSqliteStore(join(afterKill, 'parley.db'), Date.now, { isVisitor: true });
    await visitor.set('visit', 1);
    await visitor.close();
    expect(await readable(afterKill, deleted)).not.toEqual([]);
    const next = openSqliteStore(join(afterKill, 'parley.db'));
    onTestFinished(() => next.close());
    await vi.advanceTimersByTimeAsync(10 * 60_000);
    await next.set('after', 1);
    expect(await readable(afterKill, deleted)).toEqual([]);
  });
});

it('has its log copied into the file every few hundred writes, by a thread', async () => {
  const file = join(await makeFolder(), 'parley.db');
  const store = openSqliteStore(file);
  onTestFinished(() => store.close());
  await store.set('first', 'in the log');
  expect((await readFile(file)).includes('in the log')).toBe(false);
  // Far from what makes SQLite copy it by itself.
  for (let number = 0; number < 600; number++) await store.set('count', number);
  await expect.poll(async () => (await readFile(file)).includes('in the log')).toBe(true);
});

it('says so if another process keeps it from scrubbing, and waits for one that reads for a moment', async () => {
  const file = join(await makeFolder(), 'parley.db');
  const store = openSqliteStore(file);
  onTestFinished(() => store.close());
  await store.set('a', 'secret');
  const reader = new DatabaseSync(file);
  onTestFinished(() => reader.close());
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM entries').get();
  await store.delete('a');
  const refused = await store.scrub().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StoreError);
  const scrubbed = store.scrub();
  setImmediate(() => reader.exec('COMMIT'));
  await scrubbed;
  expect((await readFile(file)).includes('secret')).toBe(false);
});

it('brings an empty file up to date, and one that it knows is left as it is', async () => {
  const file = join(await makeFolder(), 'parley.db');
  // Like an older version's, before it had any tables.
  new DatabaseSync(file).close();
  const first = openSqliteStore(file);
  await first.set('a', 1);
  await first.close();
  const second = openSqliteStore(file);
  expect(await second.get('a')).toBe(1);
  await second.close();
});

it('can be opened by many processes at the same time while there is no file yet', async () => {
  const file = join(await makeFolder(), 'parley.db');
  const programs = Array.from({ length: 3 }, () => startTestProcess([keep, file], { onLine: (_, kill) => kill() }));
  expect(await Promise.all(programs.map(({ line }) => line(/./)))).toEqual(['set 1', 'set 1', 'set 1']);
  await Promise.all(programs.map(({ ended }) => ended));
});

it('waits while another process creates the file', async () => {
  const file = join(await makeFolder(), 'parley.db');
  const isOpening = new Int32Array(new SharedArrayBuffer(4));
  const holder = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     const db = new (require('node:sqlite').DatabaseSync)(workerData.file);
     db.exec('BEGIN IMMEDIATE; CREATE TABLE t (x)');
     parentPort.postMessage('holds the lock');
     Atomics.wait(workerData.isOpening, 0, 0);
     // It lets go once the other one waits, which blocks its thread.
     Atomics.wait(workerData.isOpening, 0, 1, 100);
     db.exec('ROLLBACK');
     db.close();`,
    { eval: true, workerData: { file, isOpening } },
  );
  await once(holder, 'message');
  const ended = once(holder, 'exit');
  Atomics.store(isOpening, 0, 1);
  Atomics.notify(isOpening, 0);
  const store = openSqliteStore(file);
  await store.set('a', 1);
  await store.close();
  await ended;
});

it('refuses the file of a later version with a sentence', async () => {
  const file = join(await makeFolder(), 'parley.db');
  const later = new DatabaseSync(file);
  later.exec('PRAGMA user_version = 99');
  later.close();
  const sentence = `${file} was written by a later version of Parley. Start that one, or set DATA_DIR to another folder.`;
  expect(() => openSqliteStore(file)).toThrow(new StoreError(sentence));
});

it('refuses a file of another kind, and leaves it unchanged', async () => {
  const file = join(await makeFolder(), 'parley.db');
  await writeFile(file, 'something else entirely, and long enough to be read as a header of a file'.repeat(20));
  expect(() => openSqliteStore(file)).toThrow(/not a database/);
  expect((await stat(file)).size).toBeGreaterThan(1000);
});

it('lets one of several who take a kept text at the same moment have it', async () => {
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  await keepText(store, '1', 'key', 'Hello', 1000);
  const taken = await Promise.all([1, 2, 3].map(() => takeKeptText(store, '1', 'key')));
  expect(taken.sort()).toEqual(['Hello', null, null]);
  expect(await readKeptText(store, '1', 'key')).toBeNull();
});

it('keeps values besides texts, each under a key of its own, until they are taken', async () => {
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  const [first, second] = [await keepValue(store, '1', { title: 'One' }, 1000), await keepValue(store, '1', { title: 'Two' }, 1000)];
  expect(await readKeptValue(store, '1', first)).toEqual({ title: 'One' });
  expect(await takeKeptValue(store, '1', second)).toEqual({ title: 'Two' });
  expect(await takeKeptValue(store, '1', second)).toBeNull();
  expect(await readKeptValue(store, '2', first)).toBeNull();
});

it('what must be stored is tried again less and less often, up to every ten seconds, until something else fails; the first failure is reported', () => {
  const told: unknown[] = [];
  const pauseAfter = whileStoreFails((error) => told.push(error));
  const failures = Array.from({ length: 6 }, (_, index) => new StoreError(String(index)));
  expect(failures.map(pauseAfter)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  const other = new Error('something else');
  expect(pauseAfter(other)).toBeNull();
  expect(told).toEqual([failures[0], other]);
});
