// Takes the silence out of joins that MP3 encoders put around every sound, where the file does not say how much of it there is.

/** Samples before the sound: the encoder's delay and the decoder's (LAME's technical FAQ: 576 + 529). */
const MOST_BEFORE = 1105;
/** Samples after it: LAME fills up to 1727, and the decoder's delay shifts 529 of them into the sound. */
const MOST_AFTER = 1198;
/** An encoder's silence has echoes of the sound beside it, up to −50 dB. What is cut of the sound itself is no louder. */
const QUIET = 10 ** (-50 / 20);

export interface PaddingTrimmer {
  /** A sound begins, with such silence around it or without. Of the one before, what was held back is left out. */
  begin(isPadded: boolean): void;
  /** Gives what is ready: silence at the end is held back, for it may be the last. What is given is overwritten by the next call. */
  push(mono: Float32Array): Generator<Float32Array>;
  /** What is still held back, when nothing follows. */
  flush(): Float32Array;
}

export function createPaddingTrimmer(): PaddingTrimmer {
  let held = new Float32Array(0);
  let heldLength = 0;
  let isFirst = true;
  let isPadded = false;
  /** How much more silence may be left out before the sound. */
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

  /** Takes the oldest of what is held back, all but `rest`. */
  function* release(rest: number): Generator<Float32Array> {
    const ready = heldLength - rest;
    if (ready <= 0) return;
    yield held.subarray(0, ready);
    held.copyWithin(0, ready, heldLength);
    heldLength = rest;
  }

  return {
    begin(padded) {
      skip = padded && !isFirst ? MOST_BEFORE : 0;
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
      yield* release(MOST_AFTER);
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
