// All of Parley in one process, as `npm start` runs it: the local Discord, a voice service and the bot, each on a free port.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GatewayIntentBits, type Locale } from 'discord.js';
import { pino } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { offeredCommands } from '../../commands/index.ts';
import { type Api, type ApiOptions, createApi } from '../../src/api/index.ts';
import { createBot } from '../../src/bot/bot.ts';
import type { Bot, BotOptions } from '../../src/bot/types.ts';
import { readConfig } from '../../src/config.ts';
import { describeError } from '../../src/discord/errors.ts';
import { type LocalDiscord, type LocalDiscordOptions, startLocalDiscord, trustCertificate } from '../../src/local/discord/index.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { createLog } from '../../src/log.ts';
import { type Metrics, noMetrics, observeCalls } from '../../src/monitoring/observers.ts';
import { createSoundOwners, createSpeech, createVoiceLevels, hasMoods, openSpeechCache } from '../../src/speech/index.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { createVoiceOwners } from '../../src/voices/owners.ts';
import {
  type AccountTiming,
  type OperatorBudgets,
  openAccount,
  type Prices,
  readPrices,
  toOperatorBudgets,
} from '../../src/wallet/index.ts';
import { createMember, type Member } from './member.ts';
import { watchMentions, watchRequests } from './openapi.ts';
import { startTestVoiceService, type TestVoiceService } from './voice-service.ts';

export interface Parley {
  discord: LocalDiscord;
  api: Api;
  store: Store;
  /** DATA_DIR of the bot; the voice service has its own. */
  dataDir: string;
  /** The bot that is running now. */
  bot(): Bot;
  /** Robin, owner of the guild and the application. */
  member: Member;
  /** Sam, who owns nothing. */
  other: Member;
  /** Stops the bot and starts another, as for an update. */
  restartBot(changes?: Pick<ParleyOptions, 'prices' | 'defaultVoice'>): Promise<void>;
  /** Fails if any request from the bot did not match Discord's description, or sent a message without saying whom it may notify. */
  close(): Promise<void>;
}

