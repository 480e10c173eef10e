// Puts the features together that commands use, each with what it needs of the others, for a client that has not logged in.
import type { Client } from 'discord.js';
import { createCaptions } from '../captions/captions.ts';
import { createSpeechFinder } from '../captions/speech-finder.ts';
import { createCapsLookup, createCreditService } from '../charging/index.ts';
import { createRecordingCutter } from '../decoding/cutter.ts';
import { createDictionaries } from '../dictionary/dictionaries.ts';
import { createAccess } from '../discord/access.ts';
import { createAttachments } from '../discord/attachments.ts';
import type { InteractionContext } from '../discord/command.ts';
import { createDirectHints } from '../discord/direct-messages.ts';
import { describeError } from '../discord/errors.ts';
import { createHandovers, type HandoversOptions } from '../discord/handovers.ts';
import type { MessageIntents } from '../discord/message-access.ts';
import { createOperators } from '../discord/operators.ts';
import { createSpeaking } from '../discord/speaking.ts';
import { watchServerMutes } from '../discord/voice-channels.ts';
import { noMetrics, noTraces, observeSessions } from '../monitoring/observers.ts';
import { createPostedWords } from '../posted-words/posted-words.ts';
import { createReading } from '../reading/reading.ts';
import { createDurationMeters } from '../recording-duration/meters.ts';
import { deriveSealingKey } from '../store/index.ts';
import { createSettings } from '../store/settings.ts';
import { createAcceptedLanguages } from '../transcription/context.ts';
import { AUTO_MODEL } from '../transcription/model.ts';
import { createVoiceMessages } from '../transcription/voice-messages/voice-messages.ts';
import { createVoiceMaker } from '../voice-catalogue/own-voice-maker.ts';
import { createVoiceOwners } from '../voice-catalogue/owners.ts';
import { createVoiceRemoval } from '../voice-catalogue/removal.ts';
import { createSafeFetch } from '../voice-catalogue/safe-fetch.ts';
import { createVoiceTitles } from '../voice-catalogue/titles.ts';
import { createSessions } from '../voice-session/index.ts';
import { watchGuildDepartures } from './guild-departures.ts';
import { watchMessages } from './message-events.ts';
import { createVoiceMessageNotes } from './open-replies.ts';
import type { BotContext, BotOptions } from './types.ts';

export interface FeaturesOptions extends BotOptions {
  client: Client<true>;
  messageIntents: MessageIntents;
  /** Aborted when the bot shuts down. */
  signal: AbortSignal;
  shardOf(guildId: string | null): number;
  /** Continues with an utterance of another process; see handovers.ts. */
  resume: HandoversOptions['resume'];
}

export type Features = ReturnType<typeof createFeatures>;

