// The bot: a discord.js client, its commands registered, its interactions dispatched, and an end that loses nothing.
import { Client, Events, GatewayIntentBits, Options, Status } from 'discord.js';
import { commands } from '../../commands/index.ts';
import { ConfigError } from '../config.ts';
import { type Account, createCapsLookup, createCreditService, type OperatorBudgets } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';
import type { Log } from '../log.ts';
import { type Metrics, noMetrics, watchSessions } from '../monitoring/metrics.ts';
import type { PrivacyFacts } from '../privacy/facts.ts';
import { createLengthMeters } from '../recording-length/index.ts';
import { createSettings } from '../settings/index.ts';
import type { Speech } from '../speech/index.ts';
import type { Store } from '../store/index.ts';
import { createSessions } from '../voice/index.ts';
import { watchServerMutes } from '../voice/server-mutes.ts';
import type { SessionOptions } from '../voice/session.ts';
import { createSafeFetch } from '../voices/safe-fetch.ts';
import { createVoiceTitles } from '../voices/titles.ts';
import { type CooldownOptions, createAccess } from './access.ts';
import { createAttachments } from './attachments.ts';
import { keepRegistered, listRegisteredGuilds } from './command-registration.ts';
import { createDispatcher } from './dispatch.ts';
import { describeError } from './error-boundary.ts';
import { watchDepartures } from './guild-departures.ts';
import { explainGatewayClose, explainLoginError } from './login-errors.ts';
import { readOpenReplies } from './open-replies.ts';
import { createOperators } from './operators.ts';
import { createInviteLink } from './permissions.ts';
import { correctReplies } from './reply-corrections.ts';
import { isTooLongToWait, makeRequest } from './rest.ts';
import { answerUnhandledInteractions } from './unhandled-interactions.ts';

export interface BotOptions {
  token: string;
  /** REST base without version; null = Discord's. */
  apiUrl: string | null;
  /** Origins that attachments may be read from. */
  cdnUrls: string[];
  /** Register the commands in this guild alone; null = everywhere. */
  guildId: string | null;
  operatorIds: string[];
  /** Base address of the voice service: what it points at is read with care. */
  serviceUrl: string;
  /** At the voice service: its API, watched. */
  account: Account;
  speech: Speech;
  /** Spoken in where nobody has chosen a voice: `id` of a voice model; absent = the service's own. */
  defaultVoice?: string | undefined;
  /** What may be used a day. */
  budgets: OperatorBudgets;
  /** What /privacy has to tell of how I am run. */
  privacyFacts: PrivacyFacts;
  /** How fast a member may ask for what costs credit, or for what the service tells for nothing, if it is to be another pace than the usual ones. */
  cooldown?: CooldownOptions;
  /** Of settings and use; not closed here. */
  store: Store;
  log: Log;
  /** Milliseconds since 1970: for how long servers have been gone. */
  now?: () => number;
  /** Where figures are counted, where somebody asks for them. */
  metrics?: Metrics;
  /** Limits of the voice sessions, where they are to be others than its own. */
  voice?: Partial<SessionOptions>;
  /** The gateway has closed for good (token reset, intents refused): nothing will come any more. */
  onLost?: (reason: string) => void;
}

export interface Bot {
  client: Client<true>;
  /** Known once the bot has started. */
  readonly inviteUrl: string;
  /**
   * Logs in, and answers from then on. Resolves when the gateway is ready; the commands are registered meanwhile, however long Discord
   * wants that to take.
   * @throws ConfigError where the token or the intents are refused, or nothing answers at `apiUrl`.
   */
  start(): Promise<void>;
  /** Resolves when the commands are registered for the first time, or could not be. */
  registered: Promise<void>;
  /** Connected to Discord, and not ending. */
  isReady(): boolean;
  /** Ends, also before it has started; with `drain`, what is playing or being transcribed may end first (at most that many ms). */
  close(options?: { drain?: number }): Promise<void>;
}

/** The REST client has a queue for each interaction, and keeps those that are done with for an hour unless told otherwise. */
const SWEEP_MS = 60_000;
/** Aborted commands still tell their members why. */
const LAST_WORDS_MS = 2_000;

