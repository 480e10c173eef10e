// One voice connection and its ready gate: packets leave only while the connection is up and end-to-end encrypted. A closed gate
// accepts no packets, so nothing is lost and nothing leaks.
import { type Networking, type VoiceConnection, VoiceConnectionDisconnectReason } from '@discordjs/voice';
import { type Guild, PermissionFlagsBits as P, Status, type VoiceState } from 'discord.js';
import {
  type CallListener,
  createCallReceiver,
  endConnection,
  guardMessages,
  guardSocket,
  isConnectedTo,
  isEncrypted,
  isPlain,
  joinChannel,
  networkingOf,
  prepareKey,
  watchUdp,
} from './networking.ts';
import { type SessionState, VoiceError, type VoicePermit } from './types.ts';
import { createVoiceStateSender, type JoinRateLimit } from './voice-state-sender.ts';

/** Longest wait for Discord to let us in, and then for the encrypted group, before one more join. */
const ESTABLISH_MS = 10_000;
/** How long to wait for the main gateway, without which nothing can be joined. */
const OUTAGE_MS = 120_000;
/** How long the main gateway may take to explain why we were disconnected. */
const UNEXPLAINED_MS = 3000;

export interface Connection {
  /** The channel we are in or are joining; follows a moderator's move. Null once lost or left. */
  readonly channelId: string | null;
  /** Resolves when the gate is open; rejects with VoiceError when the connection is lost for good. A new promise after each closing. */
  readonly ready: Promise<void>;
  readonly state: SessionState;
  /** Whether this process may join, because no other one is in the channel. */
  isPermitted(): boolean;
  /** Packets sent before this time (`performance.now()`) arrived; Infinity if that cannot be known. */
  readonly deliveredUntil: number;
  /** Advances `deliveredUntil` to about now; calls `onDelivered` when done. */
  confirmDelivery(): void;
  /** Sends a packet. Returns false if the gate is closed. A packet that nobody is there to hear counts as sent. */
  send(packet: Buffer): boolean;
  /** Ends the speaking indicator. */
  stopSpeaking(): void;
  move(channelId: string): void;
  /** Tells the listener what arrives from now on, and is undeafened for that; null = nothing, deafened. */
  hear(listener: CallListener | null): void;
  /** Whether packets are read as they arrive, or left to the system until then. */
  setReading(isOn: boolean): void;
  /** Leaves and joins again, if the gate is open. */
  rejoin(): void;
  /** Call on every voice state change in the guild. */
  handleVoiceState(state: VoiceState): void;
  /** Call when the main gateway is back, resumed or with a new session: the old session's voice connections end. */
  handleGatewayReturn(isResumed: boolean): void;
  handleChannelDeleted(): void;
  /** Ends the connection, which cannot be used any more. */
  fail(error: VoiceError): void;
  leave(): void;
  /** Resolves once it has left or was lost, and another process may join. */
  readonly left: Promise<void>;
}

export interface ConnectionOptions {
  guild: Guild;
  channelId: string;
  rateLimit: JoinRateLimit;
  permit?: VoicePermit | undefined;
  /** The gate opened (again). After a rejoin, nothing sent since `undeliveredSince` (`performance.now()`) was heard. */
  onReady: (undeliveredSince: number | null) => void;
  onDelivered: () => void;
  /** Called once, when the connection ended without `leave`. */
  onLost: (error: VoiceError) => void;
  establishMs?: number | undefined;
}

/**
 * What a connection is doing:
 *
 *     joined ──▶ waiting ── encrypted, or nobody is there to hear ──▶ open
 *                ▲  │ ▲                                               │
 *                │  └─┘ the timer: joins once more                    │
 *                └──── broken, moved, no group any more, rejoined ────┘
 *     left, or lost for good, from either ──▶ ended
 */
type State =
  | {
      name: 'waiting';
      channelId: string;
      ready: PromiseWithResolvers<void>;
      timer: NodeJS.Timeout | undefined;
      hasRejoined: boolean;
      /** Since when nothing arrives. `performance.now()` */
      brokeAt: number;
    }
  | { name: 'open'; channelId: string; ready: PromiseWithResolvers<void> }
  | { name: 'ended'; channelId: null; ready: PromiseWithResolvers<void>; cause: VoiceError; brokeAt: number };

