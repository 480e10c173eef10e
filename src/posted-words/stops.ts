// What any process is doing for a member whose words aren't wanted any more, because they have opted out or had everything deleted: it is
// dropped at its next step. Moments aren't compared, because clocks of machines differ.
import { randomUUID } from 'node:crypto';
import type { Store, Value } from '../store/index.ts';

export interface Stops {
  /** Whatever was begun for the member by now isn't to be finished, by any process. @throws StoreError */
  stopFor(memberId: string): Promise<void>;
  /** Call before something is begun for these members. Returns a function that tells whether it was stopped since. Both @throws StoreError */
  watchStops(memberIds: readonly string[]): Promise<() => Promise<boolean>>;
}

/** The longest that a voice message waits for its turn, and more. */
const KEEP_MS = 2 * 3600_000;
/** How many members a process remembers by itself. */
const MOST = 1_000;

/** @param isShared whether there are other processes: only then is anything stored */
export function createStops(store: Store, isShared: boolean): Stops {
  const here = new Map<string, string>();
  const keyOf = (memberId: string) => `words-stop:${memberId}`;
  const read = async (memberId: string): Promise<Value> => (isShared ? store.get(keyOf(memberId)) : (here.get(memberId) ?? null));

  return {
    async stopFor(memberId) {
      if (isShared) return store.set(keyOf(memberId), randomUUID(), { expiresInMs: KEEP_MS });
      here.delete(memberId);
      here.set(memberId, randomUUID());
      if (here.size > MOST) here.delete(here.keys().next().value as string);
    },
    async watchStops(memberIds) {
      const readAll = () => Promise.all(memberIds.map(read));
      const before = await readAll();
      return async () => (await readAll()).some((now, index) => now !== null && now !== before[index]);
    },
  };
}
