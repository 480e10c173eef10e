// AMR (RFC 4867, section 5): frames of 20 ms, whose first byte determines their size.
import { createByteParser } from './byte-parser.ts';
import type { Counter } from './duration.ts';

const FRAME_SECONDS = 0.02;
/** Bytes after the first, by frame type. */
const NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5];
const WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5];

/** Starts at `#!AMR`. */
export function createAmrCounter(): Counter {
  let sizes: number[] | null = null;
  let seconds = 0;
  const parser = createByteParser(9, (bytes, at, isLast) => {
    if (sizes) {
      seconds += FRAME_SECONDS;
      return 1 + (sizes[((bytes[at] ?? 0) >> 3) & 15] ?? 0);
    }
    if (bytes.length - at < 9 && !isLast) return 0;
    const isWide = bytes.toString('latin1', at, at + 9) === '#!AMR-WB\n';
    sizes = isWide ? WIDE : NARROW;
    return isWide ? 9 : 6;
  });
  return { push: parser.push, end: parser.end, duration: () => ({ seconds, isMeasured: true }) };
}
