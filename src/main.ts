// Starts everything: reads the configuration, starts local replacements for what is not configured, then the bot. Handles signals.
// Besides the doctor, the only file that imports local/.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { offeredCommands } from '../commands/index.ts';
import { type Api, createApi } from './api/index.ts';
import { warmUp } from './audio/index.ts';
import { type BotVoiceService, composeBot } from './bot/compose-bot.ts';
import { explainLoginError } from './bot/login-errors.ts';
import type { OtherProcesses, Part } from './bot/several-processes.ts';
import type { Bot } from './bot/types.ts';
import { type Prices, readPrices, toOperatorBudgets } from './charging/index.ts';
import { type Config, ConfigError, explainFormerNames, listOutsideHosts, loadEnvFile, readConfig, readsMessages } from './config.ts';
import { describeError } from './discord/errors.ts';
import type { VoiceServiceSupervisor } from './local/voice-service/supervisor.ts';
import { onBrokenMessage } from './locales/index.ts';
import { createLog, type Log } from './log.ts';
import { type Metrics, noMetrics, noTraces, observeCalls } from './monitoring/observers.ts';
import type { HttpOptions } from './monitoring/server.ts';
import { openStore } from './open-store.ts';
import { handleShutdown, type Stop } from './shutdown.ts';
import {
  explainDataDirError,
  explainMissingLocalDiscord,
  explainModelEnd,
  explainPortError,
  explainServiceError,
  explainStoreError,
} from './startup-errors.ts';
import type { Store } from './store/index.ts';
import { loadSealingKey } from './store/sealed.ts';
import { hasMoods, openSpeechCache, type SpeechCache } from './synthesis/index.ts';
import { startDetector } from './text/language.ts';

/** What has been started, and how to stop it. */
interface Running {
  config: Config;
  log: Log;
  /** Closed in reverse order. */
  parts: Part[];
  bot: Bot | null;
  others: OtherProcesses | null;
  stop: Stop;
}

async function main(): Promise<void> {
  loadEnvFile();
  const config = readConfig();
  const log = createLog(config.LOG_LEVEL);
  const running: Running = {
    config,
    log,
    parts: [],
    bot: null,
    others: null,
    stop: handleShutdown(log, {
      leave: async (maxMs) => running.others?.leave(maxMs),
      async close(drain) {
        await running.bot?.close({ drain });
        for (const part of running.parts.toReversed()) await part.close();
      },
    }),
  };

  try {
    await start(running);
  } catch (error) {
    // A shutdown during the start makes parts of it fail.
    if (!running.stop.isStopping) throw explainStoreError(error, config);
    await running.stop(0);
  }
}

