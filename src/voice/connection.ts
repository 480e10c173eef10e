// One voice connection and its gate: frames leave only while the connection is up and end-to-end encrypted. A closed gate
// takes no frame; nothing is lost, nothing leaks.
import { joinVoiceChannel, type VoiceConnection } from '@discordjs/voice';
import type { Guild, VoiceState } from 'discord.js';
import { type Ping, type SessionState, VoiceError } from './types.ts';

/** Longest wait for Discord to let us in, and again for the encrypted group, before one more join. */
const ESTABLISH_MS = 10_000;
/**
 * Pauses before the joins of a minute; there are no more of them. Every join takes one of the gateway's 120 sends a minute
 * that all guilds share, and the library alone joins again at once whenever it is thrown out.
 */
const PAUSES_MS = [0, 0, 500, 1000, 2000];
/** Discord will not have us: bad encryption version (4017), call ended (4021, 4022). Joining again cannot help. */
const FINAL_CODES = [4017, 4021, 4022];

export interface Connection {
  /** Where we are, or are going; follows a moderator's move. Null once lost or left. */
  readonly channelId: string | null;
  /** Resolves when the gate is open; rejects with VoiceError when the connection is lost for good. A new promise after each closing. */
  readonly opened: Promise<void>;
  readonly state: SessionState;
  /** Sends a frame, or says false: the gate is closed. With nobody there to hear it, the frame counts as sent. */
  send(frame: Buffer): boolean;
  /** Nothing more comes for now: we are no longer shown as speaking. */
  quiet(): void;
  move(channelId: string): void;
  /** To be called on every voice state change in the guild. */
  voiceStateChanged(state: VoiceState): void;
  /** To be called when the main gateway has begun a new session: the voice connections of the old one end. */
  gatewayBegan(): void;
  leave(): void;
}

export interface ConnectionOptions {
  guild: Guild;
  channelId: string;
  /** The gate is open (again). */
  onOpen: () => void;
  /** Called once, when the connection ended without `leave`. */
  onLost: (error: VoiceError) => void;
  establishMs?: number | undefined;
}

type Adapter = ReturnType<Guild['voiceAdapterCreator']>;
/** Opcode 4 of the main gateway: join, move or leave (null). */
type Ask = { d: { channel_id: string | null } };
type Networking = Extract<VoiceConnection['state'], { networking: unknown }>['networking'];

