// One voice connection and its gate: frames leave only while the connection is up and end-to-end encrypted. A closed gate
// takes no frame; nothing is lost, nothing leaks.
import { type Networking, type VoiceConnection, VoiceConnectionDisconnectReason } from '@discordjs/voice';
import { type Guild, Status, type VoiceState } from 'discord.js';
import { certificateFailure, closeCodeFailure, joinFailure, removalFailure } from './failures.ts';
import type { JoinBudget } from './join-budget.ts';
import {
  endConnection,
  guardKeepAlives,
  guardMessages,
  isConnectedTo,
  isEncrypted,
  isPlain,
  joinChannel,
  networkingOf,
  prepareKey,
} from './networking.ts';
import { createReadyGate } from './ready-gate.ts';
import { createStatusTracker } from './status-tracker.ts';
import { type SessionState, VoiceError } from './types.ts';
import { watchUdp } from './udp-watch.ts';
import { createVoiceStateSender } from './voice-state-sender.ts';

/** Longest wait for Discord to let us in, and again for the encrypted group, before one more join. */
const ESTABLISH_MS = 10_000;
/** Without the main gateway nothing can be joined: it is waited for, but not for ever. */
const OUTAGE_MS = 120_000;
/** How long the main gateway may take to say why we were put out. */
const UNEXPLAINED_MS = 3000;
export interface Connection {
  /** Where we are, or are going; follows a moderator's move. Null once lost or left. */
  readonly channelId: string | null;
  /** Resolves when the gate is open; rejects with VoiceError when the connection is lost for good. A new promise after each closing. */
  readonly opened: Promise<void>;
  readonly state: SessionState;
  /** Frames sent before this moment (`performance.now()`) got through; Infinity where that cannot be known. */
  readonly heardUntil: number;
  /** Makes `heardUntil` the present soon; `onHeard` tells. */
  confirm(): void;
  /** Sends a frame, or says false: the gate is closed. With nobody there to hear it, the frame counts as sent. */
  send(frame: Buffer): boolean;
  /** Nothing more comes for now: we are no longer shown as speaking. */
  quiet(): void;
  move(channelId: string): void;
  /** To be called on every voice state change in the guild. */
  voiceStateChanged(state: VoiceState): void;
  /** To be called when the main gateway is back, with its old session or a new one: the voice connections of the old one end. */
  gatewayBack(isResumed: boolean): void;
  channelGone(): void;
  leave(): void;
}

export interface ConnectionOptions {
  guild: Guild;
  channelId: string;
  budget: JoinBudget;
  /** The gate is open (again). Where it was joined anew: what was sent since then (`performance.now()`) nobody heard. */
  onOpen: (unheardSince: number | null) => void;
  onHeard: () => void;
  /** Called once, when the connection ended without `leave`. */
  onLost: (error: VoiceError) => void;
  establishMs?: number | undefined;
}