/** They listen to the client's events at once, and do nothing of their own before `begin`. */
export function createFeatures(options: FeaturesOptions) {
  const { client, messageIntents, signal, shardOf, resume, account, service, speech, store, log, cooldown, now = Date.now } = options;
  const { api } = account;
  const attachments = createAttachments(options.cdnUrls);
  const recordingDurations = createDurationMeters({
    onLost: (error) => log.warn(describeError(error), 'a recording could not be counted; its duration is estimated'),
  });
  const recordingCutter = createRecordingCutter();
  const safeFetch = createSafeFetch({ serviceUrl: service.url });
  const voiceOwners = createVoiceOwners(store);
  const voiceTitles = createVoiceTitles({ api, voiceOwners, log });
  service.onVoices?.(() => void voiceTitles.refresh());
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
  const sealingKey = deriveSealingKey(options.token, 'replies');
  const settings = createSettings(store);
  const dictionaries = createDictionaries(store);
  const voiceRemoval = createVoiceRemoval({ api, speech, settings, store, voiceOwners, log });
  const departures = watchGuildDepartures(client, { settings, dictionaries, voiceOwners, store, log, now });
  const operators = createOperators(client, options.operatorIds, log);
  const voiceMaker = createVoiceMaker({
    api,
    attachments,
    settings,
    store,
    voiceOwners,
    log,
    signal,
    now,
    isResponsibleFor: (id) => client.ws.shards.has(shardOf(id)),
  });
  const credit = createCreditService({ store, account, capsOf: createCapsLookup(options.budgets, settings) });
  const isServerMuted = watchServerMutes(client);
  const { defaultVoice = null, languageVoices } = options;
  const { slowVoices = () => [] } = service;
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
    defaultVoice,
    slowVoices,
    speaksOneLanguage: languageVoices !== null,
    isServerMuted,
    isOurs: options.isOurs,
    canRead: () => messageIntents.access === 'on',
    endElsewhere: (guildId, targets) => speaking.endReadElsewhere(guildId, targets),
    log,
    now,
  });
  const handovers =
    options.shards && createHandovers({ client, sessions, store, token: options.token, log, leases: options.shards.leases, resume });
  const speaking = createSpeaking({ sessions, shards: options.shards, handovers, log, endRead: reading.endHere });
  const access = createAccess({ cooldown });
  const transcriptionLanguages = createAcceptedLanguages(service.transcriptionLanguages ?? null);
  const { transcriptionModel = AUTO_MODEL } = options;
  const words = createPostedWords({
    client,
    store,
    log,
    isShared: options.shards !== undefined,
    hasGuild: (id) => options.shards?.leases.has(shardOf(id)) ?? true,
    now,
    timing: options.wordsTiming,
  });
  const voiceMessages = createVoiceMessages({
    client,
    words,
    api,
    attachments,
    recordingDurations,
    recordingCutter,
    transcriptionLanguages,
    transcriptionModel,
    credit,
    settings,
    store,
    log,
    signal,
    note: createVoiceMessageNotes({ store, log, processId: options.shards?.leases.id }),
    takeAllowance: access.takeSpending,
    canRead: () => messageIntents.access === 'on',
    isOurs: options.isOurs,
    now,
  });
  const speechFinder = createSpeechFinder();
  const captions = createCaptions({
    client,
    sessions,
    settings,
    speech,
    credit,
    store,
    words,
    attachments,
    transcriptionLanguages,
    log,
    signal,
    defaultVoice,
    service: options.privacyFacts.voiceService,
    api,
    speechFinder,
    hasShard: options.shards?.leases.has,
    isElsewhere: options.shards?.isElsewhere,
    canSpareCalls: options.canSpareCalls,
    now,
    timing: options.captionsTiming,
  });
  const unwatchMessages = watchMessages(client, {
    reading,
    voiceMessages,
    handleDirectMessage: createDirectHints(client, { store, log }),
    now,
  });
  const context: Omit<BotContext, keyof InteractionContext> = {
    api,
    speech,
    sessions,
    voiceTitles,
    attachments,
    recordingDurations,
    recordingCutter,
    transcriptionLanguages,
    transcriptionModel,
    isRecogniserStarting: service.isRecogniserStarting,
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
    spokenScripts: service.spokenScripts ?? null,
    messageAccess: () => messageIntents.access,
    isOperator: operators.has,
    isServerMuted,
    stillIn: departures.stillIn,
    describeWholeBot: options.shards?.describe,
    isElsewhere: options.shards?.isElsewhere,
    handOver: handovers?.put,
    speakingIn: speaking.find,
  };

  return {
    /** Everything that any of the commands uses. */
    context,
    metrics,
    access,
    sealingKey,
    sessions,
    operators,
    handovers,
    speaking,
    reading,
    voiceMessages,
    captions,
    removals: words.removals,
    /** Call once the client is ready. */
    begin(): void {
      void voiceTitles
        .refresh()
        .then(() => (defaultVoice === null || voiceTitles.resolve(defaultVoice).title !== null ? null : voiceTitles.fetch(defaultVoice)));
      void departures.review();
      void voiceMaker.review();
      void voiceRemoval.review();
      void reading.begin();
      void captions.begin();
      words.removals.begin();
    },
    /** Call if the login has failed. */
    stopRefreshing: voiceTitles.close,
    /** Begins nothing more that takes long, while what has begun goes on. */
    endSoon(): void {
      voiceTitles.close();
      reading.endSoon();
      voiceMessages.endSoon();
    },
    /** Ends what is heard and read. Call once the sessions have ended. */
    endSound(): void {
      reading.close();
      captions.close();
      speechFinder.close();
    },
    /** Removes their listeners from the client. */
    close(): void {
      unwatchMessages();
      voiceMessages.close();
      departures.close();
      voiceMaker.close();
      voiceRemoval.close();
    },
    closeConnections: () =>
      Promise.allSettled([attachments.close(), recordingDurations.close(), recordingCutter.close(), safeFetch.close()]),
  };
}
