// Moving a whole store between SQLite and Redis, with the program that operators run.

import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { exportStore, importStore, openSqliteStore, type Store } from '../../src/store/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { makeFolder } from '../helpers/folder.ts';
import { startTestProcess } from '../helpers/program.ts';
import { startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';

const botId = '100000000000000001';
const token = `${Buffer.from(botId).toString('base64url')}.a.b`;
const program = fileURLToPath(new URL('../../src/move-store.ts', import.meta.url));

/** Compiled code, which halves the time of a start. */
const cached = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** Runs `npm run store` in the folder. */
async function run(folder: string, args: string[], env: Record<string, string> = {}) {
  const { out, err, ended } = startTestProcess([program, ...args], {
    cwd: folder,
    env: { ...cached, PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), DISCORD_TOKEN: token, ...env },
  });
  const { code } = await ended;
  return { out: out.join('\n'), err: err.join('\n'), code };
}

async function fill(store: Store): Promise<void> {
  for (let number = 0; number < 1200; number++) await store.set(`member:${number}`, { number, name: '😀'.repeat(number % 5) });
  await store.set('secret:replies', 'a-secret');
  await store.set('lives', 1, { expiresInMs: 3_600_000 });
  await store.set('dies', 1, { expiresInMs: 1 });
  await expect.poll(() => store.get('dies')).toBeNull();
}

it('moves from one SQLite file to another, and refuses to overwrite anything unasked', async () => {
  const [one, other] = [await makeFolder(), await makeFolder()];
  const file = join(one, 'store.ndjson');
  const store = openSqliteStore(join(one, 'data', 'parley.db'));
  await fill(store);
  await store.close();
  const exported = await run(one, ['export', file]);
  expect(exported).toMatchObject({ code: 0, err: '' });
  expect(exported.out).toMatch(/^1202 entries exported, SHA-256 [0-9a-f]{64}$/);
  expect((await stat(file)).mode & 0o077).toBe(0);
  expect((await run(one, ['export', file])).err).toBe(`${file} already exists and may contain another export. Use a new file name.`);

  const before = openSqliteStore(join(other, 'data', 'parley.db'));
  await before.set('replaced', 1);
  await before.close();
  expect(await run(other, ['import', file])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('--replace') });
  expect((await run(other, ['import', file, '--replace'])).out).toBe(exported.out.replace('exported', 'imported and checked'));

  const after = openSqliteStore(join(other, 'data', 'parley.db'));
  expect(await after.get('replaced')).toBeNull();
  await appendFile(file, 'not an entry\n');
  const refusal = 'Line 1203 of the file is not an entry of a store. Export it again.';
  await expect(importStore(after, file, { replace: true })).rejects.toThrow(refusal);
  expect(await after.get('member:7')).toEqual({ number: 7, name: '😀😀' });
  await after.close();
});

it('imports entries that expire while it checks what was imported', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'store.ndjson');
  let clock = Date.now();
  // Time passes with everything that is done.
  const now = () => clock++;
  const store = openSqliteStore(':memory:', now);
  onTestFinished(() => store.close());
  const lines = Array.from({ length: 50 }, (_, number) => ({
    key: `key:${100 + number}`,
    value: number,
    // One after the other, from before the import until after it.
    expiresAt: number % 2 ? null : clock + 12 * number,
  }));
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { count } = await importStore(store, file, { now });
  expect(count).toBe((await store.list('key:')).length);
  expect(count).toBeGreaterThan(25);
  expect(count).toBeLessThan(50);
});

it('exports no empty store, which is not the one that Parley uses', async () => {
  const folder = await makeFolder();
  expect(await run(folder, ['export', join(folder, 'file')])).toMatchObject({ code: 1, out: '', err: expect.stringContaining('DATA_DIR') });
  expect(await readdir(folder)).toEqual(['data']);
});

it('says how it is used, and which file it cannot find', async () => {
  const folder = await makeFolder();
  for (const args of [['export'], ['copy', 'x'], ['import', 'a', 'b']])
    expect((await run(folder, args)).err).toMatch(/^Usage: npm run store/);
  const file = join(folder, 'nowhere');
  expect((await run(folder, ['import', file])).err).toBe(`${file} cannot be found. Check its name and folder.`);
});

describe.skipIf(!redisServer.isMet)(titled('with Redis', redisServer), () => {
  it('moves from SQLite to Redis and back without a token, with the same entries and the time they have left', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.close());
    const folder = await makeFolder();
    const [before, after] = [openSqliteStore(':memory:'), openSqliteStore(':memory:')];
    onTestFinished(async () => {
      await before.close();
      await after.close();
    });
    await fill(before);
    const [there, back] = [join(folder, 'there.ndjson'), join(folder, 'back.ndjson')];
    const { hash } = await exportStore(before, there);
    const env = { REDIS_URL: redis.url, DISCORD_TOKEN: '' };
    expect((await run(folder, ['import', there], env)).out).toBe(`1202 entries imported and checked, SHA-256 ${hash}`);
    const store = await openRedisStore({ url: redis.url, botId });
    expect(await store.get('secret:replies')).toBe('a-secret');
    await store.close();
    expect((await run(folder, ['export', back], env)).out).toBe(`1202 entries exported, SHA-256 ${hash}`);
    expect(await importStore(after, back)).toEqual({ count: 1202, hash });
    const lifeOf = async (path: string) => {
      const line = (await readFile(path, 'utf8')).split('\n').find((entry) => entry.includes('"lives"'));
      return (JSON.parse(line ?? '') as { expiresAt: number }).expiresAt;
    };
    expect(Math.abs((await lifeOf(back)) - (await lifeOf(there)))).toBeLessThan(60_000);
  });
});
