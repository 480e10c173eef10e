// The loop that readers of containers share: buffers bytes as they arrive, and hands them to a step that says how many it has consumed.

/**
 * Parses the bytes from `at` on. Returns how many it has consumed or wants to skip (may exceed what has arrived), or 0 if it needs more.
 * `isLast`: there are no more.
 */
export type Step = (bytes: Buffer, at: number, isLast: boolean) => number;

export interface ByteParser {
  push(bytes: Uint8Array): void;
  end(): void;
  /** Bytes that have arrived, but aren't consumed yet. */
  readonly waiting: number;
}

/**
 * It can't get stuck: a step that wants more although `maxNeeded` bytes are there, or none will follow, loses one byte. So time is bounded
 * by the cost of a step, and memory by `maxNeeded` and the chunk that has arrived.
 */
export function createByteParser(maxNeeded: number, step: Step): ByteParser {
  let waiting: Buffer = Buffer.alloc(0);
  let skip = 0;

  function run(isLast: boolean): void {
    let at = 0;
    while (at < waiting.length) {
      const consumed = step(waiting, at, isLast);
      if (consumed > 0) at += consumed;
      else if (isLast || waiting.length - at >= maxNeeded) at += 1;
      else break;
    }
    skip = Math.max(0, at - waiting.length);
    waiting = Buffer.from(waiting.subarray(at));
  }

  return {
    push(bytes) {
      const from = Math.min(skip, bytes.length);
      skip -= from;
      if (from === bytes.length) return;
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
      waiting = waiting.length === 0 ? piece : Buffer.concat([waiting, piece]);
      run(false);
    },
    end: () => run(true),
    get waiting() {
      return waiting.length;
    },
  };
}
