// Plays a session's queued utterances one after another, and settles each one's promises when it ends.
import type { PlayProgress } from './player.ts';
import type { EnqueueOptions, Outcome, Predecessor, Session, Utterance } from './types.ts';

const PACKETS_PER_SECOND = 50;
/**
 * Utterances that end within so many seconds are played here instead of being handed over. A process may play for 60, but lengths are
 * estimates.
 */
const MAX_DRAIN_SECONDS = 45;
/** Seconds assumed for an utterance of unknown length. */
const USUAL_SECONDS = 5;

/** What a session offers of its queue, and what it does with it itself. */
export interface Playlist extends Pick<Session, 'length' | 'items' | 'enqueue' | 'arrange' | 'skip' | 'remove' | 'stop'> {
  readonly isPlaying: boolean;
  /** Fails all utterances, or those of one member. */
  fail(cause: Error, memberId?: string): void;
  /** Fails the waiting ones; resolves when the current one has ended. */
  drain(cause: Error): Promise<void>;
  /**
   * Hands over what can be moved, except for the current one and what the service has already been called for, if that ends soon: it would
   * cost twice elsewhere. Resolves when the rest has ended. @param canPlay whether this process holds the channel
   */
  handOver(canPlay: boolean): Promise<void>;
}

export interface PlaylistOptions {
  /** Resolves when packets can be sent. Rejects with what prevents it, or the signal's reason. */
  ready(signal: AbortSignal): Promise<void>;
  /** Sends an utterance's packets. Rejects with what goes wrong, or the signal's reason. */
  play(utterance: Utterance, signal: AbortSignal, progress: PlayProgress): Promise<void>;
  /** How an utterance that is enqueued now would end at once; null = it is played. */
  refusal(isMovable: boolean): Unplayed | null;
  onBusy(): void;
  onIdle(): void;
}

/** The outcome of an utterance that isn't played at all. */
export type Unplayed = Extract<Outcome, { ended: 'failed' | 'handed-over' }>;

export const HANDED_OVER: Unplayed = { ended: 'handed-over', seconds: 0 };

interface Item extends EnqueueOptions, PlayProgress {
  utterance: Utterance;
  isPrepared: boolean;
  /** Its packets are being sent, or are about to be. */
  hasBegun: boolean;
  /** `performance.now()` */
  queuedAt: number;
  abort: AbortController;
  /** Set before the abort by skip, stop and a handover. */
  ending: 'skipped' | 'stopped' | 'handed-over' | null;
  next: PromiseWithResolvers<boolean>;
  /** When its first packet left (`performance.now()`); null = it ended before that. */
  started: PromiseWithResolvers<number | null>;
  finished: PromiseWithResolvers<Outcome>;
}

