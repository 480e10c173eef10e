// Everything that depends on the internals of @discordjs/voice: the state of its connection, its encryption, guards around its faults, and
// whether datagrams still reach the server.
import { createSecretKey } from 'node:crypto';
import type { Socket } from 'node:dgram';
import { joinVoiceChannel, type Networking, NetworkingStatusCode, type VoiceConnection } from '@discordjs/voice';
import type { Guild } from 'discord.js';
import { VoiceOpcodes } from 'discord-api-types/voice/v8';
import { isEndToEndEncrypted, isSilence, openSoundPacket, type TransportKey } from './rtp.ts';

export type Adapter = ReturnType<Guild['voiceAdapterCreator']>;
/** Opcode 4 of the main gateway: join, move, or leave (null). */
export type VoiceStateUpdate = { d: { channel_id: string | null; self_deaf: boolean } };

/**
 * Joins. All voice state updates for this connection, ours or the library's, now or later, go through `send`. While this process is not
 * permitted to join, the updates that Discord sends are about another process.
 */
export function joinChannel(
  guild: Guild,
  channelId: string,
  voiceStates: { send(adapter: Adapter, payload: VoiceStateUpdate): boolean; readonly isPermitted: boolean },
): VoiceConnection {
  const connection = joinVoiceChannel({
    guildId: guild.id,
    channelId,
    adapterCreator(methods) {
      const adapter = guild.voiceAdapterCreator({
        ...methods,
        onVoiceStateUpdate: (state) => void (voiceStates.isPermitted && methods.onVoiceStateUpdate(state)),
        onVoiceServerUpdate: (server) => void (voiceStates.isPermitted && methods.onVoiceServerUpdate(server)),
      });
      return { ...adapter, sendPayload: (payload: VoiceStateUpdate) => voiceStates.send(adapter, payload) };
    },
    // The library keeps connections in a global map: several clients in one process must not share an entry.
    group: guild.client.user.id,
    selfDeaf: true,
  });
  // The library's receiver restarts a timer with each packet, of everybody, and nobody uses it.
  connection.receiver.onUdpMessage = () => {};
  return connection;
}

export function networkingOf(state: VoiceConnection['state']): Networking | undefined {
  return 'networking' in state ? state.networking : undefined;
}

/** Ready, and in this channel: after a move, the connection to the old channel stays up for a moment. */
export function isConnectedTo(connection: VoiceConnection, channelId: string | null): boolean {
  const networking = connection.state.status === 'ready' ? networkingOf(connection.state) : undefined;
  return networking !== undefined && 'connectionOptions' in networking.state && networking.state.connectionOptions.channelId === channelId;
}

/** Packets sent now are end-to-end encrypted. */
export function isEncrypted(connection: VoiceConnection): boolean {
  return connection.voicePrivacyCode !== undefined;
}

/** Discord has downgraded this call to no end-to-end encryption (DAVE version 0) for a client that lacks it: packets must be sent plain. */
export function isPlain(connection: VoiceConnection): boolean {
  const state = networkingOf(connection.state)?.state;
  return state?.code === NetworkingStatusCode.Ready && state.dave?.protocolVersion === 0;
}

/** Destroys a connection and ignores its further events. */
export function endConnection(connection: VoiceConnection): void {
  connection.removeAllListeners().on('error', () => {});
  if (connection.state.status !== 'destroyed') connection.destroy();
}

type Ws = Extract<Networking['state'], { ws: unknown }>['ws'];
type Udp = Extract<Networking['state'], { udp: unknown }>['udp'];
type Dave = NonNullable<Extract<Networking['state'], { dave?: unknown }>['dave']>;
type ReadyData = Extract<Networking['state'], { code: NetworkingStatusCode.Ready }>['connectionData'];

const guarded = new WeakSet<object>();

/**
 * Skips voice gateway messages that the library cannot handle (not an object, too short, proposals that do not fit the group): it would
 * throw out of the socket's event, which would end the process. Skipping is safe: nothing leaves unencrypted, and a group that is not
 * established is rejoined.
 */
export function guardMessages({ state }: Networking): void {
  if (!('ws' in state) || guarded.has(state.ws)) return;
  const { ws } = state;
  guarded.add(ws);
  const onMessage = ws.onMessage.bind(ws);
  ws.onMessage = (event) => {
    try {
      onMessage(event);
    } catch (error) {
      ws.emit('debug', `message skipped: ${String(error)}`);
    }
  };
}

/**
 * Connects the UDP socket, so that it takes datagrams from the voice server alone: anybody could send others, which would each cost a decryption.
 * Also guards the library's keep-alives: it sends the first one turn of the event loop after it has opened the socket, even if the channel was
 * left in between, and sending through a closed socket throws, out of one of the library's timers.
 */
