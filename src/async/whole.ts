// Sources of bytes that are read whole, up to a limit: bodies of answers and of requests, files in forms, downloads.

const INITIAL_BYTES = 16 * 1024;

/**
 * Reads a source to its end, and leaves it as soon as it has more than `limit` bytes.
 * @param tooLong makes what is thrown then @throws what the source throws
 */
export async function readWhole(source: AsyncIterable<Uint8Array>, limit: number, tooLong: () => Error): Promise<Buffer> {
  const bytes = createGrowingBuffer(limit);
  for await (const chunk of source) if (!bytes.add(chunk)) throw tooLong();
  return bytes.all();
}

/** As much of a source as comes before it ends, fails or has more than `limit` bytes. Never rejects. */
export async function readBeginning(source: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer> {
  const bytes = createGrowingBuffer(limit);
  try {
    for await (const chunk of source) {
      if (bytes.add(chunk)) continue;
      bytes.add(chunk.subarray(0, limit - bytes.all().length));
      break;
    }
  } catch {}
  return bytes.all();
}

/** One buffer for all chunks: a sender of single bytes would otherwise make each an object a hundred times as large. */
function createGrowingBuffer(limit: number) {
  /** Most sources have one chunk, which isn't copied. */
  let onlyChunk: Uint8Array | null = null;
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    /** Returns false, without taking the chunk, if there would be more than the limit. */
    add(chunk: Uint8Array): boolean {
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
    all: (): Buffer => (onlyChunk ? Buffer.from(onlyChunk.buffer, onlyChunk.byteOffset, onlyChunk.length) : buffer.subarray(0, length)),
  };
}
