// Deletes cached sound in all processes of a bot, each of which has its own cache. A deletion stays in the store for as long as a sound may
// be cached. Running processes apply it within seconds; others apply it when they start, before they play anything.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { poll } from '../async/waiting.ts';
import type { Log } from '../log.ts';
import { readAs, type Store, StoreError, update, type Value } from '../store/index.ts';

/** @template T says which sounds to delete */
export interface SharedDeletions<T> {
  /**
   * Has every process delete these sounds. Resolves once the deletion is in the store. @throws StoreError
   * @returns a function that waits a few seconds for the running processes. It resolves with false if some process has not deleted them yet
   * or isn't running: that one will before it plays anything again. @throws StoreError
   */
  broadcast(invalidation: T): Promise<() => Promise<boolean>>;
  /** Identifies the cache of this process, on disk or in memory. */
  readonly cacheId: string;
  close(): void;
}

const numberShape = z.number();
/** The number of the last deletion. */
const COUNT = 'deletions';
/** Followed by the number of a deletion. */
const DELETION = 'deletion:';
/** Followed by the id of a cache; its value is the number of the last deletion that was applied to it. */
const CACHE = 'cache:';
/** The longest time that a sound may be cached, plus a day. */
const KEEP_MS = 31 * 24 * 3600_000;
const POLL_INTERVAL_MS = 2_000;
/** Milliseconds between two records of a cache that nothing was deleted from. */
const NOTE_MS = 3600_000;
/** Enough for all processes to notice the deletion and apply it. */
const TIMEOUT_MS = 3 * POLL_INTERVAL_MS;

/**
 * Applies the deletions made while this process wasn't running; resolves when that is done.
 * @param cacheId of the folder that this process caches sound in; null = it keeps none on disk @param lasts whether that folder outlives the
 * process @param running returns the caches of all processes that run @param discard deletes sounds of this process @throws StoreError
 */
export async function shareDeletions<T extends object>(options: {
  store: Store;
  log: Log;
  cacheId: string | null;
  lasts: boolean;
  running: () => Promise<ReadonlySet<string | null>>;
  schema: z.ZodType<T>;
  discard: (invalidation: T) => Promise<void>;
  /** Milliseconds between two checks for deletions by other processes. */
  pollMs?: number;
}): Promise<SharedDeletions<T>> {
  const { store, log, running, schema, discard, pollMs = POLL_INTERVAL_MS } = options;
  const closing = new AbortController();
  /** A cache in memory is gone with its process. */
  const ttlMs = options.cacheId !== null && options.lasts ? KEEP_MS : TIMEOUT_MS;
  const cacheId = options.cacheId ?? randomUUID();
  const cache = CACHE + cacheId;
  let notedAt = Number.NEGATIVE_INFINITY;

  const toNumber = (value: Value) => readAs(numberShape, value, log, 'number of a deletion') ?? 0;
  const keyOf = (number: number) => DELETION + String(number).padStart(12, '0');

  /** @throws StoreError */
  async function catchUp(): Promise<void> {
    // Both come from the store: if a failover loses the last writes, it loses them in both. A number that this process kept itself could
    // then be ahead of the store's, and the next deletion would be missed.
    const [last, noted] = await Promise.all([store.get(COUNT), store.get(cache)]);
    const [count, applied] = [toNumber(last), toNumber(noted)];
    if (count > applied) {
      for (const [key, value] of await store.list(DELETION)) {
        const number = Number(key.slice(DELETION.length));
        const invalidation = number > applied && number <= count ? readAs(schema, value, log, 'deletion of sound') : null;
        if (invalidation) await discard(invalidation);
      }
    } else if (noted !== null && performance.now() - notedAt < Math.min(NOTE_MS, ttlMs / 3)) return;
    await store.set(cache, count, { expiresInMs: ttlMs });
    notedAt = performance.now();
  }

  async function follow(): Promise<void> {
    for (;;) {
      await sleep(pollMs, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (closing.signal.aborted) return;
      await catchUp().catch((error: unknown) => {
        if (!(error instanceof StoreError))
          log.error({ reason: String(error) }, 'sound that was deleted elsewhere could not be deleted here yet');
      });
    }
  }

  await catchUp();
  void follow();

  return {
    cacheId,
    async broadcast(invalidation) {
      let number = toNumber(await store.get(COUNT)) + 1;
      while (!(await store.compareAndSet(keyOf(number), null, invalidation as unknown as Value, { expiresInMs: KEEP_MS }))) number++;
      // Only now, so nobody counts past a deletion that isn't there yet.
      await update(store, COUNT, (count) => Math.max(toNumber(count), number));
      return () => haveAllApplied(number);
    },
    close: () => closing.abort(),
  };

  async function haveAllApplied(number: number): Promise<boolean> {
    let behind: string[] = [];
    const hasEnded = async () => {
      behind = (await store.list(CACHE)).filter(([, applied]) => toNumber(applied) < number).map(([key]) => key.slice(CACHE.length));
      if (behind.length === 0 || closing.signal.aborted) return true;
      const waitedFor = await running();
      return !behind.some((id) => waitedFor.has(id));
    };
    await poll(hasEnded, { everyMs: pollMs / 4, maxMs: TIMEOUT_MS });
    return behind.length === 0;
  }
}

/** Kubernetes deletes an `emptyDir` with its pod, and so the cache in it. @param mounts the content of /proc/self/mountinfo */
export function isInEmptyDir(folder: string, mounts: string): boolean {
  const around = mounts.split('\n').flatMap((line) => {
    const [, , , root = '', point = ''] = line.split(' ');
    return point !== '' && `${folder}/`.startsWith(point.endsWith('/') ? point : `${point}/`) ? [{ root, point }] : [];
  });
  const [nearest] = around.sort((a, b) => b.point.length - a.point.length);
  return nearest?.root.includes('/kubernetes.io~empty-dir/') ?? false;
}
