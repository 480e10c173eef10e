// Single shards of a client that is logged in, against the local Discord.
import { once } from 'node:events';
import { ChannelType, Events, SnowflakeUtil, Status, type TextChannel } from 'discord.js';
import { expect, it } from 'vitest';
import { closeShard, createClient, openShard } from '../../src/bot/client.ts';
import { createMessageClock } from '../../src/bot/message-events.ts';
import { createMessageIntents } from '../../src/discord/message-access.ts';
import { createLog } from '../../src/log.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';

/** Logs in with shard 0 of two, and opens shard 1. Sessions open at once: the program has its own throttler as well. */
async function openBoth() {
  const discord = await openLocalDiscord({ guilds: 4, shards: 2 });
  const ws = { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) };
  const client = await logIn(discord, { shards: [0], shardCount: 2, ws });
  await openShard(client, 1);
  return { discord, client };
}

it('are opened again if that is asked for while they are being closed', async () => {
  const { discord, client } = await openBoth();
  const connected = () => discord.gateway.sessions().filter((session) => session.connected).length;
  expect(connected()).toBe(2);
  await Promise.all([closeShard(client, 1), openShard(client, 1)]);
  expect(client.ws.shards.get(1)?.status).toBe(Status.Ready);
  await expect.poll(connected).toBe(2);
});

it('that come back have left nothing behind: every channel, thread and voice state belongs to the guild of today, and nobody waits for it', async () => {
  const { client } = await openBoth();
  const ofShard = () => client.guilds.cache.filter(({ shardId }) => shardId === 1);
  const before = ofShard();
  const [guild] = before.values();
  const channel = guild?.channels.cache.find((one) => one.isTextBased() && !one.isThread() && !one.isVoiceBased());
  const thread = await (channel as TextChannel).threads.create({ name: 'A thread', type: ChannelType.PublicThread });
  expect(client.channels.cache.has(thread.id)).toBe(true);
  const disconnected: number[] = [];
  client.on(Events.ShardDisconnect, (_, shardId) => disconnected.push(shardId));

  const message = SnowflakeUtil.generate({ timestamp: Date.now() - 20_000 }).toString();
  const clock = createMessageClock(client);
  await closeShard(client, 1);
  // While a gateway catches up, nothing is learnt about this machine’s clock from how old messages are.
  clock.ageOf(message);
  expect(clock.ageOf(message)).toBeLessThan(10);
  clock.close();
  expect(disconnected).toEqual([1]);
  expect(client.channels.cache.filter((one) => !one.isDMBased() && one.guild.shardId === 1).size).toBe(0);
  await openShard(client, 1);
  expect([...ofShard().keys()]).toEqual([...before.keys()]);
  for (const [id, now] of ofShard()) {
    expect(now).not.toBe(before.get(id));
    expect(now.channels.cache.size).toBe(before.get(id)?.channels.cache.size);
    for (const one of now.channels.cache.values()) {
      expect(one.guild).toBe(now);
      expect(client.channels.cache.get(one.id)).toBe(one);
    }
  }
  expect(client.channels.cache.get(thread.id)?.isThread()).toBe(true);
});

it('that are destroyed while they wait for the gateway end for good', async () => {
  const discord = await openLocalDiscord();
  const log = createLog('silent');
  const client = createClient(
    discord.apiUrl,
    createMessageIntents(false, log, () => {}),
    log,
    'auto',
  );
  const ready = once(client, Events.ClientReady);
  await client.login(discord.application.token);
  await ready;
  const reconnecting = once(client, Events.ShardReconnecting);
  discord.gateway.outage('refused');
  await reconnecting;
  const { strategy } = Reflect.get(client.ws, '_ws') as { strategy: { shards: Map<number, { connection: WebSocket | null }> } };
  const before = strategy.shards.get(0)?.connection;
  // Connections are taken, but nothing is said.
  discord.gateway.outage('silent');
  const opened = () => [strategy.shards.get(0)?.connection].some((now) => now !== before && now?.readyState === WebSocket.OPEN);
  await expect.poll(opened).toBe(true);
  await client.destroy();
});
