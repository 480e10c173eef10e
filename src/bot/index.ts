// The Discord side shared by all commands. This file puts the bot together: a discord.js client, the features that commands use, the
// dispatcher, and a shutdown that loses nothing.
import { type Client, Events, type Interaction, ShardClientUtil, Status } from 'discord.js';
import { offeredCommands } from '../../commands/index.ts';
import { ConfigError } from '../config.ts';
import { type Account, createCapsLookup, createCreditService, type OperatorBudgets } from '../credit/index.ts';
import { alertSentence } from '../credit/view.ts';
import { createDictionaries } from '../dictionary/index.ts';
import { en } from '../locales/en/index.ts';
import type { Log } from '../log.ts';
import { type Metrics, noMetrics, observeSessions } from '../monitoring/metrics.ts';
import { createVoiceMaker } from '../own-voices/maker.ts';
import type { VoiceMakers } from '../own-voices/permission.ts';
import type { PrivacyFacts } from '../privacy/facts.ts';
import type { SharedShards } from '../processes/index.ts';
import { createReading } from '../reading/index.ts';
import { createLengthMeters } from '../recording-length/index.ts';
import { createSettings } from '../settings/index.ts';
import type { Speech } from '../speech/index.ts';
import type { Store } from '../store/index.ts';
import { createAcceptedLanguages } from '../transcription/accepted-languages.ts';
import { createSessions } from '../voice/index.ts';
import { watchServerMutes } from '../voice/server-mutes.ts';
import type { SessionOptions } from '../voice/session.ts';
import { createVoiceOwners } from '../voices/owners.ts';
import { createVoiceRemoval } from '../voices/removal.ts';
import { createSafeFetch } from '../voices/safe-fetch.ts';
import { createVoiceTitles } from '../voices/titles.ts';
import { createAccess } from './access.ts';
import { createAttachments } from './attachments.ts';
import { createClient } from './client.ts';
import { keepRegistered, listRegisteredGuilds } from './command-registration.ts';
import type { CooldownOptions } from './cooldown.ts';
import { createDispatcher } from './dispatch.ts';
import { describeError } from './error-boundary.ts';
import { watchGuildDepartures } from './guild-departures.ts';
import { explainGatewayClose, explainLoginError, NOT_RECONNECTED } from './login-errors.ts';
import { createMessageIntents } from './message-access.ts';
import { type OpenReply, readOpenReplies } from './open-replies.ts';
import { createOperators } from './operators.ts';
import { createInviteLink } from './permissions.ts';
import { correctReplies } from './reply-corrections.ts';
import { closeShard, openShard } from './shards.ts';
import { answerUnhandledInteractions } from './unhandled-interactions.ts';

export interface BotOptions {
  token: string;
  /** REST base without version; null = Discord's. */
  apiUrl: string | null;
  /** Origins that attachments may be read from. */
  cdnUrls: string[];
  /** Register the commands in this guild only; null = globally. */
  guildId: string | null;
  /** Whether to ask for the privileged intent that reading channels aloud needs. */
  readMessages: boolean;
  operatorIds: string[];
  /** Base address of the voice service; links it returns are fetched with care. */
  serviceUrl: string;
  /** The account at the voice service, and the API that watches it. */
  account: Account;
  speech: Speech;
  /** Whether the voices understand moods. */
  moods?: boolean;
  /** Id of the voice to use if nobody has chosen one; absent = the service's own. */
  defaultVoice?: string | undefined;
  /** Who may make voices; operators unless given. */
  voiceMakers?: VoiceMakers;
  /** The operator's daily budgets. */
  budgets: OperatorBudgets;
  privacyFacts: PrivacyFacts;
  /** All that the voice service transcribes (BCP 47); absent = unknown, and learned from its answers. */
  transcriptionLanguages?: readonly string[] | undefined;
  /** Replaces the usual cooldowns of members. */
  cooldown?: CooldownOptions;
  /** Not closed here. */
  store: Store;
  log: Log;
  /** Milliseconds since 1970; decides for how long guilds have been gone. */
  now?: () => number;
  metrics?: Metrics;
  /** Replaces limits of the voice sessions. */
  voice?: Partial<SessionOptions>;
  /** Shards that are shared with other processes; absent = this process has all. Not closed here. */
  shards?: SharedShards | undefined;
  /** Whether this process answers an interaction, if several receive it. Never rejects. */
  isOurs?: ((interaction: Interaction) => Promise<boolean>) | undefined;
  /** Called if the gateway closes for good (token reset, intents refused). */
  onLost?: (reason: string) => void;
}

