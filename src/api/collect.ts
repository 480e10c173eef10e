// Bytes of a body put together as they come.

/** Bytes; most bodies are shorter. */
const FIRST_ROOM = 16 * 1024;

export interface Collector {
  /** False where the body is longer than its limit; the chunk is then not taken. */
  add(chunk: Uint8Array): boolean;
  /** All that was added; the collector is not to be added to any more. */
  bytes(): Buffer;
}

/** One buffer that grows: who sends bytes one by one would otherwise make each of them an object a hundred times as large. */
export function createCollector(limit: number): Collector {
  /** Most bodies come in one chunk, which is then not copied. */
  let first: Uint8Array | null = null;
  let room = Buffer.alloc(0);
  let length = 0;
  return {
    add(chunk) {
      const needed = length + chunk.length;
      if (needed > limit) return false;
      if (length === 0) {
        first = chunk;
        length = needed;
        return true;
      }
      if (first) {
        room = Buffer.concat([first], Math.min(limit, Math.max(needed, FIRST_ROOM)));
        first = null;
      }
      if (needed > room.length) room = Buffer.concat([room], Math.min(limit, Math.max(needed, 2 * room.length)));
      room.set(chunk, length);
      length = needed;
      return true;
    },
    bytes: () => (first ? Buffer.from(first.buffer, first.byteOffset, first.length) : room.subarray(0, length)),
  };
}
