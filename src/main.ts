// Wires everything together: settings, the embedded defaults for what is not configured, the bot; signals and drain.
// The only file that imports local/.
import { join } from 'node:path';
import { createApi } from './api/index.ts';
import { warmUp } from './audio/index.ts';
import { startBot } from './bot.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { budgetsOf, openAccount } from './credit/index.ts';
import { describe } from './failures.ts';
import { createLog, type Log } from './log.ts';
import { createSoundOwners, createSpeech, openSpeechCache, type SpeechCache } from './speech/index.ts';
import { openSqliteStore, type Store, StoreError } from './store/index.ts';

/** SIGTERM: how long the utterances that are playing may go on. */
const DRAIN_MS = 60_000;
/** SIGINT: what has not ended by then is left to the end of the process. */
const QUICK_MS = 3_000;
/** A Ctrl-C reaches this process twice, from the terminal and from npm: signals this close together are one. */
const SAME_SIGNAL_MS = 500;

interface Part {
  close(): Promise<unknown>;
}

async function main(): Promise<void> {
  try {
    process.loadEnvFile();
  } catch {
    // No .env: the environment alone counts.
  }
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  /** Closed in the opposite order of starting. */
  const parts: Part[] = [];
  const store = openStore(config, parts);
  const [service, discord, cache] = await Promise.all([
    voiceService(config, log, parts),
    discordEndpoint(config, log, parts),
    speechCache(config, log, parts),
    warmUp(),
  ]);

  const client = createApi({
    baseUrl: service.url,
    apiKey: service.key,
    model: config.VOICE_MODEL,
    concurrency: config.VOICE_API_CONCURRENCY,
  });
  parts.push(client);
  const account = await openAccount({ api: client, store, service: config.VOICE_API_URL ?? 'local', log });
  const { api } = account;
  const bot = await startBot({
    ...discord,
    guildId: config.DISCORD_GUILD_ID ?? null,
    operatorIds: config.OPERATOR_IDS,
    serviceUrl: service.url,
    account,
    speech: createSpeech({
      ...{ api, format: config.VOICE_FORMAT, model: config.VOICE_MODEL },
      ...(cache ? { cache } : {}),
      owners: createSoundOwners(store, (error) => log.warn(describe(error), 'whose sound was kept could not be noted')),
    }),
    defaultVoice: config.DEFAULT_VOICE,
    budgets: budgetsOf(config),
    keeping: {
      voiceService: config.VOICE_API_URL ? new URL(config.VOICE_API_URL).host : null,
      cacheBytes: cache ? config.CACHE_MB * 1024 * 1024 : 0,
    },
    store,
    log,
    onLost: () => void stop(0, 1),
  });

  let stopping: Promise<void> | null = null;
  function stop(drain: number, exitCode = 0): Promise<void> {
    stopping ??= end(drain, exitCode);
    return stopping;
  }

  async function end(drain: number, exitCode: number): Promise<void> {
    log.info({ drain }, drain > 0 ? 'ending when what is being said has been said; a second signal ends at once' : 'ending');
    setTimeout(() => process.exit(exitCode), drain + QUICK_MS).unref();
    await bot.close({ drain });
    for (const part of parts.toReversed()) await part.close();
    process.exit(exitCode);
  }

  let firstSignal: number | null = null;
  function onSignal(drain: number): void {
    firstSignal ??= performance.now();
    if (performance.now() - firstSignal > SAME_SIGNAL_MS) process.exit(1);
    void stop(drain);
  }
  process.on('SIGINT', () => onSignal(0));
  process.on('SIGTERM', () => onSignal(DRAIN_MS));

  console.log(discord.page ? `\nParley is ready: open ${discord.page}\n` : `\nParley is ready. Invite it: ${bot.inviteUrl}\n`);
}

