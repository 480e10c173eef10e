// Trims the silence that MP3 encoders add around a sound, at the joins between sounds, if the file does not say how much it is.

/** Samples before the sound: the delays of encoder and decoder (LAME's technical FAQ: 576 + 529). */
const MAX_BEFORE = 1105;
/** Samples after it: LAME pads by up to 1727, of which the decoder's delay shifts 529 into the sound. */
const MAX_AFTER = 1198;
/** The padding contains echoes of the adjacent sound up to −50 dB, so sound up to this level may be cut with it. */
const QUIET = 10 ** (-50 / 20);

export interface PaddingTrimmer {
  /** A sound begins, with or without padding. Drops what was held back of the previous one. */
  begin(isPadded: boolean): void;
  /** Yields what is ready: silence at the end is held back, for it may be padding. The next call overwrites it. */
  push(mono: Float32Array): Generator<Float32Array>;
  /** What is still held back, when nothing follows. */
  flush(): Float32Array;
}

export function createPaddingTrimmer(): PaddingTrimmer {
  let held = new Float32Array(0);
  let heldLength = 0;
  let isFirst = true;
  let isPadded = false;
  /** How much more silence may be dropped before the sound. */
  let skip = 0;

  function hold(quiet: Float32Array): void {
    if (held.length < heldLength + quiet.length) {
      const larger = new Float32Array(2 * (heldLength + quiet.length));
      larger.set(held.subarray(0, heldLength));
      held = larger;
    }
    held.set(quiet, heldLength);
    heldLength += quiet.length;
  }

  /** Yields the oldest held samples, all but the last `keep`. */
  function* release(keep: number): Generator<Float32Array> {
    const ready = heldLength - keep;
    if (ready <= 0) return;
    yield held.subarray(0, ready);
    held.copyWithin(0, ready, heldLength);
    heldLength = keep;
  }

  return {
    begin(padded) {
      skip = padded && !isFirst ? MAX_BEFORE : 0;
      isPadded = padded;
      isFirst = false;
      heldLength = 0;
    },
    *push(mono) {
      const start = Math.min(skip, quietBefore(mono));
      skip = start === mono.length ? skip - start : 0;
      const rest = mono.subarray(start);
      if (!isPadded) {
        if (rest.length > 0) yield rest;
        return;
      }
      const end = rest.length - quietAfter(rest);
      if (end > 0) {
        yield* release(0);
        yield rest.subarray(0, end);
      }
      hold(rest.subarray(end));
      yield* release(MAX_AFTER);
    },
    flush() {
      const last = held.slice(0, heldLength);
      heldLength = 0;
      return last;
    },
  };
}

function quietBefore(mono: Float32Array): number {
  let count = 0;
  while (count < mono.length && Math.abs(mono[count] as number) < QUIET) count++;
  return count;
}

function quietAfter(mono: Float32Array): number {
  let count = 0;
  while (count < mono.length && Math.abs(mono[mono.length - 1 - count] as number) < QUIET) count++;
  return count;
}
