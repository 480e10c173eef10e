// What to do so that nothing is read late. As long as every message can be heard in time, they are read in the order in which they were
// written, if need be faster and without names. If that isn't enough, whatever waits takes turns: the member who hasn't been heard for longest
// goes first and, among those who haven't been heard in the last half minute, whoever has written least in it. The first message in turn that
// would be late costs its own member a message, the oldest that waits, and so on until none would be late: so a flood costs whoever floods.
// When each message would start follows from how long those before it take. Two are never skipped, however late: the one whose sound is being
// made already, and the one in turn after it, which nothing that is skipped could bring forward. Pure.

/** Something in the queue, in play order. */
export interface Queued {
  /** The message that is read; null = something that is not ours, such as a text of /say. */
  message: {
    id: string;
    memberId: string;
    /** Seconds since it was written. */
    age: number;
    /** Its sound is being made already: it is neither changed nor skipped. */
    isDrafted: boolean;
  } | null;
  /** How long it will be heard this way. */
  secondsAt(step: CatchUpStep): number;
}

/** A way to keep up. */
export interface CatchUpStep {
  /** Factor of the speed. */
  speedFactor: number;
  names: boolean;
}

export interface Plan extends CatchUpStep {
  /** Id of the message to skip, after which the plan may be another; null = every message is heard in time. */
  skip: string | null;
  /** Seconds until something written now would be heard. */
  delay: number;
}

/** Each is used only once those before it are not enough. 1.4 is as fast as most people still follow with ease. */
const CATCH_UP_STEPS: readonly CatchUpStep[] = [
  { speedFactor: 1, names: true },
  { speedFactor: 1.2, names: true },
  { speedFactor: 1.4, names: true },
  { speedFactor: 1.4, names: false },
];

/** A message of the last half minute, whatever has become of it. */
export interface Recent {
  memberId: string;
  /** `performance.now()`; null = it hasn't been heard. */
  heardAt: number | null;
}

/**
 * Chooses the mildest step by which every message is heard in time. If none is enough, there is a message to skip.
 * @param remaining seconds of what is playing @param queued what waits, in play order
 * @param maxDelay seconds from when a message was written until it is heard @param canSpeedUp whether the service speaks faster on request
 */
export function planBacklog(remaining: number, queued: readonly Queued[], maxDelay: number, canSpeedUp: boolean): Plan {
  const steps = CATCH_UP_STEPS.map((step) => (canSpeedUp ? step : { ...step, speedFactor: 1 }));
  const lateWith = (step: CatchUpStep) => listLate(remaining, queued, maxDelay, step);
  const step = steps.find((one) => lateWith(one).length === 0) ?? (steps.at(-1) as CatchUpStep);
  const [next, ...others] = queued.flatMap(({ message }) => (message && !message.isDrafted ? [message] : []));
  const late = lateWith(step).find((message) => others.includes(message));
  const oldest = next?.memberId === late?.memberId ? next : others.find(({ memberId }) => memberId === late?.memberId);
  const delay = queued.reduce((sum, item) => sum + item.secondsAt(step), remaining);
  return { ...step, skip: (late && oldest?.id) ?? null, delay };
}

function listLate(remaining: number, queued: readonly Queued[], maxDelay: number, step: CatchUpStep): NonNullable<Queued['message']>[] {
  let ahead = remaining;
  return queued.flatMap((item) => {
    const begins = ahead;
    ahead += item.secondsAt(step);
    return item.message && item.message.age + begins > maxDelay ? [item.message] : [];
  });
}

/** Ids of the messages in turn. */
export function takeTurns(queued: readonly Queued[], recent: readonly Recent[]): string[] {
  const memberIds: string[] = [];
  const waiting = queued.flatMap(({ message }) => {
    if (!message) return [];
    const { id, memberId } = message;
    const round = memberIds.filter((other) => other === memberId).length;
    memberIds.push(memberId);
    const written = recent.filter((one) => one.memberId === memberId);
    return [{ id, round, heardAt: Math.max(0, ...written.map(({ heardAt }) => heardAt ?? 0)), written: written.length }];
  });
  return waiting
    .sort((one, other) => one.round - other.round || one.heardAt - other.heardAt || one.written - other.written)
    .map(({ id }) => id);
}
