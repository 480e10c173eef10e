// Chooses the counter for a recording by its first bytes, as players do: names and content types are whatever the sender wrote.
import { createAmrCounter } from './amr.ts';
import { type Counter, type Duration, estimate } from './duration.ts';
import { createFlacCounter } from './flac.ts';
import { createMp4Counter } from './mp4.ts';
import { createMpegCounter } from './mpeg.ts';
import { createOggCounter } from './ogg.ts';
import { createAiffCounter, createWavCounter } from './pcm.ts';
import { createWebmCounter } from './webm.ts';

/** Bytes that identify a container, or the length of a tag before it. */
const SIGNATURE_BYTES = 12;

export function createCounter(): Counter {
  let waiting: Buffer = Buffer.alloc(0);
  let counter: Counter | null = null;
  let isForeign = false;
  /** Bytes left of an ID3 tag, which may precede any format. */
  let tag = 0;
  let all = 0;
  let hasEnded = false;

  function choose(bytes: Buffer): void {
    counter = counterFor(bytes.toString('latin1', 0, SIGNATURE_BYTES));
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
      if (waiting.toString('latin1', 0, 3) !== 'ID3') {
        choose(waiting);
        return;
      }
      tag = tagBytes(waiting);
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

function counterFor(start: string): Counter | null {
  if (/^(RIFF|RF64).{4}WAVE/s.test(start)) return createWavCounter();
  if (/^FORM.{4}AIF[FC]/s.test(start)) return createAiffCounter();
  if (start.startsWith('OggS')) return createOggCounter();
  if (start.startsWith('fLaC')) return createFlacCounter();
  if (start.startsWith('#!AMR')) return createAmrCounter();
  if (start.startsWith('\x1aE\xdf\xa3')) return createWebmCounter();
  if (/^.{4}(ftyp|moov|mdat|wide|free|skip)/s.test(start)) return createMp4Counter();
  // CAF and ASF (WMA).
  if (start.startsWith('caff') || start.startsWith('\x30\x26\xb2\x75')) return null;
  return createMpegCounter();
}

/** Length of an ID3 tag of version 2 with its header: https://id3.org/id3v2.4.0-structure */
function tagBytes(bytes: Buffer): number {
  const [flags = 0, ...sizes] = bytes.subarray(5, 10);
  const size = sizes.reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
  return 10 + size + (flags & 0x10 ? 10 : 0);
}
