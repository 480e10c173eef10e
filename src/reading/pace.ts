// How long a text will be heard: the usual estimate, corrected by how long the latest ones really were.
import { estimateSeconds } from '../speech/index.ts';

/** How a text is spoken: `base` is the member's own speed, `hurry` the factor on top of it while there is too much to read. */
export interface Tempo {
  base: number;
  hurry: number;
}

export interface Pace {
  /** False once the service has refused a speed. */
  readonly takesSpeed: boolean;
  /** Whether hurrying shortens anything: false also if the service was heard to ignore the speed. */
  readonly canHurry: boolean;
  secondsOf(text: string, tempo: Tempo): number;
  /** @param seconds that the text took */
  learn(text: string, tempo: Tempo, seconds: number): void;
  /** The service has refused a speed. */
  refuseSpeed(): void;
}

/** Share of the latest text in the average. */
const WEIGHT = 0.2;
/** Seconds: shorter texts are mostly the pause at their end. */
const SHORTEST = 1;
/** Hurried texts until it is decided whether the service ignores the speed. */
const ENOUGH = 4;
/** Of the time that hurrying should save: below it, the speed counts as ignored. */
const IGNORED = 0.3;
const limit = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

export function createPace(): Pace {
  /** Seconds for each estimated one, at the voice's own speed. */
  let length = 1;
  /** The share of the speed that is heard: 1 = all of it. */
  let obedience = 1;
  let hurried = 0;
  let takesSpeed = true;

  return {
    get takesSpeed() {
      return takesSpeed;
    },
    get canHurry() {
      return takesSpeed && (hurried < ENOUGH || obedience > IGNORED);
    },
    secondsOf: (text, { base, hurry }) => (estimateSeconds(text, base) * length) / (1 + obedience * (hurry - 1)),
    learn(text, { base, hurry }, seconds) {
      const estimate = estimateSeconds(text, base);
      if (estimate < SHORTEST || seconds <= 0) return;
      const ratio = limit(seconds / estimate, 0.25, 4);
      if (hurry === 1) {
        length += WEIGHT * (ratio - length);
      } else {
        const heard = limit((length / ratio - 1) / (hurry - 1), 0, 1);
        hurried += 1;
        obedience += (heard - obedience) / Math.min(hurried + 1, 1 / WEIGHT);
      }
    },
    refuseSpeed() {
      takesSpeed = false;
    },
  };
}
