// The voice gateway (version 8) of one socket: identify or resume, select the protocol, then heartbeats, speaking and DAVE.
// https://docs.discord.com/developers/topics/voice-connections
import { randomUUID } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import { scheduleHello } from '../gateway/hello.ts';
import { type Client, isLoopback } from './client.ts';
import { DAVE_VERSION } from './dave/messages.ts';
import { createTransportCipher, type Mode } from './transport-cipher.ts';

/** What Discord names today. */
export const HEARTBEAT_INTERVAL_MS = 13_750;

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#voice-voice-close-event-codes */
export const VOICE_CLOSE_CODES = {
  unknownOpcode: 4001,
  failedToDecode: 4002,
  notAuthenticated: 4003,
  authenticationFailed: 4004,
  alreadyAuthenticated: 4005,
  sessionNoLongerValid: 4006,
  sessionTimeout: 4009,
  serverNotFound: 4011,
  unknownProtocol: 4012,
  disconnected: 4014,
  voiceServerCrashed: 4015,
  unknownEncryptionMode: 4016,
  daveRequired: 4017,
  badRequest: 4020,
} as const;

/** Ends the socket with this close code. */
export class VoiceGatewayClose extends Error {
  readonly code: number;
  constructor(code: number, reason: string) {
    super(reason);
    this.name = 'VoiceGatewayClose';
    this.code = code;
  }
}

/** What a socket asks of the server that holds the sessions. The functions throw GatewayClose. */
export interface GatewayHost {
  readonly modes: readonly Mode[];
  readonly udpPort: number;
  /** False: heartbeats go unanswered. */
  acknowledges(): boolean;
  /** Not null: every identify and resume is answered with this close code. */
  refuseWith(): number | null;
  identify(socket: WebSocket, request: { guildId: string; userId: string; sessionId: string; token: string }): Client;
  resume(socket: WebSocket, request: { guildId: string; sessionId: string; token: string; sequence: number }): Client;
  /** The socket is gone, or as good as gone. */
  lost(client: Client, socket: WebSocket, code: number): void;
  log(message: string): void;
}

export interface GatewaySocket {
  readonly socket: WebSocket;
  /** When the client was last heard, in the time of `performance.now()`. */
  lastHeard(): number;
}

type Payload = Record<string, unknown>;

