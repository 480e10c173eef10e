// MP3 → sound, with mpg123 compiled to WebAssembly.
import { MPEGDecoder } from 'mpg123-decoder';
import { AudioError } from './errors.ts';
import { hold } from './gauge.ts';
import { createMp3Framer } from './mp3-frames.ts';
import type { Decoder, Sound } from './types.ts';

/** Where sound does not begin within this, there is none: web pages and pictures have no frames. */
const MAX_GARBAGE_BYTES = 65_536;

/** One frame (26 ms at 44.1 kHz) a turn. Silence that an encoder put before and after is left out where the file says how much. */
export async function createMp3Decoder(): Promise<Decoder> {
  const decoder = new MPEGDecoder();
  const release = hold('mp3 decoder');
  await decoder.ready;
  const framer = createMp3Framer();
  let heard = false;
  let freed = false;

  function* decode(frames: ReturnType<typeof framer.push>): Generator<Sound> {
    for (const { frame, mono } of frames) {
      const { channelData, samplesDecoded, sampleRate } = decoder.decode(frame);
      const [left, right] = channelData;
      if (!left || samplesDecoded === 0) continue;
      heard = true;
      // Always two channels, the same twice for a mono file.
      if (!mono && right) for (let index = 0; index < left.length; index++) left[index] = ((left[index] ?? 0) + (right[index] ?? 0)) / 2;
      yield { mono: left, rate: sampleRate };
    }
    if (framer.lost > MAX_GARBAGE_BYTES && !heard) throw new AudioError('not-audio', 'There is no MP3 sound in what came');
  }

  return {
    push: (bytes) => decode(framer.push(bytes)),
    *end() {
      yield* decode(framer.end());
      if (!heard) throw new AudioError('not-audio', 'There is no MP3 sound in what came');
      if (framer.cut) throw new AudioError('truncated', 'The MP3 ends in the middle of a frame');
    },
    free() {
      if (freed) return;
      freed = true;
      decoder.free();
      release();
    },
  };
}
