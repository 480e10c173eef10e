// The gateway from both ends: what no client would send to the local Discord, and what Discord would never send to the bot.

import { GatewayDispatchEvents } from 'discord.js';
import { WebSocket } from 'ws';
import type { LocalDiscord } from '../../../src/local/discord/index.ts';
import { below, pick, type Random, randomBytes } from '../../helpers/random.ts';
import { helps } from '../commands.ts';
import { distort } from '../distort.ts';
import { startBotUnderTest } from '../environment.ts';
import { mutate } from '../mutations.ts';
import type { OpenTarget } from '../target.ts';

const EVENTS = Object.values(GatewayDispatchEvents);
const QUERIES = ['v=10&encoding=json', 'v=9&encoding=json', 'v=10&encoding=json&compress=zlib-stream', 'v=99', 'v=x&v=10', ''];
/** How long the local gateway may take to close, or to answer a heartbeat. */
const ANSWER_MS = 20_000;

export const openGateway: OpenTarget = async ({ botAccess }) => {
  const bot = await startBotUnderTest(botAccess);
  const { discord } = bot;
  /** The last event of each name, to be distorted. */
  const seen = new Map<string, unknown>();
  const forget = discord.world.onEvent(
    ({ t, d }) => void (JSON.stringify(d ?? null).length < 20_000 && seen.set(t, JSON.parse(JSON.stringify(d ?? null)))),
  );
  return {
    async attack(random) {
      if (random() < 0.6) return attackServer(discord, random);
      for (let left = 1 + below(4, random); left > 0; left--) discord.gateway.sendText(messageToBot(seen, random));
      await helps(bot);
      return 'the bot goes on';
    },
    close() {
      forget();
      return bot.closeUnseen();
    },
  };
};

async function attackServer(discord: LocalDiscord, random: Random): Promise<string> {
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?${pick(QUERIES, random)}`);
  const over = Promise.withResolvers<string>();
  const timer = setTimeout(
    () => over.reject(new Error(`the local gateway neither closed nor answered within ${ANSWER_MS / 1000} s`)),
    ANSWER_MS,
  );
  socket.on('error', () => {});
  socket.on('close', (code) => over.resolve(`the gateway closed with ${code}`));
  socket.on('message', (data, isBinary) => {
    // Compressed messages are not decoded here: any reply is enough.
    if (isBinary || JSON.parse(String(data)).op === 11) over.resolve('the gateway goes on');
  });
  socket.on('open', () => {
    for (let left = 1 + below(5, random); left > 0; left--)
      socket.send(messageToGateway(discord.application.token, discord.guildId, random));
    socket.send(JSON.stringify({ op: 1, d: null }));
  });
  try {
    return await over.promise;
  } finally {
    clearTimeout(timer);
    if (socket.readyState === WebSocket.OPEN) socket.close(1000);
    else socket.terminate();
  }
}

function messageToGateway(token: string, guildId: string, random: Random): string | Uint8Array {
  const identify = { op: 2, d: { token, intents: 1 << 7, properties: { os: 'a' }, shard: [0, 1], compress: false, presence: null } };
  const others = [
    { op: 6, d: { token, session_id: 'x', seq: 1 } },
    { op: 4, d: { guild_id: guildId, channel_id: null, self_mute: false, self_deaf: false } },
    { op: 8, d: { guild_id: guildId, query: '', limit: 0, user_ids: ['1'], nonce: 'a', presences: true } },
    { op: 31, d: { guild_ids: [guildId] } },
    { op: 3, d: { since: null, activities: [], status: 'online', afk: false } },
    { op: 1, d: 1 },
  ];
  const kind = random();
  if (kind < 0.3) return JSON.stringify(identify);
  if (kind < 0.5) return JSON.stringify(distort(identify, random));
  if (kind < 0.8) return JSON.stringify(distort(pick(others, random), random));
  if (kind < 0.9) return mutate(Buffer.from(JSON.stringify(pick(others, random))), random);
  return random() < 0.5 ? randomBytes(below(200, random), random) : randomBytes(below(200, random), random).toString('latin1');
}

function messageToBot(seen: Map<string, unknown>, random: Random): string {
  const kind = random();
  if (kind < 0.1) return randomBytes(below(200, random), random).toString('latin1');
  if (kind < 0.25) return JSON.stringify(distort({ op: pick([0, 1, 3, 11, 12, -1], random), t: null, s: null, d: null }, random));
  // READY and RESUMED belong to the library.
  const t =
    kind < 0.6
      ? pick(
          EVENTS.filter((name) => name !== 'READY' && name !== 'RESUMED'),
          random,
        )
      : pick([...seen.keys(), 'GUILD_UPDATE'], random);
  const d = distort(seen.get(t) ?? { id: '1', guild_id: '2', channel_id: '3', user: { id: '4' } }, random);
  return JSON.stringify({ op: 0, t, s: pick([1, 2, null], random), d });
}
