// A bare gateway session of the local Discord, for what libraries would hide.
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createWaiter } from './waiter.ts';

// biome-ignore lint/suspicious/noExplicitAny: whatever the gateway says.
type Data = any;

export interface RawSession {
  /** The first event of this name that fits, told already or to come. */
  told(t: string, fits?: (d: Data) => boolean): Promise<Data>;
}

/** Identifies with these intents; resolves once the session is ready. */
export async function openRawSession(discord: LocalDiscord, intents: number): Promise<RawSession> {
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?v=10&encoding=json`);
  onTestFinished(() => socket.terminate());
  const heard: { t: string; d: Data }[] = [];
  const waiter = createWaiter();
  socket.on('message', (data) => {
    const { op, t, d } = JSON.parse(String(data));
    if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token: discord.application.token, intents, properties: {} } }));
    heard.push({ t, d });
    waiter.notify();
  });
  const told: RawSession['told'] = (t, fits = () => true) =>
    waiter
      .until(
        () => heard.find((event) => event.t === t && fits(event.d)),
        () => `the event ${t}; there were ${heard.map((event) => event.t).join(', ')}`,
      )
      .then(({ d }) => d);
  await told('READY');
  return { told };
}
