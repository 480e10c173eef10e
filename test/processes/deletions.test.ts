// Cached sound that is deleted in all processes: those that run, those that were away, and after a failover of the store.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { isInEmptyDir, type SharedDeletions, shareDeletions } from '../../src/processes/deletions.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';
import { type CacheInvalidation, cacheInvalidation, createSoundOwners, createSpeech } from '../../src/synthesis/index.ts';
import { answer, connect, openMisbehavingService } from '../helpers/misbehaving-service.ts';

const DAY_MS = 24 * 3600_000;
const wait = { interval: 20 };

let now: number;
let store: Store;
let running: Set<string>;
beforeEach(() => {
  now = Date.UTC(2030, 0, 1);
  store = openSqliteStore(':memory:', () => now);
  running = new Set();
});
afterEach(() => store.close());

async function run(cacheId: string | null, { lasts = true } = {}) {
  const discarded: CacheInvalidation['keys'][] = [];
  const deletions: SharedDeletions<CacheInvalidation> = await shareDeletions({
    ...{ store, cacheId, lasts, log: createLog('silent'), pollMs: 20, schema: cacheInvalidation },
    running: async () => running,
    discard: async ({ keys }) => void discarded.push(keys),
  });
  running.add(deletions.cacheId);
  const end = () => {
    running.delete(deletions.cacheId);
    deletions.close();
  };
  onTestFinished(end);
  return { deletions, discarded, end };
}

describe('deleted sound', () => {
  it('is deleted within seconds by all that run, those that cache nothing on disk included', async () => {
    const [first, second, third] = [await run('1'), await run('2'), await run(null)];
    expect(await (await first.deletions.broadcast({ keys: ['a'] }))()).toBe(true);
    for (const { discarded } of [first, second, third]) expect(discarded).toEqual([['a']]);
  });

  it('is deleted by a process that was away before it continues, and sound made again since is not deleted a second time', async () => {
    const first = await run('1');
    const before = await run('2');
    await (await first.deletions.broadcast({ keys: 'all' }))();
    expect(before.discarded).toEqual(['all']);
    before.end();
    expect(await (await first.deletions.broadcast({ keys: ['b'] }))()).toBe(false);
    expect((await run('2')).discarded).toEqual([['b']]);
  });

  it('is waited for in vain only as long as the sound of one that is gone may be on its disk', async () => {
    const [first, gone, inMemory] = [await run('1'), await run('2'), await run(null)];
    gone.end();
    inMemory.end();
    now += 10_000;
    const caches = await store.list('cache:');
    expect(caches.map(([key]) => key)).toEqual(['cache:1', 'cache:2']);
    const list = store.list.bind(store);
    let looks = 0;
    const spy = vi.spyOn(store, 'list').mockImplementation(async (prefix) => {
      const entries = await list(prefix);
      if (entries.some(([key, applied]) => key === 'cache:1' && applied === 1)) looks++;
      return entries;
    });
    expect(await (await first.deletions.broadcast({ keys: ['a'] }))()).toBe(false);
    // It isn't waited for once all others have deleted it.
    expect(looks).toBe(1);
    spy.mockRestore();
    now += 30 * DAY_MS;
    expect((await store.list('cache:')).map(([key]) => key)).toContain('cache:2');
    now += DAY_MS;
    await expect.poll(async () => (await store.list('cache:')).map(([key]) => key), wait).toEqual(['cache:1']);
    expect(await (await first.deletions.broadcast({ keys: ['b'] }))()).toBe(true);
  });

  it('is gone with a process whose folder is deleted with it; a process that continues with the folder still learns of it', async () => {
    const [first, gone] = [await run('1'), await run('2', { lasts: false })];
    gone.end();
    now += 10_000;
    expect(await (await first.deletions.broadcast({ keys: ['a'] }))()).toBe(true);
    expect((await run('2', { lasts: false })).discarded).toEqual([['a']]);
  });

  it('is deleted although another server of the store has taken over, which had not heard of the last deletion', async () => {
    const [first, second] = [await run('1'), await run('2')];
    await (await first.deletions.broadcast({ keys: ['a'] }))();
    const replica = await Array.fromAsync(store.entries());
    await (await first.deletions.broadcast({ keys: ['lost'] }))();
    await store.deleteAll('');
    for (const { key, value } of replica) await store.set(key, value);
    expect(await (await first.deletions.broadcast({ keys: ['b'] }))()).toBe(true);
    expect(second.discarded).toEqual([['a'], ['lost'], ['b']]);
  });

  it('stays known until all have been told of it', async () => {
    const service = await openMisbehavingService(answer(500, ''));
    const owners = createSoundOwners(store);
    await owners.noteVoice('voice', 'a');
    await store.set('sound:robin:b', true);
    const told: CacheInvalidation[] = [];
    let isGone = true;
    const speech = createSpeech({
      ...{ api: connect(service.url), format: 'mp3', owners },
      async shareDeletion(what) {
        if (isGone) throw new StoreError('gone');
        told.push(what);
        return async () => true;
      },
    });
    await expect(speech.forget('robin')).rejects.toThrow(StoreError);
    await expect(speech.forgetVoice('voice')).rejects.toThrow(StoreError);
    isGone = false;
    expect(await speech.forget('robin')).toEqual({ count: 1, everywhere: true });
    await speech.forgetVoice('voice');
    expect(told).toEqual([
      { keys: ['b'], memberId: 'robin' },
      { keys: ['a'], voiceId: 'voice' },
    ]);
  });
});

it('a folder in an emptyDir of Kubernetes is known by its mount', () => {
  const mounts = [
    '1457 1300 0:300 / / rw,relatime - overlay overlay rw',
    '1471 1457 8:1 /var/lib/kubelet/pods/6c0f/volumes/kubernetes.io~empty-dir/data /data rw,relatime - ext4 /dev/sda1 rw',
    '1472 1471 8:2 / /data/kept rw,relatime - ext4 /dev/sda2 rw',
  ].join('\n');
  for (const folder of ['/data', '/data/parley']) expect(isInEmptyDir(folder, mounts)).toBe(true);
  for (const folder of ['/data/kept/parley', '/database', '/srv']) expect(isInEmptyDir(folder, mounts)).toBe(false);
  expect(isInEmptyDir('/data', '')).toBe(false);
});
