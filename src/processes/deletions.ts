// Deleting cached sound in all processes of a bot: each has a cache of its own. A deletion is noted in the store for as long as a sound may
// be cached. Those that run apply it within seconds; one that was away applies it before it plays anything.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type Store, StoreError, update, type Value } from '../store/index.ts';

/** Sounds to delete: by the keys that any cache may have for them, and by whose or in which voice they are. */
export interface Discarded {
  keys: string[] | 'all';
  memberId?: string;
  voiceId?: string;
}

export interface SharedDeletions {
  /**
   * Has every process delete these sounds. Waits a few seconds for those that run.
   * @returns false if some process has not done so yet; it will before it plays anything again @throws StoreError
   */
  share(discarded: Discarded): Promise<boolean>;
  close(): void;
}

const COUNT = 'deletions';
const DELETION = 'deletion:';
const CACHE = 'cache:';
/** As long as a sound may be cached. */
const KEEP_MS = 30 * 24 * 3600_000;
const LOOK_MS = 2_000;
/** Until all have had time to look, and to delete. */
const PATIENCE_MS = 3 * LOOK_MS;

/**
 * Applies what was deleted while this process was away; resolves when that is done.
 * @param cacheId of the folder that this process caches sound in; null = it keeps none on disk @param discard deletes sounds of this process @throws StoreError
 */
export async function shareDeletions(options: {
  store: Store;
  log: Log;
  cacheId: string | null;
  discard: (discarded: Discarded) => Promise<void>;
}): Promise<SharedDeletions> {
  const { store, log, cacheId, discard } = options;
  const closing = new AbortController();
  let applied = 0;

  const keyOf = (number: number) => DELETION + String(number).padStart(12, '0');

  /** @throws StoreError */
  async function catchUp(): Promise<void> {
    const count = Number((await store.get(COUNT)) ?? 0);
    if (count > applied) {
      for (const [key, value] of await store.list(DELETION)) {
        const number = Number(key.slice(DELETION.length));
        if (number > applied && number <= count) await discard(value as unknown as Discarded);
      }
      applied = count;
    }
    if (cacheId !== null) await store.set(CACHE + cacheId, applied, { expiresInMs: KEEP_MS });
  }

  async function follow(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
      if (closing.signal.aborted) return;
      const isBehind = await store.get(COUNT).then(
        (count) => Number(count ?? 0) > applied,
        () => false,
      );
      if (!isBehind) continue;
      await catchUp().catch((error: unknown) => {
        if (!(error instanceof StoreError))
          log.error({ reason: String(error) }, 'sound that was deleted elsewhere could not be deleted here yet');
      });
    }
  }

  await catchUp();
  void follow();

  return {
    async share(discarded) {
      let number = Number((await store.get(COUNT)) ?? 0) + 1;
      while (!(await store.replace(keyOf(number), null, discarded as unknown as Value, { expiresInMs: KEEP_MS }))) number++;
      // Only now, so that nobody counts past it.
      await update(store, COUNT, (count) => Math.max(Number(count ?? 0), number));
      return haveAllSeen(number);
    },
    close: () => closing.abort(),
  };

  async function haveAllSeen(number: number): Promise<boolean> {
    for (const until = performance.now() + PATIENCE_MS; ; await sleep(LOOK_MS / 4)) {
      const caches = await store.list(CACHE);
      if (caches.every(([, seen]) => Number(seen) >= number)) return true;
      if (performance.now() > until || closing.signal.aborted) return false;
    }
  }
}
