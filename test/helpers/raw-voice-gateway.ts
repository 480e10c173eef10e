// A raw voice gateway client, which sends nothing automatically.
import { once } from 'node:events';
import WebSocket from 'ws';
import type { VoiceServer } from '../../src/local/discord/voice/types.ts';
import { createWaiter } from './waiter.ts';

export interface RawVoiceGateway {
  readonly socket: WebSocket;
  send(op: number, d: unknown): void;
  sendBinary(op: number, payload: Uint8Array): void;
  /** The `d` of the next JSON message with this opcode, even if it arrived before the call. */
  next(op: number): Promise<Record<string, unknown>>;
  /** The close code. */
  readonly closed: Promise<number>;
  /** Highest sequence number received; -1 before the first. */
  sequence(): number;
}

export async function openRawVoiceGateway(server: VoiceServer): Promise<RawVoiceGateway> {
  const socket = new WebSocket(`wss://${server.endpoint}?v=8`, { ca: server.certificate });
  const received: { op: number; d: Record<string, unknown> }[] = [];
  const waiter = createWaiter();
  let sequence = -1;
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      sequence = (data as Buffer).readUInt16BE(0);
      return;
    }
    const message = JSON.parse(String(data));
    if (message.seq) sequence = message.seq;
    received.push(message);
    waiter.notify();
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  return {
    socket,
    send: (op, d) => socket.send(JSON.stringify({ op, d })),
    sendBinary: (op, payload) => socket.send(Buffer.concat([Buffer.of(op), payload])),
    async next(op) {
      const message = await waiter.until(
        () => received.find((candidate) => candidate.op === op),
        () => `opcode ${op}; there are ${received.map((message) => message.op).join(', ') || 'no messages'}`,
      );
      received.splice(received.indexOf(message), 1);
      return message.d;
    },
    closed,
    sequence: () => sequence,
  };
}