/** Joins at once. */
export function openConnection(options: ConnectionOptions): Connection {
  const { guild, budget, onOpen, onHeard, onLost, establishMs = ESTABLISH_MS } = options;
  const me = guild.client.user.id;
  let channelId: string | null = options.channelId;
  let gate = createReadyGate();
  let timer: NodeJS.Timeout | undefined;
  let rejoined = false;
  /** With which the voice gateway last closed. */
  let lastCode: number | null = null;
  /** The connection through which the gate was last open, and until when frames got through it. */
  let openedThrough: Networking | undefined;
  let brokeAt = performance.now();
  const standing = createStatusTracker();
  let endedBy = new VoiceError('disconnected', 'the voice channel was left');
  const asks = createVoiceStateSender({
    ...{ guild, budget, channelId: () => channelId, onPause: () => startTimer() },
    onRefused: () => lose(new VoiceError('join-timeout', 'the voice connection broke again and again', { code: lastCode })),
  });
  const udp = watchUdp({ onAnswer: onHeard, onDead: datagramsLost });
  let connection = join(channelId);

  function join(channel: string): VoiceConnection {
    const joined = joinChannel(guild, channel, asks.send);
    joined.on('error', (error) => {
      const refusal = certificateFailure(error);
      if (refusal) lose(refusal);
    });
    joined.on('transitioned', () => update());
    joined.on('stateChange', (before, after) => {
      const networking = networkingOf(after);
      if (networking && networking !== networkingOf(before)) follow(joined, networking);
      if (joined !== connection) return;
      update();
      // Put out or moved (4014): the main gateway tells soon. Where it does not, the library alone would wait for ever.
      const isUnexplained = after.status === 'disconnected' && after.reason === VoiceConnectionDisconnectReason.WebSocketClose;
      if (isUnexplained && !rejoined) startTimer(Math.min(establishMs, UNEXPLAINED_MS));
    });
    startTimer();
    return joined;
  }

  function follow(joined: VoiceConnection, networking: Networking): void {
    guardMessages(networking);
    // Before the library's own listener, which joins again.
    networking.prependOnceListener('close', (code) => {
      if (joined !== connection) return;
      lastCode = code;
      const refusal = closeCodeFailure(code);
      if (refusal) lose(refusal);
    });
    networking.on('stateChange', () => {
      guardMessages(networking);
      guardKeepAlives(networking);
      prepareKey(networking);
      if (networking === networkingOf(connection.state)) udp.follow(networking);
    });
  }

  function datagramsLost(since: number): void {
    if (channelId === null) return;
    if (gate.open) turn(false, since);
    // It closed later than that, for another reason.
    else brokeAt = Math.min(brokeAt, since);
    joinAnew(channelId);
  }

  /** Opens or closes the gate, as things stand now. */
  function update(): void {
    if (channelId === null) return;
    if (connection.state.status === 'destroyed') {
      // The client was destroyed, or the bot was removed from the guild.
      lose(new VoiceError('disconnected', 'the voice connection was ended'));
      return;
    }
    const open = isConnectedTo(connection, channelId) && (isEncrypted(connection) || isPlain(connection) || !isHeard());
    if (open !== gate.open) turn(open);
    standing.note(statusNow());
  }

  function turn(open: boolean, heardUntil = performance.now()): void {
    if (!open) {
      gate = createReadyGate();
      brokeAt = heardUntil;
      startTimer();
      return;
    }
    clearTimeout(timer);
    asks.settle();
    rejoined = false;
    gate.resolve();
    const networking = networkingOf(connection.state);
    const isNew = openedThrough !== undefined && openedThrough !== networking;
    openedThrough = networking;
    onOpen(isNew ? brokeAt : null);
  }

  function statusNow(): SessionState['status'] {
    if (channelId === null) return 'closed';
    if (gate.open) return 'ready';
    if (isConnectedTo(connection, channelId)) return 'encrypting';
    return openedThrough ? 'reconnecting' : 'connecting';
  }

  /** Is somebody else in the channel? Read from voice states: members need not be cached. */
  function isHeard(): boolean {
    return guild.voiceStates.cache.some((state) => state.channelId === channelId && state.id !== me);
  }

  function send(frame: Buffer): boolean {
    if (!gate.open) return false;
    // The group may have begun anew without a word.
    update();
    if (!gate.open) return false;
    // Alone there is no group, so that the frame would leave as it is: it is for nobody.
    if (isEncrypted(connection) || (isPlain(connection) && isHeard())) connection.playOpusPacket(frame);
    return true;
  }

  function startTimer(ms = establishMs): void {
    clearTimeout(timer);
    timer = setTimeout(expired, ms + asks.wait);
  }

  function expired(): void {
    if (channelId === null) return;
    if (guild.shard.status !== Status.Ready && performance.now() - brokeAt < OUTAGE_MS) {
      startTimer();
      return;
    }
    const reason = asks.present ? null : joinFailure(guild, channelId);
    if (reason) lose(reason);
    else if (!rejoined) {
      rejoined = true;
      joinAnew(channelId);
    } else {
      const kind = isConnectedTo(connection, channelId) ? 'encryption-timeout' : 'join-timeout';
      lose(new VoiceError(kind, `not established within ${establishMs} ms, twice (state: ${connection.state.status})`, { code: lastCode }));
    }
  }

  function joinAnew(channel: string): void {
    endConnection(connection);
    connection = join(channel);
    standing.note(statusNow());
  }

  function lose(error: VoiceError): void {
    if (channelId === null) return;
    leave(error);
    onLost(error);
  }

  function leave(error: VoiceError): void {
    if (channelId === null) return;
    channelId = null;
    endedBy = error;
    clearTimeout(timer);
    asks.end();
    udp.end();
    endConnection(connection);
    if (gate.open) gate = createReadyGate();
    gate.reject(error);
    standing.note(statusNow());
  }

  return {
    get channelId() {
      return channelId;
    },
    get opened() {
      return gate.promise;
    },
    get state() {
      standing.note(statusNow());
      const ping = { ws: connection.ping.ws ?? null, udp: udp.ping };
      return standing.describe({ encrypted: isEncrypted(connection), ping, cause: endedBy });
    },
    get heardUntil() {
      return gate.open ? udp.heardUntil : Math.min(brokeAt, udp.heardUntil);
    },
    confirm: udp.probe,
    send,
    quiet: () => void connection.setSpeaking(false),
    move(to) {
      if (channelId === null || to === channelId) return;
      channelId = to;
      rejoined = false;
      // A member's wish, and not a failure: it neither waits nor counts.
      if (gate.open) budget.forget(guild.id);
      connection.rejoin({ channelId: to, selfDeaf: true, selfMute: false });
      update();
      if (!gate.open) startTimer();
    },
    voiceStateChanged(state) {
      if (state.id === me && channelId !== null) {
        const isPutOut = asks.answered(state.channelId);
        if (state.channelId !== null) {
          channelId = state.channelId;
          if (state.suppress) lose(new VoiceError('not-permitted', 'speaking in the voice channel is not permitted'));
        } else if (isPutOut) {
          budget.forget(guild.id);
          lose(removalFailure(guild, channelId));
        }
      }
      update();
    },
    gatewayBack(isResumed) {
      if (!isResumed) asks.startAnew();
      // What we asked for meanwhile was not heard.
      if (channelId !== null && !gate.open && !(isResumed && asks.present)) joinAnew(channelId);
    },
    channelGone: () => lose(new VoiceError('channel-gone', 'the voice channel is gone')),
    leave() {
      if (gate.open) budget.forget(guild.id);
      leave(new VoiceError('disconnected', 'the voice channel was left'));
    },
  };
}
