// How much sound a text can be: a service that never stops would otherwise be heard, or read, for ever.
import { AudioError } from '../audio/index.ts';

/**
 * Seconds. Voices say 12 to 17 characters of English a second, and 4 or 5 of Chinese; what takes longest are digits and signs that are
 * read out by their names, about half a second each. So this is twice the slowest, and there is room for a pause or a greeting.
 */
const PER_CHARACTER = 1;
const BESIDES = 30;

/** Bytes a second at most: Opus at 510 kbit/s, which is more than MP3 has; stereo samples of 32 bits at 48 kHz. */
const COMPRESSED_RATE = 64_000;
const UNCOMPRESSED_RATE = 384_000;
const COMPRESSED = /^audio\/(mpeg|mp3|ogg|opus|webm|aac|mp4)\b/i;

/** Seconds of sound that a text is at most, at a factor of speed. */
export const longestSeconds = (text: string, speed = 1): number => (BESIDES + PER_CHARACTER * text.length) / Math.min(speed, 1);

/** Bytes of sound that so many seconds are at most, by what they are labelled as. */
export const mostBytes = (seconds: number, contentType: string): number =>
  Math.ceil(seconds * (COMPRESSED.test(contentType) ? COMPRESSED_RATE : UNCOMPRESSED_RATE));

export const endless = (): AudioError => new AudioError('endless', 'The sound goes on for longer than its text can be spoken');

/** The same bytes; one more than `most`, and the source is let go of. The iteration then throws AudioError `endless`. */
export function boundBytes(source: AsyncIterable<Uint8Array>, most: number): AsyncIterable<Uint8Array> {
  return {
    // Not a generator: one that was never begun would not pass on that it is not wanted.
    [Symbol.asyncIterator]() {
      const iterator = source[Symbol.asyncIterator]();
      const letGo = async () => (await iterator.return?.()) ?? { done: true as const, value: undefined };
      let bytes = 0;
      return {
        async next() {
          const result = await iterator.next();
          bytes += result.done ? 0 : result.value.length;
          if (bytes <= most) return result;
          await letGo();
          throw endless();
        },
        return: letGo,
      };
    },
  };
}
