// Counts objects that are still referenced after garbage collection.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Forces a full garbage collection. */
export const collectGarbage: () => void = runInNewContext('gc');

const TIMES = 10;
/** The current turn of the event loop may still reference what was used last. */
const MOST_TURNS = 20;

/** Calls `use` ten times; returns how many of the referenced objects are still alive then. */
export async function countHeld(use: () => Promise<WeakRef<WeakKey>>): Promise<number> {
  const things: WeakRef<WeakKey>[] = [];
  for (let count = 0; count < TIMES; count++) things.push(await use());
  const held = () => things.filter((thing) => thing.deref()).length;
  for (let turns = 0; turns < MOST_TURNS && held() > 0; turns++) {
    await turn();
    collectGarbage();
  }
  return held();
}
