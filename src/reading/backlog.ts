// What to do so that nothing is read late: speak faster, leave out names, and then skip the oldest messages. Pure.

/** Something in the queue, in play order. */
export interface Queued {
  /** Of a message that is read; null = something that is not ours, such as a text of /say. */
  message: {
    id: string;
    memberId: string;
    /** In order of arrival: ages of messages that were written together are too coarse. */
    number: number;
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
  /** Ids of the messages to skip. */
  skip: string[];
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

/**
 * Chooses the mildest measure by which every waiting message is heard in time. If none is enough, the oldest message of whoever has the
 * most waiting is skipped, and so on, so that nobody's flood costs another member's only message. The last one that waits is kept.
 * @param remaining seconds of what is playing @param queued what waits, in play order
 * @param maxDelay seconds from when a message was written until it is heard @param canHurry whether the service speaks faster on request
 */
export function planBacklog(remaining: number, queued: readonly Queued[], maxDelay: number, canHurry: boolean): Plan {
  const measures = MEASURES.map((measure) => (canHurry ? measure : { ...measure, hurry: 1 }));
  const plan = (measure: Measure, left: readonly Queued[], skip: string[]): Plan => ({
    ...measure,
    skip,
    delay: left.reduce((sum, item) => sum + item.secondsAt(measure), remaining),
  });
  const enough = measures.find((measure) => isInTime(remaining, queued, maxDelay, measure));
  if (enough) return plan(enough, queued, []);
  const last = measures.at(-1) as Measure;
  const skip: string[] = [];
  let left = queued;
  while (!isInTime(remaining, left, maxDelay, last)) {
    const victim = findVictim(left);
    if (!victim) break;
    skip.push(victim);
    left = left.filter(({ message }) => message?.id !== victim);
  }
  return plan(last, left, skip);
}

function isInTime(remaining: number, queued: readonly Queued[], maxDelay: number, measure: Measure): boolean {
  let ahead = remaining;
  for (const item of queued) {
    if (item.message && item.message.age + ahead > maxDelay) return false;
    ahead += item.secondsAt(measure);
  }
  return true;
}

/** The oldest message of the member with the most; null if only one is left to choose from. */
function findVictim(queued: readonly Queued[]): string | null {
  const waiting = queued.flatMap(({ message }) => (message && !message.isDrafted ? [message] : []));
  if (waiting.length < 2) return null;
  const counts = new Map<string, number>();
  for (const { memberId } of waiting) counts.set(memberId, (counts.get(memberId) ?? 0) + 1);
  const most = Math.max(...counts.values());
  const candidates = waiting.filter(({ memberId }) => counts.get(memberId) === most);
  return candidates.reduce((oldest, message) => (message.number < oldest.number ? message : oldest)).id;
}
