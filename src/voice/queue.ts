// The play order as plain data. Members take turns: next comes the member who was last played the longest ago, and of theirs the utterance
// queued first. So between two of their own, nobody waits for more than one utterance of each other member. What is in the background, such
// as messages that are read aloud, waits for everything else, and is played in the order of its arrival unless it is arranged otherwise.

interface Owned {
  readonly memberId: string;
  readonly background?: boolean;
  /** Its sound is being made, and the words may depend on its place: in the background, it keeps it. */
  readonly isPrepared?: boolean;
}

export interface Queue<T extends Owned> {
  /** Being played; later arrivals do not interrupt it. */
  readonly current: T | null;
  /** What waits, in order of arrival, as far as it isn't arranged otherwise. */
  readonly waiting: readonly T[];
  /** Members played since the queue was last empty, each once, the latest at the end. */
  readonly served: readonly string[];
}

export function emptyQueue<T extends Owned>(): Queue<T> {
  return { current: null, waiting: [], served: [] };
}

/** The item becomes the current one if there is none. */
export function add<T extends Owned>(queue: Queue<T>, item: T): Queue<T> {
  const longer = { ...queue, waiting: [...queue.waiting, item] };
  return queue.current ? longer : advance(longer);
}

/**
 * Adds one that comes from another process, before all that were said later: ids are snowflakes.
 * @param hasBegun the current one, which then keeps its place
 */
export function addEarlier<T extends Owned & { readonly id: string }>(
  { current, waiting, served }: Queue<T>,
  item: T,
  hasBegun: boolean,
): Queue<T> {
  const others = current && !hasBegun ? [current, ...waiting] : waiting;
  const later = others.findIndex(({ id }) => isLater(id, item.id));
  const longer = others.toSpliced(later === -1 ? others.length : later, 0, item);
  if (current && hasBegun) return { current, waiting: longer, served };
  return advance({ current: null, waiting: longer, served: served.filter((memberId) => memberId !== current?.memberId) });
}

/** The current one has ended: the next in turn becomes the current one. */
export function advance<T extends Owned>({ waiting, served }: Queue<T>): Queue<T> {
  const next = nextInTurn(waiting, served);
  if (!next) return emptyQueue();
  return {
    current: next,
    waiting: waiting.filter((item) => item !== next),
    served: [...served.filter((memberId) => memberId !== next.memberId), next.memberId],
  };
}

/** Removes a waiting item. */
export function remove<T extends Owned>(queue: Queue<T>, item: T): Queue<T> {
  return { ...queue, waiting: queue.waiting.filter((other) => other !== item) };
}

/** Puts these waiting items of the background into this order, after whatever else waits there. */
export function arrange<T extends Owned & { readonly id: string }>(queue: Queue<T>, ids: readonly string[]): Queue<T> {
  const arranged = ids.flatMap((id) => queue.waiting.find((item) => item.background && item.id === id) ?? []);
  return { ...queue, waiting: [...queue.waiting.filter((item) => !arranged.includes(item)), ...arranged] };
}

/** All items that have not ended, in play order, the current one first. */
export function playOrder<T extends Owned>(queue: Queue<T>): T[] {
  const order: T[] = [];
  for (let rest = queue; rest.current; rest = advance(rest)) order.push(rest.current);
  return order;
}

function isLater(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length;
}

function nextInTurn<T extends Owned>(waiting: readonly T[], served: readonly string[]): T | undefined {
  const foreground = waiting.filter(({ background }) => !background);
  if (foreground.length === 0) return waiting.find(({ isPrepared }) => isPrepared) ?? waiting[0];
  // A member who has not been played yet has −1, and so comes before everybody else.
  const lastServed = (item: T) => served.indexOf(item.memberId);
  return foreground.reduce((best, item) => (lastServed(best) <= lastServed(item) ? best : item));
}
