// One guild's voice: a queue of utterances, fair between members, played one after the other through one connection.
import type { VoiceBasedChannel, VoiceState } from 'discord.js';
import { type Connection, openConnection } from './connection.ts';
import type { JoinBudget } from './join-budget.ts';
import { createPlayer, type Player } from './player.ts';
import { add, advance, emptyQueue, playOrder, type Queue, remove } from './queue.ts';
import { type EnqueueOptions, type Outcome, type Playback, type Session, type Utterance, VoiceError } from './types.ts';

const FRAMES_A_SECOND = 50;

/** What may be set from outside. */
export interface SessionOptions {
  /** Leaves after this long without an utterance. */
  idleMs: number;
  /** Leaves after this long without anybody to hear it. */
  aloneMs: number;
  establishMs?: number;
  /** Before each of a guild's joins in a minute; there are no more than these. */
  joinPausesMs?: readonly number[];
}

interface Options extends SessionOptions {
  budget: JoinBudget;
}

/** Session, and what the list of sessions needs beside it. */
export interface OpenSession extends Session {
  move(channelId: string): void;
  voiceStateChanged(state: VoiceState): void;
  gatewayBack(isResumed: boolean): void;
  /** The channel was deleted. */
  channelGone(): void;
  /** No further utterance, those that wait included; resolves when the current one was sent to its end. */
  drain(): Promise<void>;
  /** Leaves because the process ends. */
  close(): void;
}

interface Item extends EnqueueOptions {
  utterance: Utterance;
  /** In the time of `performance.now()`. */
  queuedAt: number;
  abort: AbortController;
  /** Set by skip and stop before the abort. */
  ending: 'skipped' | 'stopped' | null;
  next: PromiseWithResolvers<boolean>;
  started: PromiseWithResolvers<number | null>;
  finished: PromiseWithResolvers<Outcome>;
}

