// One guild's voice: a queue of utterances played one after the other through one connection.
import type { VoiceBasedChannel, VoiceState } from 'discord.js';
import { type Connection, openConnection } from './connection.ts';
import { createPlayer, type Player } from './player.ts';
import { type Outcome, type Playback, type Session, type Utterance, VoiceError } from './types.ts';

const FRAMES_A_SECOND = 50;

export interface SessionOptions {
  /** Leaves after this long without an utterance. */
  idleMs: number;
  /** Leaves after this long without anybody to hear it. */
  aloneMs: number;
  establishMs?: number;
}

/** Session, and what the list of sessions needs beside it. */
export interface OpenSession extends Session {
  move(channelId: string): void;
  voiceStateChanged(state: VoiceState): void;
  gatewayBegan(): void;
  /** No further utterance; resolves when the current one was sent to its end. */
  drain(): Promise<void>;
}

interface Item {
  utterance: Utterance;
  queuedAt: number;
  abort: AbortController;
  /** Set by skip and stop before the abort. */
  ending: 'skipped' | 'stopped' | null;
  started: PromiseWithResolvers<number | null>;
  finished: PromiseWithResolvers<Outcome>;
}

/** Joins the channel at once; `onEnd` is called once, when the session has left or was lost. */
export function openSession(channel: VoiceBasedChannel, options: SessionOptions, onEnd: () => void): OpenSession {
  const { guild } = channel;
  let queue: Item[] = [];
  let running = false;
  let ended = false;
  let draining = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let aloneTimer: NodeJS.Timeout | undefined;
  const player: Player = createPlayer({ send: (frame) => connection.send(frame), quiet: () => connection.quiet() });
  const connection: Connection = openConnection({
    guild,
    channelId: channel.id,
    onOpen: () => player.wake(),
    onLost: end,
    establishMs: options.establishMs,
  });

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    clearTimeout(idleTimer);
    for (let item = queue[0]; item; item = queue[0]) {
      item.utterance.prepare();
      queue[1]?.utterance.prepare();
      const outcome = await play(item);
      queue = queue.filter((other) => other !== item);
      settle(item, outcome);
    }
    running = false;
    if (!ended) idleTimer = setTimeout(leave, options.idleMs);
  }

  async function play(item: Item): Promise<Outcome> {
    const { signal } = item.abort;
    let sent = 0;
    try {
      await orAborted(connection.opened, signal);
      await player.play(item.utterance.open(signal), signal, () => {
        sent += 1;
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
    item.started.resolve(null);
    item.finished.resolve(outcome);
  }

  function drop(items: Item[], outcome: (item: Item) => Outcome): void {
    queue = queue.filter((item) => !items.includes(item));
    for (const item of items) settle(item, outcome(item));
  }

  function interrupt(how: 'skipped' | 'stopped'): boolean {
    const current = queue[0];
    if (!current) return false;
    current.ending = how;
    current.abort.abort();
    return true;
  }

  function stop(): number {
    const dropped = queue.length;
    drop(queue.slice(1), () => ({ ended: 'stopped', seconds: 0 }));
    interrupt('stopped');
    return dropped;
  }

  /** The connection is gone: what is queued is lost, and each is told so. */
  function end(error: VoiceError): void {
    if (ended) return;
    ended = true;
    clearTimeout(idleTimer);
    clearTimeout(aloneTimer);
    player.end();
    onEnd();
    drop(queue.slice(1), () => ({ ended: 'failed', seconds: 0, cause: error }));
    queue[0]?.abort.abort(error);
  }

  function leave(): void {
    stop();
    connection.leave();
    end(new VoiceError('disconnected', 'the voice channel was left'));
  }

  function voiceStateChanged(state: VoiceState): void {
    connection.voiceStateChanged(state);
    if (ended) return;
    const { channelId } = connection;
    const alone = !guild.voiceStates.cache.some(
      (other) => other.channelId === channelId && other.id !== guild.client.user.id && !other.member?.user.bot,
    );
    if (!alone) {
      clearTimeout(aloneTimer);
      aloneTimer = undefined;
    } else if (!aloneTimer) {
      aloneTimer = setTimeout(leave, options.aloneMs);
    }
  }

  idleTimer = setTimeout(leave, options.idleMs);

  return {
    guildId: guild.id,
    get channelId() {
      return connection.channelId ?? channel.id;
    },
    get ready() {
      return connection.opened;
    },
    get length() {
      return queue.length;
    },
    enqueue(utterance): Playback {
      const item: Item = {
        utterance,
        queuedAt: performance.now(),
        abort: new AbortController(),
        ending: null,
        started: Promise.withResolvers(),
        finished: Promise.withResolvers(),
      };
      const playback = { position: queue.length, started: item.started.promise, finished: item.finished.promise };
      if (ended || draining) {
        settle(item, { ended: 'failed', seconds: 0, cause: new VoiceError('disconnected', 'the voice channel was left') });
        return playback;
      }
      queue.push(item);
      // The next one's first sound is made while the current one plays.
      if (queue.length === 2) utterance.prepare();
      void run();
      return playback;
    },
    skip: () => interrupt('skipped'),
    stop,
    leave,
    move: connection.move,
    voiceStateChanged,
    gatewayBegan: connection.gatewayBegan,
    async drain() {
      draining = true;
      drop(queue.slice(1), () => ({ ended: 'stopped', seconds: 0 }));
      await queue[0]?.finished.promise;
      await player.silent();
    },
  };
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
