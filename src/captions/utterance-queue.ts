// What was said in one guild, from the end of an utterance to the delivery of its words: in the order in which members began to speak. When
// the voice service is slow, utterances are joined, and the oldest are dropped.
import { joinUtterances, type Utterance, wipe } from './utterance.ts';

/** Seconds behind from which the utterances of one member are joined, up to so many seconds of sound. */
const JOIN_FROM = 15;
const JOIN_SECONDS = 15;
/** Seconds behind from which what hasn't been sent is dropped: nobody follows a conversation a minute later. */
const DROP_FROM = 60;

/** What became of a call. */
export type CallResult =
  | { kind: 'heard'; text: string }
  /** The words are lost. No other call is made for `waitMs`. */
  | { kind: 'failed'; waitMs: number }
  /** The service wasn't asked, or refused for now. It is called again after `waitMs`; until then, nothing else is sent either. */
  | { kind: 'postponed'; waitMs: number }
  /** Not to be captioned. */
  | { kind: 'refused' };

interface UtteranceQueueOptions {
  /** Never rejects. @param onTurn called when the service is being asked: from then on, the next one may wait for its turn */
  call(utterance: Utterance, signal: AbortSignal, onTurn: () => void): Promise<CallResult>;
  onWords(utterance: Utterance, text: string): void;
  /** How many seconds behind, in steps of `JOIN_FROM`; 0 = less than one step. */
  onBehind(seconds: number): void;
  onDropped(userId: string, seconds: number): void;
  /** Milliseconds since 1970. */
  now(): number;
}

interface UtteranceQueue {
  add(utterance: Utterance): void;
  /** Drops what is too old. Call it every second or so. */
  review(): void;
  /** Wipes what a member said, and aborts the calls. */
  forget(userId: string): void;
  /** Resolves when everything has been delivered or dropped. */
  emptied(): Promise<void>;
  /** Delivers finished words and drops everything else. */
  end(): void;
  /** Forgets everything. */
  clear(): void;
}

interface Item {
  /** What is or was sent together, in order: one, unless they were joined. */
  utterances: readonly [Utterance, ...Utterance[]];
  state: 'waiting' | 'called' | 'asked' | 'done';
  text: string;
  caller: AbortController;
}

export function createUtteranceQueue({ call, onWords, onBehind, onDropped, now }: UtteranceQueueOptions): UtteranceQueue {
  /** In the order in which members began to speak. */
  let items: Item[] = [];
  let behind = 0;
  let waitsUntil = 0;
  let onEmptied: (() => void)[] = [];

  /** Since the oldest of its words were said. */
  const ageOf = ({ utterances: [oldest] }: Item) => (now() - oldest.endedAt) / 1000;
  const secondsBehind = () => Math.max(0, ...items.map(ageOf));
  const toItem = (utterance: Utterance): Item => ({ utterances: [utterance], state: 'waiting', text: '', caller: new AbortController() });

  function callNext(): void {
    if (now() < waitsUntil || items.some(({ state }) => state === 'called')) return;
    const next = items.find(({ state }) => state === 'waiting');
    if (!next) return;
    if (secondsBehind() >= JOIN_FROM) joinWith(next);
    void make(next);
  }

  /** Others follow before those in between: each call counts when the service is slow. */
  function joinWith(next: Item): void {
    const [{ userId, seconds: first }] = next.utterances;
    const joined: Item[] = [];
    let seconds = first;
    for (const item of items) {
      const [utterance] = item.utterances;
      if (item === next || item.state !== 'waiting' || utterance.userId !== userId) continue;
      seconds += utterance.seconds;
      if (seconds > JOIN_SECONDS) break;
      joined.push(item);
    }
    next.utterances = [...next.utterances, ...joined.map(({ utterances: [utterance] }) => utterance)];
    items = items.filter((item) => !joined.includes(item));
  }

  /** What has waited together waits again one by one, since the oldest may soon be too old. */
  function separate(item: Item): void {
    const others = item.utterances.map(toItem);
    items.splice(items.indexOf(item), 1, ...others);
    items.sort((a, b) => a.utterances[0].startedAt - b.utterances[0].startedAt);
  }

  async function make(item: Item): Promise<void> {
    item.state = 'called';
    const utterance = joinUtterances(item.utterances);
    const result = await call(utterance, item.caller.signal, () => {
      if (item.state !== 'called') return;
      item.state = 'asked';
      callNext();
    });
    if ('waitMs' in result) waitsUntil = Math.max(waitsUntil, now() + result.waitMs);
    if (!items.includes(item)) {
      callNext();
      return;
    }
    if (result.kind === 'postponed') separate(item);
    else {
      item.state = 'done';
      if (result.kind === 'heard') item.text = result.text;
      if (result.kind === 'failed') onDropped(utterance.userId, utterance.seconds);
      deliver();
    }
    callNext();
  }

  function deliver(): void {
    while (items[0]?.state === 'done') {
      const { utterances, text } = items.shift() as Item;
      if (text) onWords(joinUtterances(utterances), text);
    }
    noteBehind();
    if (items.length > 0) return;
    for (const resolve of onEmptied) resolve();
    onEmptied = [];
  }

  function noteBehind(): void {
    const seconds = Math.floor(secondsBehind() / JOIN_FROM) * JOIN_FROM;
    if (seconds === behind) return;
    behind = seconds;
    onBehind(seconds);
  }

  function remove(isRemoved: (item: Item) => boolean): Item[] {
    const removed = items.filter(isRemoved);
    items = items.filter((item) => !removed.includes(item));
    for (const { caller, utterances } of removed) {
      caller.abort();
      for (const { parts } of utterances) wipe(parts);
    }
    return removed;
  }

  function drop(isDropped: (item: Item) => boolean): void {
    for (const { utterances } of remove(isDropped)) {
      const { userId, seconds } = joinUtterances(utterances);
      onDropped(userId, seconds);
    }
    deliver();
  }

  return {
    add(utterance) {
      const at = items.findLastIndex(({ utterances: [first] }) => first.startedAt <= utterance.startedAt) + 1;
      items.splice(at, 0, toItem(utterance));
      callNext();
    },

    review() {
      for (const item of items.filter((queued) => queued.state === 'called' && ageOf(queued) > DROP_FROM)) {
        item.caller.abort();
        separate(item);
      }
      drop((item) => item.state === 'waiting' && ageOf(item) > DROP_FROM);
      callNext();
    },

    forget(userId) {
      remove(({ utterances: [{ userId: speaker }] }) => speaker === userId);
      deliver();
      callNext();
    },

    end: () => drop(({ state }) => state !== 'done'),

    emptied: () => (items.length === 0 ? Promise.resolve() : new Promise((resolve) => onEmptied.push(resolve))),

    clear() {
      remove(() => true);
      for (const resolve of onEmptied) resolve();
      onEmptied = [];
    },
  };
}