/** Serves one socket until it closes. */
export function serveVoiceSocket(socket: WebSocket, host: GatewayHost): GatewaySocket {
  let client: Client | null = null;
  let lastHeard = performance.now();

  socket.on('error', () => {}); // 'close' follows
  socket.on('close', (code) => client && host.lost(client, socket, code));
  socket.on('message', (data, isBinary) => {
    if (client && client.socket !== socket) return; // closing, or replaced by a resumed one
    lastHeard = performance.now();
    try {
      if (isBinary) receiveBinary(data);
      else receiveJson(data);
    } catch (error) {
      // What the group or a parser refuses is a bad request of the client's; neither changes state before it throws.
      const { code, message } = error instanceof VoiceGatewayClose ? error : { code: VOICE_CLOSE_CODES.badRequest, message: String(error) };
      host.log(`voice gateway: closing with ${code}: ${message}`);
      socket.close(code, message.slice(0, 120));
      if (client) host.lost(client, socket, code);
    }
  });
  scheduleHello(socket, () => reply(8, { v: 8, heartbeat_interval: HEARTBEAT_INTERVAL_MS }));

  function reply(op: number, d: unknown): void {
    socket.send(JSON.stringify({ op, d }));
  }

  function receiveJson(data: RawData): void {
    const { op, d } = decode(data);
    if (op === 3) heartbeat(d);
    else if (op === 0) identify(d);
    else if (op === 7) resume(d);
    else receiveFrom(authenticated(), op, d);
  }

  function receiveFrom(known: Client, op: number, d: Payload): void {
    if (op === 1) selectProtocol(known, d);
    else if (op === 5) known.channel.announce(known, known.ssrc, integer(d, 'speaking'));
    else if (op === 23 || op === 31) known.channel.group.receive(known.member, { op, transitionId: integer(d, 'transition_id') });
    else if (!IGNORED.has(op)) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.unknownOpcode, `Unknown opcode ${op}.`);
  }

  function receiveBinary(data: RawData): void {
    const bytes = data as Buffer;
    const op = bytes[0];
    const known = authenticated();
    if (op !== 26 && op !== 28) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.unknownOpcode, `Unknown binary opcode ${op}.`);
    known.channel.group.receive(known.member, { op, payload: bytes.subarray(1) });
  }

  function authenticated(): Client {
    if (!client) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.notAuthenticated, 'Not authenticated.');
    return client;
  }

  function heartbeat(d: Payload): void {
    if (typeof d.seq_ack === 'number') client?.outbox.acknowledge(d.seq_ack);
    if (host.acknowledges()) reply(6, { t: d.t });
  }

  function identify(d: Payload): void {
    if (client) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.alreadyAuthenticated, 'Already authenticated.');
    refuse();
    const version = d.max_dave_protocol_version;
    if (typeof version !== 'number' || version < DAVE_VERSION)
      throw new VoiceGatewayClose(VOICE_CLOSE_CODES.daveRequired, 'E2EE/DAVE protocol required.');
    client = host.identify(socket, {
      guildId: text(d, 'server_id'),
      userId: text(d, 'user_id'),
      sessionId: text(d, 'session_id'),
      token: text(d, 'token'),
    });
    reply(2, { ssrc: client.ssrc, ip: '127.0.0.1', port: host.udpPort, modes: host.modes, experiments: [], streams: [] });
    // Only now: the client learns of the others after READY, and refuses to let anybody into the group whom it was not told of.
    client.channel.enter(client);
  }

  function resume(d: Payload): void {
    if (client) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.alreadyAuthenticated, 'Already authenticated.');
    refuse();
    const sequence = typeof d.seq_ack === 'number' ? d.seq_ack : -1;
    client = host.resume(socket, { guildId: text(d, 'server_id'), sessionId: text(d, 'session_id'), token: text(d, 'token'), sequence });
  }

  function refuse(): void {
    const code = host.refuseWith();
    if (code !== null) throw new VoiceGatewayClose(code, 'Refused.');
  }

  function selectProtocol(known: Client, d: Payload): void {
    if (d.protocol !== 'udp') throw new VoiceGatewayClose(VOICE_CLOSE_CODES.unknownProtocol, 'Unknown protocol.');
    const data = object(d, 'data');
    const mode = host.modes.find((offered) => offered === data.mode);
    if (!mode) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.unknownEncryptionMode, 'Unknown encryption mode.');
    if (!isLoopback(data.address)) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.badRequest, 'The address must be on loopback.');
    const isFirst = known.cipher === null;
    known.address = { ip: data.address, port: integer(data, 'port') };
    known.cipher = createTransportCipher(mode);
    known.outbox.send(4, {
      mode,
      secret_key: [...known.cipher.key],
      audio_codec: 'opus',
      video_codec: null,
      media_session_id: randomUUID().replaceAll('-', ''),
      dave_protocol_version: known.channel.group.version,
    });
    if (isFirst) known.channel.group.join(known.member);
  }

  return { socket, lastHeard: () => lastHeard };
}

/** Sent by clients with video or other features; they mean nothing here (12 video, 14 session update, 15 sink wants, 16 versions, 20 platform). */
const IGNORED = new Set([12, 14, 15, 16, 20]);

function decode(data: RawData): { op: number; d: Payload } {
  let message: unknown;
  try {
    message = JSON.parse(String(data));
  } catch {
    throw new VoiceGatewayClose(VOICE_CLOSE_CODES.failedToDecode, 'Not JSON.');
  }
  if (!isObject(message) || typeof message.op !== 'number') throw new VoiceGatewayClose(VOICE_CLOSE_CODES.failedToDecode, 'No opcode.');
  return { op: message.op, d: isObject(message.d) ? message.d : {} };
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function object(d: Payload, field: string): Payload {
  const value = d[field];
  if (!isObject(value)) throw new VoiceGatewayClose(VOICE_CLOSE_CODES.failedToDecode, `${field} must be an object.`);
  return value;
}

function text(d: Payload, field: string): string {
  const value = d[field];
  if (typeof value !== 'string') throw new VoiceGatewayClose(VOICE_CLOSE_CODES.failedToDecode, `${field} must be a string.`);
  return value;
}

function integer(d: Payload, field: string): number {
  const value = d[field];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffff) {
    throw new VoiceGatewayClose(VOICE_CLOSE_CODES.failedToDecode, `${field} must be an integer from 0 to 65535.`);
  }
  return value;
}
