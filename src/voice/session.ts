// One guild's voice: a fair playlist, played through one connection, which is left when idle or alone.
import type { VoiceBasedChannel, VoiceState } from 'discord.js';
import { type Connection, openConnection } from './connection.ts';
import type { JoinRateLimit } from './join-rate-limit.ts';
import { createPlayer, type Player } from './player.ts';
import { createPlaylist, HANDED_OVER, type Unplayed } from './playlist.ts';
import { type Session, type SessionObserver, VoiceError, type VoicePermit } from './types.ts';

/** A packet that is waiting leaves in 20 ms; the event loop can be busy for longer, but not for this long, in milliseconds. */
const STUCK_MS = 3_000;

export interface SessionOptions {
  /** Leaves after this long without an utterance. */
  idleMs: number;
  /** Leaves after this long without a listener. */
  aloneMs: number;
  establishMs?: number;
  /** Delay before each of a guild's joins within a minute; there are no more joins than these. */
  joinDelaysMs?: readonly number[];
  observer?: SessionObserver;
  /** Absent = no other process joins. */
  permit?: VoicePermit | undefined;
}

/** A session with what the list of sessions needs besides. */
export interface OpenSession extends Session {
  move(channelId: string): void;
  handleVoiceState(state: VoiceState): void;
  handleGatewayReturn(isResumed: boolean): void;
  handleChannelDeleted(): void;
  /** Fails what waits, unless the session is handed over, and all that is enqueued later; resolves when the rest was sent to its end. */
  drain(): Promise<void>;
  /** Hands over what can be moved and isn't about to be heard, now and later; leaves once the rest was sent to its end. */
  handOver(): Promise<void>;
  /** It could send sound, which has been waiting for too long. */
  isStuck(): boolean;
  /** Leaves because the process is ending. */
  close(): void;
}

/** Joins the channel immediately. `onEnd` is called once, when the session has left or was lost. */
export function openSession(
  channel: VoiceBasedChannel,
  options: SessionOptions & { rateLimit: JoinRateLimit },
  onEnd: () => void,
): OpenSession {
  const { guild } = channel;
  const ownId = guild.client.user.id;
  let hasEnded = false;
  let isDraining = false;
  /** Resolves when what is not handed over has ended. */
  let handedOver: Promise<void> | null = null;
  let stay = false;
  let staysWhileHeard = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let aloneTimer: NodeJS.Timeout | undefined;
  const playlist = createPlaylist({
    ready: (signal) => orAborted(connection.ready, signal),
    play: (utterance, signal, onSent) => player.play(utterance.open(signal), signal, onSent),
    refusal,
    onBusy: () => clearTimeout(idleTimer),
    onIdle: watchIdle,
  });
  const player: Player = createPlayer({
    send: (packet) => connection.send(packet),
    stopSpeaking: () => connection.stopSpeaking(),
    deliveredUntil: () => connection.deliveredUntil,
    confirmDelivery: () => connection.confirmDelivery(),
    onFailure: (cause) => connection.fail(new VoiceError('sending-failed', 'sound could not be sent', { cause })),
  });
  const connection: Connection = openConnection({
    guild,
    channelId: channel.id,
    rateLimit: options.rateLimit,
    permit: options.permit,
    establishMs: options.establishMs,
    onReady(undeliveredSince) {
      if (undeliveredSince !== null) player.rewind(undeliveredSince);
      player.wake();
    },
    onDelivered: () => player.wake(),
    onLost: end,
  });

  function refusal(isMovable: boolean): Unplayed | null {
    if (handedOver && isMovable) return HANDED_OVER;
    if (isDraining) return failed(closingError());
    if (hasEnded) return failed(leftError());
    return isMuted() ? failed(mutedError()) : null;
  }

  function end(error: VoiceError): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(idleTimer);
    clearTimeout(aloneTimer);
    player.end();
    onEnd();
    playlist.fail(error);
  }

  function leave(): void {
    playlist.stop();
    connection.leave();
    end(leftError());
  }

  function handleVoiceState(state: VoiceState): void {
    connection.handleVoiceState(state);
    failWhileMuted();
    if (state.serverMute && state.id !== ownId) {
      playlist.fail(new VoiceError('member-muted', 'a moderator has muted the member'), state.id);
    }
    watchListeners();
  }

  /** While muted, utterances fail but the session stays: a mute outlasts leaving, and only a member in a channel can be unmuted. */
  function failWhileMuted(): void {
    if (!hasEnded && isMuted()) playlist.fail(mutedError());
  }

  function isMuted(): boolean {
    const own = guild.voiceStates.cache.get(ownId);
    return own?.serverMute === true && own.channelId === connection.channelId;
  }

  function watchListeners(): void {
    const { channelId } = connection;
    const isAlone = !guild.voiceStates.cache.some(
      (other) => other.channelId === channelId && other.id !== ownId && !other.member?.user.bot,
    );
    if (!isAlone || stay || hasEnded) {
      clearTimeout(aloneTimer);
      aloneTimer = undefined;
    } else if (!aloneTimer) {
      aloneTimer = setTimeout(leave, options.aloneMs);
    }
  }

  function watchIdle(): void {
    clearTimeout(idleTimer);
    if (!hasEnded && !stay && !staysWhileHeard && !playlist.isPlaying) idleTimer = setTimeout(leave, options.idleMs);
  }

  watchIdle();

  return {
    guildId: guild.id,
    get channelId() {
      return connection.channelId ?? channel.id;
    },
    get ready() {
      return connection.ready;
    },
    get state() {
      return connection.state;
    },
    get length() {
      return playlist.length;
    },
    items: playlist.items,
    enqueue(utterance, enqueueOptions) {
      const playback = playlist.enqueue(utterance, enqueueOptions);
      options.observer?.enqueued(utterance, playback);
      return playback;
    },
    arrange: playlist.arrange,
    skip: playlist.skip,
    remove: playlist.remove,
    stop: playlist.stop,
    get stay() {
      return stay;
    },
    setStay(on) {
      stay = on;
      watchIdle();
      watchListeners();
    },
    stayWhileHeard(on) {
      staysWhileHeard = on;
      watchIdle();
      // Nobody may have come yet, or everybody may have left.
      watchListeners();
    },
    leave,
    move: connection.move,
    handleVoiceState,
    handleGatewayReturn(isResumed) {
      connection.handleGatewayReturn(isResumed);
      // Voice states that changed in the meantime came without separate events.
      failWhileMuted();
      watchListeners();
    },
    handleChannelDeleted: connection.handleChannelDeleted,
    async drain() {
      isDraining = true;
      await (handedOver ?? playlist.drain(closingError()));
      await player.silent();
    },
    async handOver() {
      handedOver ??= playlist.handOver(connection.isPermitted());
      await handedOver;
      await player.silent();
      leave();
      await connection.left;
    },
    isStuck: () => connection.state.status === 'ready' && player.waitingMs() > STUCK_MS,
    close() {
      end(closingError());
      connection.leave();
    },
  };
}

function failed(cause: VoiceError): Unplayed {
  return { ended: 'failed', seconds: 0, cause };
}

function leftError(): VoiceError {
  return new VoiceError('disconnected', 'the voice channel was left');
}

function closingError(): VoiceError {
  return new VoiceError('closing', 'the process is ending');
}

function mutedError(): VoiceError {
  return new VoiceError('muted', 'a moderator has muted the bot');
}

/** Waits for the promise. @throws what it rejects with, or the signal's reason if that comes first */
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