/** Joins at once. */
export function openConnection(options: ConnectionOptions): Connection {
  const { guild, onOpen, onLost, establishMs = ESTABLISH_MS } = options;
  const me = guild.client.user.id;
  let channelId: string | null = options.channelId;
  let gate = closedGate();
  let timer: NodeJS.Timeout | undefined;
  let rejoined = false;
  /** Discord has said that we are in the channel since we last asked: only then does "in no channel" mean that somebody put us out. */
  let present = false;
  /** Times of the last minute's joins. */
  let joins: number[] = [];
  let pause: NodeJS.Timeout | undefined;
  /** With which the voice gateway last closed. */
  let lastCode: number | null = null;
  /** Whether the gate has ever been open. */
  let wasOpen = false;
  let standing: Pick<SessionState, 'status' | 'since'> = { status: 'connecting', since: Date.now() };
  let lostBy = new VoiceError('disconnected', 'the voice channel was left');
  let connection = join(channelId);

  function join(channel: string): VoiceConnection {
    const joined = joinVoiceChannel({
      guildId: guild.id,
      channelId: channel,
      adapterCreator(methods) {
        const adapter = guild.voiceAdapterCreator(methods);
        return { ...adapter, sendPayload: (payload: Ask) => ask(adapter, payload) };
      },
      // Several clients may live in one process: connections are kept apart by who we are.
      group: me,
      selfDeaf: true,
    });
    joined.on('error', () => update());
    joined.on('transitioned', () => update());
    joined.on('stateChange', (before, after) => {
      const networking = networkingOf(after);
      // Before the library's own listener, which joins again.
      if (networking && networking !== networkingOf(before)) networking.prependOnceListener('close', (code) => closed(joined, code));
      if (joined === connection) update();
    });
    startTimer();
    return joined;
  }

  /** Every join goes through here, the library's own ones too: each after its pause, and not too many. */
  function ask(adapter: Adapter, payload: Ask): boolean {
    clearTimeout(pause);
    if (payload.d.channel_id === null) return adapter.sendPayload(payload);
    joins = joins.filter((at) => at > performance.now() - 60_000);
    const wait = PAUSES_MS[joins.length];
    if (wait === undefined) {
      // Not here: the library is in the midst of something.
      queueMicrotask(() => lose(new VoiceError('join-timeout', 'the voice connection broke again and again', { code: lastCode })));
      return false;
    }
    joins.push(performance.now() + wait);
    if (wait === 0) return adapter.sendPayload(payload);
    pause = setTimeout(() => adapter.sendPayload(payload), wait);
    return true;
  }

  function closed(which: VoiceConnection, code: number): void {
    if (which !== connection) return;
    lastCode = code;
    if (FINAL_CODES.includes(code)) lose(new VoiceError('refused', `Discord closed the voice connection with code ${code}`, { code }));
  }

  /** Opens or closes the gate, as things stand now. */
  function update(): void {
    if (channelId === null) return;
    if (connection.state.status === 'destroyed') {
      // The client was destroyed, or the bot was removed from the guild.
      lose(new VoiceError('disconnected', 'the voice connection was ended'));
      return;
    }
    const open = isUp() && (isEncrypted() || !isHeard());
    if (open !== gate.open) turn(open);
    review();
  }

  function turn(open: boolean): void {
    if (open) {
      wasOpen = true;
      clearTimeout(timer);
      rejoined = false;
      gate.resolve();
      onOpen();
    } else {
      gate = closedGate();
      startTimer();
    }
  }

  /** Notes since when it stands as it does. */
  function review(): void {
    const status = statusNow();
    if (status !== standing.status) standing = { status, since: Date.now() };
  }

  function statusNow(): SessionState['status'] {
    if (channelId === null) return 'closed';
    if (gate.open) return 'ready';
    if (isUp()) return 'encrypting';
    return wasOpen ? 'reconnecting' : 'connecting';
  }

  function stateNow(): SessionState {
    review();
    const { status, since } = standing;
    const { ws, udp } = connection.ping;
    const ping: Ping = { ws: ws ?? null, udp: udp ?? null };
    if (status === 'closed') return { status, since, encrypted: false, cause: lostBy };
    if (status === 'ready') return { status, since, encrypted: isEncrypted(), ping };
    return status === 'encrypting' ? { status, since, encrypted: false, ping } : { status, since, encrypted: false };
  }

  /** Connected, and to the channel we are to be in: after a move the connection to the old one lasts a little longer. */
  function isUp(): boolean {
    const networking = connection.state.status === 'ready' ? networkingOf(connection.state) : undefined;
    return (
      networking !== undefined && 'connectionOptions' in networking.state && networking.state.connectionOptions.channelId === channelId
    );
  }

  function isEncrypted(): boolean {
    return connection.voicePrivacyCode !== undefined;
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
    if (isEncrypted()) connection.playOpusPacket(frame);
    return true;
  }

  function startTimer(): void {
    clearTimeout(timer);
    timer = setTimeout(expired, establishMs);
  }

  function expired(): void {
    if (channelId === null) return;
    if (rejoined) {
      const kind = isUp() ? 'encryption-timeout' : 'join-timeout';
      const message = `not established within ${establishMs} ms, twice (state: ${connection.state.status})`;
      lose(new VoiceError(kind, message, { code: lastCode }));
      return;
    }
    rejoined = true;
    joinAnew(channelId);
  }

  function joinAnew(channel: string): void {
    present = false;
    end(connection);
    connection = join(channel);
  }

  function lose(error: VoiceError): void {
    if (channelId === null) return;
    leave(error);
    onLost(error);
  }

  function leave(error: VoiceError): void {
    if (channelId === null) return;
    channelId = null;
    clearTimeout(timer);
    clearTimeout(pause);
    end(connection);
    if (gate.open) gate = closedGate();
    gate.reject(error);
    lostBy = error;
    review();
  }

  return {
    get channelId() {
      return channelId;
    },
    get opened() {
      return gate.promise;
    },
    get state() {
      return stateNow();
    },
    send,
    quiet: () => void connection.setSpeaking(false),
    move(to) {
      if (channelId === null || to === channelId) return;
      channelId = to;
      rejoined = false;
      // A member's wish, and not a failure: it neither waits nor counts.
      if (gate.open) joins = [];
      connection.rejoin({ channelId: to, selfDeaf: true, selfMute: false });
      update();
      if (!gate.open) startTimer();
    },
    voiceStateChanged(state) {
      if (state.id === me && state.channelId === null && present) {
        lose(new VoiceError('disconnected', 'disconnected from the voice channel'));
        return;
      }
      if (state.id === me && state.channelId !== null && channelId !== null) {
        present = true;
        channelId = state.channelId;
      }
      update();
    },
    gatewayBegan() {
      if (channelId !== null && !gate.open) joinAnew(channelId);
    },
    leave: () => leave(new VoiceError('disconnected', 'the voice channel was left')),
  };
}

function networkingOf(state: VoiceConnection['state']): Networking | undefined {
  return 'networking' in state ? state.networking : undefined;
}

/** Ends a connection, and takes no more notice of it. */
function end(connection: VoiceConnection): void {
  connection.removeAllListeners().on('error', () => {});
  if (connection.state.status !== 'destroyed') connection.destroy();
}

function closedGate() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Nobody may be waiting when the connection is lost.
  promise.catch(() => {});
  const gate = {
    open: false,
    promise,
    resolve() {
      gate.open = true;
      resolve();
    },
    reject,
  };
  return gate;
}
