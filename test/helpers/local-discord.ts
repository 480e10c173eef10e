// A local Discord for a single test, and real discord.js clients for it; all are closed when the test ends.

import { once } from 'node:events';
import { Client, type ClientOptions, Events, GatewayIntentBits } from 'discord.js';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { makeRequest } from '../../src/bot/client.ts';
import { type LocalDiscord, type LocalDiscordOptions, startLocalDiscord } from '../../src/local/discord/index.ts';
import type { Dispatch, Method, Methods, Reply } from '../../src/local/discord/page/protocol.ts';
import { collectFrom } from './raw-gateway.ts';
import { createWaiter, WAIT_MS } from './waiter.ts';

export async function openLocalDiscord(options: LocalDiscordOptions = {}): Promise<LocalDiscord> {
  // Discord's 3 s for a response are too short for a busy machine.
  const discord = await startLocalDiscord({ responseMs: WAIT_MS, ...options });
  onTestFinished(() => discord.close());
  return discord;
}

/** The key in the page's address, which a member's client needs. */
export function keyOf(discord: LocalDiscord): string {
  return new URL(discord.pageUrl()).hash.slice(1);
}

/** A discord.js client, logged in and ready. */
export async function logIn(discord: LocalDiscord, options: Partial<ClientOptions> = {}): Promise<Client<true>> {
  const client = createClient(discord, options);
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  await client.login(discord.application.token);
  return ready;
}

/** A client that is not logged in yet. */
export function createClient(discord: LocalDiscord, options: Partial<ClientOptions> = {}): Client {
  const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates];
  // discord.js's own request function creates forms that this project's version of undici refuses.
  const client = new Client({ intents, rest: { api: discord.apiUrl, makeRequest }, ...options });
  onTestFinished(() => client.destroy());
  return client;
}

/** Sends a REST request as the application. */
export async function request(
  discord: LocalDiscord,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: { code?: number; message?: string; [key: string]: unknown } }> {
  const response = await fetch(`${discord.apiUrl}/v10${path}`, {
    method,
    headers: {
      authorization: `Bot ${discord.application.token}`,
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : {} };
}

/** Outside of tests as well. */
export async function commandsRegistered({ world }: LocalDiscord): Promise<void> {
  const waiter = createWaiter();
  const stopListening = world.onEvent(waiter.notify);
  await waiter
    .until(
      () => world.commands.length > 0 || undefined,
      () => 'registered commands',
    )
    .finally(stopListening);
}

/** Opens a member's socket, which is closed when the test ends. */
export async function openPage(address: string) {
  const { origin, hash } = new URL(address);
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/member?user=Robin&key=${hash.slice(1)}`);
  onTestFinished(() => socket.terminate());
  let packets = 0;
  let calls = 0;
  const line = collectFrom(
    socket,
    (data, isBinary) => {
      // Silence takes 14 bytes of header and 3 of its own.
      if (isBinary && data.length > 17) packets += 1;
      return isBinary ? undefined : (JSON.parse(String(data)) as Dispatch | Reply);
    },
    (message) => ('t' in message ? message.t : `reply ${message.id}`),
  );
  await once(socket, 'open');
  const gone = () => Promise.reject(new Error('The page’s connection is closed'));
  /** @throws Error at once if the connection closes, as when the program ends */
  const until = (matches: (message: Dispatch | Reply) => boolean) => Promise.race([line.until(matches), line.closed.then(gone)]);
  const page = {
    dispatches: () => line.received.filter((message) => 't' in message),
    packets: () => packets,
    async call<M extends Method>(method: M, params: Methods[M]['params']): Promise<Methods[M]['result']> {
      const id = ++calls;
      socket.send(JSON.stringify({ id, method, params }));
      const reply = (await until((message) => 'id' in message && message.id === id)) as Reply;
      if ('error' in reply) throw new Error(reply.error);
      return reply.result as Methods[M]['result'];
    },
    /** Resolves once it is answered. As a member would, it is done again if no answer came in time, as on a busy machine. */
    async interact<M extends 'run_command' | 'click'>(method: M, params: Methods[M]['params']): Promise<void> {
      const { interaction_id } = await page.call(method, params);
      const isEnd = (one: Dispatch | Reply, t: string) =>
        't' in one && one.t === t && 'interaction_id' in one.d && one.d.interaction_id === interaction_id;
      const end = await until((one) => isEnd(one, 'INTERACTION_SUCCESS') || isEnd(one, 'INTERACTION_FAILURE'));
      if (isEnd(end, 'INTERACTION_FAILURE')) await page.interact(method, params);
    },
    until: async (enough: () => boolean) => void (await until(enough)),
    closed: line.closed,
  };
  return page;
}
