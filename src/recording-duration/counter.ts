// Chooses the counter for a recording by its first bytes, as players do.
//
// All are our own: the libraries that read containers here believe what files state, stop at damage that decoders pass over, or keep what they
// have read. mediabunny believes the size of WAV and the time tables of MP4, and does not end on 27 bytes of nested WebM segments, nor on tables
// that claim billions of samples. codec-parser believes tags between MP3 frames, which it buffers, and the positions of last Ogg pages; it
// drops FLAC frames with a wrong footer, takes 25 times as long for MP3, and over 20 s for 20 MB of the smallest Opus packets in Ogg.
import { containerOf, SIGNATURE_BYTES } from '../audio/containers/formats.ts';
import { id3Bytes } from '../audio/containers/mpeg-frames.ts';
import { type Counter, type Duration, estimate } from './duration.ts';
import { createFlacCounter } from './flac.ts';
import { createAmrCounter, createMpegCounter } from './frames.ts';
import { createMp4Counter } from './mp4.ts';
import { createOggCounter } from './ogg.ts';
import { createAiffCounter, createWavCounter } from './pcm.ts';
import { createWebmCounter } from './webm.ts';

export function createCounter(): Counter {
  let waiting: Buffer = Buffer.alloc(0);
  let counter: Counter | null = null;
  let isForeign = false;
  /** Bytes left of an ID3 tag, which may precede any format. */
  let tag = 0;
  let all = 0;
  let hasEnded = false;

  function choose(bytes: Buffer): void {
    counter = counterFor(bytes);
    isForeign = counter === null;
    counter?.push(bytes);
  }

  function begin(bytes: Uint8Array): void {
    waiting = Buffer.concat([waiting, bytes]);
    while (waiting.length > 0) {
      const passed = Math.min(tag, waiting.length);
      tag -= passed;
      waiting = waiting.subarray(passed);
      if (waiting.length < SIGNATURE_BYTES) return;
      tag = id3Bytes(waiting);
      if (tag === 0) {
        choose(waiting);
        return;
      }
    }
  }

  return {
    push(bytes) {
      all += bytes.length;
      if (counter) counter.push(bytes);
      else if (!isForeign) begin(bytes);
    },
    end() {
      if (!counter && !isForeign) choose(waiting);
      counter?.end();
      hasEnded = true;
    },
    duration(): Duration {
      const duration = isForeign ? estimate(all) : (counter?.duration() ?? { seconds: 0, isMeasured: true });
      // It may contain no audio, or hide it.
      return hasEnded && duration.seconds === 0 ? estimate(all) : duration;
    },
  };
}

function counterFor(start: Buffer): Counter | null {
  switch (containerOf(start)?.kind) {
    case 'wav':
      return createWavCounter();
    case 'aiff':
      return createAiffCounter();
    case 'ogg':
      return createOggCounter();
    case 'flac':
      return createFlacCounter();
    case 'amr':
      return createAmrCounter();
    case 'webm':
      return createWebmCounter();
    case 'mp4':
      return createMp4Counter();
    case 'caf':
    case 'au':
    case 'wavpack':
    case 'wma':
      return null;
    default:
      return createMpegCounter();
  }
}