export interface Bot {
  client: Client<true>;
  /** Known once the bot has started. */
  readonly inviteUrl: string;
  /**
   * Logs in. Resolves when the gateway is ready; the commands are registered in the background, however long Discord takes.
   * @throws ConfigError if the token or the intents are refused, or nothing answers at `apiUrl`
   */
  start(): Promise<void>;
  /** Resolves when the commands were registered for the first time, or could not be. */
  registered: Promise<void>;
  /** Opens and closes a shard that it shares with other processes. `open` resolves when its guilds have arrived. */
  openShard(shardId: number): Promise<void>;
  closeShard(shardId: number): Promise<void>;
  /** Whether nothing is spoken in any guild of the shard. */
  isSilent(shardId: number): boolean;
  /** Corrects replies of other processes that no longer run. */
  correctReplies(): Promise<void>;
  /** How many guilds it speaks in. */
  speaking(): number;
  /** Is it connected to Discord and not shutting down? */
  isReady(): boolean;
  /**
   * Shuts down, also before it has started.
   * @param options `drain`: milliseconds that what is playing or being transcribed may take to finish
   */
  close(options?: { drain?: number }): Promise<void>;
}

/** Milliseconds for other processes to take the shards over, one after the other: each identifies in its turn, then its guilds arrive. */
const LEAVE_MS = 60_000;
/** Milliseconds for aborted commands to tell their members why. */
const LAST_WORDS_MS = 2_000;

