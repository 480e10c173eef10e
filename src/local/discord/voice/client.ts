// A bot's voice session, which may outlive the socket that it was opened on.
import { isIPv4 } from 'node:net';
import { VoiceOpcodes } from 'discord-api-types/voice/v8';
import type { WebSocket } from 'ws';
import type { Channel, Participant, SealDatagrams } from './channel.ts';
import type { DaveMember } from './dave/messages.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { openVoicePacket, sealVoicePacket } from './rtp.ts';
import type { TransportCipher } from './transport-cipher.ts';

/** A voice connection that the main gateway allowed: the bot presents the token. */
export interface Admission {
  readonly guildId: string;
  readonly channelId: string;
  readonly userId: string;
  readonly sessionId: string;
  readonly token: string;
}

export interface Client extends Participant {
  readonly admission: Admission;
  readonly channel: Channel;
  readonly ssrc: number;
  readonly outbox: Outbox;
  socket: WebSocket | null;
  /** Set by opcode 1. */
  cipher: TransportCipher | null;
  /** Where packets are sent to; null until known. */
  address: { ip: string; port: number } | null;
  /** Runs while there is no socket. */
  resumeTimer: NodeJS.Timeout | undefined;
}

export interface ClientOptions {
  admission: Admission;
  channel: Channel;
  ssrc: number;
  socket: WebSocket;
  sendDatagram(datagram: Buffer, port: number, address: string): void;
}

export function createClient({ admission, channel, ssrc, socket, sendDatagram }: ClientOptions): Client {
  const outbox = createOutbox((data) => client.socket?.send(data));
  const member: DaveMember = {
    userId: admission.userId,
    isReachable: () => client.socket !== null,
    send(message) {
      if ('payload' in message) outbox.sendBinary(message.op, message.payload);
      else outbox.send(message.op, message.d);
    },
  };
  const client: Client = {
    member,
    admission,
    channel,
    ssrc,
    outbox,
    socket,
    cipher: null,
    address: null,
    resumeTimer: undefined,
    onConnected: (userIds) => outbox.send(VoiceOpcodes.ClientsConnect, { user_ids: userIds }),
    onDisconnected: (userId) => outbox.send(VoiceOpcodes.ClientDisconnect, { user_id: userId }),
    onAnnounced: (userId, from, flags) => outbox.send(VoiceOpcodes.Speaking, { user_id: userId, ssrc: from, speaking: flags }),
    onSpeaking: () => {}, // bots receive only announcements
    onPacket(_userId, packet) {
      send((cipher) => [sealVoicePacket(cipher, packet)]);
    },
    onOtherDatagrams: send,
  };
  function send(seal: SealDatagrams): void {
    const { cipher, address } = client;
    if (cipher && address) for (const datagram of seal(cipher)) sendDatagram(datagram, address.port, address.ip);
  }
  return client;
}

/** Decrypts one of the client's RTP packets and relays it to the others; drops it if it was not encrypted with the client's key. */
export function relayDatagram(client: Client, datagram: Buffer, from: { address: string; port: number }): void {
  const { channel, cipher } = client;
  if (!cipher || !channel.hasAudience(client)) return;
  let packet: ReturnType<typeof openVoicePacket>;
  try {
    packet = openVoicePacket(cipher, datagram);
  } catch {
    return;
  }
  if (client.address?.port !== from.port) client.address = { ip: from.address, port: from.port };
  channel.relay(client, packet);
}

/** Datagrams are sent to loopback only. */
export function isLoopback(ip: unknown): ip is string {
  return typeof ip === 'string' && isIPv4(ip) && ip.startsWith('127.');
}
