// Decodes MP3, with mpg123 compiled to WebAssembly.
import { createMp3Framer } from '../containers/mpeg-frames.ts';
import { AudioError } from '../errors.ts';
import type { Decoder, Sound } from '../types.ts';
import { parseInfoFrame } from './mp3-info.ts';
import { openMpg123 } from './mpg123.ts';

/** If no sound begins within this, there is none: web pages and pictures contain no frames. */
const MAX_GARBAGE_BYTES = 65_536;
/** A frame of silence: MPEG-1 layer III, 64 kbit/s, 44.1 kHz, mono, all zeros. */
export const SILENT_FRAME = Uint8Array.from({ length: 208 }, (_, index) => [0xff, 0xfb, 0x50, 0xc4][index] ?? 0);

/** Yields one frame (26 ms at 44.1 kHz) at a time. Trims the encoder's padding if the file says how much it is. */
export async function createMp3Decoder(): Promise<Decoder> {
  const mpg123 = await openMpg123();
  const framer = createMp3Framer();
  let hasSound = false;
  /** Samples still to be trimmed off the start. */
  let skip = 0;
  /** Samples to trim off the end: as many are always held back. */
  let hold = 0;
  /** [spent, end) is held back; what is before it was returned last. One buffer for all: two per frame would be 8 KB of garbage. */
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
      hasSound = true;
      const sound = trimmed(decoded.mono);
      if (sound.length > 0) yield { mono: sound, rate: decoded.rate, padded };
    }
    if (framer.lost > MAX_GARBAGE_BYTES && !hasSound) throw new AudioError('not-audio', 'There is no MP3 sound in what came');
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
      if (!hasSound) throw new AudioError('not-audio', 'There is no MP3 sound in what came');
      if (framer.cut) throw new AudioError('truncated', 'The MP3 ends in the middle of a frame');
    },
    free: mpg123.free,
  };
}
