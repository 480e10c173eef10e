// Seeded random numbers: the same seed returns the same numbers, so a failure can be reproduced.

/** From 0 (inclusive) to 1 (exclusive), like `Math.random`. */
export type Random = () => number;

/** mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** An integer from 0 (inclusive) to `limit` (exclusive). */
export const below = (limit: number, random: Random): number => Math.floor(random() * limit);

export const pick = <T>(list: readonly T[], random: Random): T => list[below(list.length, random)] as T;

export const randomBytes = (length: number, random: Random): Buffer<ArrayBuffer> =>
  Buffer.from(Uint8Array.from({ length }, () => below(256, random)));
