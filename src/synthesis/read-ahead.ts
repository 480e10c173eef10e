// Reads the service's bytes as fast as they arrive, up to a bound.
import { AudioError } from '../audio/index.ts';

/** Bytes taken at once. Large chunks are divided, so `buffered` tells how much of them was not needed yet. */
const MAX_TAKEN = 16 * 1024;

export interface ReadAhead extends AsyncIterable<Uint8Array> {
  /** Bytes received, and those of them that were not taken yet. */
  readonly received: number;
  readonly buffered: number;
  /** Milliseconds since the last byte, or since the beginning. */
  quietMs(): number;
  /** Releases the source. */
  close(): void;
}

/**
 * A call to the service holds one of the few connections until its last byte has been read, and sound plays more slowly than it arrives.
 * So it is read at once and buffered here, still compressed (1 MiB is a minute of MP3 at 128 kbit/s).
 * @param options beyond `maxBuffered` bytes the source is read only as fast as it is consumed; beyond `maxBytes` in all, iterating throws
 * AudioError `endless`
 */
export function readAhead(
  source: AsyncIterable<Uint8Array>,
  { maxBuffered, maxBytes }: { maxBuffered: number; maxBytes: number },
): ReadAhead {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let buffered = 0;
  let received = 0;
  let receivedAt = performance.now();
  let state: { ended: true } | { failed: unknown } | null = null;
  let wakeReader: (() => void) | null = null;
  let wakePump: (() => void) | null = null;

  function signalChange(): void {
    wakeReader?.();
    wakeReader = null;
  }

  function release(): void {
    iterator.return?.()?.then(undefined, () => {});
  }

  async function pump(): Promise<void> {
    try {
      while (!state) {
        const result = await iterator.next();
        if (state) return;
        if (result.done) {
          state = { ended: true };
        } else {
          received += result.value.length;
          receivedAt = performance.now();
          if (received > maxBytes) throw endlessSound();
          chunks.push(result.value);
          buffered += result.value.length;
        }
        signalChange();
        if (buffered >= maxBuffered && !state) {
          await new Promise<void>((resolve) => {
            wakePump = resolve;
          });
        }
      }
    } catch (cause) {
      state ??= { failed: cause };
      signalChange();
      release();
    }
  }

  function close(): void {
    if (state) return;
    state = { ended: true };
    wakePump?.();
    signalChange();
    release();
  }

  function takeChunk(): Uint8Array | undefined {
    const chunk = chunks.shift();
    if (chunk && chunk.length > MAX_TAKEN) chunks.unshift(chunk.subarray(MAX_TAKEN));
    return chunk?.subarray(0, MAX_TAKEN);
  }

  void pump();

  return {
    get received() {
      return received;
    },
    get buffered() {
      return buffered;
    },
    quietMs: () => performance.now() - receivedAt,
    close,
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const chunk = takeChunk();
          if (chunk) {
            buffered -= chunk.length;
            if (buffered < maxBuffered) wakePump?.();
            yield chunk;
          } else if (state) {
            if ('failed' in state) throw state.failed;
            return;
          } else {
            await new Promise<void>((resolve) => {
              wakeReader = resolve;
            });
          }
        }
      } finally {
        close();
      }
    },
  };
}

// How much sound a text can be: a service that never stops is cut off.

/**
 * Seconds. Voices speak 12 to 17 characters of English a second and 4 or 5 of Chinese; slowest are digits and symbols that are read out
 * by name, at about half a second each. So this is twice the slowest, plus room for a pause or a greeting.
 */
const SECONDS_PER_CHARACTER = 1;
const EXTRA_SECONDS = 30;

/** Bytes per second at most: Opus at 510 kbit/s, more than MP3 has; 32-bit stereo samples at 48 kHz. */
const COMPRESSED_RATE = 64_000;
const UNCOMPRESSED_RATE = 384_000;
const COMPRESSED = /^audio\/(mpeg|mp3|ogg|opus|webm|aac|mp4)\b/i;

/** Seconds of sound that a text can be at most, at this speed factor. */
export function maxSeconds(text: string, speed = 1): number {
  return (EXTRA_SECONDS + SECONDS_PER_CHARACTER * text.length) / Math.min(speed, 1);
}

/** How fast English is spoken, and scripts that write a syllable or a word as one character. */
const CHARACTERS_PER_SECOND = 15;
const WIDE_CHARACTERS_PER_SECOND = 4.5;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Seconds of sound that a text probably is, at this speed factor: for people, not for limits. */
export function estimateSeconds(text: string, speed = 1): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return (wide / WIDE_CHARACTERS_PER_SECOND + (text.length - wide) / CHARACTERS_PER_SECOND) / speed;
}

/** Bytes that this many seconds of sound can take at most. */
export function maxSoundBytes(seconds: number, contentType: string): number {
  return Math.ceil(seconds * (COMPRESSED.test(contentType) ? COMPRESSED_RATE : UNCOMPRESSED_RATE));
}

export function endlessSound(): AudioError {
  return new AudioError('endless', 'The sound goes on for longer than its text can be spoken');
}
