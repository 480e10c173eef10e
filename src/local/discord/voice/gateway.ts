// Serves one WebSocket of the voice gateway (version 8): Identify or Resume, Select Protocol, then heartbeats, speaking and DAVE.
// https://docs.discord.com/developers/topics/voice-connections
import { randomUUID } from 'node:crypto';
import { VoiceCloseCodes, VoiceOpcodes } from 'discord-api-types/voice/v8';
import type { RawData, WebSocket } from 'ws';
import { scheduleHello } from '../gateway/hello.ts';
import { type Admission, type Client, isLoopback } from './client.ts';
import { DAVE_VERSION } from './dave/messages.ts';
import { createTransportCipher, type Mode } from './transport-cipher.ts';
import type { VoiceFaults } from './types.ts';

/** The interval that Discord currently sends. */
export const HEARTBEAT_INTERVAL_MS = 13_750;

/** Closes the socket with this code. */
export class VoiceGatewayClose extends Error {
  readonly code: number;
  constructor(code: number, reason: string) {
    super(reason);
    this.name = 'VoiceGatewayClose';
    this.code = code;
  }
}

/** The voice server, which owns the sessions, as a socket uses it. Its functions throw VoiceGatewayClose. */
export interface VoiceGatewayHost {
  readonly modes: readonly Mode[];
  readonly udpPort: number;
  readonly faults: Pick<VoiceFaults, 'ignoreHeartbeats' | 'refuseWith'>;
  identify(socket: WebSocket, request: Omit<Admission, 'channelId'>): Client;
  resume(socket: WebSocket, request: { guildId: string; sessionId: string; token: string; sequence: number }): Client;
  /** The socket has closed, or is closing. */
  detach(client: Client, socket: WebSocket, code: number): void;
  log(message: string): void;
  /** What whoever runs the client has to know. */
  warn(message: string): void;
}

export interface VoiceGatewaySocket {
  readonly socket: WebSocket;
  /** When the client last sent something, in the time of `performance.now()`. */
  lastReceivedAt(): number;
}

type Payload = Record<string, unknown>;