/** Joins immediately. */
export function openConnection(options: ConnectionOptions): Connection {
  const { guild, rateLimit, permit, onReady, onDelivered, onLost, establishMs = ESTABLISH_MS } = options;
  const ownId = guild.client.user.id;
  let state: State = waitingFor(options.channelId, performance.now());
  let lastCloseCode: number | null = null;
  /** The networking that packets last left through. */
  let lastOpen: Networking | undefined;
  let status: SessionState['status'] = 'connecting';
  /** Milliseconds since 1970. */
  let statusSince = Date.now();
  const receiver = createCallReceiver();
  const voiceStates = createVoiceStateSender({
    guild,
    rateLimit,
    permit,
    channelId: () => state.channelId,
    isDeaf: () => receiver.listener === null,
    onDelay: () => startTimer(),
    onRateLimited: () => fail(new VoiceError('join-timeout', 'the voice connection broke again and again', { code: lastCloseCode })),
  });
  const udp = watchUdp({ onAnswer: onDelivered, onDead: handleDeadPath });
  let connection = join(options.channelId);

  function join(channel: string): VoiceConnection {
    const joined = joinChannel(guild, channel, voiceStates);
    // Others end nothing: a server that restarts refuses datagrams for a while, and whether it comes back is for the probes to find out.
    joined.on('error', (error) => {
      const failure = certificateFailure(error);
      if (failure) fail(failure);
    });
    joined.on('transitioned', () => update());
    joined.on('stateChange', (before, after) => {
      const networking = networkingOf(after);
      if (networking && networking !== networkingOf(before)) follow(joined, networking);
      if (joined !== connection) return;
      update();
      // Removed or moved (4014): the main gateway soon says which. If it does not, the library alone would wait forever.
      const isUnexplained = after.status === 'disconnected' && after.reason === VoiceConnectionDisconnectReason.WebSocketClose;
      if (isUnexplained && state.name === 'waiting' && !state.hasRejoined) startTimer(Math.min(establishMs, UNEXPLAINED_MS));
    });
    startTimer();
    return joined;
  }

  function follow(joined: VoiceConnection, networking: Networking): void {
    guardMessages(networking);
    receiver.follow(networking);
    // Must come before the library's own listener, which rejoins.
    networking.prependOnceListener('close', (code) => {
      if (joined !== connection) return;
      lastCloseCode = code;
      const failure = closeCodeFailure(code);
      if (failure) fail(failure);
    });
    networking.on('stateChange', () => {
      guardMessages(networking);
      guardSocket(networking);
      prepareKey(networking);
      if (networking !== networkingOf(connection.state)) return;
      receiver.follow(networking);
      udp.follow(networking);
    });
  }

  function handleDeadPath(since: number): void {
    if (state.name === 'ended') return;
    if (state.name === 'open') close(since);
    // The connection was closed later than `since`, for another reason.
    else state.brokeAt = Math.min(state.brokeAt, since);
    rejoin(state.channelId);
  }

  /** Opens or closes the gate according to the library's connection. */
  function update(encrypted = isEncrypted(connection)): void {
    if (state.name === 'ended') return;
    if (connection.state.status === 'destroyed') {
      // The client was destroyed, or the bot was removed from the guild.
      fail(new VoiceError('disconnected', 'the voice connection was ended'));
      return;
    }
    const isReady = isConnectedTo(connection, state.channelId) && (encrypted || isPlain(connection) || !hasListeners());
    if (isReady && state.name === 'waiting') open(state);
    else if (!isReady && state.name === 'open') close(performance.now());
    noteStatus();
  }

  function open({ channelId, ready, timer, brokeAt }: Extract<State, { name: 'waiting' }>): void {
    clearTimeout(timer);
    voiceStates.settle();
    state = { name: 'open', channelId, ready };
    ready.resolve();
    const networking = networkingOf(connection.state);
    const isNew = lastOpen !== undefined && lastOpen !== networking;
    lastOpen = networking;
    onReady(isNew ? brokeAt : null);
  }

  /** @param brokeAt until when packets arrived */
  function close(brokeAt: number): void {
    if (state.name !== 'open') return;
    state = waitingFor(state.channelId, brokeAt);
    startTimer();
  }

  function noteStatus(): void {
    const current = state.name === 'ended' ? 'closed' : openStatus();
    if (current === status) return;
    status = current;
    statusSince = Date.now();
  }

  /** Before it has ended. */
  function openStatus(): Exclude<SessionState['status'], 'closed'> {
    if (state.name === 'open') return 'ready';
    if (isConnectedTo(connection, state.channelId)) return 'encrypting';
    return lastOpen ? 'reconnecting' : 'connecting';
  }

  /** Whether anybody else is in the channel. Reads voice states, since members need not be cached. */
  function hasListeners(): boolean {
    return guild.voiceStates.cache.some((voiceState) => voiceState.channelId === state.channelId && voiceState.id !== ownId);
  }

  const isOpen = () => state.name === 'open';

  function send(packet: Buffer): boolean {
    if (!isOpen()) return false;
    // The encrypted group can be re-established without an event.
    const encrypted = isEncrypted(connection);
    update(encrypted);
    if (!isOpen()) return false;
    // Alone there is no group, so the packet would leave unencrypted; nobody is there to hear it, so it is not sent.
    if (encrypted || (isPlain(connection) && hasListeners())) connection.playOpusPacket(packet);
    return true;
  }

  function startTimer(ms = establishMs): void {
    if (state.name !== 'waiting') return;
    clearTimeout(state.timer);
    state.timer = setTimeout(handleTimeout, ms + voiceStates.joinDelayMs);
  }

  function handleTimeout(): void {
    if (state.name !== 'waiting') return;
    const { channelId, hasRejoined, brokeAt } = state;
    if (guild.shard.status !== Status.Ready && performance.now() - brokeAt < OUTAGE_MS) {
      startTimer();
      return;
    }
    const reason = voiceStates.isPresent ? null : joinFailure(guild, channelId);
    if (reason) fail(reason);
    else if (!hasRejoined) {
      state.hasRejoined = true;
      rejoin(channelId);
    } else {
      const kind = isConnectedTo(connection, channelId) ? 'encryption-timeout' : 'join-timeout';
      const message = `not established within ${establishMs} ms, twice (state: ${connection.state.status})`;
      fail(new VoiceError(kind, message, { code: lastCloseCode }));
    }
  }

  function rejoin(channel: string): void {
    endConnection(connection);
    connection = join(channel);
    noteStatus();
  }

  function fail(error: VoiceError): void {
    if (state.name === 'ended') return;
    end(error);
    onLost(error);
  }

  function end(cause: VoiceError): void {
    if (state.name === 'ended') return;
    if (state.name === 'waiting') clearTimeout(state.timer);
    const { ready, brokeAt } = state.name === 'waiting' ? state : waitingFor(state.channelId, performance.now());
    state = { name: 'ended', channelId: null, ready, cause, brokeAt };
    voiceStates.cancel();
    udp.stop();
    endConnection(connection);
    voiceStates.close();
    ready.reject(cause);
    noteStatus();
  }

  return {
    get channelId() {
      return state.channelId;
    },
    get ready() {
      return state.ready.promise;
    },
    get state(): SessionState {
      noteStatus();
      const since = statusSince;
      if (state.name === 'ended') return { status: 'closed', since, encrypted: false, cause: state.cause };
      const current = openStatus();
      const ping = { ws: connection.ping.ws ?? null, udp: udp.ping };
      if (current === 'ready') return { status: current, since, encrypted: isEncrypted(connection), ping };
      return current === 'encrypting' ? { status: current, since, encrypted: false, ping } : { status: current, since, encrypted: false };
    },
    isPermitted: () => voiceStates.isPermitted,
    get deliveredUntil() {
      return state.name === 'open' ? udp.deliveredUntil : Math.min(state.brokeAt, udp.deliveredUntil);
    },
    confirmDelivery: udp.probe,
    send,
    stopSpeaking: () => void connection.setSpeaking(false),
    move(channelId) {
      if (state.name === 'ended' || channelId === state.channelId) return;
      // A member asked for this move: nothing failed, so it is neither delayed nor counted.
      if (state.name === 'open') rateLimit.forget(guild.id);
      else state.hasRejoined = false;
      state.channelId = channelId;
      connection.rejoin({ channelId, selfDeaf: true, selfMute: false });
      update();
      startTimer();
    },
    hear(listener) {
      receiver.listen(listener);
      udp.setReading(true);
      voiceStates.updateDeafness();
    },
    setReading: udp.setReading,
    rejoin() {
      if (state.name !== 'open') return;
      close(performance.now());
      rejoin(state.channelId);
    },
    handleVoiceState({ id, channelId, suppress }) {
      // Otherwise the voice state is that of another process.
      if (id === ownId && state.name !== 'ended' && voiceStates.isPermitted) {
        const wasRemoved = voiceStates.handleOwnState(channelId);
        if (channelId !== null) {
          state.channelId = channelId;
          if (suppress) fail(new VoiceError('not-permitted', 'speaking in the voice channel is not permitted'));
        } else if (wasRemoved) {
          rateLimit.forget(guild.id);
          fail(removalFailure(guild, state.channelId));
        }
      }
      update();
    },
    handleGatewayReturn(isResumed) {
      if (!isResumed) voiceStates.reset();
      // Discord did not get what we sent in the meantime.
      if (state.name === 'waiting' && !(isResumed && voiceStates.isPresent)) rejoin(state.channelId);
    },
    left: voiceStates.closed,
    fail,
    handleChannelDeleted: () => fail(new VoiceError('channel-gone', 'the voice channel is gone')),
    leave() {
      if (state.name === 'open') rateLimit.forget(guild.id);
      end(leftError());
    },
  };
}