/** Joins the channel at once; `onEnd` is called once, when the session has left or was lost. */
export function openSession(channel: VoiceBasedChannel, options: Options, onEnd: () => void): OpenSession {
  const { guild } = channel;
  let queue: Queue<Item> = emptyQueue();
  let running = false;
  let ended = false;
  let draining = false;
  let stay = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let aloneTimer: NodeJS.Timeout | undefined;
  const player: Player = createPlayer({
    send: (frame) => connection.send(frame),
    quiet: () => connection.quiet(),
    heardUntil: () => connection.heardUntil,
    confirm: () => connection.confirm(),
  });
  const connection: Connection = openConnection({
    guild,
    channelId: channel.id,
    budget: options.budget,
    establishMs: options.establishMs,
    onOpen(unheardSince) {
      if (unheardSince !== null) player.rewind(unheardSince);
      player.wake();
    },
    onHeard: () => player.wake(),
    onLost: end,
  });

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    clearTimeout(idleTimer);
    for (let item = queue.current; item; item = queue.current) {
      item.utterance.prepare();
      prepareNext();
      const outcome = await play(item);
      queue = advance(queue);
      settle(item, outcome);
    }
    running = false;
    waitForWork();
  }

  /** The next one's first sound is made while the current one plays. */
  function prepareNext(): void {
    const next = playOrder(queue)[1];
    next?.utterance.prepare();
    next?.next.resolve(true);
  }

  async function play(item: Item): Promise<Outcome> {
    const { signal } = item.abort;
    let sent = 0;
    try {
      await orAborted(connection.opened, signal);
      await player.play(item.utterance.open(signal), signal, (position) => {
        sent = position;
        if (sent === 1) item.started.resolve(performance.now() - item.queuedAt);
      });
      return { ended: 'played', seconds: sent / FRAMES_A_SECOND };
    } catch (cause) {
      const seconds = sent / FRAMES_A_SECOND;
      return item.ending ? { ended: item.ending, seconds } : { ended: 'failed', seconds, cause };
    }
  }

  function settle(item: Item, outcome: Outcome): void {
    if (outcome.ended !== 'played') item.utterance.cancel();
    item.next.resolve(false);
    item.started.resolve(null);
    item.finished.resolve(outcome);
  }

  /** Empties the queue but for the current one. */
  function dropWaiting(outcome: () => Outcome): void {
    const dropped = queue.waiting;
    queue = { ...queue, waiting: [] };
    for (const item of dropped) settle(item, outcome());
  }

  function interrupt(how: 'skipped' | 'stopped', id?: string): boolean {
    const { current } = queue;
    if (!current || (id !== undefined && id !== current.id)) return false;
    current.ending = how;
    current.abort.abort();
    return true;
  }

  function removeItem(id: string): boolean {
    const item = queue.waiting.find((other) => other.id === id);
    if (!item) return interrupt('stopped', id);
    queue = remove(queue, item);
    settle(item, { ended: 'stopped', seconds: 0 });
    prepareNext();
    return true;
  }

  function stop(): number {
    const { length } = playOrder(queue);
    dropWaiting(() => ({ ended: 'stopped', seconds: 0 }));
    interrupt('stopped');
    return length;
  }

  /** The connection is gone: what is queued is lost, and each is told so. */
  function end(error: VoiceError): void {
    if (ended) return;
    ended = true;
    clearTimeout(idleTimer);
    clearTimeout(aloneTimer);
    player.end();
    onEnd();
    dropWaiting(() => ({ ended: 'failed', seconds: 0, cause: error }));
    queue.current?.abort.abort(error);
  }

  function leave(): void {
    stop();
    connection.leave();
    end(new VoiceError('disconnected', 'the voice channel was left'));
  }

  function voiceStateChanged(state: VoiceState): void {
    connection.voiceStateChanged(state);
    failWhileMuted();
    if (state.serverMute && state.id !== guild.client.user.id) silence(state.id);
    watchListeners();
  }

  /** Ends what a member has in the queue, whom a moderator has muted. */
  function silence(memberId: string): void {
    const cause = new VoiceError('member-muted', 'a moderator has muted the member');
    const dropped = queue.waiting.filter((item) => item.memberId === memberId);
    for (const item of dropped) queue = remove(queue, item);
    for (const item of dropped) settle(item, { ended: 'failed', seconds: 0, cause });
    if (dropped.length > 0) prepareNext();
    if (queue.current?.memberId === memberId) queue.current.abort.abort(cause);
  }

  /** A moderator's mute outlasts leaving, and only who is in a channel can be unmuted: so we stay, and nothing is said into the void. */
  function failWhileMuted(): void {
    if (ended || !isMuted()) return;
    dropWaiting(() => ({ ended: 'failed', seconds: 0, cause: mutedError() }));
    queue.current?.abort.abort(mutedError());
  }

  function isMuted(): boolean {
    const own = guild.voiceStates.cache.get(guild.client.user.id);
    return own?.serverMute === true && own.channelId === connection.channelId;
  }

  function watchListeners(): void {
    const { channelId } = connection;
    const alone = !guild.voiceStates.cache.some(
      (other) => other.channelId === channelId && other.id !== guild.client.user.id && !other.member?.user.bot,
    );
    if (!alone || stay || ended) {
      clearTimeout(aloneTimer);
      aloneTimer = undefined;
    } else if (!aloneTimer) {
      aloneTimer = setTimeout(leave, options.aloneMs);
    }
  }

  function waitForWork(): void {
    clearTimeout(idleTimer);
    if (!ended && !stay && !running) idleTimer = setTimeout(leave, options.idleMs);
  }

  waitForWork();

  return {
    guildId: guild.id,
    get channelId() {
      return connection.channelId ?? channel.id;
    },
    get ready() {
      return connection.opened;
    },
    get state() {
      return connection.state;
    },
    get length() {
      return queue.waiting.length + (queue.current ? 1 : 0);
    },
    items: () =>
      playOrder(queue).map(({ id, memberId, label, queuedAt }, position) => ({
        ...{ id, memberId, position, playing: position === 0 },
        ...(label !== undefined && { label }),
        queuedAt: Math.round(performance.timeOrigin + queuedAt),
      })),
    enqueue(utterance, itemOptions): Playback {
      const { id } = itemOptions;
      if (playOrder(queue).some((other) => other.id === id)) throw new RangeError(`utterance ${id} is queued already`);
      const item: Item = {
        ...itemOptions,
        utterance,
        queuedAt: performance.now(),
        abort: new AbortController(),
        ending: null,
        next: Promise.withResolvers(),
        started: Promise.withResolvers(),
        finished: Promise.withResolvers(),
      };
      const ends = { next: item.next.promise, started: item.started.promise, finished: item.finished.promise };
      if (ended || draining || isMuted()) {
        const left = draining ? closingError() : new VoiceError('disconnected', 'the voice channel was left');
        const cause = ended || draining ? left : mutedError();
        settle(item, { ended: 'failed', seconds: 0, cause });
        return { id, position: 0, ...ends };
      }
      queue = add(queue, item);
      prepareNext();
      void run();
      return { id, position: playOrder(queue).indexOf(item), ...ends };
    },
    skip: (id) => interrupt('skipped', id),
    remove: removeItem,
    stop,
    get stay() {
      return stay;
    },
    setStay(on) {
      stay = on;
      waitForWork();
      watchListeners();
    },
    leave,
    move: connection.move,
    voiceStateChanged,
    gatewayBack(isResumed) {
      connection.gatewayBack(isResumed);
      // What happened meanwhile is known now, without an event of its own.
      failWhileMuted();
      watchListeners();
    },
    channelGone: connection.channelGone,
    async drain() {
      draining = true;
      dropWaiting(() => ({ ended: 'failed', seconds: 0, cause: closingError() }));
      await queue.current?.finished.promise;
      await player.silent();
    },
    close() {
      end(closingError());
      connection.leave();
    },
  };
}

function closingError(): VoiceError {
  return new VoiceError('closing', 'the process is ending');
}

function mutedError(): VoiceError {
  return new VoiceError('muted', 'a moderator has muted the bot');
}

/** @throws what the promise does, or the signal's reason when that comes first */
async function orAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