/** Serves one socket until it closes. */
export function serveVoiceSocket(socket: WebSocket, host: VoiceGatewayHost): VoiceGatewaySocket {
  let client: Client | null = null;
  let lastReceivedAt = performance.now();

  socket.on('error', () => {}); // 'close' follows
  socket.on('close', (code) => client && host.detach(client, socket, code));
  socket.on('message', (data, isBinary) => {
    if (client && client.socket !== socket) return; // closing, or replaced by a resumed one
    lastReceivedAt = performance.now();
    try {
      if (isBinary) receiveBinary(data);
      else receiveJson(data);
    } catch (error) {
      // The group and the parsers throw on invalid input, before they change any state.
      const { code, message } = error instanceof VoiceGatewayClose ? error : { code: VoiceCloseCodes.BadRequest, message: String(error) };
      host.log(`voice gateway: closing with ${code}: ${message}`);
      socket.close(code, message.slice(0, 120));
      if (client) host.detach(client, socket, code);
    }
  });
  scheduleHello(socket, () => send(VoiceOpcodes.Hello, { v: 8, heartbeat_interval: HEARTBEAT_INTERVAL_MS }));

  function send(op: VoiceOpcodes, d: unknown): void {
    socket.send(JSON.stringify({ op, d }));
  }

  function receiveJson(data: RawData): void {
    const { op, d } = decode(data);
    if (op === VoiceOpcodes.Heartbeat) heartbeat(d);
    else if (op === VoiceOpcodes.Identify) identify(d);
    else if (op === VoiceOpcodes.Resume) resume(d);
    else receiveFrom(requireClient(), op, d);
  }

  function receiveFrom(known: Client, op: number, d: Payload): void {
    if (op === VoiceOpcodes.SelectProtocol) selectProtocol(known, d);
    else if (op === VoiceOpcodes.Speaking) known.channel.announce(known, known.ssrc, readInteger(d, 'speaking'));
    else if (op === VoiceOpcodes.DaveTransitionReady || op === VoiceOpcodes.DaveMlsInvalidCommitWelcome)
      known.channel.group.receive(known.member, { op, transitionId: readInteger(d, 'transition_id') });
    else if (!IGNORED_OPCODES.has(op)) throw new VoiceGatewayClose(VoiceCloseCodes.UnknownOpcode, `Unknown opcode ${op}.`);
  }

  function receiveBinary(data: RawData): void {
    const bytes = data as Buffer;
    const op = bytes[0];
    const known = requireClient();
    if (op !== VoiceOpcodes.DaveMlsKeyPackage && op !== VoiceOpcodes.DaveMlsCommitWelcome)
      throw new VoiceGatewayClose(VoiceCloseCodes.UnknownOpcode, `Unknown binary opcode ${op}.`);
    known.channel.group.receive(known.member, { op, payload: bytes.subarray(1) });
  }

  function requireClient(): Client {
    if (!client) throw new VoiceGatewayClose(VoiceCloseCodes.NotAuthenticated, 'Not authenticated.');
    return client;
  }

  function heartbeat(d: Payload): void {
    if (typeof d.seq_ack === 'number') client?.outbox.acknowledge(d.seq_ack);
    if (!host.faults.ignoreHeartbeats) send(VoiceOpcodes.HeartbeatAck, { t: d.t });
  }

  function identify(d: Payload): void {
    if (client) throw new VoiceGatewayClose(VoiceCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
    throwIfRefused();
    const version = d.max_dave_protocol_version;
    if (typeof version !== 'number' || version < DAVE_VERSION) {
      host.warn(
        'voice refused: this client offers no end-to-end encryption, which Discord requires; @discordjs/voice has it from version 0.19 on',
      );
      throw new VoiceGatewayClose(VoiceCloseCodes.EndToEndEncryptionDAVEProtocolRequired, 'E2EE/DAVE protocol required.');
    }
    client = host.identify(socket, {
      guildId: readText(d, 'server_id'),
      userId: readText(d, 'user_id'),
      sessionId: readText(d, 'session_id'),
      token: readText(d, 'token'),
    });
    send(VoiceOpcodes.Ready, { ssrc: client.ssrc, ip: '127.0.0.1', port: host.udpPort, modes: host.modes, experiments: [], streams: [] });
    // After READY: the client learns of the other members, and lets only those into the group.
    client.channel.enter(client);
  }

  function resume(d: Payload): void {
    if (client) throw new VoiceGatewayClose(VoiceCloseCodes.AlreadyAuthenticated, 'Already authenticated.');
    throwIfRefused();
    const sequence = typeof d.seq_ack === 'number' ? d.seq_ack : -1;
    client = host.resume(socket, {
      guildId: readText(d, 'server_id'),
      sessionId: readText(d, 'session_id'),
      token: readText(d, 'token'),
      sequence,
    });
  }

  function throwIfRefused(): void {
    const code = host.faults.refuseWith;
    if (code !== null) throw new VoiceGatewayClose(code, 'Refused.');
  }

  function selectProtocol(known: Client, d: Payload): void {
    if (d.protocol !== 'udp') throw new VoiceGatewayClose(VoiceCloseCodes.UnknownProtocol, 'Unknown protocol.');
    const data = readObject(d, 'data');
    const mode = host.modes.find((offered) => offered === data.mode);
    if (!mode) throw new VoiceGatewayClose(VoiceCloseCodes.UnknownEncryptionMode, 'Unknown encryption mode.');
    if (!isLoopback(data.address)) throw new VoiceGatewayClose(VoiceCloseCodes.BadRequest, 'The address must be on loopback.');
    const isFirst = known.cipher === null;
    known.address = { ip: data.address, port: readInteger(data, 'port') };
    known.cipher = createTransportCipher(mode);
    known.outbox.send(VoiceOpcodes.SessionDescription, {
      mode,
      secret_key: [...known.cipher.key],
      audio_codec: 'opus',
      video_codec: null,
      media_session_id: randomUUID().replaceAll('-', ''),
      dave_protocol_version: known.channel.group.version,
    });
    if (isFirst) known.channel.group.join(known.member);
  }

  return { socket, lastReceivedAt: () => lastReceivedAt };
}

/** Sent by clients with video and other features: 12 video, 14 session update, 15 sink wants, 16 versions, 20 platform. */
const IGNORED_OPCODES = new Set([12, 14, 15, 16, 20]);

function decode(data: RawData): { op: number; d: Payload } {
  let message: unknown;
  try {
    message = JSON.parse(String(data));
  } catch {
    throw new VoiceGatewayClose(VoiceCloseCodes.FailedToDecode, 'Not JSON.');
  }
  if (!isObject(message) || typeof message.op !== 'number') throw new VoiceGatewayClose(VoiceCloseCodes.FailedToDecode, 'No opcode.');
  return { op: message.op, d: isObject(message.d) ? message.d : {} };
}

function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readObject(d: Payload, field: string): Payload {
  const value = d[field];
  if (!isObject(value)) throw new VoiceGatewayClose(VoiceCloseCodes.FailedToDecode, `${field} must be an object.`);
  return value;
}

function readText(d: Payload, field: string): string {
  const value = d[field];
  if (typeof value !== 'string') throw new VoiceGatewayClose(VoiceCloseCodes.FailedToDecode, `${field} must be a string.`);
  return value;
}

function readInteger(d: Payload, field: string): number {
  const value = d[field];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 0xffff) {
    throw new VoiceGatewayClose(VoiceCloseCodes.FailedToDecode, `${field} must be an integer from 0 to 65535.`);
  }
  return value;
}
