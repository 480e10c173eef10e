// Wires everything together: settings, the embedded defaults for what is not configured, the bot; signals and drain.
// The only file that imports local/.
import { join } from 'node:path';
import { createApi } from './api/index.ts';
import { warmUp } from './audio/index.ts';
import { describeError } from './bot/error-boundary.ts';
import { type Bot, createBot } from './bot/index.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { openAccount, type Prices, readPrices, toOperatorBudgets } from './credit/index.ts';
import { createLog, type Log } from './log.ts';
import { countCalls, type Metrics, noMetrics } from './monitoring/metrics.ts';
import { createSoundOwners, createSpeech, createVoiceLevels, openSpeechCache, type SpeechCache } from './speech/index.ts';
import { openSqliteStore, type Store, StoreError } from './store/index.ts';
import { loadSealingKey } from './store/seal.ts';

/** SIGTERM: how long the utterances that are playing may go on. */
const DRAIN_MS = 60_000;
/** SIGINT: what has not ended by then is left to the end of the process. */
const QUICK_MS = 3_000;
/** A Ctrl-C reaches this process twice, from the terminal and from npm: signals this close together are one. */
const SAME_SIGNAL_MS = 500;

interface Part {
  close(): Promise<unknown>;
}

/** What has been started, and how it ends. */
interface Running {
  config: Config;
  log: Log;
  /** Closed in the opposite order of starting. */
  parts: Part[];
  bot: Bot | null;
  /** What is being said may end first, for at most `drain` ms. Ends the process; only the first call counts. */
  stop(drain: number, exitCode?: number): Promise<void>;
}

async function main(): Promise<void> {
  try {
    process.loadEnvFile();
  } catch {
    // No .env: the environment alone counts.
  }
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  const parts: Part[] = [];
  let stopping: Promise<void> | null = null;
  const running: Running = {
    config,
    log,
    parts,
    bot: null,
    stop(drain, exitCode = 0) {
      stopping ??= end(drain, exitCode);
      return stopping;
    },
  };

  async function end(drain: number, exitCode: number): Promise<void> {
    log.info({ drain }, drain > 0 ? 'ending when what is being said has been said; a second signal ends at once' : 'ending');
    setTimeout(() => process.exit(exitCode), drain + QUICK_MS).unref();
    await running.bot?.close({ drain });
    for (const part of parts.toReversed()) await part.close();
    process.exit(exitCode);
  }

  let firstSignal: number | null = null;
  function onSignal(drain: number): void {
    firstSignal ??= performance.now();
    if (performance.now() - firstSignal > SAME_SIGNAL_MS) process.exit(1);
    void running.stop(drain);
  }
  // From here on, also while everything starts: speech may begin before the last of it is done.
  process.on('SIGINT', () => onSignal(0));
  process.on('SIGTERM', () => onSignal(DRAIN_MS));

  try {
    await start(running);
  } catch (error) {
    // What fails because it is ended while it starts is no failure.
    if (!stopping) throw error;
    await stopping;
  }
}

/** Resolves when everything has started. */
async function start(running: Running): Promise<void> {
  const { config, log, parts } = running;
  const store = openStore(config, parts);
  const metrics = await startMonitoring(config, parts, async () => ({
    discord: running.bot?.isReady() ?? false,
    store: await isUsable(store),
  }));
  const [service, discord, cache] = await Promise.all([
    voiceService(config, log, parts),
    discordEndpoint(config, { store, log, parts }),
    speechCache(config, log, parts),
    warmUp(),
  ]);

  const client = createApi({
    baseUrl: service.url,
    apiKey: service.key,
    model: config.VOICE_MODEL,
    concurrency: config.VOICE_API_CONCURRENCY,
    onDown(isDown) {
      metrics.serviceDown(isDown);
      if (isDown) log.warn('the voice service is down: members are told so at once, and it is tried again by itself');
      else log.info('the voice service is back');
    },
  });
  parts.push(client);
  const account = await openAccount({
    api: countCalls(client, metrics),
    store,
    service: config.VOICE_API_URL ?? 'local',
    log,
    prices: service.prices,
  });
  const { api } = account;
  const bot = createBot({
    ...discord,
    guildId: config.DISCORD_GUILD_ID ?? null,
    operatorIds: config.OPERATOR_IDS,
    serviceUrl: service.url,
    account,
    speech: createSpeech({
      ...{ api, format: config.VOICE_FORMAT, model: config.VOICE_MODEL },
      ...(cache ? { cache } : {}),
      owners: createSoundOwners(store, (error) => log.warn(describeError(error), 'whose sound was kept could not be noted')),
      levels: createVoiceLevels(store, config.VOICE_API_URL ?? 'local', (error) =>
        log.warn(describeError(error), 'how loud a voice is could not be read or kept'),
      ),
    }),
    defaultVoice: config.DEFAULT_VOICE,
    budgets: toOperatorBudgets(config),
    privacyFacts: {
      voiceService: config.VOICE_API_URL ? new URL(config.VOICE_API_URL).host : null,
      cacheBytes: cache ? config.CACHE_MB * 1024 * 1024 : 0,
    },
    store,
    log,
    metrics,
    onLost: () => void running.stop(0, 1),
  });
  running.bot = bot;

  // The process ends only when it is told to. What comes here belongs to one connection, command or stream, whose own limits of time see
  // to its end: no state is shared between guilds but the store, where every change is whole or not made. Ending would break off
  // what is being said everywhere else.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => log.error(describeError(error), 'something failed that nobody had waited for; the rest goes on'));

  await bot.start();
  // The page shows the commands; nobody else waits for them.
  if (discord.page) await bot.registered;
  console.log(discord.page ? `\nParley is ready: open ${discord.page}\n` : `\nParley is ready. Invite it: ${bot.inviteUrl}\n`);
}

