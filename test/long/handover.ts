// Two processes of one bot, of which one hands its servers over to the other.
import { ShardClientUtil } from 'discord.js';
import { expect, onTestFinished } from 'vitest';
import { memberBudgetKey } from '../../src/charging/index.ts';
import type { LocalDiscordOptions } from '../../src/local/discord/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { statusOf, textOf } from '../helpers/member.ts';
import { listenToTones } from '../helpers/tone-service.ts';
import { isOver, openSharedBot, shardsOf } from './shared-bot.ts';

const DAY_MS = 24 * 3600_000;
const WORDS = 'the old boat came home at last and all of us ran down to see what it had found';
const wait = { timeout: 60_000, interval: 50 };

/** Takes about this many seconds, at most 20 (longer texts are said in pieces), and is recognised by its number. */
export const textOfLength = (seconds: number, number: number) => `${`${WORDS} and `.repeat(10).slice(0, seconds * 15 - 3)} ${number}`;

/** Two processes with a shard each, and a member who listens in a server of the first one. Everything is closed when the test ends. */
export async function openHandover(
  service: { url: string; key: string },
  options: LocalDiscordOptions = {},
  env: Record<string, string> = {},
) {
  const bot = await openSharedBot(service, { guilds: 12, shards: 2, ...options });
  const [first, second] = [await bot.start(undefined, env), await bot.start(undefined, env)];
  await expect.poll(() => [shardsOf(first).length, shardsOf(second).length], wait).toEqual([1, 1]);
  await expect.poll(bot.connected, wait).toBe(2);
  const [shard = 0] = shardsOf(first);
  const guildId = bot.discord.guildIds.find((id) => ShardClientUtil.shardIdForGuildId(id, 2) === shard) ?? '';
  const member = bot.memberOf(guildId);
  const listener = await listenToTones((onPacket) => member.client.onHeard(onPacket));
  await member.listen();
  const store = await openRedisStore({ url: bot.redis.url, botId: bot.discord.application.id });
  onTestFinished(() => store.close());
  /** Resolves when it plays or waits. */
  async function say(text: string, options: { speed?: number } = {}) {
    const answer = await member.run('say', { text, ...options });
    await answer.message((message) => /Speaking now|Up next|texts? ahead/.test(statusOf(message)));
    return answer;
  }
  return {
    ...{ ...bot, first, second, guildId, member, listener, store, say },
    ends: async (answer: Awaited<ReturnType<typeof say>>) =>
      statusOf(await answer.message((message) => /Spoken \(|Cut off|Not spoken|Stopped|Skipped|Cancelled|restarted/.test(textOf(message)))),
    /** Tells the first one to end; resolves at the moment when the second one answers in its place. */
    async takeOver() {
      first.child.kill('SIGTERM');
      await second.line(new RegExp(`"shard":${shard},.*took a shard`));
      expect(isOver(first)).toBe(false);
    },
    /** How many texts wait in the store for a process to take them. */
    handedOver: async () => (await store.list('handover:')).length,
    /** By the member, of today's budget. */
    spent: () => store.get(memberBudgetKey(Math.floor(Date.now() / DAY_MS), 'speech', member.client.userId)),
  };
}
