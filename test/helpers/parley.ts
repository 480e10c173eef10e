// All of Parley in one process, as `npm start` runs it: the local Discord, a voice service and the bot, each on a free port.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayIntentBits, type Locale } from 'discord.js';
import { pino } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { offeredCommands } from '../../commands/index.ts';
import { type ApiOptions, createApi } from '../../src/api/index.ts';
import { type ComposeOptions, composeBot } from '../../src/bot/compose-bot.ts';
import type { Bot } from '../../src/bot/types.ts';
import { type OperatorBudgets, type Prices, readPrices, toOperatorBudgets } from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { describeError } from '../../src/discord/errors.ts';
import { type LocalDiscord, type LocalDiscordOptions, startLocalDiscord, trustCertificate } from '../../src/local/discord/index.ts';
import { followVoices } from '../../src/local/voice-service/default-voices.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { createLog } from '../../src/log.ts';
import { noMetrics, observeCalls } from '../../src/monitoring/observers.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { hasMoods, openSpeechCache } from '../../src/synthesis/index.ts';
import { type Member, memberOf } from './member.ts';
import { watchMentions, watchRequests } from './openapi.ts';
import { startTestVoiceService, type TestVoiceService } from './voice-service.ts';

export type Parley = Awaited<ReturnType<typeof startParley>>;

export interface ParleyOptions
  extends Pick<ApiOptions, 'retries' | 'timeouts' | 'breaker'>,
    Partial<Pick<ComposeOptions, 'captionsTiming' | 'concurrency' | 'cooldown' | 'defaultVoice' | 'isOurs' | 'metrics' | 'now'>>,
    Partial<Pick<ComposeOptions, 'onLost' | 'readMessages' | 'timing' | 'transcriptionModel' | 'voice' | 'voiceMakers' | 'wordsTiming'>> {
  /** With `voices`, it is the local one. */
  service: { url: string; key: string } & Partial<
    Pick<ComposeOptions['service'], 'isHosted' | 'spokenScripts'> & Pick<TestVoiceService, 'voices' | 'onVoices' | 'prepare'>
  >;
  /** Sets DISCORD_GUILD_ID. */
  inOneGuild?: boolean;
  /** Daily budgets; the defaults of the settings unless given. */
  budgets?: OperatorBudgets;
  /** Size limit of the speech cache; nothing is cached without it. */
  cacheBytes?: number;
  /** VOICE_MODEL, of a service that takes moods if the model does; the default one unless given, which takes none. */
  model?: string;
  /** PRICE_PER_MILLION_BYTES and PRICE_PER_HOUR; unset by default. */
  prices?: Prices;
  /** Makes Sam an operator by OPERATOR_IDS. */
  operatorsAreOthers?: boolean;
  /** The language of both members' Discord. */
  locale?: Locale;
  /** How many guilds and members there are, and the like. */
  discord?: LocalDiscordOptions;
  /** Receives each line of the log, from level info on. */
  logTo?: (line: string) => void;
  /** Called with the local Discord before the bot starts. */
  onDiscord?: (discord: LocalDiscord) => void;
  /** Returns the store that the bot uses in place of its own. */
  wrapStore?: (store: Store) => Store;
}

/** Discord's 3 s are too short for a busy machine. */
const RESPONSE_MS = 60_000;
/** Tests send requests faster than members do. */
const NO_COOLDOWN = { burst: 1_000, perMs: 1 };

