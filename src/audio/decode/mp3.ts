// MP3 → sound, with mpg123 compiled to WebAssembly.
import { AudioError } from '../errors.ts';
import type { Decoder, Sound } from '../types.ts';
import { createMp3Framer } from './mp3-frames.ts';
import { parseInfoFrame } from './mp3-info.ts';
import { openMpg123 } from './mpg123.ts';

/** Where sound does not begin within this, there is none: web pages and pictures have no frames. */
const MAX_GARBAGE_BYTES = 65_536;
/** MPEG 1, layer III, 64 kbit/s, 44.1 kHz, mono, nothing but zeros: a frame of silence. */
export const SILENT_FRAME = Uint8Array.from({ length: 208 }, (_, index) => [0xff, 0xfb, 0x50, 0xc4][index] ?? 0);

/** One frame (26 ms at 44.1 kHz) a turn. Silence that an encoder put before and after is left out where the file says how much. */
export async function createMp3Decoder(): Promise<Decoder> {
  const mpg123 = await openMpg123();
  const framer = createMp3Framer();
  let heard = false;
  /** Samples still to be left out before the sound. */
  let skip = 0;
  /** How many samples at the end are to be left out; as many are held back until more of them come. */
  let hold = 0;
  /** What is held back, after the samples given out last, which are gone with the next frame. One buffer: two a frame are 8 KB of garbage. */
  let buffer = new Float32Array(0);
  let end = 0;
  let spent = 0;
  let padded = true;

  function* decode(frames: ReturnType<typeof framer.push>): Generator<Sound> {
    for (const { frame, mono } of frames) {
      const trim = parseInfoFrame(frame);
      if (trim) {
        skip = trim.start;
        hold = trim.end;
        padded = trim.start === 0 && trim.end === 0;
        continue;
      }
      const decoded = mpg123.decode(frame, mono);
      if (!decoded) continue;
      heard = true;
      const sound = trimmed(decoded.mono);
      if (sound.length > 0) yield { mono: sound, rate: decoded.rate, padded };
    }
    if (framer.lost > MAX_GARBAGE_BYTES && !heard) throw new AudioError('not-audio', 'There is no MP3 sound in what came');
  }

  function trimmed(samples: Float32Array): Float32Array {
    const from = Math.min(skip, samples.length);
    skip -= from;
    const rest = samples.subarray(from);
    if (hold === 0) return rest;
    buffer.copyWithin(0, spent, end);
    end -= spent;
    if (end + rest.length > buffer.length) {
      const larger = new Float32Array(end + 2 * rest.length + hold);
      larger.set(buffer.subarray(0, end));
      buffer = larger;
    }
    buffer.set(rest, end);
    end += rest.length;
    spent = Math.max(0, end - hold);
    return buffer.subarray(0, spent);
  }

  return {
    push: (bytes) => decode(framer.push(bytes)),
    *end() {
      yield* decode(framer.end());
      if (!heard) throw new AudioError('not-audio', 'There is no MP3 sound in what came');
      if (framer.cut) throw new AudioError('truncated', 'The MP3 ends in the middle of a frame');
    },
    free: mpg123.free,
  };
}
