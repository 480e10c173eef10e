// A raw gateway session of the local Discord, for what libraries hide.
import { GatewayOpcodes } from 'discord-api-types/v10';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createWaiter } from './waiter.ts';

// biome-ignore lint/suspicious/noExplicitAny: any payload of the gateway.
type Payload = any;

export interface RawGatewaySession {
  /** The first matching event of this name, already received or to come. */
  next(t: string, matches?: (d: Payload) => boolean): Promise<Payload>;
  /** The names of all events so far. */
  received(): string[];
}

/** Identifies with these intents; resolves once the session is ready. */
export async function openRawGatewaySession(discord: LocalDiscord, intents: number): Promise<RawGatewaySession> {
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?v=10&encoding=json`);
  onTestFinished(() => socket.terminate());
  const received: { t: string; d: Payload }[] = [];
  const waiter = createWaiter();
  socket.on('message', (data) => {
    const { op, t, d } = JSON.parse(String(data));
    if (op === GatewayOpcodes.Hello)
      socket.send(JSON.stringify({ op: GatewayOpcodes.Identify, d: { token: discord.application.token, intents, properties: {} } }));
    received.push({ t, d });
    waiter.notify();
  });
  const next: RawGatewaySession['next'] = (t, matches = () => true) =>
    waiter
      .until(
        () => received.find((event) => event.t === t && matches(event.d)),
        () => `the event ${t}; there were ${received.map((event) => event.t).join(', ')}`,
      )
      .then(({ d }) => d);
  await next('READY');
  return { next, received: () => received.map((event) => event.t) };
}
