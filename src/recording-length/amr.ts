// AMR (RFC 4867, section 5): frames of 20 ms, whose first byte tells how many follow.
import { createFeed } from './feed.ts';
import type { Counter } from './types.ts';

const FRAME_SECONDS = 0.02;
/** Bytes behind the first one, by its type. */
const NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5];
const WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5];

/** From `#!AMR` on. */
export function createAmrCounter(): Counter {
  let sizes: number[] | null = null;
  let seconds = 0;
  const feed = createFeed(9, (bytes, at, isLast) => {
    if (sizes) {
      seconds += FRAME_SECONDS;
      return 1 + (sizes[((bytes[at] ?? 0) >> 3) & 15] ?? 0);
    }
    if (bytes.length - at < 9 && !isLast) return 0;
    const isWide = bytes.toString('latin1', at, at + 9) === '#!AMR-WB\n';
    sizes = isWide ? WIDE : NARROW;
    return isWide ? 9 : 6;
  });
  return { push: feed.push, end: feed.end, length: () => ({ seconds, isMeasured: true }) };
}