/** Resolves when everything has started. */
async function start(running: Running): Promise<void> {
  const { config, log, parts } = running;
  // If the local Discord isn't installed, a missing token is an error. This checks it before anything is opened.
  if (!config.DISCORD_TOKEN) await importLocalDiscord();
  // Before everything else, since its process takes longest.
  const localService = await superviseLocalService(config, log);
  if (localService) parts.push(localService);
  onBrokenMessage(({ cause, ...message }) =>
    log.error({ ...message, ...describeError(cause) }, 'a sentence can’t be used, so English is shown in its place'),
  );
  const store = await openStore(config, { log });
  parts.push(store);
  const metrics = await startMonitoring(config, parts, {
    log,
    alive: () => running.others?.isAlive() ?? true,
    ready: async () => ({
      discord: running.bot?.isReady() ?? false,
      store: await isUsable(store),
      sound: running.bot?.isSending() ?? true,
    }),
  });
  const traces = config.OTEL_EXPORTER_OTLP_ENDPOINT ? (await import('./monitoring/open-telemetry.ts')).createTraces(log) : noTraces;
  parts.push(traces);
  const opening = openService(config, localService);
  const [service, discord, cache] = await Promise.all([
    opening,
    startDiscord(config, { store, log, parts, localService }),
    opening.then(({ speechName }) => openCache(config, speechName, { log, parts })),
    warmUp(),
  ]);

  const client = createApi({
    baseUrl: service.url,
    apiKey: service.key,
    model: config.VOICE_MODEL,
    concurrency: config.VOICE_API_CONCURRENCY,
    beforeConnecting: localService?.reachable,
    onCall: observeCalls(metrics, traces),
    onDown(isDown, outage) {
      if (outage === 'transcription') {
        if (isDown) log.warn('the voice service fails at transcribing: recordings fail immediately until it answers again');
        return;
      }
      running.others?.noteServiceDown(isDown);
      metrics.serviceDown(isDown);
      if (isDown) log.warn('the voice service is down: calls fail immediately until a probe succeeds');
      else log.info('the voice service is back');
    },
  });
  parts.push(client);
  const { prices } = service;
  const budgets = toOperatorBudgets(config);
  const modelEnd = explainModelEnd(config);
  if (modelEnd !== null) log.warn(modelEnd);
  for (const sentence of explainFormerNames()) log.warn(sentence);
  // The local voice service uses its own model whatever the name, and that would read the markers out.
  const moods = config.VOICE_API_URL !== undefined && hasMoods(config.VOICE_MODEL);
  const commands = offeredCommands({ moods, readsMessages: readsMessages(config) });
  if (config.REDIS_URL) {
    const { joinOtherProcesses } = await import('./bot/several-processes.ts');
    running.others = await joinOtherProcesses(config, discord, { store, log, client, parts, commands, prices, budgets }).catch((error) => {
      throw explainLoginError(error, discord.apiUrl);
    });
  }
  const bot = await composeBot({
    ...discord,
    client,
    service,
    others: running.others,
    commands,
    shardCount: config.SHARD_COUNT,
    guildId: config.DISCORD_GUILD_ID ?? null,
    readMessages: readsMessages(config),
    operatorIds: config.OPERATOR_IDS,
    concurrency: config.VOICE_API_CONCURRENCY,
    sound: { format: config.VOICE_FORMAT, model: config.VOICE_MODEL, streaming: config.VOICE_STREAMING === 'auto', moods },
    cache,
    transcriptionModel: config.VOICE_TRANSCRIPTION_MODEL,
    defaultVoice: config.DEFAULT_VOICE,
    voiceMakers: config.OWN_VOICES,
    prices,
    budgets,
    privacyFacts: {
      voiceService: listOutsideHosts(config),
      cacheBytes: cache ? config.CACHE_MB * 1024 * 1024 : 0,
      onLocalDiscord: !config.DISCORD_TOKEN,
    },
    store,
    log,
    metrics,
    traces,
    onLost: () => void running.stop(0, 1),
  });
  running.bot = bot;

  // The process keeps running. Such an error belongs to one connection, command or stream, which its timeouts will end, and exiting would
  // cut off speech everywhere else. What guilds share survives it: the ticker's steps don't throw (voice-session/player.ts), /readyz fails if sound
  // no longer leaves, and changes to the store are atomic.
  for (const event of ['uncaughtException', 'unhandledRejection'] as const)
    process.on(event, (error: unknown) => log.error(describeError(error), 'unhandled error; the process keeps running'));

  await bot.start();
  // Nothing of the start depends on it, so it waits until the bot has logged in.
  if (config.VOICE_API_URL) void warnOfService(client, config.VOICE_API_URL, log);
  // The built-in voices speak one language each: the first text needn't wait until its own can be told.
  if (localService && !config.LOCAL_SPEECH_URL) startDetector();
  // The page shows the commands, so it waits for them.
  if (discord.page) {
    await bot.registered;
    // Whoever started it opens the page, and has a voice speak, within seconds.
    localService?.prepare();
  }
  console.log(`\nParley is ready${nextStep(discord.page, bot)}\n`);
}

/** A proxy's gateway is still Discord's; a bot that rehearses on a local one can't be invited there. */
function nextStep(page: string | null, { client, inviteUrl }: Bot): string {
  if (page) return `: open ${page}`;
  const gateway = URL.parse(client.ws.gateway ?? '')?.hostname ?? '';
  return /(?:^|\.)discord\.gg$/.test(gateway) ? `. Invite it: ${inviteUrl}` : `, in the servers at ${gateway}.`;
}

/** Logs what is wrong with the address or the key of the voice service, which starting doesn't depend on. Never rejects. */
async function warnOfService(api: Api, url: string, log: Log): Promise<void> {
  await api.listModels({ pageSize: 1 }, { priority: 'background' }).catch((error: unknown) => {
    const sentence = explainServiceError(error, url);
    if (sentence !== null) log.warn(sentence);
  });
}

/** Serves health, readiness and metrics if HTTP_PORT is set; otherwise loads none of it. */
async function startMonitoring(config: Config, parts: Part[], checks: Pick<HttpOptions, 'alive' | 'ready' | 'log'>): Promise<Metrics> {
  const { HTTP_HOST: host, HTTP_PORT: port, METRICS_TOKEN: metricsToken = null } = config;
  if (port === 0) return noMetrics;
  const [{ startMonitoringServer }, { createPrometheus }] = await Promise.all([
    import('./monitoring/server.ts'),
    import('./monitoring/prometheus.ts'),
  ]);
  const metrics = createPrometheus();
  const server = await startMonitoringServer({ host, port, metrics, metricsToken, ...checks }).catch((error: NodeJS.ErrnoException) => {
    throw explainPortError(error, 'HTTP_PORT', port);
  });
  parts.push(server);
  return metrics;
}

/** Tests with a write, because a full disk can still be read. */
function isUsable(store: Store): Promise<boolean> {
  return store.set('ready', true, { expiresInMs: 60_000 }).then(
    () => true,
    () => false,
  );
}

interface Service extends BotVoiceService {
  key: string;
  prices: Prices;
}

