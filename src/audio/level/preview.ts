// Holds back the beginning of an unknown voice, and measures it before anything is played.
import { createKWeighting, HOPS_PER_SECOND } from './loudness-meter.ts';

/** The beginning of an unknown voice is measured in steps of 10 ms. */
export const STEPS_PER_HOP = 10;
/** Steps to look ahead: at most a second. */
export const PREVIEW_STEPS = STEPS_PER_HOP * HOPS_PER_SECOND;

export interface Preview {
  /** Takes a copy. */
  add(mono: Float32Array): void;
  /** More sound would make no difference. */
  readonly isComplete: boolean;
  /** The sound, and the K-weighted mean square of each of its 10 ms steps. */
  result(): { sound: Float32Array[]; powers: number[] };
}

/** @param rate Hz, a multiple of 1000 */
export function createPreview(rate: number): Preview {
  const step = rate / HOPS_PER_SECOND / STEPS_PER_HOP;
  const weigh = createKWeighting(rate);
  const sound: Float32Array[] = [];
  const powers: number[] = [];
  let position = 0;
  let power = 0;
  return {
    add(mono) {
      sound.push(mono.slice());
      for (let at = 0; at < mono.length; ) {
        const end = Math.min(mono.length, at + step - position);
        power += weigh(mono, at, end);
        position += end - at;
        at = end;
        if (position < step) continue;
        powers.push(power / step);
        position = 0;
        power = 0;
      }
    },
    get isComplete() {
      return powers.length >= PREVIEW_STEPS;
    },
    result: () => ({ sound, powers }),
  };
}
