// Decides how to keep messages from being read late. As long as all of them can be heard in time, they are read in the order in which they
// were written, if need be faster, without names, and cut where others wait behind them. If that isn't enough, members take turns: the one who hasn't been heard for longest
// goes first and, among those who haven't been heard in the last half minute, the one who has written least in that time. The first message
// in turn that would be late costs its author their oldest waiting message, and so on until none would be late: a flood costs its own
// author. The start of each message follows from how long those before it take. Two are never skipped, however late: the one whose sound is
// already being made, and the next in turn, which no skip could bring forward. Pure.
import { estimateSeconds } from '../synthesis/index.ts';

/** Something in the queue, in play order. */
export interface Queued {
  /** The message that is read; null = something else, such as a text from /say. */
  message: {
    id: string;
    memberId: string;
    /** Seconds since it was written. */
    age: number;
    /** Its sound is already being made, so it is neither changed nor skipped. */
    isDrafted: boolean;
  } | null;
  /** How long it would last with this step. */
  secondsAt(step: CatchUpStep): number;
}

/** A measure to keep up. */
export interface CatchUpStep {
  /** Factor of the speed. */
  speedFactor: number;
  names: boolean;
  /** How much of its usual limit a text may last if others wait behind it, and it isn't made yet: 1 = all. */
  lengthShare: number;
}

export interface Plan extends CatchUpStep {
  /** Id of the message to skip, after which a new plan is needed; null = every message is heard in time. */
  skip: string | null;
  /** Seconds until something written now would be heard. */
  delay: number;
}

/** Each is used only if those before it are not enough. Most people can follow 1.4 times the usual speed with ease. */
const CATCH_UP_STEPS: readonly CatchUpStep[] = [
  { speedFactor: 1, names: true, lengthShare: 1 },
  { speedFactor: 1.2, names: true, lengthShare: 1 },
  { speedFactor: 1.4, names: true, lengthShare: 1 },
  { speedFactor: 1.4, names: false, lengthShare: 1 },
  { speedFactor: 1.4, names: false, lengthShare: 1 / 2 },
  { speedFactor: 1.4, names: false, lengthShare: 1 / 4 },
];

/** A message of the last half minute, heard or not. */
export interface Recent {
  memberId: string;
  /** `performance.now()`; null = it hasn't been heard. */
  heardAt: number | null;
}

/**
 * Chooses the mildest step with which every message is heard in time. If none is enough, the plan names a message to skip.
 * @param remaining seconds of what is playing @param queued what waits, in play order
 * @param maxDelay seconds from when a message was written until it is heard @param canSpeedUp whether the service speaks faster on request
 */
export function planBacklog(remaining: number, queued: readonly Queued[], maxDelay: number, canSpeedUp: boolean): Plan {
  const steps = CATCH_UP_STEPS.map((step) => (canSpeedUp ? step : { ...step, speedFactor: 1 }));
  const overdueWith = (step: CatchUpStep) => listOverdue(remaining, queued, maxDelay, step);
  const step = steps.find((candidate) => overdueWith(candidate).length === 0) ?? (steps.at(-1) as CatchUpStep);
  const [next, ...others] = queued.flatMap(({ message }) => (message && !message.isDrafted ? [message] : []));
  const overdue = overdueWith(step).find((message) => others.includes(message));
  const oldest = next?.memberId === overdue?.memberId ? next : others.find(({ memberId }) => memberId === overdue?.memberId);
  const delay = queued.reduce((sum, item) => sum + item.secondsAt(step), remaining);
  return { ...step, skip: (overdue && oldest?.id) ?? null, delay };
}

function listOverdue(remaining: number, queued: readonly Queued[], maxDelay: number, step: CatchUpStep): NonNullable<Queued['message']>[] {
  let ahead = remaining;
  return queued.flatMap((item) => {
    const begins = ahead;
    ahead += item.secondsAt(step);
    return item.message && item.message.age + begins > maxDelay ? [item.message] : [];
  });
}

/** The ids of the messages, in the order of turns. */
export function takeTurns(queued: readonly Queued[], recent: readonly Recent[]): string[] {
  const memberIds: string[] = [];
  const waiting = queued.flatMap(({ message }) => {
    if (!message) return [];
    const { id, memberId } = message;
    const round = memberIds.filter((other) => other === memberId).length;
    memberIds.push(memberId);
    const written = recent.filter((earlier) => earlier.memberId === memberId);
    return [{ id, round, heardAt: Math.max(0, ...written.map(({ heardAt }) => heardAt ?? 0)), written: written.length }];
  });
  return waiting.sort((a, b) => a.round - b.round || a.heardAt - b.heardAt || a.written - b.written).map(({ id }) => id);
}

// Estimates how long a text will last: the usual estimate, corrected by how long the latest texts really lasted.

/** How a text is spoken: `base` is the member's own speed, `speedFactor` the factor on top of it while there is too much to read. */
export interface Tempo {
  base: number;
  speedFactor: number;
}

export interface SpeechRateEstimator {
  /** False once the service has refused a speed. */
  readonly takesSpeed: boolean;
  /** Whether a higher speed helps: false also if the service has been found to ignore it. */
  readonly canSpeedUp: boolean;
  secondsOf(text: string, tempo: Tempo): number;
  /** @param seconds how long the text lasted */
  learn(text: string, tempo: Tempo, seconds: number): void;
  /** Call when the service has refused a speed. */
  refuseSpeed(): void;
}

/** Weight of the latest text in the averages. */
const WEIGHT = 0.2;
/** Nothing is learnt from texts shorter than so many seconds: they are mostly the pause at their end. */
const SHORTEST = 1;
/** How many texts are spoken at a higher speed before deciding whether the service ignores it. */
const MIN_SAMPLES = 4;
/** If a higher speed saves less than this share of what it should, the service counts as ignoring it. */
const MIN_EFFECT = 0.3;
const limit = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

export function createSpeechRateEstimator(): SpeechRateEstimator {
  /** Real seconds for each estimated one, at the voice's own speed. */
  let slowness = 1;
  /** How much of a requested speed can be heard: 1 = all of it. */
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