/** Starts the local voice service, unless another one is configured. */
async function superviseLocalService(config: Config, log: Log): Promise<VoiceServiceSupervisor | null> {
  if (config.VOICE_API_URL) return null;
  const { LOCAL_SPEECH_URL, LOCAL_SPEECH_KEY, LOCAL_TRANSCRIPTION_URL, LOCAL_TRANSCRIPTION_KEY } = config;
  console.log('VOICE_API_URL is not set: starting the local voice service …');
  const { superviseVoiceService } = await import('./local/voice-service/supervisor.ts');
  return superviseVoiceService({
    dataDir: config.DATA_DIR,
    defaultEngine: config.LOCAL_DEFAULT_ENGINE,
    speech: LOCAL_SPEECH_URL ? { url: LOCAL_SPEECH_URL, key: LOCAL_SPEECH_KEY } : undefined,
    transcription: LOCAL_TRANSCRIPTION_URL ? { url: LOCAL_TRANSCRIPTION_URL, key: LOCAL_TRANSCRIPTION_KEY } : undefined,
    logLevel: config.LOG_LEVEL,
    log,
  });
}

/** The configured service, or the local one once it accepts requests. */
async function openService(config: Config, local: VoiceServiceSupervisor | null): Promise<Service> {
  // The configuration has both or neither.
  const { VOICE_API_URL: url = '', VOICE_API_KEY: key = '' } = config;
  if (!local) return { url, key, name: url, speechName: url, isHosted: true, prices: readPrices(config) };
  const { localPrices } = await import('./local/voice-service/money.ts');
  const service = await local.ready.catch((error) => {
    throw explainDataDirError(error, config.DATA_DIR);
  });
  const { followVoices } = await import('./local/voice-service/default-voices.ts');
  return {
    ...service,
    name: 'local',
    speechName: config.LOCAL_SPEECH_URL ?? `local ${service.soundVersion}`,
    transcriptionLanguages: service.languages,
    ...followVoices(local),
    prepare: local.prepare,
    prices: readPrices(config, localPrices),
  };
}

/** The speech cache. Parley also works without one. */
async function openCache(config: Config, service: string, { log, parts }: { log: Log; parts: Part[] }): Promise<SpeechCache | null> {
  try {
    const cache = await openSpeechCache({
      directory: join(config.DATA_DIR, 'cache'),
      maxBytes: config.CACHE_MB * 1024 * 1024,
      service,
      warn: (error) => log.warn(describeError(error), 'the speech cache failed; the service speaks instead, or the sound is not stored'),
    });
    parts.push(cache);
    return cache;
  } catch (error) {
    log.warn(describeError(error), 'speech is not cached until the next start: its folder in DATA_DIR cannot be used; its content stays');
    return null;
  }
}

/** @throws ConfigError if it isn't installed, as in the image, which leaves this workspace out */
function importLocalDiscord() {
  return import('./local/discord/index.ts').catch((error) => {
    throw explainMissingLocalDiscord(error);
  });
}

interface DiscordOptions {
  store: Store;
  log: Log;
  parts: Part[];
  localService: VoiceServiceSupervisor | null;
}

/** The configured Discord, or the local one with its page. */
async function startDiscord(config: Config, { store, log, parts, localService }: DiscordOptions) {
  const directory = join(config.DATA_DIR, 'local-discord');
  if (config.DISCORD_TOKEN) {
    // Messages from the time when Parley was tried without a token have no place beside a real bot's data.
    await rm(directory, { recursive: true, force: true }).catch((error) => {
      throw explainDataDirError(error, config.DATA_DIR);
    });
    return { token: config.DISCORD_TOKEN, apiUrl: config.DISCORD_API_URL ?? null, cdnUrls: config.DISCORD_CDN_URLS, page: null };
  }
  console.log('DISCORD_TOKEN is not set: starting the local Discord …');
  const [{ startLocalDiscord, trustCertificate }, { parleyOptions }, { createCrowdVoices }] = await Promise.all([
    importLocalDiscord(),
    import('./local/introduction.ts'),
    import('./local/crowd-voices.ts'),
  ]);
  const ownEngines = { speech: config.LOCAL_SPEECH_URL !== undefined, transcription: config.LOCAL_TRANSCRIPTION_URL !== undefined };
  // Stored, so that an open page reconnects after a restart.
  const pageKey = await loadSealingKey(store, 'page').catch(() => undefined);
  const voices = createCrowdVoices();
  parts.push(voices);
  const engines = () => ({ hasOwn: localService && ownEngines, voices: localService?.voices() ?? null });
  const local = await startLocalDiscord({
    ...parleyOptions(engines, voices.speak),
    port: config.PLAYGROUND_PORT,
    directory,
    ...(pageKey && { pageKey: pageKey.toString('base64url') }),
    onOpened: localService?.prepare,
    log,
  }).catch((error: NodeJS.ErrnoException) => {
    throw explainDataDirError(explainPortError(error, 'PLAYGROUND_PORT', config.PLAYGROUND_PORT), config.DATA_DIR);
  });
  parts.push(local);
  localService?.onVoices(local.updateIntroduction);
  trustCertificate(local.certificate);
  return { token: local.application.token, apiUrl: local.apiUrl, cdnUrls: [local.cdnUrl], page: local.pageUrl() };
}

try {
  await main();
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  // Parts that are already running would keep the process alive.
  process.exit(1);
}