export function guardSocket({ state }: Networking): void {
  if (!('udp' in state) || guarded.has(state.udp)) return;
  guarded.add(state.udp);
  const udp = state.udp as unknown as GuardedUdp;
  const { socket, remote } = udp;
  const sendTo = udp.send.bind(udp);
  let isConnected = false;
  udp.send = (datagram) => (isConnected ? socket.send(datagram) : sendTo(datagram));
  socket.once('connect', () => {
    isConnected = true;
  });
  socket.connect(remote.port, remote.ip);
  const keepAlive = udp.keepAlive.bind(udp);
  udp.keepAlive = () => {
    try {
      keepAlive();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SOCKET_DGRAM_NOT_RUNNING') throw error;
    }
  };
}

/** Fields of the library's UDP socket that are private. */
interface GuardedUdp {
  socket: Socket;
  remote: { ip: string; port: number };
  keepAlive(): void;
  send(datagram: Buffer): void;
}

/**
 * Imports the AES-GCM key once. The library imports it from its bytes for every packet, which takes 13 µs, three times as long as the
 * encryption itself. Call when the connection is ready.
 */
export function prepareKey({ state }: Networking): void {
  if (state.code !== NetworkingStatusCode.Ready) return;
  const data: { encryptionMode: string; secretKey: unknown } = state.connectionData;
  if (data.encryptionMode === 'aead_aes256_gcm_rtpsize' && data.secretKey instanceof Uint8Array)
    data.secretKey = createSecretKey(data.secretKey);
}

// The call as it is received. The library's own receiver passes on neither sequence numbers nor times, hands on packets that are still
// encrypted before the group is established, and ends a member's stream with the first packet that is damaged.

/** davey's MediaType.AUDIO, a const enum, which cannot be imported. */
const AUDIO = 0;
/** After a call has been switched to end-to-end encryption, frames without it may still arrive; Discord's own clients accept them as long. */
const TRANSITION_MS = 10_000;

/** One session at a voice server, resumed or not: its SSRCs and keys hold for that long. */
export interface Call {
  /** Members by SSRC, as far as the voice gateway has named them. */
  readonly names: ReadonlyMap<number, string>;
  readonly ownSsrc: number;
  /** Removes the transport encryption of a sound packet. @throws Error if that fails */
  open(datagram: Buffer): Buffer;
  /** Removes the end-to-end encryption. Returns null if that fails, or if the frame should have been encrypted. */
  decrypt(userId: string, payload: Buffer): Buffer | null;
}

export interface CallListener {
  /** A new call, or the one that is listened to from now on: what was known of SSRCs no longer holds. */
  onCall(): void;
  onDatagram(call: Call, datagram: Buffer): void;
  onNamed(ssrc: number, userId: string): void;
  onCallLeft(userId: string): void;
}

export interface CallReceiver {
  /** Call whenever the state of the networking changed: receives its call from now on. */
  follow(networking: Networking): void;
  readonly listener: CallListener | null;
  /** Null = datagrams are ignored. */
  listen(listener: CallListener | null): void;
}

/** Receives one call at a time. Names are learnt even while nobody listens. */
export function createCallReceiver(): CallReceiver {
  let networking: Networking | undefined;
  let ws: Ws | undefined;
  let udp: Udp | undefined;
  let names = new Map<number, string>();
  let call: Call | undefined;
  let listener: CallListener | null = null;

  const onDatagram = (datagram: Buffer) => void (call && listener?.onDatagram(call, datagram));

  function onPacket({ op, d }: { op: number; d?: { user_id?: unknown; ssrc?: unknown; audio_ssrc?: unknown } }): void {
    const userId = d?.user_id;
    if (!call || typeof userId !== 'string') return;
    if (op === VoiceOpcodes.ClientDisconnect) {
      for (const [ssrc, name] of names) if (name === userId) names.delete(ssrc);
      listener?.onCallLeft(userId);
      return;
    }
    const ssrc = op === VoiceOpcodes.Speaking ? d?.ssrc : op === CLIENT_VIDEO ? d?.audio_ssrc : undefined;
    if (typeof ssrc !== 'number' || ssrc === 0) return;
    // Members name their SSRC themselves: one who claims another member's would lend them an agreement that they never gave.
    if ((names.get(ssrc) ?? userId) !== userId) return;
    // A member has one SSRC at a time.
    for (const [other, name] of names) if (name === userId && other !== ssrc) names.delete(other);
    names.set(ssrc, userId);
    listener?.onNamed(ssrc, userId);
  }

  return {
    get listener() {
      return listener;
    },
    listen(newListener) {
      listener = newListener;
      if (call) listener?.onCall();
    },
    follow(followed) {
      const { state } = followed;
      if (followed !== networking) {
        networking = followed;
        names = new Map();
        call = createCall(followed, names);
        listener?.onCall();
      }
      const newWs = 'ws' in state ? state.ws : undefined;
      if (newWs !== ws) {
        ws?.off('packet', onPacket);
        newWs?.on('packet', onPacket);
        ws = newWs;
      }
      const newUdp = 'udp' in state ? state.udp : undefined;
      if (newUdp !== udp) {
        udp?.off('message', onDatagram);
        newUdp?.on('message', onDatagram);
        udp = newUdp;
      }
      if (udp && state.code === NetworkingStatusCode.Ready) makeRoom(udp);
    },
  };
}

