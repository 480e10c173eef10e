// A bot that is connected to the voice server: its session, across all the sockets that it may use for it.
import { isIPv4 } from 'node:net';
import type { WebSocket } from 'ws';
import type { Channel, Participant } from './channel.ts';
import type { DaveMember } from './dave/messages.ts';
import { createOutbox, type Outbox } from './outbox.ts';
import { openVoicePacket, sealVoicePacket } from './rtp.ts';
import type { TransportCipher } from './transport-cipher.ts';

/** Who was let in by the main gateway, and proves it with the token. */
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
  /** Where its packets go. */
  address: { ip: string; port: number } | null;
  /** Runs while it has no socket and may still resume. */
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
  const outbox = createOutbox();
  outbox.attach(socket);
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
    connected: (userIds) => outbox.send(11, { user_ids: userIds }),
    disconnected: (userId) => outbox.send(13, { user_id: userId }),
    announced: (userId, from, flags) => outbox.send(5, { user_id: userId, ssrc: from, speaking: flags }),
    speaking: () => {}, // bots get the announcements themselves
    hear(_userId, packet) {
      const { cipher, address } = client;
      if (cipher && address) sendDatagram(sealVoicePacket(cipher, packet), address.port, address.ip);
    },
  };
  return client;
}

/** Takes one of the client's own RTP packets off the wire and to the others; what was not sealed with its key is dropped. */
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

/** Datagrams leave for loopback alone. */
export function isLoopback(ip: unknown): ip is string {
  return typeof ip === 'string' && isIPv4(ip) && ip.startsWith('127.');
}