export async function startParley(options: ParleyOptions) {
  const { service, retries, timeouts, breaker, inOneGuild, operatorsAreOthers, model, locale, logTo, ...rest } = options;
  const { cacheBytes = 0, onDiscord = () => {}, wrapStore = (own) => own, discord: discordOptions, ...passedOn } = rest;
  const { metrics = noMetrics, readMessages = false } = options;
  const settings = readConfig({});
  let { prices = readPrices(settings), defaultVoice } = options;
  const discord = await startLocalDiscord({
    privilegedIntents: GatewayIntentBits.MessageContent,
    responseMs: RESPONSE_MS,
    ...discordOptions,
  });
  const watched = [watchRequests(discord), watchMentions(discord)];
  onDiscord(discord);
  trustCertificate(discord.certificate);
  const api = createApi({
    baseUrl: service.url,
    apiKey: service.key,
    onCall: observeCalls(metrics),
    ...{ retries, timeouts, breaker, concurrency: options.concurrency },
  });
  const [member, other] = ['Robin', 'Sam'].map((name) => memberOf(discord, name, locale ? { locale } : {})) as [Member, Member];
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-'));
  const store = wrapStore(openSqliteStore(join(dataDir, 'parley.db')));
  const log = logTo ? pino({ level: 'info' }, { write: logTo }) : createLog(process.env.LOG_LEVEL ?? 'silent');
  const cache =
    cacheBytes > 0
      ? await openSpeechCache({
          directory: join(dataDir, 'cache'),
          maxBytes: cacheBytes,
          service: 'test',
          warn: (error) => log.warn(describeError(error)),
        })
      : null;
  const start = async () => {
    const moods = model !== undefined && hasMoods(model);
    const bot = await composeBot({
      cooldown: NO_COOLDOWN,
      budgets: toOperatorBudgets(settings),
      ...passedOn,
      prices,
      defaultVoice,
      readMessages,
      store,
      cache,
      log,
      metrics,
      token: discord.application.token,
      apiUrl: discord.apiUrl,
      cdnUrls: [discord.cdnUrl],
      guildId: inOneGuild ? discord.guildId : null,
      operatorIds: operatorsAreOthers ? [other.client.userId] : [],
      client: api,
      service: { ...toBotService(service), name: 'test', speechName: 'test' },
      sound: { format: 'mp3', streaming: true, moods, ...(model !== undefined && { model }) },
      commands: offeredCommands({ moods, readsMessages: readMessages }),
      privacyFacts: { voiceService: null, cacheBytes, onLocalDiscord: false },
    });
    await bot.start();
    await bot.registered;
    return bot;
  };
  let bot = await start();

  return {
    ...{ discord, api, store },
    /** DATA_DIR of the bot; the voice service has its own. */
    dataDir,
    /** The bot that is running now. */
    bot: (): Bot => bot,
    /** Robin, owner of the guild and the application. */
    member,
    /** Sam, who owns nothing. */
    other,
    /** Stops the bot and starts another, as for an update. */
    async restartBot(changes: Pick<ParleyOptions, 'prices' | 'defaultVoice'> = {}): Promise<void> {
      await bot.close();
      prices = changes.prices ?? prices;
      if ('defaultVoice' in changes) defaultVoice = changes.defaultVoice;
      bot = await start();
    },
    /** Fails if any request from the bot did not match Discord's description, or sent a message without saying whom it may notify. */
    async close(): Promise<void> {
      await bot.close();
      await api.close();
      await discord.close();
      await cache?.close();
      await store.close();
      await rm(dataDir, { recursive: true });
      expect(watched.flatMap(({ problems }) => problems)).toEqual([]);
    },
  };
}

const toBotService = ({ voices, onVoices, ...service }: ParleyOptions['service']) =>
  voices && onVoices ? { ...service, ...followVoices({ voices, onVoices }) } : service;

/** What is started before the tests of a file or a `describe`, and closed after them. */
export function useStarted<T extends { close(): Promise<unknown> }>(start: () => Promise<T>): T {
  const started = {} as T;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(() => started.close?.());
  return started;
}

/** A Parley on the real voice service, for all tests of a file or a `describe`. */
export function useParley(service: Partial<VoiceServiceOptions> = {}, options: Omit<ParleyOptions, 'service'> = {}): Parley {
  const started = useStarted(() => startTestVoiceService(service));
  return useStarted(() => startParley({ ...options, service: started }));
}
