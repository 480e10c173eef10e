// Bytes as they come, cut by a parser that says how far it has got: the one loop that all counters run in.

/**
 * Looks at the bytes from `at` on and returns how many of them it has dealt with, or is to be spared (more than have come is fine), or
 * 0 if it needs more of them. `isLast`: there are no more.
 */
export type Step = (bytes: Buffer, at: number, isLast: boolean) => number;

export interface Feed {
  push(bytes: Uint8Array): void;
  end(): void;
}

/**
 * It cannot stand still: a parser that waits although `most` bytes are there, or although no more will come, loses one byte. So the time
 * is bounded by what a step costs, and the memory by `most` and the piece that has come.
 */
export function createFeed(most: number, step: Step): Feed {
  let waiting: Buffer = Buffer.alloc(0);
  let spared = 0;

  function run(isLast: boolean): void {
    let at = 0;
    while (at < waiting.length) {
      const taken = step(waiting, at, isLast);
      if (taken > 0) at += taken;
      else if (isLast || waiting.length - at >= most) at += 1;
      else break;
    }
    spared = Math.max(0, at - waiting.length);
    waiting = Buffer.from(waiting.subarray(at));
  }

  return {
    push(bytes) {
      const from = Math.min(spared, bytes.length);
      spared -= from;
      if (from === bytes.length) return;
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
      waiting = waiting.length === 0 ? piece : Buffer.concat([waiting, piece]);
      run(false);
    },
    end: () => run(true),
  };
}
