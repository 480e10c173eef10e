// The order of play, fair between members, as plain data: next is the member who was not heard for the longest time, and of theirs
// what came first. So nobody waits for more than one utterance of each other member before each of their own.

interface Owned {
  readonly memberId: string;
}

export interface Queue<T extends Owned> {
  /** Being played; whatever arrives does not interrupt it. */
  readonly current: T | null;
  /** In the order of arrival. */
  readonly waiting: readonly T[];
  /** Who was played since the queue was last empty, the latest at the end, each once. */
  readonly served: readonly string[];
}

export function emptyQueue<T extends Owned>(): Queue<T> {
  return { current: null, waiting: [], served: [] };
}

/** It is the current one at once where nothing is. */
export function add<T extends Owned>(queue: Queue<T>, item: T): Queue<T> {
  const longer = { ...queue, waiting: [...queue.waiting, item] };
  return queue.current ? longer : advance(longer);
}

/** The current one has ended: whose turn it is becomes the current one. */
export function advance<T extends Owned>({ waiting, served }: Queue<T>): Queue<T> {
  const next = whoseTurn(waiting, served);
  if (!next) return emptyQueue();
  return {
    current: next,
    waiting: waiting.filter((item) => item !== next),
    served: [...served.filter((memberId) => memberId !== next.memberId), next.memberId],
  };
}

/** Takes out one that waits. */
export function remove<T extends Owned>(queue: Queue<T>, item: T): Queue<T> {
  return { ...queue, waiting: queue.waiting.filter((other) => other !== item) };
}

/** All that have not ended, in play order, the current one first. */
export function playOrder<T extends Owned>(queue: Queue<T>): T[] {
  const order: T[] = [];
  for (let rest = queue; rest.current; rest = advance(rest)) order.push(rest.current);
  return order;
}

function whoseTurn<T extends Owned>(waiting: readonly T[], served: readonly string[]): T | undefined {
  // -1, before everybody else, for who has not been heard at all.
  const lastHeard = (item: T) => served.indexOf(item.memberId);
  return waiting.reduce<T | undefined>((best, item) => (best && lastHeard(best) <= lastHeard(item) ? best : item), undefined);
}