/** What a busy process has not read yet. By default, Linux has room for some 270 packets: eight speakers fill that in 0.7 s. */
const RECEIVE_BUFFER_BYTES = 1024 * 1024;

/** The system may grant less. The socket must be bound, as it is once IP discovery was answered. */
function makeRoom(udp: Udp): void {
  const { socket } = udp as unknown as { socket: Socket };
  try {
    if (socket.getRecvBufferSize() < RECEIVE_BUFFER_BYTES) socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
  } catch {
    // The socket has been closed meanwhile.
  }
}

/** Whether datagrams are read as they arrive, or left to the system until then. Node's sockets can do that, but offer no way to ask for it. */
function setReading(udp: Udp, isOn: boolean): void {
  const { socket } = udp as unknown as { socket: Record<symbol, { handle?: { recvStart(): void; recvStop(): void } | null } | undefined> };
  const state = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'state symbol');
  const handle = state && socket[state]?.handle;
  if (isOn) handle?.recvStart();
  else handle?.recvStop();
}

/** Opcode 12: a member's SSRCs, when their camera is switched on or off. Not documented any more. */
const CLIENT_VIDEO = 12;

function createCall(networking: Networking, names: ReadonlyMap<number, string>): Call {
  /** The last time that frames without end-to-end encryption were in order. */
  let plainAt = Number.NEGATIVE_INFINITY;

  function acceptsPlain(dave: Dave): boolean {
    // Private, by id; 0 = the call is about to be switched to no end-to-end encryption.
    const { pendingTransitions } = dave as unknown as { pendingTransitions: ReadonlyMap<number, number> };
    const now = performance.now();
    if (dave.protocolVersion === 0 || [...pendingTransitions.values()].includes(0)) plainAt = now;
    return now < plainAt + TRANSITION_MS;
  }

  return {
    names,
    get ownSsrc() {
      const { state } = networking;
      return 'connectionData' in state ? (state.connectionData.ssrc ?? 0) : 0;
    },
    open(datagram) {
      const { state } = networking;
      const { encryptionMode, secretKey }: Partial<ReadyData> = 'connectionData' in state ? state.connectionData : {};
      if (!secretKey) throw new Error('there is no key yet');
      return openSoundPacket(datagram, { mode: encryptionMode, key: secretKey } as TransportKey);
    },
    decrypt(userId, payload) {
      const { state } = networking;
      const dave = 'dave' in state ? state.dave : undefined;
      if (!dave) return null;
      const isPlainAccepted = acceptsPlain(dave);
      if (isSilence(payload)) return payload;
      if (!isEndToEndEncrypted(payload)) return isPlainAccepted ? payload : null;
      if (!dave.session?.ready) return null;
      try {
        return dave.session.decrypt(userId, AUDIO, payload);
      } catch {
        return null;
      }
    },
  };
}

// Detects when datagrams no longer reach the voice server: nothing else would show that nobody hears us any more.
//
// Discord does not echo the library's keep-alives (https://github.com/discordjs/discord.js/issues/9185), but it does answer IP
// discovery, which every client depends on, so that is what is sent as a probe. A server that does not answer probes in mid-session is
// never declared dead, nor is one that falls silent after every join: such servers are odd, not broken.

/** Also recovers the library's own IP discovery, which is sent only once: a probe stands in for it if the answer is lost. */
const PROBE_MS = 1500;
/** A dead path is noticed after 6 to 7.5 s. */
const MAX_UNANSWERED = 4;
/** After this many answers in mid-session, silence means a dead path. */
const MIN_ANSWERS = 2;
/** After this many timeouts within ten minutes, silence is no longer believed to mean a dead path. */
const MAX_TIMEOUTS = 2;
const TIMEOUTS_WINDOW_MS = 10 * 60_000;

const DISCOVERY_BYTES = 74;
const REQUEST = 1;
const RESPONSE = 2;

