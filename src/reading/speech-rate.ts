// How long a text will be heard: the usual estimate, corrected by how long the latest ones really were.
import { estimateSeconds } from '../speech/index.ts';

/** How a text is spoken: `base` is the member's own speed, `speedFactor` the factor on top of it while there is too much to read. */
export interface Tempo {
  base: number;
  speedFactor: number;
}

export interface SpeechRateEstimator {
  /** False once the service has refused a speed. */
  readonly takesSpeed: boolean;
  /** Whether a higher speed shortens anything: false also if the service was heard to ignore the speed. */
  readonly canSpeedUp: boolean;
  secondsOf(text: string, tempo: Tempo): number;
  /** @param seconds that the text took */
  learn(text: string, tempo: Tempo, seconds: number): void;
  /** The service has refused a speed. */
  refuseSpeed(): void;
}

/** Share of the latest text in the averages. */
const WEIGHT = 0.2;
/** Seconds below which nothing is learnt of a text: it is mostly the pause at its end. */
const SHORTEST = 1;
/** Texts spoken at a higher speed until it is decided whether the service ignores it. */
const MIN_SAMPLES = 4;
/** Below this share of what a higher speed should save, the service counts as ignoring it. */
const MIN_EFFECT = 0.3;
const limit = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

export function createSpeechRateEstimator(): SpeechRateEstimator {
  /** Seconds heard for each estimated one, at the voice's own speed. */
  let slowness = 1;
  /** The share of the speed that is heard: 1 = all of it. */
  let speedEffect = 1;
  let samples = 0;
  let takesSpeed = true;

  return {
    get takesSpeed() {
      return takesSpeed;
    },
    get canSpeedUp() {
      return takesSpeed && (samples < MIN_SAMPLES || speedEffect > MIN_EFFECT);
    },
    // A service that follows the speed in full takes 1 / speedFactor of the time. One that follows it in part takes 1 / (1 + e (speedFactor - 1)),
    // where e, the effect, is 0 for one that ignores it and 1 for one that follows.
    secondsOf: (text, { base, speedFactor }) => (estimateSeconds(text, base) * slowness) / (1 + speedEffect * (speedFactor - 1)),
    learn(text, { base, speedFactor }, seconds) {
      const estimate = estimateSeconds(text, base);
      if (estimate < SHORTEST || seconds <= 0) return;
      const ratio = limit(seconds / estimate, 0.25, 4);
      if (speedFactor === 1) {
        // Exponential moving average.
        slowness += WEIGHT * (ratio - slowness);
      } else {
        // The formula of secondsOf, solved for the effect.
        const heard = limit((slowness / ratio - 1) / (speedFactor - 1), 0, 1);
        samples += 1;
        // The mean of all samples, with the initial 1 as one of them, until there are enough for a moving average.
        speedEffect += (heard - speedEffect) / Math.min(samples + 1, 1 / WEIGHT);
      }
    },
    refuseSpeed() {
      takesSpeed = false;
    },
  };
}
