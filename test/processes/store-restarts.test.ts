// What must not be lost though Redis is away at the moment when it is to be stored.
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRedisStore } from '../../src/store/redis.ts';
import { startReadingBot } from '../bot/reading-bot.ts';
import { startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';

describe.skipIf(!redisServer.isMet)(titled('While Redis is restarted', redisServer), () => {
  it('a moderator who sends the bot away has silenced it for the next process, too', async () => {
    const redis = await startRedisServer('--appendonly', 'yes');
    onTestFinished(redis.close);
    const store = await openRedisStore({ url: redis.url, botId: null });
    const logged: string[] = [];
    const bot = await startReadingBot({
      wrapStore: (own) => {
        void own.close();
        return store;
      },
      logTo: (line) => void logged.push(line),
    });
    onTestFinished(() => bot.close());
    await bot.startReading();
    await redis.stop();
    bot.discord.moveUser(bot.discord.application.id, null);
    await bot.botIsThere(false);
    await expect.poll(() => logged.join('\n')).toContain('could not save that reading is paused');
    await redis.start();
    await expect.poll(() => store.list('reading-silent:').catch(() => [])).toHaveLength(1);
    await bot.restartBot();
    await bot.member.write('Nobody hears this one, number 1');
    expect(bot.bot().speaking()).toBe(0);
    await bot.botIsThere(false);
  });
});
