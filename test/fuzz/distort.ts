// Random JSON values, and valid ones damaged.
import fc from 'fast-check';
import { below, pick, type Random } from '../helpers/random.ts';

/** Generates one value of an arbitrary. */
export function sample<T>(arbitrary: fc.Arbitrary<T>, random: Random): T {
  return fc.sample(arbitrary, { seed: below(2 ** 31, random), numRuns: 1 })[0] as T;
}

const ODD = [null, true, -1, 0, 1.5, 2 ** 31, 1e308, '', 'x', '0', '__proto__', [], {}, [[]], 'x'.repeat(70_000)];

/** A copy of a JSON value in which one to three parts are replaced, left out or duplicated. */
export function distort(value: unknown, random: Random): unknown {
  const copy = { root: structuredClone(value) };
  for (let left = 1 + below(3, random); left > 0; left--) {
    const slots = slotsIn(copy);
    const [holder, key] = pick(slots, random);
    const request = random();
    if (request < 0.6) holder[key] = structuredClone(pick(ODD, random));
    else if (request < 0.8 && holder !== copy) delete holder[key];
    else {
      const [other, name] = pick(slots, random);
      holder[key] = structuredClone(other[name] ?? null);
    }
  }
  return copy.root;
}

type Holder = Record<string, unknown>;

function slotsIn(value: unknown): [Holder, string][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.keys(value).flatMap((key) => [[value as Holder, key] as [Holder, string], ...slotsIn((value as Holder)[key])]);
}
