// Finds where speech begins and ends, in pauses if there are any. Holds no sound: only how likely speech is in each frame.
import { FRAME, RATE, type SpeechModel } from './model.ts';

/** A stretch of speech, in samples since the beginning. */
export interface SpeechBounds {
  start: number;
  end: number;
  /** With the margins on either side, as far as there is a pause. Stretches don't overlap. */
  from: number;
  to: number;
}

/** Seconds. */
interface SpeechPauses {
  /** A pause this long ends a stretch. */
  end: number;
  /** Kept before and after: soft consonants are not always taken for speech. */
  lead: number;
  tail: number;
  /** Sound with a lower level, from 0 to 1, isn't speech, and the model isn't asked; 0 = it always is. */
  gate: number;
}

export interface SpeechDetector {
  /** Takes the next frame and returns the stretch that has ended with it; null = none. */
  hear(frame: Float32Array): Promise<SpeechBounds | null>;
  /** The sound is over, or a long pause begins: ends the stretch. */
  finish(): SpeechBounds | null;
  /** Samples before this one are in no later stretch. */
  readonly neededFrom: number;
  /** Seconds since there last was speech in the stretch; null = nobody speaks. */
  readonly pausedFor: number | null;
}

/** Recognisers get worse beyond. */
const MAX_SECONDS = 15;

const framesIn = (seconds: number) => Math.round((seconds * RATE) / FRAME);

/** Probabilities from which speech begins, and below which it pauses. */
const BEGINS = 0.5;
const PAUSES = 0.35;
/** The model notices both ends of speech 0.06 to 0.08 s late on average (nine recordings, clean and with noise). */
const LATE_FRAMES = 2;
/** A knock can look like speech for two frames; the shortest words take five. */
const MIN_SPEECH_FRAMES = 4;
/** A stretch that is too long is cut after this, where speech is least likely over the frames around. */
const EARLIEST_CUT_FRAMES = framesIn(5);
const CUT_REACH = 2;

/** The model misses speech below -60 dB, and takes no noise for speech however loud it is. So what is quiet is raised before it listens. */
const TARGET_LEVEL = 0.05;
const MAX_GAIN = 50;
/** Factor per frame for the remembered loudest level, which falls to a tenth in 15 s. */
const LEVEL_DECAY = 0.995;

/** One for each recording or speaker; they can share the model. */
export function createSpeechDetector(model: SpeechModel, { end, lead, tail, gate }: SpeechPauses): SpeechDetector {
  const pauseFrames = framesIn(end);
  const leadFrames = framesIn(lead);
  const tailFrames = framesIn(tail);
  const maxFrames = Math.floor((MAX_SECONDS * RATE) / FRAME) - leadFrames - tailFrames;
  const listen = model.listen();
  /** How likely speech is in each frame that may still become part of a stretch. */
  const probabilities: number[] = [];
  /** The number of the first of these frames, counted from the beginning. */
  let first = 0;
  /** Numbers of the frame that the stretch began with, and of the last one with speech; whether the one before was cut there. */
  let speech: { start: number; last: number; isCut: boolean } | undefined;
  /** The frame that the stretch before ended with at the earliest: its margin belongs to it. */
  let used = 0;
  let loudest = 0;

  async function probabilityOf(samples: Float32Array): Promise<number> {
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / FRAME);
    loudest = Math.max(level, loudest * LEVEL_DECAY);
    if (level < gate) return 0;
    const gain = Math.min(MAX_GAIN, Math.max(1, TARGET_LEVEL / (loudest || 1e-9)));
    return listen(gain === 1 ? samples : samples.map((sample) => sample * gain));
  }

  function forgetBefore(number: number): void {
    const count = Math.min(probabilities.length, number - first);
    if (count <= 0) return;
    probabilities.splice(0, count);
    first += count;
  }

  /** @param to the number of the first frame after the speech; a stretch that is cut has no pause there */
  function bound({ start, isCut }: { start: number; isCut: boolean }, to: number, isCutAtEnd: boolean): SpeechBounds | null {
    const spoken = probabilities.slice(start - first, to - first).filter((probability) => probability >= BEGINS);
    const withLead = Math.max(first, used, start - leadFrames);
    const withTail = Math.min(first + probabilities.length, isCutAtEnd ? to : to + tailFrames);
    used = Math.max(used, withTail);
    if (spoken.length < MIN_SPEECH_FRAMES) return null;
    return {
      start: Math.max(0, isCut ? start : start - LATE_FRAMES) * FRAME,
      end: Math.max(0, isCutAtEnd ? to : to - LATE_FRAMES) * FRAME,
      from: withLead * FRAME,
      to: withTail * FRAME,
    };
  }

  /** The frame in which speech is least likely. */
  function findCut(start: number): number {
    let cut = start + maxFrames;
    let least = Number.POSITIVE_INFINITY;
    for (let number = start + EARLIEST_CUT_FRAMES; number < start + maxFrames - CUT_REACH; number++) {
      const around = probabilities.slice(number - CUT_REACH - first, number + CUT_REACH + 1 - first);
      const sum = around.reduce((total, probability) => total + probability, 0);
      if (sum > least) continue;
      least = sum;
      cut = number;
    }
    return cut;
  }

  return {
    async hear(frame) {
      const probability = await probabilityOf(frame);
      const number = first + probabilities.length;
      probabilities.push(probability);
      if (!speech) {
        if (probability < BEGINS) {
          forgetBefore(number - leadFrames);
          return null;
        }
        speech = { start: number, last: number, isCut: false };
      }
      if (probability >= PAUSES) speech.last = number;
      if (number - speech.last >= pauseFrames) {
        const ended = bound(speech, speech.last + 1, false);
        speech = undefined;
        forgetBefore(number - leadFrames);
        return ended;
      }
      if (number + 1 - speech.start < maxFrames) return null;
      const cut = findCut(speech.start);
      const ended = bound(speech, cut, true);
      speech = { start: cut, last: speech.last, isCut: true };
      forgetBefore(cut);
      return ended;
    },

    finish() {
      const ended = speech ? bound(speech, speech.last + 1, false) : null;
      speech = undefined;
      return ended;
    },

    get neededFrom() {
      return Math.max(first, used) * FRAME;
    },

    get pausedFor() {
      return speech ? ((first + probabilities.length - 1 - speech.last) * FRAME) / RATE : null;
    },
  };
}
