// The Discord side shared by all commands. This file puts the bot together: a discord.js client, the features that commands use, the
// dispatcher, and a shutdown that loses nothing.
import { Events, ShardClientUtil, Status } from 'discord.js';
import { offeredCommands } from '../../commands/index.ts';
import { ConfigError } from '../config.ts';
import { createCapsLookup, createCreditService } from '../credit/index.ts';
import { alertSentence } from '../credit/view.ts';
import { createDictionaries } from '../dictionary/index.ts';
import { en } from '../locales/en/index.ts';
import { noMetrics, observeSessions } from '../monitoring/metrics.ts';
import { noTraces } from '../monitoring/traces.ts';
import { createVoiceMaker } from '../own-voices/maker.ts';
import { createReading } from '../reading/index.ts';
import { createLengthMeters } from '../recording-length/index.ts';
import { resumeSpeaking } from '../say/handover.ts';
import type { HandedOver } from '../say/index.ts';
import { createSettings } from '../settings/index.ts';
import { createAcceptedLanguages } from '../transcription/accepted-languages.ts';
import { createSessions } from '../voice/index.ts';
import { watchServerMutes } from '../voice/server-mutes.ts';
import { createVoiceOwners } from '../voices/owners.ts';
import { createVoiceRemoval } from '../voices/removal.ts';
import { createSafeFetch } from '../voices/safe-fetch.ts';
import { createVoiceTitles } from '../voices/titles.ts';
import { createAccess } from './access.ts';
import { createAttachments } from './attachments.ts';
import { createClient } from './client.ts';
import { keepRegistered, listRegisteredGuilds } from './command-registration.ts';
import { createDispatcher } from './dispatch.ts';
import { describeError } from './error-boundary.ts';
import { watchGuildDepartures } from './guild-departures.ts';
import { createHandovers } from './handovers.ts';
import { explainGatewayClose, explainLoginError, NOT_RECONNECTED } from './login-errors.ts';
import { createMessageIntents } from './message-access.ts';
import { createOperators } from './operators.ts';
import { createInviteLink } from './permissions.ts';
import { createReplyCorrections } from './reply-corrections.ts';
import { closeShard, openShard } from './shards.ts';
import { createSpeaking } from './speaking.ts';
import type { Bot, BotOptions } from './types.ts';
import { answerUnhandledInteractions } from './unhandled-interactions.ts';

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
  const permit = options.voice?.permit;
  const sessions = createSessions(client, {
    ...options.voice,
    permit: permit && ((guildId, aborted) => (handovers?.inTurn(permit) ?? permit)(guildId, aborted)),
    observer: observeSessions(metrics, options.traces ?? noTraces, log),
  });
  metrics.list(sessions.all);
  metrics.listShards(() => ({
    held: options.shards ? options.shards.leases.held().length : client.ws.shards.size,
    all: options.shards?.shardCount ?? client.ws.shards.size,
  }));
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
    isOurs: options.isOurs,
    canRead: () => messageIntents.access === 'on',
    log,
    now: options.now ?? Date.now,
  });
  const handovers =
    options.shards &&
    createHandovers({
      ...{ client, sessions, store, token, leases: options.shards.leases },
      async resume(interaction, utterance, claim) {
        if (isClosing) return;
        const { promise: queued, resolve: onStart } = Promise.withResolvers<void>();
        const how = { claim, onStart };
        await Promise.race([
          queued,
          dispatcher.resume(interaction, (context) => resumeSpeaking(interaction, context, utterance as HandedOver, how)),
        ]);
      },
    });
  const speaking = createSpeaking({ sessions, shards: options.shards, handovers });
  const replies = createReplyCorrections({
    ...{ client, commands: offered, store, log, signal },
    processes: options.shards?.leases.processes,
    handedOver: handovers?.waiting,
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
      stillIn: departures.stillIn,
      describeWholeBot: options.shards?.describe,
      isElsewhere: options.shards?.isElsewhere,
      handOver: handovers?.put,
      speakingIn: speaking.find,
    },
    access: createAccess({ settings, cooldown }),
    settings,
    store,
    log,
    signal,
    processId: options.shards?.leases.id,
    isOurs: options.isOurs,
    traces: options.traces,
    onEnd: metrics.commandEnded,
  });

  /** Shards of other processes that are still open here. */
  const handedOver = new Set<number>();
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

  async function register({ again = false } = {}): Promise<void> {
    const { rest, application } = client;
    const about = { rest, applicationId: application.id, inviteUrl: inviteUrl(), guildId, commands: offered, store, log };
    const keep = (stopping: AbortSignal) => keepRegistered({ ...about, signal: stopping });
    await (options.shards ? options.shards.registerOnce(keep, { signal, again }) : keep(signal));
  }

  /** Before the bot was invited, its commands could be neither registered in the guild nor deleted from it. */
  async function registerInNewGuild(id: string): Promise<void> {
    const earlier = await listRegisteredGuilds({ store, applicationId: client.application.id }).catch((): string[] => []);
    if (id === guildId || earlier.includes(id)) await register({ again: true });
  }

  async function logIn(): Promise<void> {
    const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
    await Promise.race([lostAtStart.promise, client.login(token).then(() => ready)]);
  }

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
      handedOver.delete(shardId);
      sessions.takeBack(shardId);
      await loggedIn.promise;
      await openShard(client, shardId);
      // Otherwise the first messages would be missed.
      await reading.loaded();
    },
    closeShard: (shardId) => closeShard(client, shardId),
    async handOver(shardId) {
      handedOver.add(shardId);
      const endAnswers = speaking.answer();
      await Promise.all([handovers?.keepStaying(shardId), sessions.handOver(shardId), dispatcher.current()]);
      endAnswers();
      if (handedOver.delete(shardId) && !isClosing) await closeShard(client, shardId);
    },
    isSilent: (shardId) =>
      !sessions.all().some(({ guildId, length }) => length > 0 && client.guilds.cache.get(guildId)?.shardId === shardId),
    async start() {
      // Read before this process can leave any of its own.
      const leftBehind = await replies.list();
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
      corrections = replies.correct(leftBehind);
      stopAccount = account.start((alert) => void operators.notify(alertSentence(en, alert)));
      registered.resolve(register());
      void departures.review();
      void voiceMaker.review();
      void voiceRemoval.review();
      void reading.begin();
      log.info({ user: client.user.id, guilds: client.guilds.cache.size }, 'the bot is ready');
    },
    takeHandedOver: async () => (isClosing ? undefined : handovers?.take()),
    correctReplies: async () => replies.correct(await replies.list()),
    tellOperators: (sentence) => loggedIn.promise.then(() => operators.notify(sentence)),
    speaking: () => sessions.all().filter(({ length }) => length > 0).length,
    isReady: () => !isClosing && client.ws.status === Status.Ready,
    async close({ drain = 0 } = {}) {
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
