// Puts the bot together: a discord.js client, the features that commands use, the dispatcher, and a shutdown that loses nothing.
import { Events, ShardClientUtil, Status } from 'discord.js';
import { within } from '../async/waiting.ts';
import { createCaptions } from '../captions/captions.ts';
import { createListening } from '../captions/listening.ts';
import { createSpeechFinder } from '../captions/speech-finder.ts';
import { ConfigError } from '../config.ts';
import { alertSentence } from '../credit/view.ts';
import { createRecordingCutter } from '../decoding/cutter.ts';
import { createDictionaries } from '../dictionary/dictionaries.ts';
import { createAccess } from '../discord/access.ts';
import { createAttachments } from '../discord/attachments.ts';
import { createDirectHints } from '../discord/direct-messages.ts';
import { describeError } from '../discord/errors.ts';
import { createHandovers } from '../discord/handovers.ts';
import { createMessageIntents } from '../discord/message-access.ts';
import { createOperators } from '../discord/operators.ts';
import { createInviteLink } from '../discord/permissions.ts';
import { createSpeaking } from '../discord/playback.ts';
import { watchServerMutes } from '../discord/voice-channels.ts';
import { en, languages, type Translator, translatorFor } from '../locales/index.ts';
import { noMetrics, noTraces, observeSessions } from '../monitoring/observers.ts';
import { createPostedWords } from '../posted-words/posted-words.ts';
import { createReading } from '../reading/reading.ts';
import { createDurationMeters } from '../recording-duration/meters.ts';
import { resumeSpeaking } from '../say/say.ts';
import { deriveSealingKey } from '../store/index.ts';
import { createSettings } from '../store/settings.ts';
import { detectLanguage } from '../text/language.ts';
import { createAcceptedLanguages } from '../transcription/context.ts';
import { AUTO_MODEL } from '../transcription/model.ts';
import { createVoiceMessages } from '../transcription/voice-messages/voice-messages.ts';
import { createSessions, VoiceError } from '../voice/index.ts';
import { createVoiceMaker } from '../voices/own-voice-maker.ts';
import { createVoiceOwners } from '../voices/owners.ts';
import { createVoiceRemoval } from '../voices/removal.ts';
import { createSafeFetch } from '../voices/safe-fetch.ts';
import { createVoiceTitles } from '../voices/titles.ts';
import { createCapsLookup, createCreditService } from '../wallet/index.ts';
import { closeShard, createClient, NORMAL, openShard } from './client.ts';
import { keepRegistered, listRegisteredGuilds } from './command-registration.ts';
import { answerUnhandledInteractions, createDispatcher } from './dispatch.ts';
import { watchGuildDepartures } from './guild-departures.ts';
import { explainGatewayClose, explainLoginError, NOT_RECONNECTED } from './login-errors.ts';
import { watchMessages } from './message-events.ts';
import { createReplyCorrections, createVoiceMessageNotes } from './open-replies.ts';
import type { Bot, BotOptions } from './types.ts';

/** Milliseconds after a shard has fallen silent until it is closed, though commands of its guilds still run. */
const LAST_COMMANDS_MS = 5 * 60_000;
/** Milliseconds for aborted commands to tell their members why. */
const LAST_WORDS_MS = 2_000;

