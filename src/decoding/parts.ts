// Where a long recording is cut: in pauses, so that no word is cut in two.
import { RATE } from './limits.ts';

/** Samples whose level is measured together: 20 ms. */
export const FRAME = RATE / 50;
/** Frames that a pause has at least: 300 ms. */
const PAUSE = 15;
/** Where there is no pause, parts overlap by so many frames on either side of the cut: two seconds in all. */
const OVERLAP = 50;
/** Levels from 0 to 1. What is quieter is nothing that anybody says. */
const SILENCE = 0.0005;
/** A pause is so much quieter than the recording is on average. */
const PAUSE_SHARE = 0.1;

/** Frames of a recording. */
export interface Part {
  from: number;
  to: number;
  /** The words from here on are those of this part, up to its `end`; before and after, the other part hears them better. */
  start: number;
  end: number;
}

/**
 * Parts of at most `longest` frames that cover the recording, without those in which nobody can be heard.
 * @param levels of its frames, from 0 to 1 @param longest at least 10 s
 */
export function planParts(levels: Float32Array, longest: number): Part[] {
  const sums = new Float64Array(levels.length + 1);
  for (const [index, level] of levels.entries()) sums[index + 1] = (sums[index] as number) + level;
  const mean = (from: number, to: number) => ((sums[to] as number) - (sums[from] as number)) / Math.max(1, to - from);
  const quiet = Math.max(SILENCE, PAUSE_SHARE * mean(0, levels.length));
  const parts: Part[] = [];
  let from = 0;
  let start = 0;
  while (levels.length - from > longest) {
    let cut = from + longest - OVERLAP;
    let least = Number.POSITIVE_INFINITY;
    for (let middle = cut; middle >= start + longest / 2; middle--) {
      const level = mean(middle - PAUSE, middle);
      if (level >= least) continue;
      least = level;
      cut = middle - Math.ceil(PAUSE / 2);
    }
    const overlap = least <= quiet ? 0 : OVERLAP;
    parts.push({ from, to: cut + overlap, start, end: cut });
    from = cut - overlap;
    start = cut;
  }
  parts.push({ from, to: levels.length, start, end: levels.length });
  return parts.filter((part) => isAudible(levels.subarray(part.from, part.to)));
}

/** Whether there is anything that somebody might say. */
export function isAudible(levels: Float32Array): boolean {
  return levels.some((level) => level > SILENCE);
}

/** Measures the levels of samples that come in blocks. */
export function createLevelMeter(): { hear(block: Int16Array): void; levels(): Float32Array } {
  const levels: number[] = [];
  let sum = 0;
  let count = 0;
  const endFrame = () => {
    if (count > 0) levels.push(Math.sqrt(sum / count) / 32_768);
    sum = 0;
    count = 0;
  };
  return {
    hear(block) {
      for (const sample of block) {
        sum += sample * sample;
        count += 1;
        if (count === FRAME) endFrame();
      }
    },
    levels() {
      endFrame();
      return Float32Array.from(levels);
    },
  };
}
