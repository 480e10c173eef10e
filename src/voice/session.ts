// One guild's voice: a queue of utterances played one after the other through one connection.
import { Readable } from 'node:stream';
import { AudioPlayerStatus, createAudioPlayer, createAudioResource, NoSubscriberBehavior, StreamType } from '@discordjs/voice';
import type { VoiceBasedChannel, VoiceState } from 'discord.js';
import { type Connection, openConnection } from './connection.ts';
import { type Outcome, type Playback, type Session, type Utterance, VoiceError } from './types.ts';

/** Frames pulled ahead of the 20 ms tick: 80 ms covers a slow turn of the event loop, and a skip wastes no more than that. */
const FRAMES_AHEAD = 4;

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
  /** No further utterance; resolves when the current one ended. */
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
  // A missed frame is sent as silence for as long as it takes: whoever makes the frames decides when that is too long.
  const player = createAudioPlayer({
    debug: false,
    behaviors: { noSubscriber: NoSubscriberBehavior.Pause, maxMissedFrames: Number.POSITIVE_INFINITY },
  });
  // The stream's own error is what `play` reports; without a listener the process would end.
  player.on('error', () => {});
  let queue: Item[] = [];
  let running = false;
  let ended = false;
  let draining = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let aloneTimer: NodeJS.Timeout | undefined;
  const connection: Connection = openConnection({
    guild,
    channelId: channel.id,
    player,
    onLost: end,
    ...(options.establishMs === undefined ? {} : { establishMs: options.establishMs }),
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
    let sent = 0;
    const failed = (cause: unknown): Outcome => {
      if (item.ending) return { ended: item.ending, seconds: sent / 1000 };
      return { ended: 'failed', seconds: sent / 1000, cause };
    };
    try {
      await Promise.race([connection.opened, aborted(item.abort.signal)]);
    } catch (error) {
      return failed(error);
    }
    const frames = Readable.from(asBuffers(item.utterance.open(item.abort.signal)), { objectMode: true, highWaterMark: FRAMES_AHEAD });
    const resource = createAudioResource(frames, { inputType: StreamType.Opus });
    return new Promise((resolve) => {
      let cause: unknown = null;
      const done = () => {
        player.off('stateChange', onStateChange);
        item.abort.signal.removeEventListener('abort', stop);
        sent = resource.playbackDuration;
        if (item.abort.signal.aborted) cause = item.abort.signal.reason;
        resolve(cause === null && !item.ending ? { ended: 'played', seconds: sent / 1000 } : failed(cause));
      };
      const onStateChange = (_: unknown, state: { status: AudioPlayerStatus }) => {
        if (state.status === AudioPlayerStatus.Playing) item.started.resolve(performance.now() - item.queuedAt);
        if (state.status === AudioPlayerStatus.Idle) done();
      };
      // Not forced while frames flow: a few frames of silence follow, without which listeners hear the last frame drawn out.
      const stop = () => player.stop(player.state.status !== AudioPlayerStatus.Playing);
      frames.once('error', (error) => {
        cause = error;
      });
      player.on('stateChange', onStateChange);
      item.abort.signal.addEventListener('abort', stop);
      player.play(resource);
    });
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
    onEnd();
    drop(queue.slice(1), () => ({ ended: 'failed', seconds: 0, cause: error }));
    const current = queue[0];
    if (!current) return;
    current.abort.abort(error);
    // Without a subscriber the player would wait for ever.
    player.stop(true);
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
    async drain() {
      draining = true;
      drop(queue.slice(1), () => ({ ended: 'stopped', seconds: 0 }));
      await queue[0]?.finished.promise;
    },
  };
}

/** The library compares packets with Buffer's own methods. */
async function* asBuffers(frames: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of frames) yield Buffer.from(buffer, byteOffset, byteLength);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
}