/** Creates a bot that has not started, so that it can be told to shut down from the first moment on. */
export function createBot(options: BotOptions): Bot {
  const { token, apiUrl, guildId, commands, account, speech, store, log, cooldown, readMessages } = options;
  const { api } = account;
  const messageIntents = createMessageIntents(readMessages, log, (error) => {
    log.fatal(describeError(error), 'the gateway could not be connected again');
    if (isStarted) options.onLost?.(NOT_RECONNECTED);
  });
  const client = createClient(apiUrl, messageIntents, log, options.shards ?? options.shardCount ?? 'auto');
  const closing = new AbortController();
  const { signal } = closing;
  const attachments = createAttachments(options.cdnUrls);
  const recordingDurations = createDurationMeters({
    onLost: (error) => log.warn(describeError(error), 'a recording could not be counted; its duration is estimated'),
  });
  const recordingCutter = createRecordingCutter();
  const safeFetch = createSafeFetch({ serviceUrl: options.serviceUrl });
  const voiceOwners = createVoiceOwners(store);
  const voiceTitles = createVoiceTitles({ api, voiceOwners, log });
  const metrics = options.metrics ?? noMetrics;
  const permit = options.voice?.permit;
  const sessions = createSessions(client, {
    ...options.voice,
    permit:
      permit &&
      (async (guildId, aborted) => {
        const release = await (handovers?.inTurn(permit) ?? permit)(guildId, aborted);
        // The process that was there before may have been told to leave.
        await reading.refresh(guildId);
        return release;
      }),
    observer: observeSessions(metrics, options.traces ?? noTraces, log),
  });
  metrics.list(sessions.all);
  metrics.listShards(() => ({
    held: options.shards ? options.shards.leases.held().length : client.ws.shards.size,
    all: options.shards?.shardCount ?? client.ws.shards.size,
  }));
  const sealingKey = deriveSealingKey(token, 'replies');
  const settings = createSettings(store);
  const dictionaries = createDictionaries(store);
  const voiceRemoval = createVoiceRemoval({ api, speech, settings, store, voiceOwners, log });
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
    isResponsibleFor: (id) => client.ws.shards.has(shardOf(id)),
  });
  const credit = createCreditService({ store, account, capsOf: createCapsLookup(options.budgets, settings) });
  const isServerMuted = watchServerMutes(client);
  const { defaultVoice = null, slowVoices = [], languageVoices = null } = options;
  const reading = createReading({
    client,
    api,
    sessions,
    speech,
    settings,
    credit,
    store,
    voiceTitles,
    voiceOwners,
    dictionaries,
    defaultVoice: slowVoices.includes(defaultVoice ?? '') ? null : defaultVoice,
    slowVoices,
    speaksOneLanguage: languageVoices !== null,
    isServerMuted,
    isOurs: options.isOurs,
    canRead: () => messageIntents.access === 'on',
    endElsewhere: (guildId, of) => speaking.endReadElsewhere(guildId, of),
    log,
    now: options.now ?? Date.now,
  });
  const handovers =
    options.shards &&
    createHandovers({
      ...{ client, sessions, store, token, log, leases: options.shards.leases },
      async resume(interaction, utterance, claim) {
        if (isClosing) return;
        const { promise: queued, resolve: onStart } = Promise.withResolvers<void>();
        const how = { claim, onStart };
        await Promise.race([queued, dispatcher.resume(interaction, (context) => resumeSpeaking(interaction, context, utterance, how))]);
      },
    });
  const speaking = createSpeaking({ sessions, shards: options.shards, handovers, log, endRead: reading.endHere });
  const access = createAccess({ cooldown });
  const transcriptionLanguages = createAcceptedLanguages(options.transcriptionLanguages ?? null);
  const { transcriptionModel = AUTO_MODEL } = options;
  const words = createPostedWords({
    ...{ client, store, log },
    isShared: options.shards !== undefined,
    hasGuild: (id) => options.shards?.leases.has(shardOf(id)) ?? true,
    now: options.now ?? Date.now,
    timing: options.wordsTiming,
  });
  const voiceMessages = createVoiceMessages({
    ...{ client, words, api, attachments, recordingDurations, recordingCutter, transcriptionLanguages, transcriptionModel },
    ...{ credit, settings, store, log, signal },
    note: createVoiceMessageNotes({ store, log, processId: options.shards?.leases.id }),
    takeAllowance: access.takeSpending,
    canRead: () => messageIntents.access === 'on',
    isOurs: options.isOurs,
    now: options.now ?? Date.now,
  });
  const speechFinder = createSpeechFinder();
  const captions = createCaptions({
    ...{ client, sessions, settings, speech, credit, store, words, attachments, transcriptionLanguages, log, signal },
    defaultVoice,
    service: options.privacyFacts.voiceService,
    listen: (listening) => createListening({ api, credit, speechFinder, transcriptionLanguages, log }, listening),
    hasShard: options.shards?.leases.has,
    isElsewhere: options.shards?.isElsewhere,
    canSpareCalls: options.canSpareCalls ?? (() => true),
    now: options.now ?? Date.now,
    timing: options.captionsTiming,
  });
  const unwatchMessages = watchMessages(client, {
    reading,
    voiceMessages,
    handleDirectMessage: createDirectHints(client, { store, log, translatorOf }),
    now: options.now ?? Date.now,
  });
  const replies = createReplyCorrections({
    ...{ client, voiceMessages, store, sealingKey, log, signal },
    processes: options.shards?.leases.processes,
    handedOver: handovers?.waiting,
  });
  const dispatcher = createDispatcher({
    commands,
    features: {
      api,
      speech,
      sessions,
      voiceTitles,
      attachments,
      recordingDurations,
      recordingCutter,
      transcriptionLanguages,
      transcriptionModel,
      isRecogniserStarting: options.isRecogniserStarting,
      voiceMessages,
      captions,
      words,
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
      slowVoices,
      languageVoices,
      spokenScripts: options.spokenScripts ?? null,
      messageAccess: () => messageIntents.access,
      isOperator: operators.has,
      isServerMuted,
      stillIn: departures.stillIn,
      describeWholeBot: options.shards?.describe,
      isElsewhere: options.shards?.isElsewhere,
      handOver: handovers?.put,
      speakingIn: speaking.find,
    },
    access,
    store,
    sealingKey,
    log,
    signal,
    processId: options.shards?.leases.id,
    isOurs: options.isOurs,
    traces: options.traces,
    onEnd: metrics.commandEnded,
  });

  /** Shards that now belong to other processes but are still open here, each with its latest handoff. */
  const handedOver = new Map<number, object>();
  let isStarted = false;
  let isClosing = false;
  const registered = Promise.withResolvers<void>();
  /** Shards that should be open. */
  const wanted = new Set<number>();
  /** Resolves with true after the login, with false if the bot is told to shut down first. */
  const loggedIn = Promise.withResolvers<boolean>();
  const lostAtStart = Promise.withResolvers<never>();
  lostAtStart.promise.catch(() => {});
  let stopAccount = async (): Promise<unknown> => undefined;
  let corrections: Promise<unknown> = Promise.resolve();

  client.on(Events.ShardDisconnect, ({ code }) => {
    if (code === NORMAL || messageIntents.recover(code)) return;
    log.fatal({ code }, 'Discord has closed the gateway for good');
    if (isStarted) options.onLost?.(explainGatewayClose(code));
    else lostAtStart.reject(new ConfigError(explainGatewayClose(code)));
  });
  client.on(Events.InteractionCreate, dispatcher.handle);
  answerUnhandledInteractions(client, { claim: dispatcher.claim, isOurs: options.isOurs, log });
  client.on(Events.GuildCreate, ({ id }) => void registerInNewGuild(id));

  function inviteUrl(): string {
    return createInviteLink(client.application.id, { readsMessages: readMessages });
  }

  async function register({ again = false } = {}): Promise<void> {
    const { rest, application } = client;
    const about = { rest, applicationId: application.id, inviteUrl: inviteUrl(), guildId, commands, store, log };
    const keep = (stopping: AbortSignal) => keepRegistered({ ...about, signal: stopping });
    await (options.shards ? options.shards.registerOnce(keep, { signal, again }) : keep(signal));
  }

  /** Before the bot was invited, its commands could be neither registered in this guild nor deleted from it. */
  async function registerInNewGuild(id: string): Promise<void> {
    const earlier = await listRegisteredGuilds({ store, applicationId: client.application.id }).catch((): string[] => []);
    if (id === guildId || earlier.includes(id)) await register({ again: true });
  }

  async function logIn(): Promise<void> {
    const ready = new Promise((resolve) => client.once(Events.ClientReady, resolve));
    await Promise.race([lostAtStart.promise, client.login(token).then(() => ready)]);
  }

  /** Never rejects. */
  async function endShard(shardId: number): Promise<void> {
    wanted.delete(shardId);
    // Not during the login, which would wait forever for the session of its shard.
    if (!client.ws.shards.has(shardId) || !(await loggedIn.promise) || wanted.has(shardId)) return;
    await closeShard(client, shardId);
  }

  /** Direct messages arrive on the first shard. */
  function shardOf(id: string | null): number {
    return id === null ? 0 : ShardClientUtil.shardIdForGuildId(id, client.options.shardCount ?? 1);
  }

  function closeConnections(): Promise<unknown> {
    return Promise.allSettled([
      client.destroy(),
      attachments.close(),
      recordingDurations.close(),
      recordingCutter.close(),
      safeFetch.close(),
    ]);
  }

  return {
    client,
    get inviteUrl() {
      return inviteUrl();
    },
    registered: registered.promise,
    async openShard(shardId) {
      // Its session is still open.
      const isBack = handedOver.delete(shardId);
      sessions.takeBack(shardId);
      wanted.add(shardId);
      if (!(await loggedIn.promise) || !wanted.has(shardId)) return;
      await openShard(client, shardId);
      // The first messages would be missed otherwise.
      await (isBack ? reading.reload(shardId) : reading.loaded());
      if (isBack) void captions.reload(shardId);
    },
    closeShard: endShard,
    async handOver(shardId) {
      wanted.delete(shardId);
      const handover = {};
      handedOver.set(shardId, handover);
      const endAnswers = speaking.answer();
      // First of all, because members tell the other process from now on if they no longer agree.
      await captions.handOver(shardId);
      await Promise.all([handovers?.keepStaying(shardId), sessions.handOver(shardId)]);
      const isThere = (id: string | null) => shardOf(id) === shardId;
      await within(LAST_COMMANDS_MS, Promise.all([dispatcher.current(isThere), voiceMessages.current(isThere)]));
      endAnswers();
      // It may have come back meanwhile, and be handed off once more.
      if (handedOver.get(shardId) !== handover || isClosing) return;
      handedOver.delete(shardId);
      await endShard(shardId);
    },
    sessionOf(shardId) {
      const status = client.ws.shards.get(shardId)?.status;
      if (status === Status.Ready) return 'open';
      // All other shards wait for the one that logs in.
      return status !== undefined || (!isStarted && client.ws.shards.size > 0) ? 'opening' : 'none';
    },
    isSilent: (shardId) =>
      !sessions.all().some(({ guildId, length }) => length > 0 && client.guilds.cache.get(guildId)?.shardId === shardId),
    async start() {
      // Read before this process can leave behind any of its own.
      const leftBehind = await replies.list();
      try {
        await logIn();
      } catch (error) {
        voiceTitles.close();
        await closeConnections();
        throw explainLoginError(error, apiUrl);
      }
      isStarted = true;
      loggedIn.resolve(true);
      // If the bot was told to shut down meanwhile, nothing more is started.
      if (isClosing) return;
      void voiceTitles
        .refresh()
        .then(() => (defaultVoice === null || voiceTitles.resolve(defaultVoice).title !== null ? null : voiceTitles.fetch(defaultVoice)));
      corrections = replies.correct(leftBehind);
      stopAccount = account.start((alert) => void operators.notify(alertSentence(en, alert)));
      registered.resolve(register());
      void departures.review();
      void voiceMaker.review();
      void voiceRemoval.review();
      void reading.begin();
      void captions.begin();
      words.removals.begin();
      log.info({ user: client.user.id, guilds: client.guilds.cache.size }, 'the bot is ready');
    },
    takeHandedOver: async () => (isClosing ? undefined : handovers?.take()),
    correctReplies: async () => replies.correct(await replies.list()),
    tellOperators: (sentence) => loggedIn.promise.then((isIn) => (isIn ? operators.notify(sentence) : undefined)),
    speaking: () => sessions.all().filter(({ length }) => length > 0).length,
    isReady() {
      const { status, shards } = client.ws;
      // One of several processes may have no shard, and then is as ready as it gets: waiting for more would never end.
      return !isClosing && status === Status.Ready && (shards.size === 0 || shards.some((shard) => shard.status === Status.Ready));
    },
    isSending: sessions.areSending,
    async close({ drain = 0 } = {}) {
      isClosing = true;
      loggedIn.resolve(false);
      dispatcher.stop();
      voiceTitles.close();
      reading.endSoon();
      voiceMessages.endSoon();
      await captions.handOver('all');
      await Promise.all([sessions.close({ drain }), within(drain, Promise.all([dispatcher.settled(), voiceMessages.settled()]))]);
      reading.close();
      captions.close();
      speechFinder.close();
      closing.abort(new VoiceError('closing', 'the process is ending'));
      await within(LAST_WORDS_MS, Promise.all([dispatcher.settled(), voiceMessages.settled(), words.removals.close(), corrections]));
      unwatchMessages();
      voiceMessages.close();
      operators.close();
      departures.close();
      voiceMaker.close();
      voiceRemoval.close();
      await Promise.allSettled([stopAccount(), closeConnections()]);
    },
  };
}

/** The language of what a member wrote; undefined if that isn't certain. */
async function translatorOf(text: string): Promise<Translator | undefined> {
  const language = await detectLanguage(text, en.locale);
  const known = languages.find(({ locale }) => locale.split('-')[0] === language);
  return known && translatorFor(known.locale);
}
