// What to do so that nothing is read late. As long as every message can be heard in time, they are read in the order in which they were
// written, if need be faster and without names. If that isn't enough, whatever waits takes turns: the member who hasn't been heard for longest
// goes first and, among those who haven't been heard in the last half minute, whoever has written least in it. The first message in turn that
// would be late costs its own member a message, the oldest that waits, and so on until none would be late: so a flood costs whoever floods.
// When each message would start follows from how long those before it take. Two are never skipped, however late: the one whose sound is being
// made already, and the one in turn after it, which nothing that is skipped could bring forward. Pure.

/** Something in the queue, in play order. */
export interface Queued {
  /** Of a message that is read; null = something that is not ours, such as a text of /say. */
  message: {
    id: string;
    memberId: string;
    /** Since it was written, in seconds. */
    age: number;
    /** Its sound is being made already: it is neither changed nor skipped. */
    isDrafted: boolean;
  } | null;
  /** How long it will be heard this way. */
  secondsAt(measure: Measure): number;
}

/** A way to keep up. */
export interface Measure {
  /** Factor of the speed. */
  hurry: number;
  names: boolean;
}

export interface Plan extends Measure {
  /** Id of the message to skip, after which the plan may be another; null = every message is heard in time. */
  skip: string | null;
  /** Seconds until something written now would be heard. */
  delay: number;
}

/** Each is used only once those before it are not enough. 1.4 is as fast as most people still follow with ease. */
const MEASURES: readonly Measure[] = [
  { hurry: 1, names: true },
  { hurry: 1.2, names: true },
  { hurry: 1.4, names: true },
  { hurry: 1.4, names: false },
];

/** A message of the last half minute, whatever has become of it. */
export interface Recent {
  memberId: string;
  /** `performance.now()`; null = it hasn't been heard. */
  heardAt: number | null;
}

/**
 * Chooses the mildest measure by which every message is heard in time. If none is enough, there is a message to skip.
 * @param remaining seconds of what is playing @param queued what waits, in play order
 * @param maxDelay seconds from when a message was written until it is heard @param canHurry whether the service speaks faster on request
 */
export function planBacklog(remaining: number, queued: readonly Queued[], maxDelay: number, canHurry: boolean): Plan {
  const measures = MEASURES.map((measure) => (canHurry ? measure : { ...measure, hurry: 1 }));
  const lateWith = (measure: Measure) => listLate(remaining, queued, maxDelay, measure);
  const measure = measures.find((one) => lateWith(one).length === 0) ?? (measures.at(-1) as Measure);
  const [next, ...others] = queued.flatMap(({ message }) => (message && !message.isDrafted ? [message] : []));
  const late = lateWith(measure).find((message) => others.includes(message));
  const oldest = next?.memberId === late?.memberId ? next : others.find(({ memberId }) => memberId === late?.memberId);
  const delay = queued.reduce((sum, item) => sum + item.secondsAt(measure), remaining);
  return { ...measure, skip: (late && oldest?.id) ?? null, delay };
}

function listLate(remaining: number, queued: readonly Queued[], maxDelay: number, measure: Measure): NonNullable<Queued['message']>[] {
  let ahead = remaining;
  return queued.flatMap((item) => {
    const begins = ahead;
    ahead += item.secondsAt(measure);
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
