// Concatenates the chunks of a body as they arrive.

const INITIAL_BYTES = 16 * 1024;

export interface ByteCollector {
  /** Returns false, without taking the chunk, if the body would exceed its limit. */
  add(chunk: Uint8Array): boolean;
  /** Everything added. Nothing may be added afterwards. */
  bytes(): Buffer;
}

/** One growing buffer: a sender of single bytes would otherwise make each an object a hundred times as large. @param limit in bytes */
export function createByteCollector(limit: number): ByteCollector {
  /** Most bodies arrive as one chunk, which isn't copied. */
  let onlyChunk: Uint8Array | null = null;
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(chunk) {
      const needed = length + chunk.length;
      if (needed > limit) return false;
      if (length === 0) {
        onlyChunk = chunk;
        length = needed;
        return true;
      }
      if (onlyChunk) {
        buffer = Buffer.concat([onlyChunk], Math.min(limit, Math.max(needed, INITIAL_BYTES)));
        onlyChunk = null;
      }
      if (needed > buffer.length) buffer = Buffer.concat([buffer], Math.min(limit, Math.max(needed, 2 * buffer.length)));
      buffer.set(chunk, length);
      length = needed;
      return true;
    },
    bytes: () => (onlyChunk ? Buffer.from(onlyChunk.buffer, onlyChunk.byteOffset, onlyChunk.length) : buffer.subarray(0, length)),
  };
}
