// The bot as a whole: how it starts, what it asks for, and how it comes through trouble.
import { describe, expect, it } from 'vitest';
import { createApi } from '../src/api/index.ts';
import { startBot } from '../src/bot.ts';
import { ConfigError } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { createSpeech } from '../src/speech/index.ts';
import { answer, answerJson, startMisbehavingService } from './helpers/misbehaving-service.ts';

/** Everything but Discord. */
async function partsOf(apiUrl: string) {
  const api = createApi({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', retries: { attempts: 1 } });
  const speech = createSpeech({ api, format: 'mp3' });
  return {
    api,
    options: { token: 'secret-token', apiUrl, cdnUrls: [], guildId: null, operatorIds: [], api, speech, log: createLog('silent') },
  };
}

describe('a bot that cannot log in', () => {
  it('says which setting to change when the token is refused', async () => {
    const discord = await startMisbehavingService(answerJson(401, { message: '401: Unauthorized', code: 0 }));
    const { api, options } = await partsOf(`${discord.url}/api`);
    const failure = await startBot(options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(String(failure)).toContain('DISCORD_TOKEN is refused by Discord');
    expect(String(failure)).not.toContain('secret-token');
    await api.close();
    await discord.close();
  });

  it('says which setting to change when nothing answers', async () => {
    const { api, options } = await partsOf('http://127.0.0.1:1/api');
    await expect(startBot(options)).rejects.toThrow(/^DISCORD_API_URL: http:\/\/127\.0\.0\.1:1\/api cannot be reached/);
    await api.close();
  });

  it('says which setting to change when something else answers', async () => {
    const discord = await startMisbehavingService(answer(404, 'not here'));
    const { api, options } = await partsOf(`${discord.url}/api`);
    await expect(startBot(options)).rejects.toThrow(/^DISCORD_API_URL: .* does not let me log in \(404\)/);
    await api.close();
    await discord.close();
  });
});
