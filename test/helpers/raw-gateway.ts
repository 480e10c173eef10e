// Websockets in raw messages: the local Discord's gateways, and whatever else a test wants to see as it is sent.
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

/** What arrives at a websocket, in raw messages. @param read undefined = to be left out @param nameOf for the error if one is missing */
export function collectFrom<T>(
  socket: WebSocket,
  read: (data: Buffer, isBinary: boolean) => T | undefined,
  nameOf: (message: T) => unknown,
) {
  const received: T[] = [];
  const waiter = createWaiter();
  socket.on('error', () => {});
  socket.on('message', (data, isBinary) => {
    const message = read(data as Buffer, isBinary);
    if (message !== undefined) received.push(message);
    waiter.notify();
  });
  return {
    ...{ socket, received },
    /** The first one that matches, already received or to come. */
    until: (matches: (message: T) => boolean, what = 'a matching message') =>
      waiter.until(
        () => received.find(matches),
        () => `${what}; there are ${received.map(nameOf).join(', ')}`,
      ),
    /** Resolves with the code. */
    closed: new Promise<number>((resolve) => socket.once('close', resolve)),
  };
}

/** A connection that has received Hello, and keeps all that it receives. It is closed when the test ends. */
export async function connectToGateway(discord: LocalDiscord) {
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?v=10&encoding=json`);
  onTestFinished(() => socket.terminate());
  const read = (data: Buffer, isBinary: boolean): Payload => JSON.parse(String(isBinary ? inflateSync(data) : data));
  const line = collectFrom(socket, read, ({ op, t }) => t ?? op);
  await line.until(({ op }) => op === GatewayOpcodes.Hello);
  const send = (op: number, d: unknown) => socket.send(JSON.stringify({ op, d }));
  const identify = (intents = GatewayIntentBits.Guilds as number, changes = {}) =>
    send(GatewayOpcodes.Identify, { token: discord.application.token, intents, properties: {}, ...changes });
  return { ...line, identify, send };
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

export type RawVoiceGateway = Awaited<ReturnType<typeof connectToVoiceGateway>>;

/** A raw voice gateway client, which sends nothing automatically. */
export async function connectToVoiceGateway(server: VoiceServer) {
  const socket = new WebSocket(`wss://${server.endpoint}?v=8`, { ca: server.certificate });
  let sequence = -1;
  const line = collectFrom(
    socket,
    (data, isBinary) => {
      const message = isBinary ? { seq: data.readUInt16BE(0) } : JSON.parse(String(data));
      sequence = message.seq || sequence;
      return isBinary ? undefined : (message as { op: number; d: Record<string, unknown> });
    },
    ({ op }) => op,
  );
  await once(socket, 'open');
  return {
    ...line,
    send: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })),
    sendBinary: (op: number, payload: Uint8Array) => socket.send(Buffer.concat([Buffer.of(op), payload])),
    /** The `d` of the next JSON message with this opcode, even if it arrived before the call. */
    async next(op: number) {
      const message = await line.until((candidate) => candidate.op === op, `opcode ${op}`);
      line.received.splice(line.received.indexOf(message), 1);
      return message.d;
    },
    /** Highest sequence number received; -1 before the first. */
    sequence: () => sequence,
  };
}
