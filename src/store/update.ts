// Reading and changing a value as one step.
import { type Store, StoreError, type Value } from './types.ts';

/** Far more than there are processes or parallel changes of one value. */
const MAX_ATTEMPTS = 1_000;

/**
 * Sets what `change` makes of the value, and returns it. `change` runs again if the value was changed meanwhile, here or in another process.
 * @throws StoreError, and whatever `change` throws
 */
export async function update<T extends Value>(store: Store, key: string, change: (value: Value) => T): Promise<T> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const before = await store.get(key);
    const after = change(before);
    if (await store.compareAndSet(key, before, after)) return after;
  }
  throw new StoreError('the value was changed by others each time');
}