function waitingFor(channelId: string, brokeAt: number): Extract<State, { name: 'waiting' }> {
  const ready = Promise.withResolvers<void>();
  // A rejection may go unobserved.
  ready.promise.catch(() => {});
  return { name: 'waiting', channelId, ready, timer: undefined, hasRejoined: false, brokeAt };
}

export function leftError(): VoiceError {
  return new VoiceError('disconnected', 'the voice channel was left');
}

// Why a voice channel could not be joined, or was lost, as far as Discord lets us know.

/** Rejoining cannot help: end-to-end encryption required (4017), call terminated (4021, 4022). */
const FINAL_CLOSE_CODES = [4017, 4021, 4022];

/** Returns null if rejoining may help after this close code of the voice gateway. */
function closeCodeFailure(code: number): VoiceError | null {
  if (!FINAL_CLOSE_CODES.includes(code)) return null;
  return new VoiceError('refused', `Discord closed the voice connection with code ${code}`, { code });
}

/** Returns null unless the error is about the certificate: expired, self-signed, from an unknown authority, or for another host. */
function certificateFailure(error: Error): VoiceError | null {
  const code = 'code' in error ? String(error.code) : '';
  if (!/^CERT_|^ERR_TLS_CERT|SELF_SIGNED_CERT|^UNABLE_TO_(GET|VERIFY)/.test(code)) return null;
  return new VoiceError('untrusted', `the certificate of the voice server is not trusted (${code})`, { cause: error });
}

/** Discord does not answer a join that it disallows, so the reason is deduced. Returns null if nothing seems to prevent joining. */
function joinFailure(guild: Guild, channelId: string): VoiceError | null {
  const ownId = guild.client.user.id;
  const channel = guild.channels.cache.get(channelId);
  if (!channel?.isVoiceBased()) return new VoiceError('channel-gone', 'the voice channel is gone');
  const permissions = channel.permissionsFor(ownId);
  if (!permissions?.has([P.ViewChannel, P.Connect])) return new VoiceError('not-permitted', 'joining the voice channel is not permitted');
  const others = guild.voiceStates.cache.filter((state) => state.channelId === channelId && state.id !== ownId).size;
  if (permissions.has(P.MoveMembers) || channel.userLimit === 0 || others < channel.userLimit) return null;
  return new VoiceError('channel-full', 'the voice channel is full');
}

/** Why we are no longer in a channel that we were in. */
function removalFailure(guild: Guild, channelId: string | null): VoiceError {
  if (channelId !== null && !guild.channels.cache.has(channelId)) return new VoiceError('channel-gone', 'the voice channel is gone');
  return new VoiceError('kicked', 'a moderator has removed the bot from the voice channel');
}