/** Creates a bot that has not started, so that it can be told to shut down from the first moment on. */
export function createBot(options: BotOptions): Bot {
  const { token, apiUrl, guildId, account, speech, store, log, cooldown, readMessages } = options;
  const { api } = account;
  const messageIntents = createMessageIntents(readMessages, log, (error) => {
    log.fatal(describeError(error), 'the gateway could not be connected again');
    if (isStarted) options.onLost?.(NOT_RECONNECTED);
  });
  const client = createClient(apiUrl, messageIntents, log, options.shards);
  const offered = offeredCommands({ moods: options.moods ?? false, readsMessages: readMessages });
  const closing = new AbortController();
  const { signal } = closing;
  const attachments = createAttachments(options.cdnUrls);
  const recordingLengths = createLengthMeters({
    onLost: (error) => log.warn(describeError(error), 'a recording could not be counted; its length is estimated'),
  });
  const safeFetch = createSafeFetch({ serviceUrl: options.serviceUrl });
  const voiceOwners = createVoiceOwners(store);
  const voiceTitles = createVoiceTitles({ api, voiceOwners, log });
  const metrics = options.metrics ?? noMetrics;
  const sessions = createSessions(client, { ...options.voice, observer: observeSessions(metrics, log) });
  metrics.list(sessions.all);
  const settings = createSettings(store);
  const dictionaries = createDictionaries(store);
  const voiceRemoval = createVoiceRemoval({ api, speech, settings, voiceOwners, log });
  const departures = watchGuildDepartures(client, { settings, dictionaries, voiceOwners, store, log, now: options.now });
  const operators = createOperators(client, options.operatorIds, log);
  const voiceMaker = createVoiceMaker({
    api,
    attachments,
    settings,
    store,
    voiceOwners,
    log,
    signal,
    now: options.now,
    // Direct messages arrive on the first shard.
    isMine: (id) => client.ws.shards.has(id === null ? 0 : ShardClientUtil.shardIdForGuildId(id, client.options.shardCount ?? 1)),
  });
  const credit = createCreditService({ store, account, capsOf: createCapsLookup(options.budgets, settings) });
  const isServerMuted = watchServerMutes(client);
  const defaultVoice = options.defaultVoice ?? null;
  const reading = createReading({
    client,
    sessions,
    speech,
    settings,
    credit,
    store,
    voiceTitles,
    voiceOwners,
    dictionaries,
    defaultVoice,
    isServerMuted,
    canRead: () => messageIntents.access === 'on',
    log,
    now: options.now ?? Date.now,
  });
  const dispatcher = createDispatcher({
    commands: offered,
    features: {
      api,
      speech,
      sessions,
      voiceTitles,
      attachments,
      recordingLengths,
      transcriptionLanguages: createAcceptedLanguages(options.transcriptionLanguages ?? null),
      safeFetch,
      settings,
      dictionaries,
      credit,
      store,
      voiceOwners,
      voiceMaker,
      voiceMakers: options.voiceMakers ?? 'operators',
      voiceRemoval,
      reading,
      budgets: options.budgets,
      privacyFacts: options.privacyFacts,
      defaultVoice,
      messageAccess: () => messageIntents.access,
      isOperator: operators.has,
      isServerMuted,
    },
    access: createAccess({ settings, cooldown }),
    settings,
    store,
    log,
    signal,
    processId: options.shards?.leases.id,
    isOurs: options.isOurs,
    onEnd: metrics.commandEnded,
  });

  let isStarted = false;
  let isClosing = false;
  const registered = Promise.withResolvers<void>();
  const loggedIn = Promise.withResolvers<void>();
  const lostAtStart = Promise.withResolvers<never>();
  lostAtStart.promise.catch(() => {});
  let stopAccount = async (): Promise<unknown> => undefined;
  let corrections: Promise<unknown> = Promise.resolve();

  client.on(Events.ShardDisconnect, ({ code }) => {
    if (messageIntents.recover(code)) return;
    log.fatal({ code }, 'Discord has closed the gateway for good');
    if (isStarted) options.onLost?.(explainGatewayClose(code));
    else lostAtStart.reject(new ConfigError(explainGatewayClose(code)));
  });
  client.on(Events.InteractionCreate, dispatcher.handle);
  answerUnhandledInteractions(client, dispatcher.claim, log);
  client.on(Events.GuildCreate, ({ id }) => void registerInNewGuild(id));

  function inviteUrl(): string {
    return createInviteLink(client.application.id, { readsMessages: readMessages });
  }

  function register(): Promise<void> {
    const { rest, application } = client;
    return keepRegistered({ rest, applicationId: application.id, inviteUrl: inviteUrl(), guildId, commands: offered, store, log, signal });
  }

  /** Before the bot was invited, its commands could be neither registered in the guild nor deleted from it. */
  async function registerInNewGuild(id: string): Promise<void> {
    const earlier = await listRegisteredGuilds({ store, applicationId: client.application.id }).catch((): string[] => []);
    if (id === guildId || earlier.includes(id)) await register();
  }

  async function logIn(): Promise<void> {
    const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
    await Promise.race([lostAtStart.promise, client.login(token).then(() => ready)]);
  }

  /** Replies of processes that no longer run. Never rejects. */
  async function listLeftBehind(): Promise<OpenReply[]> {
    try {
      const running = new Set((await options.shards?.leases.processes())?.map(({ id }) => id));
      return (await readOpenReplies(store)).filter(({ processId }) => processId === null || !running.has(processId));
    } catch (error) {
      log.warn(describeError(error), 'replies that an earlier process left behind are not corrected');
      return [];
    }
  }

  const correct = (replies: OpenReply[]) => correctReplies(replies, { client, commands: offered, store, log, signal });

  function closeConnections(): Promise<unknown> {
    return Promise.allSettled([client.destroy(), attachments.close(), recordingLengths.close(), safeFetch.close()]);
  }

  return {
    client,
    get inviteUrl() {
      return inviteUrl();
    },
    registered: registered.promise,
    async openShard(shardId) {
      await loggedIn.promise;
      if (!client.ws.shards.has(shardId)) await openShard(client, shardId);
    },
    closeShard: (shardId) => closeShard(client, shardId),
    isSilent: (shardId) =>
      !sessions.all().some(({ guildId, length }) => length > 0 && client.guilds.cache.get(guildId)?.shardId === shardId),
    async start() {
      // Read before this process can leave any of its own.
      const leftBehind = await listLeftBehind();
      try {
        await logIn();
      } catch (error) {
        voiceTitles.close();
        await closeConnections();
        throw explainLoginError(error, apiUrl);
      }
      isStarted = true;
      loggedIn.resolve();
      // If it was told to shut down meanwhile, nothing is started that would have to be stopped again.
      if (isClosing) return;
      void voiceTitles.refresh();
      corrections = correct(leftBehind);
      stopAccount = account.start((alert) => void operators.notify(alertSentence(en, alert)));
      registered.resolve(register());
      void departures.review();
      void voiceMaker.review();
      void voiceRemoval.review();
      void reading.begin();
      log.info({ user: client.user.id, guilds: client.guilds.cache.size }, 'the bot is ready');
    },
    correctReplies: async () => correct(await listLeftBehind()),
    speaking: () => sessions.all().filter(({ length }) => length > 0).length,
    isReady: () => !isClosing && client.ws.status === Status.Ready,
    async close({ drain = 0 } = {}) {
      // Everything is answered until another process takes over.
      if (drain > 0) await options.shards?.leases.leave(LEAVE_MS);
      isClosing = true;
      dispatcher.stop();
      voiceTitles.close();
      reading.close();
      await Promise.all([sessions.close({ drain }), waitAtMost(drain, dispatcher.settled())]);
      closing.abort();
      await waitAtMost(LAST_WORDS_MS, Promise.all([dispatcher.settled(), corrections]));
      operators.close();
      departures.close();
      voiceMaker.close();
      voiceRemoval.close();
      await Promise.allSettled([stopAccount(), closeConnections()]);
    },
  };
}

async function waitAtMost(ms: number, promise: Promise<unknown>): Promise<void> {
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, expired]);
  clearTimeout(timer);
}