/** Health, readiness and metrics from now on, if HTTP_PORT is set; otherwise nothing of it is loaded. */
async function startMonitoring(config: Config, parts: Part[], ready: () => Promise<Record<string, boolean>>): Promise<Metrics> {
  const { HTTP_HOST: host, HTTP_PORT: port, METRICS_TOKEN: metricsToken = null } = config;
  if (port === 0) return noMetrics;
  const [{ startMonitoringServer }, { createPrometheus }] = await Promise.all([
    import('./monitoring/server.ts'),
    import('./monitoring/prometheus.ts'),
  ]);
  const metrics = createPrometheus();
  const server = await startMonitoringServer({ host, port, metrics, metricsToken, ready }).catch((error: NodeJS.ErrnoException) => {
    throw portProblem(error, 'HTTP_PORT', port);
  });
  parts.push(server);
  return metrics;
}

/** Written to, for a full disk is read from all the same. */
function isUsable(store: Store): Promise<boolean> {
  return store.set('ready', true, { expiresInMs: 60_000 }).then(
    () => true,
    () => false,
  );
}

/** The configured service, or the local one on a free port. */
async function voiceService(config: Config, log: Log, parts: Part[]): Promise<{ url: string; key: string; prices: Prices }> {
  if (config.VOICE_API_URL && config.VOICE_API_KEY) {
    return { url: config.VOICE_API_URL, key: config.VOICE_API_KEY, prices: readPrices(config) };
  }
  console.log('VOICE_API_URL is not set: starting the local voice service …');
  const { startVoiceService, localPrices } = await import('./local/voice-service/index.ts');
  try {
    const service = await startVoiceService({ dataDir: config.DATA_DIR, log });
    parts.push(service);
    return { url: service.url, key: service.key, prices: readPrices(config, localPrices) };
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
      warn: (error) => log.warn(describeError(error), 'spoken sound could not be kept'),
    });
    parts.push(cache);
    return cache;
  } catch (error) {
    log.warn(describeError(error), 'spoken sound is not kept: DATA_DIR cannot be used');
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
async function discordEndpoint(config: Config, { store, log, parts }: { store: Store; log: Log; parts: Part[] }) {
  if (config.DISCORD_TOKEN) {
    return { token: config.DISCORD_TOKEN, apiUrl: config.DISCORD_API_URL ?? null, cdnUrls: config.DISCORD_CDN_URLS, page: null };
  }
  console.log('DISCORD_TOKEN is not set: starting the local Discord …');
  const { startLocalDiscord, trustCertificate } = await import('./local/discord/index.ts');
  // Kept, so that a page that is open comes back after a restart.
  const pageKey = await loadSealingKey(store, 'page').catch(() => undefined);
  const local = await startLocalDiscord({
    port: config.PLAYGROUND_PORT,
    ...(pageKey && { pageKey: pageKey.toString('base64url') }),
    application: { name: 'Parley', description: 'Speaks and listens' },
    log,
  }).catch((error: NodeJS.ErrnoException) => {
    throw portProblem(error, 'PLAYGROUND_PORT', config.PLAYGROUND_PORT);
  });
  parts.push(local);
  trustCertificate(local.certificate);
  return { token: local.application.token, apiUrl: local.apiUrl, cdnUrls: [local.cdnUrl], page: local.pageUrl() };
}

function portProblem(error: NodeJS.ErrnoException, name: 'PLAYGROUND_PORT' | 'HTTP_PORT', port: number): Error {
  if (error.code === 'EADDRINUSE') {
    const zero = name === 'HTTP_PORT' ? 'none' : 'any free one';
    return new ConfigError(
      `${name}: port ${port} is taken, maybe by a Parley that runs already. End that one, or set ${name} to another port (0: ${zero}).`,
    );
  }
  if (error.code === 'EACCES') return new ConfigError(`${name}: port ${port} may not be used. Set ${name} to a port above 1023.`);
  if (name === 'HTTP_PORT' && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? ''))
    return new ConfigError('HTTP_HOST: this machine has no such address. Set HTTP_HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.');
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
  console.error(error instanceof ConfigError ? error.message : error);
  // What has started already must not keep a process that cannot work.
  process.exit(1);
}
