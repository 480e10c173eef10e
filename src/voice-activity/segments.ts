// Cuts sound into stretches in which somebody speaks, in pauses where there are any.
import { FRAME, RATE, type SpeechModel } from './model.ts';

/** A stretch of speech. Times are in seconds from the beginning of the recording, and exclude the margins. */
export interface SpeechSegment {
  start: number;
  end: number;
  /** From -1 to 1, at `RATE`, with a margin on either side where there is a pause. At most `MAX_SECONDS`. */
  samples: Float32Array;
}

export interface SpeechSegmenter {
  /** Takes the next samples of the recording, from -1 to 1 at `RATE`, and yields the segments that have ended. Samples are not kept. */
  hear(samples: Float32Array): AsyncGenerator<SpeechSegment, void, undefined>;
  /** The recording is over: yields what is left. */
  finish(): AsyncGenerator<SpeechSegment, void, undefined>;
}

/** Recognisers get worse beyond. */
const MAX_SECONDS = 15;

const framesIn = (seconds: number) => Math.round((seconds * RATE) / FRAME);

/** Probabilities from which speech begins, and below which it pauses. */
const BEGINS = 0.5;
const PAUSES = 0.35;
/** A pause this long ends a segment. */
const PAUSE_FRAMES = framesIn(0.5);
/** Kept around a segment: soft consonants are not always taken for speech. Less than half a pause, so that no sample is in two segments. */
const MARGIN_FRAMES = framesIn(0.2);
/** The model notices both ends of speech 0.06 to 0.08 s late on average (nine recordings, clean and with noise). */
const LATE_FRAMES = 2;
/** A knock can look like speech for two frames; the shortest words take five. */
const MIN_SPEECH_FRAMES = 4;
const MAX_FRAMES = Math.floor((MAX_SECONDS * RATE) / FRAME) - 2 * MARGIN_FRAMES;
/** A segment that is too long is cut after this, where speech is least likely over the frames around. */
const EARLIEST_CUT_FRAMES = framesIn(5);
const CUT_REACH = 2;

/** The model misses speech below -60 dB, and takes no noise for speech however loud it is. So what is quiet is raised before it listens. */
const TARGET_LEVEL = 0.05;
const MAX_GAIN = 50;
/** Factor per frame for the remembered loudest level, which falls to a tenth in 15 s. */
const LEVEL_DECAY = 0.995;

interface Frame {
  samples: Float32Array;
  probability: number;
}

/** One for each recording; they can share the model. Holds at most 16 s of sound. */
export function createSpeechSegmenter(model: SpeechModel): SpeechSegmenter {
  const listen = model.listen();
  /** What may still become part of a segment. */
  const frames: Frame[] = [];
  /** The number of the first of them, counted from the beginning of the recording. */
  let first = 0;
  /** Numbers of the frame that the segment began with, and of the last one with speech; whether the segment before was cut there. */
  let speech: { start: number; last: number; isCut: boolean } | undefined;
  /** The frame that the segment before ended with at the earliest: its margin belongs to it. */
  let used = 0;
  let rest = new Float32Array(0);
  let loudest = 0;

  async function probabilityOf(samples: Float32Array): Promise<number> {
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / FRAME);
    loudest = Math.max(level, loudest * LEVEL_DECAY);
    const gain = Math.min(MAX_GAIN, Math.max(1, TARGET_LEVEL / (loudest || 1e-9)));
    return listen(gain === 1 ? samples : samples.map((sample) => sample * gain));
  }

  function forgetBefore(number: number): void {
    const count = Math.min(frames.length, number - first);
    if (count <= 0) return;
    frames.splice(0, count);
    first += count;
  }

  /** @param end the number of the first frame after the speech; a cut segment has no pause there */
  function* take({ start, isCut }: { start: number; isCut: boolean }, end: number, isCutAtEnd: boolean): Generator<SpeechSegment> {
    const spoken = frames.slice(start - first, end - first).filter(({ probability }) => probability >= BEGINS);
    const from = Math.max(first, used, start - MARGIN_FRAMES);
    const to = Math.min(first + frames.length, isCutAtEnd ? end : end + MARGIN_FRAMES);
    used = Math.max(used, to);
    if (spoken.length < MIN_SPEECH_FRAMES) return;
    const samples = new Float32Array((to - from) * FRAME);
    for (let number = from; number < to; number++) samples.set(frames[number - first]?.samples ?? [], (number - from) * FRAME);
    const secondsAt = (number: number) => (Math.max(0, number) * FRAME) / RATE;
    yield { start: secondsAt(isCut ? start : start - LATE_FRAMES), end: secondsAt(isCutAtEnd ? end : end - LATE_FRAMES), samples };
  }

  /** The frame in which speech is least likely. */
  function findCut(start: number): number {
    let cut = start + MAX_FRAMES;
    let least = Number.POSITIVE_INFINITY;
    for (let number = start + EARLIEST_CUT_FRAMES; number < start + MAX_FRAMES - CUT_REACH; number++) {
      const around = frames.slice(number - CUT_REACH - first, number + CUT_REACH + 1 - first);
      const sum = around.reduce((total, { probability }) => total + probability, 0);
      if (sum > least) continue;
      least = sum;
      cut = number;
    }
    return cut;
  }

  async function* add(samples: Float32Array): AsyncGenerator<SpeechSegment, void, undefined> {
    const probability = await probabilityOf(samples);
    const number = first + frames.length;
    frames.push({ samples, probability });
    if (!speech) {
      if (probability < BEGINS) return forgetBefore(number - MARGIN_FRAMES);
      speech = { start: number, last: number, isCut: false };
    }
    if (probability >= PAUSES) speech.last = number;
    if (number - speech.last >= PAUSE_FRAMES) {
      yield* take(speech, speech.last + 1, false);
      speech = undefined;
      forgetBefore(number - MARGIN_FRAMES);
    } else if (number + 1 - speech.start >= MAX_FRAMES) {
      const cut = findCut(speech.start);
      yield* take(speech, cut, true);
      speech = { start: cut, last: speech.last, isCut: true };
      forgetBefore(cut);
    }
  }

  return {
    async *hear(samples) {
      const all = new Float32Array(rest.length + samples.length);
      all.set(rest);
      all.set(samples, rest.length);
      let at = 0;
      for (; at + FRAME <= all.length; at += FRAME) yield* add(all.slice(at, at + FRAME));
      rest = all.slice(at);
    },

    async *finish() {
      if (rest.length > 0) {
        const last = new Float32Array(FRAME);
        last.set(rest);
        rest = new Float32Array(0);
        yield* add(last);
      }
      if (speech) yield* take(speech, speech.last + 1, false);
      speech = undefined;
    },
  };
}
