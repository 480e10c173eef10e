// Single shards of a client that is logged in, against the local Discord.
import { Status } from 'discord.js';
import { expect, it } from 'vitest';
import { closeShard, openShard } from '../../src/bot/shards.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';

it('are opened again if that is asked for while they are being closed', async () => {
  const discord = await openLocalDiscord({ guilds: 4, shards: 2, identifyLimits: { maxConcurrency: 2 } });
  const client = await logIn(discord, { shards: [0], shardCount: 2 });
  await openShard(client, 1);
  const connected = () => discord.gateway.sessions().filter((session) => session.connected).length;
  expect(connected()).toBe(2);
  await Promise.all([closeShard(client, 1), openShard(client, 1)]);
  expect(client.ws.shards.get(1)?.status).toBe(Status.Ready);
  await expect.poll(connected).toBe(2);
});
