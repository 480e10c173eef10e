// Finds which units of a text are which of the service's: patience diff, on whatever occurs once on both sides.

/** Units in a row that must be unique: rare words come in threes, and characters of Chinese or Japanese nearly always. */
const RUNS = [3, 2, 1];
/** Units looked at for each one there is. More are spent only on texts that nobody says, and what is left then has no partner. */
const MAX_EFFORT = 60;

interface Range {
  from: number;
  to: number;
  otherFrom: number;
  otherTo: number;
}

/** @returns for each unit, the index of the same one in `others`, or -1. Indexes rise. */
export function matchUnits(units: readonly string[], others: readonly string[]): Int32Array {
  const partners = new Int32Array(units.length).fill(-1);
  const ranges: Range[] = [{ from: 0, to: units.length, otherFrom: 0, otherTo: others.length }];
  let effort = MAX_EFFORT * (units.length + others.length);
  for (let range = ranges.pop(); range && effort > 0; range = ranges.pop()) {
    let { from, to, otherFrom, otherTo } = range;
    effort -= to - from + otherTo - otherFrom;
    while (from < to && otherFrom < otherTo && units[from] === others[otherFrom]) partners[from++] = otherFrom++;
    while (from < to && otherFrom < otherTo && units[to - 1] === others[otherTo - 1]) partners[--to] = --otherTo;
    if (from === to || otherFrom === otherTo) continue;
    for (const length of RUNS) {
      const anchors = findAnchors(units, others, { from, to, otherFrom, otherTo }, length);
      effort -= to - from + otherTo - otherFrom;
      if (anchors.length === 0) continue;
      let last = { from, otherFrom };
      for (const [anchor, other] of anchors) {
        ranges.push({ ...last, to: anchor, otherTo: other });
        // The anchor itself begins the next range, which finds the rest of its run.
        last = { from: anchor, otherFrom: other };
      }
      ranges.push({ ...last, to, otherTo });
      break;
    }
  }
  return partners;
}

/** Runs of so many units that occur once on both sides, in the same order on both. */
function findAnchors(
  units: readonly string[],
  others: readonly string[],
  { from, to, otherFrom, otherTo }: Range,
  length: number,
): [index: number, other: number][] {
  const positions = findUnique(units, from, to, length);
  const pairs: [number, number][] = [];
  for (const [key, other] of findUnique(others, otherFrom, otherTo, length)) {
    const index = positions.get(key) ?? -1;
    if (index >= 0 && other >= 0) pairs.push([index, other]);
  }
  pairs.sort(([a], [b]) => a - b);
  return longestRising(pairs.map(([, other]) => other)).map((at) => pairs[at] as [number, number]);
}

/** The index of each run, -1 if it occurs again. */
function findUnique(units: readonly string[], from: number, to: number, length: number): Map<string, number> {
  const positions = new Map<string, number>();
  for (let at = from; at + length <= to; at++) {
    const key = length === 1 ? (units[at] as string) : units.slice(at, at + length).join(' ');
    positions.set(key, positions.has(key) ? -1 : at);
  }
  return positions;
}

/** The indexes of a longest subsequence that never falls. */
export function longestRising(values: readonly number[]): number[] {
  /** By length: the index of the smallest value that ends a subsequence of that length. */
  const ends: number[] = [];
  const before = new Int32Array(values.length).fill(-1);
  for (const [index, value] of values.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) <= value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = ends[low - 1] as number;
    ends[low] = index;
  }
  const rising: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at] as number) rising.push(at);
  return rising.reverse();
}