/** The configured service, or the local one on a free port. */
async function voiceService(config: Config, log: Log, parts: Part[]): Promise<{ url: string; key: string }> {
  if (config.VOICE_API_URL && config.VOICE_API_KEY) return { url: config.VOICE_API_URL, key: config.VOICE_API_KEY };
  console.log('VOICE_API_URL is not set: starting the local voice service …');
  const { startVoiceService } = await import('./local/voice-service/index.ts');
  try {
    const service = await startVoiceService({ dataDir: config.DATA_DIR, log });
    parts.push(service);
    return { url: service.url, key: service.key };
  } catch (error) {
    throw dataDirProblem(error, config.DATA_DIR);
  }
}

/** The cache of spoken sound; without a place for it Parley speaks all the same. */
async function speechCache(config: Config, log: Log, parts: Part[]): Promise<SpeechCache | null> {
  try {
    const cache = await openSpeechCache({
      directory: join(config.DATA_DIR, 'cache'),
      maxBytes: config.CACHE_MB * 1024 * 1024,
      service: config.VOICE_API_URL ?? 'local',
      warn: (error) => log.warn(describe(error), 'spoken sound could not be kept'),
    });
    parts.push(cache);
    return cache;
  } catch (error) {
    log.warn(describe(error), 'spoken sound is not kept: DATA_DIR cannot be used');
    return null;
  }
}

/** Settings and use in numbers. */
function openStore(config: Config, parts: Part[]): Store {
  try {
    const store = openSqliteStore(join(config.DATA_DIR, 'parley.db'));
    parts.push(store);
    return store;
  } catch (error) {
    throw error instanceof StoreError ? new ConfigError(error.message, { cause: error }) : dataDirProblem(error, config.DATA_DIR);
  }
}

/** The configured Discord, or the local one with its page. */
async function discordEndpoint(config: Config, log: Log, parts: Part[]) {
  if (config.DISCORD_TOKEN) {
    return { token: config.DISCORD_TOKEN, apiUrl: config.DISCORD_API_URL ?? null, cdnUrls: config.DISCORD_CDN_URLS, page: null };
  }
  console.log('DISCORD_TOKEN is not set: starting the local Discord …');
  const { startLocalDiscord, trustCertificate } = await import('./local/discord/index.ts');
  const local = await startLocalDiscord({
    port: config.PLAYGROUND_PORT,
    application: { name: 'Parley', description: 'Speaks and listens' },
    log,
  }).catch((error: NodeJS.ErrnoException) => {
    throw portProblem(error, config.PLAYGROUND_PORT);
  });
  parts.push(local);
  trustCertificate(local.certificate);
  return { token: local.application.token, apiUrl: local.apiUrl, cdnUrls: [local.cdnUrl], page: local.url };
}

function portProblem(error: NodeJS.ErrnoException, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new ConfigError(
      `PLAYGROUND_PORT: port ${port} is taken, maybe by a Parley that runs already. End that one, or set PLAYGROUND_PORT to another port (0: any free one).`,
    );
  if (error.code === 'EACCES')
    return new ConfigError(`PLAYGROUND_PORT: port ${port} may not be used. Set PLAYGROUND_PORT to a port above 1023.`);
  return error;
}

/** What keeps files from being used: not allowed, not a folder, read-only, full. */
const FILE_PROBLEMS = ['EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT', 'EROFS', 'ENOSPC', 'ENAMETOOLONG', 'ERR_SQLITE_ERROR'];
const SQLITE_BUSY = 5;

function dataDirProblem(error: unknown, dataDir: string): unknown {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  if ((cause as { errcode?: number } | undefined)?.errcode === SQLITE_BUSY)
    return new ConfigError(
      `DATA_DIR: another Parley, or another voice service, is using ${dataDir}. End that one, or set DATA_DIR to a folder of its own.`,
    );
  if (code === undefined || !FILE_PROBLEMS.includes(code)) return error;
  return new ConfigError(`DATA_DIR: ${dataDir} cannot be used (${message}). Set DATA_DIR to a folder that I may write to.`);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  // What has started already must not keep a process that cannot work.
  process.exit(1);
}