export function createPlaylist({ ready, play, refusal, onBusy, onIdle }: PlaylistOptions): Playlist {
  let queue: Queue<Item> = emptyQueue();
  let isPlaying = false;
  let lastHeard: Predecessor | null = null;
  /** Aborted when an earlier utterance replaces the current one, which has not begun. */
  let preempt = new AbortController();

  async function run(): Promise<void> {
    if (isPlaying) return;
    isPlaying = true;
    onBusy();
    for (let item = queue.current; item; item = queue.current) {
      prepare(item, lastHeard);
      prepareNext();
      const outcome = await playItem(item);
      if (outcome === null) continue;
      if (outcome.seconds > 0) lastHeard = asPredecessor(item, performance.now());
      queue = advance(queue);
      settle(item, outcome);
    }
    isPlaying = false;
    onIdle();
  }

  /** Fetches the first sound of the next utterance while the current one plays. */
  function prepareNext(): void {
    const [current, next] = playOrder(queue);
    if (!current || !next) return;
    prepare(next, asPredecessor(current, null));
    next.next.resolve(true);
  }

  /** An utterance that throws fails in its turn, without affecting the others. */
  function prepare(item: Item, predecessor: Predecessor | null): void {
    item.isPrepared = true;
    try {
      item.utterance.prepare(predecessor);
    } catch (cause) {
      item.abort.abort(cause);
    }
  }

  /** @returns null if it was sent back to the queue */
  async function playItem(item: Item): Promise<Outcome | null> {
    try {
      preempt = new AbortController();
      await ready(AbortSignal.any([item.abort.signal, preempt.signal]));
      if (queue.current !== item) return null;
      item.hasBegun = true;
      await play(item.utterance, item.abort.signal, item);
      return { ended: 'played', seconds: item.sent / PACKETS_PER_SECOND };
    } catch (cause) {
      if (preempt.signal.aborted && queue.current !== item) return null;
      const seconds = item.sent / PACKETS_PER_SECOND;
      if (item.ending === 'handed-over') return { ended: item.ending, seconds: 0 };
      return item.ending ? { ended: item.ending, seconds } : { ended: 'failed', seconds, cause };
    }
  }

  function settle(item: Item, outcome: Outcome): void {
    if (outcome.ended !== 'played') item.utterance.cancel();
    item.next.resolve(false);
    item.started.resolve(null);
    item.finished.resolve(outcome);
  }

  function dropWaiting(outcome: Outcome, isDropped: (item: Item) => boolean = () => true): void {
    const dropped = queue.waiting.filter(isDropped);
    for (const item of dropped) queue = remove(queue, item);
    for (const item of dropped) settle(item, outcome);
    if (dropped.length > 0) prepareNext();
  }

  function interrupt(ending: 'skipped' | 'stopped', id?: string): boolean {
    const { current } = queue;
    if (!current || (id !== undefined && id !== current.id)) return false;
    current.ending = ending;
    current.abort.abort();
    return true;
  }

  return {
    get length() {
      return queue.waiting.length + (queue.current ? 1 : 0);
    },
    get isPlaying() {
      return isPlaying;
    },
    items: () =>
      playOrder(queue).map(({ id, memberId, background, label, queuedAt, sent }, position) => ({
        id,
        memberId,
        position,
        playing: position === 0,
        sentSeconds: sent / PACKETS_PER_SECOND,
        ...(background !== undefined && { background }),
        ...(label !== undefined && { label }),
        queuedAt: Math.round(performance.timeOrigin + queuedAt),
      })),
    enqueue(utterance, options) {
      const { id } = options;
      if (playOrder(queue).some((other) => other.id === id)) throw new RangeError(`utterance ${id} is queued already`);
      const item: Item = {
        ...options,
        utterance,
        isPrepared: false,
        hasBegun: false,
        queuedAt: performance.now(),
        sent: 0,
        abort: new AbortController(),
        ending: null,
        next: Promise.withResolvers(),
        started: Promise.withResolvers(),
        finished: Promise.withResolvers(),
      };
      const refused = refusal(options.isMovable === true);
      if (refused) settle(item, refused);
      else {
        const { current } = queue;
        queue = options.wasHandedOver ? addEarlier(queue, item, current?.hasBegun ?? false) : add(queue, item);
        if (current && queue.current !== current) preempt.abort();
        prepareNext();
        void run();
      }
      return {
        id,
        position: refused ? 0 : playOrder(queue).indexOf(item),
        refused,
        next: item.next.promise,
        started: item.started.promise.then((at) => (at === null ? null : at - item.queuedAt)),
        finished: item.finished.promise,
      };
    },
    arrange(ids) {
      queue = arrange(queue, ids);
    },
    skip: (id) => interrupt('skipped', id),
    remove(id) {
      if (!queue.waiting.some((item) => item.id === id)) return interrupt('stopped', id);
      dropWaiting({ ended: 'stopped', seconds: 0 }, (item) => item.id === id);
      return true;
    },
    stop() {
      const { length } = playOrder(queue);
      dropWaiting({ ended: 'stopped', seconds: 0 });
      interrupt('stopped');
      return length;
    },
    fail(cause, memberId) {
      const isAffected = (item: Item) => memberId === undefined || item.memberId === memberId;
      dropWaiting({ ended: 'failed', seconds: 0, cause }, isAffected);
      if (queue.current && isAffected(queue.current)) queue.current.abort.abort(cause);
    },
    async drain(cause) {
      dropWaiting({ ended: 'failed', seconds: 0, cause });
      await queue.current?.finished.promise;
    },
    async handOver(canPlay) {
      let end = 0;
      const staying = playOrder(queue).filter((item, position) => {
        const longer = end + Math.max(0, (item.label?.seconds ?? USUAL_SECONDS) - item.sent / PACKETS_PER_SECOND);
        const isKept = !item.isMovable || item.hasBegun || (canPlay && item.isPrepared && (position === 0 || longer < MAX_DRAIN_SECONDS));
        if (isKept) end = longer;
        return isKept;
      });
      const { current } = queue;
      dropWaiting(HANDED_OVER, (item) => !staying.includes(item));
      if (current && !staying.includes(current)) {
        current.ending = 'handed-over';
        current.abort.abort();
      }
      while (queue.current) await queue.current.finished.promise;
    },
  };
}

function asPredecessor({ memberId, background = false }: Item, endedAt: number | null): Predecessor {
  return { memberId, background, endedAt };
}

// The play order as plain data. Members take turns: the next utterance is the oldest one of the member whose last turn is the longest ago.
// So between two of their own, nobody waits for more than one utterance of each other member. Utterances in the background, such as
// messages that are read aloud, wait for all others, and are played in the order of their arrival unless they are arranged otherwise.

interface Owned {
  readonly memberId: string;
  readonly background?: boolean;
  /** Its sound is being made, and the words may depend on its place, which it therefore keeps if it is in the background. */
  readonly isPrepared?: boolean;
}

export interface Queue<T extends Owned> {
  /** Being played; later arrivals do not interrupt it. */
  readonly current: T | null;
  /** The waiting ones, in order of arrival unless they were arranged otherwise. */
  readonly waiting: readonly T[];
  /** Members played since the queue was last empty, each once, the latest at the end. */
  readonly served: readonly string[];
}

export function emptyQueue<T extends Owned>(): Queue<T> {
  return { current: null, waiting: [], served: [] };
}

/** Adds an item, which becomes the current one if there is none. */
export function add<T extends Owned>(queue: Queue<T>, item: T): Queue<T> {
  const longer = { ...queue, waiting: [...queue.waiting, item] };
  return queue.current ? longer : advance(longer);
}

/**
 * Adds an item from another process, before all later ones: ids are snowflakes.
 * @param hasBegun whether the current one has begun, and so keeps its place
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

/** Puts these items, waiting in the background, into this order, after all others there. */
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
