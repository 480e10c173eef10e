// A bare gateway session of the local Discord, for what libraries would hide.
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { LocalDiscord } from '../../src/local/discord/index.ts';

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
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    const { op, t, d } = JSON.parse(String(data));
    if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token: discord.application.token, intents, properties: {} } }));
    heard.push({ t, d });
    for (const look of waiting) look();
  });
  const told: RawSession['told'] = (t, fits = () => true) =>
    new Promise((resolve) => {
      const look = () => {
        const found = heard.find((event) => event.t === t && fits(event.d));
        if (!found) return;
        waiting.delete(look);
        resolve(found.d);
      };
      waiting.add(look);
      look();
    });
  await told('READY');
  return { told };
}