export interface ParleyOptions
  extends Pick<ApiOptions, 'retries' | 'timeouts' | 'breaker' | 'concurrency'>,
    Partial<
      Pick<
        BotOptions,
        'voice' | 'captionsTiming' | 'onLost' | 'cooldown' | 'now' | 'voiceMakers' | 'readMessages' | 'defaultVoice' | 'isOurs'
      >
    > {
  service: { url: string; key: string; defaultVoice?: string | undefined; slowVoices?: readonly string[] };
  /** Sets DISCORD_GUILD_ID. */
  inOneGuild?: boolean;
  /** Daily budgets; the defaults of the settings unless given. */
  budgets?: OperatorBudgets;
  /** Size limit of the speech cache; nothing is cached without it. */
  cacheBytes?: number;
  /** How often the balance is polled. */
  timing?: Partial<AccountTiming>;
  /** VOICE_MODEL, of a service that takes moods if the model does; the default one unless given, which takes none. */
  model?: string;
  /** PRICE_PER_MILLION_CHARACTERS and PRICE_PER_HOUR; unset by default. */
  prices?: Prices;
  /** Makes Sam an operator by OPERATOR_IDS. */
  operatorsAreOthers?: boolean;
  /** The language of both members' Discord. */
  locale?: Locale;
  /** How many guilds and members there are, and the like. */
  discord?: LocalDiscordOptions;
  metrics?: Metrics;
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

export async function startParley(options: ParleyOptions): Promise<Parley> {
  const {
    service,
    cooldown = NO_COOLDOWN,
    inOneGuild,
    operatorsAreOthers,
    retries,
    timeouts,
    breaker,
    concurrency,
    voice,
    onLost,
    now,
    voiceMakers,
    isOurs,
    captionsTiming,
    locale,
    budgets = toOperatorBudgets(readConfig({})),
    timing = {},
    cacheBytes = 0,
    metrics = noMetrics,
    logTo,
    readMessages = false,
    model,
    onDiscord = () => {},
    wrapStore = (own) => own,
  } = options;
  let { prices = readPrices(readConfig({})), defaultVoice } = options;
  const discord = await startLocalDiscord({
    privilegedIntents: GatewayIntentBits.MessageContent,
    responseMs: RESPONSE_MS,
    ...options.discord,
  });
  const watched = [watchRequests(discord), watchMentions(discord)];
  onDiscord(discord);
  trustCertificate(discord.certificate);
  const api = createApi({
    baseUrl: service.url,
    apiKey: service.key,
    onCall: observeCalls(metrics),
    ...(retries ? { retries } : {}),
    ...(timeouts ? { timeouts } : {}),
    ...(breaker ? { breaker } : {}),
    ...(concurrency ? { concurrency } : {}),
  });
  const [member, other] = ['Robin', 'Sam'].map((name) =>
    createMember(discord.member(name, locale ? { locale } : {}), discord.channelId('general'), discord.channelId('Lounge')),
  ) as [Member, Member];
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-'));
  const store = wrapStore(openSqliteStore(join(dataDir, 'parley.db')));
  const log = logTo ? pino({ level: 'info' }, { write: logTo }) : createLog(process.env.LOG_LEVEL ?? 'silent');
  const warn = (error: unknown) => log.warn(describeError(error));
  const cache =
    cacheBytes > 0 ? await openSpeechCache({ directory: join(dataDir, 'cache'), maxBytes: cacheBytes, service: 'test', warn }) : null;
  const kept = cache ? { cache, owners: createSoundOwners(store, warn) } : {};
  const start = async () => {
    const account = await openAccount({ api, store, service: 'test', log, prices, timing, onBalance: metrics.creditSeen });
    const bot = createBot({
      token: discord.application.token,
      apiUrl: discord.apiUrl,
      cdnUrls: [discord.cdnUrl],
      guildId: inOneGuild ? discord.guildId : null,
      readMessages,
      operatorIds: operatorsAreOthers ? [other.client.userId] : [],
      serviceUrl: service.url,
      account,
      speech: createSpeech({
        api: account.api,
        format: 'mp3',
        ...(model !== undefined && { model, moods: true }),
        streaming: true,
        levels: createVoiceLevels(store, 'test', warn),
        accessOf: createVoiceOwners(store).accessOf,
        defaultVoice: service.defaultVoice,
        slowVoices: service.slowVoices ?? [],
        ...kept,
      }),
      commands: offeredCommands({ moods: model !== undefined && hasMoods(model), readsMessages: readMessages }),
      defaultVoice,
      slowVoices: service.slowVoices ?? [],
      budgets,
      privacyFacts: { voiceService: null, cacheBytes, onLocalDiscord: false },
      cooldown,
      store,
      log,
      metrics,
      ...(voice ? { voice } : {}),
      ...(onLost ? { onLost } : {}),
      ...(now ? { now } : {}),
      ...(voiceMakers ? { voiceMakers } : {}),
      isOurs,
      captionsTiming,
      ...(concurrency ? { concurrency } : {}),
    });
    await bot.start();
    await bot.registered;
    return bot;
  };
  let bot = await start();

  return {
    ...{ discord, api, store, dataDir, member, other },
    bot: () => bot,
    async restartBot(changes = {}) {
      await bot.close();
      prices = changes.prices ?? prices;
      if ('defaultVoice' in changes) defaultVoice = changes.defaultVoice;
      bot = await start();
    },
    async close() {
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

/** A Parley on the real voice service, for all tests of a file or a `describe`. */
export function useParley(service: Partial<VoiceServiceOptions> = {}, options: Omit<ParleyOptions, 'service'> = {}): Parley {
  const parley = {} as Parley;
  let started: TestVoiceService | undefined;
  beforeAll(async () => {
    started = await startTestVoiceService(service);
    Object.assign(parley, await startParley({ ...options, service: started }));
  });
  afterAll(async () => {
    await parley.close?.();
    await started?.close();
  });
  return parley;
}