export interface UdpWatch {
  /** Call whenever the state of the networking changed: watches its socket from now on. */
  follow(networking: Networking): void;
  /** Datagrams sent before this time (`performance.now()`) arrived; Infinity if that cannot be known. */
  readonly deliveredUntil: number;
  /** Round trip of the last probe in ms; null before the first. */
  readonly ping: number | null;
  /** Sends a probe now. Its answer advances `deliveredUntil` and calls `onAnswer`. */
  probe(): void;
  /** Whether datagrams are read as they arrive, or left to the system until then. While a probe isn't answered, they are read in any case. */
  setReading(isOn: boolean): void;
  stop(): void;
}

export interface UdpWatchOptions {
  onAnswer(): void;
  /** Nothing has arrived since then (`performance.now()`). */
  onDead(since: number): void;
}

/** A socket that is watched. Times are those of `performance.now()`. */
interface WatchedSocket {
  networking: Networking;
  udp: Udp;
  /** Every probe is this datagram. */
  request: Buffer;
  timer: NodeJS.Timeout;
  lastReceivedAt: number;
  probedAt: number;
  /** Whether the last probe was answered. */
  isAnswered: boolean;
  answers: number;
  /** Probes in a row since the last datagram. */
  unanswered: number;
  ping: number | null;
}

/** Watches one socket at a time. */
export function watchUdp({ onAnswer, onDead }: UdpWatchOptions): UdpWatch {
  let watched: WatchedSocket | null = null;
  /** When sockets that had answered fell silent. */
  let timeouts: number[] = [];

  function follow(networking: Networking): void {
    const { state } = networking;
    const udp = 'udp' in state ? state.udp : undefined;
    if (state.code === NetworkingStatusCode.Ready) probe();
    if (udp === watched?.udp) return;
    stop();
    if (!('udp' in state)) return;
    const socket: WatchedSocket = {
      networking,
      udp: state.udp,
      request: createDiscoveryRequest(state.connectionData.ssrc ?? 0),
      timer: setInterval(() => tick(socket), PROBE_MS),
      lastReceivedAt: performance.now(),
      probedAt: 0,
      isAnswered: false,
      answers: 0,
      unanswered: 0,
      ping: null,
    };
    watched = socket;
    state.udp.on('message', receive);
  }

  function tick(socket: WatchedSocket): void {
    if (answersReliably(socket) && socket.unanswered >= MAX_UNANSWERED) {
      stop();
      timeouts.push(performance.now());
      onDead(socket.lastReceivedAt);
      return;
    }
    probe();
    socket.unanswered += 1;
  }

  function probe(): void {
    if (!watched) return;
    watched.probedAt = performance.now();
    watched.udp.send(watched.request);
    watched.isAnswered = false;
    setReading(watched.udp, true);
  }

  function receive(datagram: Buffer): void {
    if (!watched) return;
    watched.lastReceivedAt = performance.now();
    watched.unanswered = 0;
    const isAnswer = datagram.length === DISCOVERY_BYTES && datagram.readUInt16BE(0) === RESPONSE;
    if (!isAnswer || watched.networking.state.code !== NetworkingStatusCode.Ready) return;
    watched.answers += 1;
    watched.isAnswered = true;
    watched.ping = watched.lastReceivedAt - watched.probedAt;
    if (watched.answers < MIN_ANSWERS) probe();
    onAnswer();
  }

  function answersReliably({ answers }: WatchedSocket): boolean {
    if (answers < MIN_ANSWERS) return false;
    timeouts = timeouts.filter((at) => at > performance.now() - TIMEOUTS_WINDOW_MS);
    return timeouts.length < MAX_TIMEOUTS;
  }

  function stop(): void {
    if (!watched) return;
    clearInterval(watched.timer);
    watched.udp.off('message', receive);
    watched = null;
  }

  return {
    follow,
    get deliveredUntil() {
      return watched && answersReliably(watched) ? watched.lastReceivedAt : Number.POSITIVE_INFINITY;
    },
    get ping() {
      return watched?.ping ?? null;
    },
    probe,
    setReading(isOn) {
      if (watched && (isOn || watched.isAnswered)) setReading(watched.udp, isOn);
    },
    stop,
  };
}

/** https://docs.discord.com/developers/topics/voice-connections#ip-discovery */
function createDiscoveryRequest(ssrc: number): Buffer {
  const request = Buffer.alloc(DISCOVERY_BYTES);
  request.writeUInt16BE(REQUEST, 0);
  request.writeUInt16BE(DISCOVERY_BYTES - 4, 2);
  request.writeUInt32BE(ssrc, 4);
  return request;
}
