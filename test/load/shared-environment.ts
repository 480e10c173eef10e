// What several processes of one bot share under load: a local Discord, a Redis and a voice service.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import { startArguments } from '../helpers/program.ts';
import { type RedisServer, startRedisServer } from '../helpers/redis-server.ts';
import { startToneService } from '../helpers/tone-service.ts';
import { type BotProcesses, createBotProcesses } from './bot-processes.ts';

export interface SharedEnvironment {
  discord: LocalDiscord;
  redis: RedisServer;
  bots: BotProcesses;
  close(): Promise<void>;
}

/** @param logs folder for the log of each process; null = none is kept */
export async function openSharedEnvironment({
  guilds,
  shards,
  logs,
}: {
  guilds: number;
  shards: number;
  logs: string | null;
}): Promise<SharedEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-load-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const discord = await startLocalDiscord({ guilds, shards, identifyLimits: { maxConcurrency: 1, isEnforced: true } });
  const certificate = join(folder, 'voice.pem');
  await writeFile(certificate, discord.certificate);
  const redis = await startRedisServer('--appendonly', 'yes', '--appendfsync', 'everysec');
  // If the run is interrupted.
  process.once('exit', () => void redis.stop('SIGKILL'));
  // The local voice service can't make as much speech as is heard here at once, and its wait would hide that of the processes.
  const service = await startToneService({ voices: ['de:anna', 'en:bert'], firstByteMs: 200 });
  const bots = createBotProcesses(
    (dataDir, log) => {
      const { PATH = '' } = process.env;
      const env = {
        ...{ DISCORD_TOKEN: discord.application.token, DISCORD_API_URL: discord.apiUrl, DISCORD_CDN_URLS: discord.cdnUrl },
        ...{ VOICE_API_URL: service.url, VOICE_API_KEY: service.key, REDIS_URL: redis.url, DATA_DIR: dataDir, LOG_LEVEL: 'info' },
        // Fewer than there are servers that speak: the processes have to share them.
        VOICE_API_CONCURRENCY: '10',
        ...{ BUDGET_MEMBER_CHARACTERS: '0', BUDGET_MEMBER_MINUTES: '0', BUDGET_GUILD_CHARACTERS: '0', BUDGET_GUILD_MINUTES: '0' },
        ...{ NODE_EXTRA_CA_CERTS: certificate, PATH },
      };
      return spawn(process.execPath, startArguments, { stdio: ['ignore', 'pipe', log], env, cwd: tmpdir() });
    },
    { folder, logs },
  );
  return {
    ...{ discord, redis, bots },
    async close() {
      await bots.close();
      await service.close();
      await redis.close();
      await discord.close();
    },
  };
}
