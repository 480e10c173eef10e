// Reads a byte source chunk by chunk, with a limit to how long a read may take.
import { AudioError } from '../errors.ts';

export interface ByteReader {
  /** The next bytes, or null at the end. Throws what the source throws, the signal's reason, or AudioError `stalled`. */
  next(): Promise<Uint8Array | null>;
  /** Puts bytes back: `next` returns them again. */
  unread(bytes: Uint8Array): void;
  /** Ends a read that is under way, and closes the source. */
  close(): void;
}

const CLOSED = new Error('The sound is no longer read');

/** @param options `stallMs`: how long one read may take. */
export function openByteReader(source: AsyncIterable<Uint8Array>, options: { signal: AbortSignal; stallMs: number }): ByteReader {
  const { signal, stallMs } = options;
  let iterator: AsyncIterator<Uint8Array> | null = source[Symbol.asyncIterator]();
  let returned: Uint8Array | null = null;
  let interrupt: ((reason: unknown) => void) | null = null;

  async function read(): Promise<Uint8Array | null> {
    while (iterator) {
      const result = await iterator.next();
      if (result.done) {
        iterator = null;
        return null;
      }
      if (result.value.length > 0) return result.value;
    }
    return null;
  }

  return {
    next() {
      if (returned) {
        const bytes = returned;
        returned = null;
        return Promise.resolve(bytes);
      }
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const settle = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          interrupt = null;
        };
        interrupt = (reason) => {
          settle();
          reject(reason);
        };
        const onAbort = () => interrupt?.(signal.reason);
        const timer = setTimeout(() => {
          interrupt?.(new AudioError('stalled', `The sound stopped coming: nothing for ${Math.round(stallMs / 100) / 10} s`));
        }, stallMs);
        signal.addEventListener('abort', onAbort, { once: true });
        read().then(
          (bytes) => {
            settle();
            resolve(bytes);
          },
          (error) => {
            iterator = null;
            settle();
            reject(error);
          },
        );
      });
    },
    unread(bytes) {
      if (bytes.length > 0) returned = bytes;
    },
    close() {
      const open = iterator;
      iterator = null;
      returned = null;
      interrupt?.(CLOSED);
      // Not awaited: a generator returns only after its current read, which may hang.
      open?.return?.()?.then(undefined, () => {});
    },
  };
}
