// What is still held when nobody should hold it any more, asked of the garbage collector.
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all there is to collect now. */
export const collectGarbage: () => void = runInNewContext('gc');

const TIMES = 10;
/** What was used last may be held by a turn that is not over yet. */
const MOST_TURNS = 20;

/** Does it ten times; gives how many of the things that it gives a reference to are held then. */
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