/** A bot that has not started yet, so that it can be told to end from the first moment on. */
export function createBot(options: BotOptions): Bot {
  const { token, apiUrl, guildId, account, speech, store, log } = options;
  const { api } = account;
  const client = new Client<true>({
    // Neither is privileged.
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
    allowedMentions: { parse: [], repliedUser: false },
    // What is pressed brings its message along.
    makeCache: Options.cacheWithLimits({ ...Options.DefaultMakeCacheSettings, MessageManager: 0 }),
    rest: {
      ...{ makeRequest, rejectOnRateLimit: isTooLongToWait, handlerSweepInterval: SWEEP_MS },
      ...(apiUrl ? { api: apiUrl } : {}),
    },
  });
  const closing = new AbortController();
  const attachments = createAttachments(options.cdnUrls);
  const recordingLengths = createLengthMeters({
    onLost: (error) => log.warn(describeError(error), 'a recording could not be counted; its length is estimated'),
  });
  const safeFetch = createSafeFetch({ serviceUrl: options.serviceUrl });
  const voiceTitles = createVoiceTitles({ api, log });
  const metrics = options.metrics ?? noMetrics;
  const sessions = watchSessions(createSessions(client, options.voice), metrics, log);
  const settings = createSettings(store);
  const departures = watchDepartures(client, { settings, store, log, now: options.now });
  const credit = createCreditService({ store, account, capsOf: createCapsLookup(options.budgets, settings) });
  const operators = createOperators(client, options.operatorIds, log);
  const { cooldown } = options;
  const dispatcher = createDispatcher({
    commands,
    features: {
      api,
      speech,
      sessions,
      voiceTitles,
      attachments,
      recordingLengths,
      safeFetch,
      settings,
      credit,
      store,
      budgets: options.budgets,
      privacyFacts: options.privacyFacts,
      defaultVoice: options.defaultVoice ?? null,
      isOperator: operators.has,
      isServerMuted: watchServerMutes(client),
    },
    access: createAccess({ settings, ...(cooldown ? { cooldown } : {}) }),
    store,
    log,
    signal: closing.signal,
    onEnd: metrics.commandEnded,
  });

  client.on(Events.Error, (error) => log.error(describeError(error), 'the Discord client failed'));
  client.on(Events.Warn, (message) => log.warn({ message }, 'the Discord client warns'));
  const lostAtStart = Promise.withResolvers<never>();
  lostAtStart.promise.catch(() => {});
  client.on(Events.ShardDisconnect, ({ code }) => {
    log.fatal({ code }, 'Discord has closed the gateway for good');
    if (isStarted) options.onLost?.(explainGatewayClose(code));
    else lostAtStart.reject(new ConfigError(explainGatewayClose(code)));
  });
  client.on(Events.InteractionCreate, dispatcher.handle);
  answerUnhandledInteractions(client, dispatcher.claim, log);
  client.on(Events.GuildCreate, (guild) => {
    // Invited just now: its commands could be neither registered nor deleted before.
    void isOfInterest(guild.id).then((is) => (is ? register() : undefined));
  });

  const register = () =>
    keepRegistered({ rest: client.rest, applicationId: client.application.id, guildId, commands, store, log, signal: closing.signal });

  const remembered = () => listRegisteredGuilds({ store, applicationId: client.application.id }).catch((): string[] => []);

  async function isOfInterest(id: string): Promise<boolean> {
    return id === guildId || (await remembered()).includes(id);
  }

  let isStarted = false;
  let isClosing = false;
  const registered = Promise.withResolvers<void>();
  let stopAccount = async (): Promise<unknown> => undefined;
  let corrected: Promise<unknown> = Promise.resolve();

  return {
    client,
    get inviteUrl() {
      return createInviteLink(client.application.id);
    },
    registered: registered.promise,
    async start() {
      // Before there can be any of this process.
      const leftBehind = await readOpenReplies(store).catch((error: unknown) => {
        log.warn(describeError(error), 'replies that an earlier process left behind are not corrected');
        return [];
      });
      try {
        const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
        await Promise.race([lostAtStart.promise, client.login(token).then(() => ready)]);
      } catch (error) {
        voiceTitles.close();
        await Promise.allSettled([client.destroy(), attachments.close(), recordingLengths.close(), safeFetch.close()]);
        throw explainLoginError(error, apiUrl);
      }
      isStarted = true;
      // Told to end meanwhile: nothing is begun that would have to be ended again.
      if (isClosing) return;
      void voiceTitles.refresh();
      corrected = correctReplies(leftBehind, { client, commands, store, log, signal: closing.signal });
      stopAccount = account.start((alert) => void operators.tell(en.credit.alert(alert)));
      registered.resolve(register());
      void departures.review();
      log.info({ user: client.user.id, guilds: client.guilds.cache.size }, 'the bot is ready');
    },
    isReady: () => !isClosing && client.ws.status === Status.Ready,
    async close({ drain = 0 } = {}) {
      isClosing = true;
      dispatcher.stop();
      voiceTitles.close();
      await Promise.all([sessions.close({ drain }), within(drain, dispatcher.settled())]);
      closing.abort();
      await within(LAST_WORDS_MS, Promise.all([dispatcher.settled(), corrected]));
      operators.close();
      departures.close();
      await Promise.allSettled([stopAccount(), client.destroy(), attachments.close(), recordingLengths.close(), safeFetch.close()]);
    },
  };
}

/** Waits, but not longer than this many milliseconds. */
async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, expired]);
  clearTimeout(timer);
}
