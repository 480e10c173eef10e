import { once } from 'node:events';
import { inflateSync } from 'node:zlib';
import { GatewayIntentBits, GatewayOpcodes } from 'discord-api-types/v10';
import { onTestFinished } from 'vitest';
import WebSocket from 'ws';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import type { VoiceServer } from '../../src/local/discord/voice/types.ts';
import { createWaiter } from './waiter.ts';

export interface Payload {
  op: number;
  t: string | null;
  s: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: any payload of the gateway.
  d: any;
}

/** A connection that has received Hello, and keeps all that it receives. It is closed when the test ends. */
export async function connectToGateway(discord: LocalDiscord) {
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?v=10&encoding=json`);
  onTestFinished(() => socket.terminate());
  const received: Payload[] = [];
  const waiter = createWaiter();
  socket.on('message', (data, isBinary) => {
    received.push(JSON.parse(isBinary ? inflateSync(data as Buffer).toString() : data.toString()));
    waiter.notify();
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  const until = (matches: (payload: Payload) => boolean) =>
    waiter.until(
      () => received.find(matches),
      () => `a matching payload; there are ${received.map(({ op, t }) => t ?? op).join(', ')}`,
    );
  await until(({ op }) => op === GatewayOpcodes.Hello);
  const send = (op: number, d: unknown) => socket.send(JSON.stringify({ op, d }));
  const identify = (intents = GatewayIntentBits.Guilds as number, changes = {}) =>
    send(GatewayOpcodes.Identify, { token: discord.application.token, intents, properties: {}, ...changes });
  return { socket, received, closed, until, identify, send };
}

/** Identifies with these intents; resolves once the session is ready. */
export async function openRawGatewaySession(discord: LocalDiscord, intents: number) {
  const { identify, until, received } = await connectToGateway(discord);
  identify(intents);
  await until(({ t }) => t === 'READY');
  return {
    /** The first matching event of this name, already received or to come. */
    next: async (name: string, matches: (d: Payload['d']) => boolean = () => true) =>
      (await until(({ t, d }) => t === name && matches(d))).d,
    /** The names of all events so far. */
    received: () => received.map(({ t }) => t),
  };
}

export type RawVoiceGateway = Awaited<ReturnType<typeof openRawVoiceGateway>>;

/** A raw voice gateway client, which sends nothing automatically. */
export async function openRawVoiceGateway(server: VoiceServer) {
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
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    sendBinary: (op: number, payload: Uint8Array) => socket.send(Buffer.concat([Buffer.of(op), payload])),
    /** The `d` of the next JSON message with this opcode, even if it arrived before the call. */
    async next(op: number) {
      const message = await waiter.until(
        () => received.find((candidate) => candidate.op === op),
        () => `opcode ${op}; there are ${received.map((message) => message.op).join(', ') || 'no messages'}`,
      );
      received.splice(received.indexOf(message), 1);
      return message.d;
    },
    /** The close code. */
    closed,
    /** Highest sequence number received; -1 before the first. */
    sequence: () => sequence,
  };
}
