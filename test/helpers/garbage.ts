// Asks the garbage collector which objects are still referenced that should not be.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Forces a full garbage collection. */
export const collectGarbage: () => void = runInNewContext('gc');

const TIMES = 10;
/** The last object used may be referenced until the turn of the event loop is over. */
const MOST_TURNS = 20;

/** Runs a function ten times; returns how many of the returned objects are still referenced afterwards. */
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
