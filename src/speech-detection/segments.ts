// Cuts a recording into stretches in which somebody speaks.
import { createSpeechDetector, type SpeechBounds } from './detector.ts';
import { FRAME, RATE, type SpeechModel } from './model.ts';

/** A stretch of speech. Times are in seconds from the beginning of the recording, and exclude the margins. */
export interface SpeechSegment {
  start: number;
  end: number;
  /** From -1 to 1, at `RATE`, with a margin on either side where there is a pause. At most 15 s. */
  samples: Float32Array;
}

interface SpeechSegmenter {
  /** Takes the next samples of the recording, from -1 to 1 at `RATE`, and yields the segments that have ended. Samples are not kept. */
  hear(samples: Float32Array): AsyncGenerator<SpeechSegment, void, undefined>;
  /** The recording is over: yields what is left. */
  finish(): AsyncGenerator<SpeechSegment, void, undefined>;
}

/** Every frame is given to the model: whatever a file holds, its level says little. */
const PAUSES = { end: 0.5, lead: 0.2, tail: 0.2, gate: 0 };

/** One for each recording; they can share the model. Holds at most 16 s of sound. */
export function createSpeechSegmenter(model: SpeechModel): SpeechSegmenter {
  const detector = createSpeechDetector(model, PAUSES);
  /** What may still become part of a segment. */
  const frames: Float32Array[] = [];
  /** The number of the first of these frames. */
  let first = 0;
  let rest = new Float32Array(0);

  function toSegment({ start, end, from, to }: SpeechBounds): SpeechSegment {
    const samples = new Float32Array(to - from);
    for (let at = from; at < to; at += FRAME) samples.set(frames[at / FRAME - first] ?? [], at - from);
    return { start: start / RATE, end: end / RATE, samples };
  }

  async function* add(frame: Float32Array): AsyncGenerator<SpeechSegment, void, undefined> {
    frames.push(frame);
    const ended = await detector.hear(frame);
    if (ended) yield toSegment(ended);
    const count = detector.neededFrom / FRAME - first;
    if (count <= 0) return;
    frames.splice(0, count);
    first += count;
  }

  return {
    async *hear(samples) {
      const joined = new Float32Array(rest.length + samples.length);
      joined.set(rest);
      joined.set(samples, rest.length);
      let at = 0;
      for (; at + FRAME <= joined.length; at += FRAME) yield* add(joined.slice(at, at + FRAME));
      rest = joined.slice(at);
    },

    async *finish() {
      if (rest.length > 0) {
        const last = new Float32Array(FRAME);
        last.set(rest);
        rest = new Float32Array(0);
        yield* add(last);
      }
      const ended = detector.finish();
      if (ended) yield toSegment(ended);
    },
  };
}
