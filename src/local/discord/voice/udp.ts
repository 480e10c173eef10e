// The voice server's UDP socket: IP discovery, keep-alives and RTP of all clients.
import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { isVoicePacket, ssrcOf } from './rtp.ts';

const DISCOVERY_REQUEST = 1;
const DISCOVERY_RESPONSE = 2;
const DISCOVERY_BYTES = 74;
const KEEP_ALIVE_BYTES = 8;
/** Room while this process is busy; the system may grant less. With many speakers, its default fills up in some 60 ms. */
const RECEIVE_BUFFER_BYTES = 4 * 1024 * 1024;

interface UdpHandlers {
  /** A fault: while true, all datagrams are dropped. */
  isDropping(): boolean;
  /** Whether to answer IP discovery from this SSRC. */
  answersDiscovery(ssrc: number): boolean;
  onVoice(ssrc: number, datagram: Buffer, from: RemoteInfo): void;
}

interface VoiceUdp {
  readonly port: number;
  send(datagram: Buffer, port: number, address: string): void;
  close(): Promise<void>;
}

export async function openVoiceUdp(handlers: UdpHandlers): Promise<VoiceUdp> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: RECEIVE_BUFFER_BYTES });
  socket.on('message', (datagram, from) => {
    if (handlers.isDropping()) return;
    if (isVoicePacket(datagram)) handlers.onVoice(ssrcOf(datagram), datagram, from);
    else if (datagram.length === KEEP_ALIVE_BYTES) socket.send(datagram, from.port, from.address, ignore);
    else if (datagram.length === DISCOVERY_BYTES && datagram.readUInt16BE(0) === DISCOVERY_REQUEST) {
      const ssrc = datagram.readUInt32BE(4);
      if (handlers.answersDiscovery(ssrc)) socket.send(discoveryResponse(ssrc, from), from.port, from.address, ignore);
    }
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  // A datagram to a client that is gone causes an ECONNREFUSED here; other clients are not affected.
  socket.on('error', ignore);

  return {
    port: socket.address().port,
    send: (datagram, port, address) => socket.send(datagram, port, address, ignore),
    close: async () => {
      const closed = once(socket, 'close');
      socket.close();
      await closed;
    },
  };
}

/** https://docs.discord.com/developers/topics/voice-connections#ip-discovery */
function discoveryResponse(ssrc: number, { address, port }: RemoteInfo): Buffer {
  const response = Buffer.alloc(DISCOVERY_BYTES);
  response.writeUInt16BE(DISCOVERY_RESPONSE, 0);
  response.writeUInt16BE(DISCOVERY_BYTES - 4, 2);
  response.writeUInt32BE(ssrc, 4);
  response.write(address, 8, 'latin1');
  response.writeUInt16BE(port, DISCOVERY_BYTES - 2);
  return response;
}

function ignore(): void {}
