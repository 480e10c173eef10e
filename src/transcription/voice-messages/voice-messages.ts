// Answers voice messages with their words as they arrive, in the channels that admins chose, of members who want that.
//
//   rules.ts           which messages, and whose
//   turns.ts           how many at a time
//   channel-notices.ts what channels are told, once
//   answers.ts         our answers, deleted with their messages; links.ts stores which goes with which
//   buttons.ts         what the buttons below these do
import {
  DiscordAPIError,
  type GuildTextBasedChannel,
  type Message,
  type MessageCreateOptions,
  type PartialMessage,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  Routes,
  SnowflakeUtil,
} from 'discord.js';
import { createPauses } from '../../api/index.ts';
import { createOnceEach, createUnderWay, keepTrying, type PauseAfter, retry } from '../../async/waiting.ts';
import { ASK_FROM_SHARE } from '../../charging/index.ts';
import { notice } from '../../discord/cards.ts';
import { describeError, explainError, UserError } from '../../discord/errors.ts';
import { listMissingForTranscripts } from '../../discord/permissions.ts';
import { type Translator, translatorFor } from '../../locales/index.ts';
import { isRefused } from '../../posted-words/channel.ts';
import { loadSealingKey, StoreError, seal, whileStoreFails } from '../../store/index.ts';
import { createSettingsSnapshot, type GuildSettings } from '../../store/settings.ts';
import { openRecording, transcribeOne } from '../job.ts';
import { MAX_FILE_BYTES, transcriptMessage } from '../message.ts';
import { LanguageRefusal } from '../questions.ts';
import { estimateSeconds, type Recording, toLink } from '../recording.ts';
import { createAnswers } from './answers.ts';
import { createChannelNotices } from './channel-notices.ts';
import type { VoiceMessagesOptions } from './options.ts';
import { findChosenChannel, findRecordings, findSpeaker, isAllowed, isForward, isWanted, mayHaveRecording } from './rules.ts';
import { createTurns } from './turns.ts';
import type { OpenVoiceMessage, VoiceMessages } from './types.ts';

/** The reaction on a message that is being transcribed. */
const MARK = '✍️';
/** Milliseconds: after an interruption, older messages aren't news. */
const RESUME_MS = 15 * 60_000;
/** Milliseconds for which a message waits for a busy service, or for the store. */
const BUSY_MS = 5 * 60_000;
/** A forward of the same message into the same channel isn't answered again sooner, in milliseconds. */
const SAME_FORWARD_MS = 24 * 3600_000;
/** What Discord says of a reply to a deleted message. */
const UNKNOWN_REFERENCE = 'REPLIES_UNKNOWN_MESSAGE';

/**
 * A message to answer:
 *
 *     arrived ── wanted ──▶ waiting, marked ── its turn ──▶ being transcribed ──▶ answered, or given up
 *
 * It is given up if there are too many, if too little credit is left, and after an unexpected error. From any of these, it can be gone: then its
 * words are written nowhere, and deleted if they were. The store knows of it from when it waits until one of these ends: if the process is
 * killed, the next one takes it up, once.
 */
interface Task {
  message: Message<true>;
  /** Kept, because it leaves the client's cache when another process takes the server over. */
  channel: GuildTextBasedChannel;
  recordings: Recording[];
  speakerId: string;
  guild: GuildSettings;
  t: Translator;
  /** Aborted when the message is gone, or when nobody wants its words any more. */
  gone: AbortController;
  /** Whether it is gone; looks whether the sender or the speaker has had their words deleted, or opted out, in any process. @throws StoreError */
  isGone(): Promise<boolean>;
}

export function createVoiceMessages(options: VoiceMessagesOptions): VoiceMessages {
  const { client, settings, store, log, credit, now, words } = options;
  const answers = createAnswers(store, words, log);
  const turns = createTurns();
  const notices = createChannelNotices(options);
  const isNew = createOnceEach();
  /** Messages that can be ended, by their ids, from their arrival on: whose words they are, as far as that is known. */
  const underWay = new Map<string, { gone: AbortController; memberIds: string[] }>();
  /** What is being done, with the server that it is done in. */
  const running = createUnderWay<string>();
  let isEnding = false;

  /** @param doing may reject, which is logged */
  function track(guildId: string, doing: Promise<unknown>, failure: string): void {
    const done = doing.catch((error: unknown) => log.warn(describeError(error), failure));
    void running.add(done, guildId);
  }

  function handleMessage(message: Message): void {
    if (isEnding || !options.canRead() || !mayHaveRecording(message) || !isNew(message.id)) return;
    track(message.guildId, answer(message), 'a voice message could not be answered');
  }

  async function answer(message: Message<true>): Promise<void> {
    // Whether it is read aloud is claimed by the id alone.
    const gone = new AbortController();
    underWay.set(message.id, { gone, memberIds: [message.author.id] });
    try {
      const isOurs = (await options.isOurs?.({ id: `${message.id}:words`, guildId: message.guildId })) ?? true;
      const task = isOurs ? await retry(() => toTask(message, gone), createPatience(gone.signal)) : null;
      if (task && !gone.signal.aborted) await work(task, false);
    } finally {
      underWay.delete(message.id);
    }
  }

  /** For one message: how long to wait before trying again while the service is busy or the store fails; never once it is gone. */
  function createPatience(gone: AbortSignal): PauseAfter {
    const until = performance.now() + BUSY_MS;
    const pauses = createPauses();
    const storePauses = whileStoreFails((error) => log.warn(describeError(error), 'a voice message waits for the store'));
    return (error) => {
      const left = until - performance.now();
      if (gone.aborted || options.signal.aborted || left <= 0) return null;
      return error instanceof StoreError ? storePauses(error) : pauses(error, left);
    };
  }

  /** Null if it isn't answered. @throws StoreError */
  async function toTask(message: Message<true>, gone = new AbortController()): Promise<Task | null> {
    const { author, channel } = message;
    const isStoppedByAuthor = await words.watchStops([author.id]);
    // One snapshot, so that all settings are of one moment.
    const snapshot = createSettingsSnapshot(settings);
    const guild = await snapshot.guild(message.guildId);
    const { transcripts: rules, language } = guild;
    const chosen = findChosenChannel(channel, rules);
    const recordings = findRecordings(message, rules);
    if (chosen === null || recordings.length === 0) return null;
    const { me } = message.guild.members;
    if (!me || listMissingForTranscripts(channel, me).length > 0) return null;
    await notices.tell(channel, guild);
    if (!isWanted(await snapshot.member(author.id), rules)) return null;
    const speakerId = await findSpeaker(message, rules, snapshot);
    // REST doesn't say who has which role.
    const member = message.member ?? (await message.guild.members.fetch(author.id).catch(() => null));
    if (speakerId === null || !member || !isAllowed(member, guild) || !(await isFirstForward(message))) return null;
    const t = translatorFor(language ?? message.guild.preferredLocale);
    const isStoppedBySpeaker = await words.watchStops([speakerId]);
    const isGone = async () => {
      const isOut = (await settings.member(speakerId)).transcribed === false;
      if (isOut || (await isStoppedByAuthor()) || (await isStoppedBySpeaker())) gone.abort();
      return gone.signal.aborted;
    };
    return { message, channel, recordings, speakerId, guild, t, gone, isGone };
  }

  async function isFirstForward(message: Message<true>): Promise<boolean> {
    if (!isForward(message)) return true;
    const key = forwardKey(message);
    const isFirst = await store.compareAndSet(key, null, message.id, { expiresInMs: SAME_FORWARD_MS });
    return isFirst || (await store.get(key)) === message.id;
  }

  /** The forward wasn't answered, so the next one of the same message may be. */
  async function releaseForward(message: Message<true>): Promise<void> {
    if (isForward(message)) await store.compareAndSet(forwardKey(message), message.id, null);
  }

  /** Transcribes the recordings of a message, one after the other, while a reaction says so. */
  async function work(task: Task, again: boolean): Promise<void> {
    const { message, channel, recordings, t, speakerId, gone } = task;
    const { id, channelId, guildId, author } = message;
    const turn = turns.take(guildId, author.id);
    if (!turn) {
      await releaseForward(message);
      return notices.tooMany(channel, t);
    }
    underWay.set(id, { gone, memberIds: [author.id, speakerId] });
    const forget = await options.note({ channelId, messageId: id, again });
    const marking = mark(channel, id);
    const { letNext, end } = await turn;
    let isAnswered = false;
    try {
      for (const [index, recording] of recordings.entries()) {
        // The message may have waited for its turn for a while.
        if (await task.isGone()) break;
        if (options.takeAllowance(author.id) !== null) {
          await notices.tooMany(channel, t);
          break;
        }
        if (await transcribe(task, recording, index === recordings.length - 1 ? letNext : () => {})) isAnswered = true;
      }
    } finally {
      end();
      underWay.delete(id);
      // What a restart interrupts is taken up again by the next process.
      if (!options.signal.aborted) {
        if (await marking) await unmark(channelId, id);
        await forget();
        if (!isAnswered) await releaseForward(message);
      }
    }
  }

  /** Resolves with whether the message has the reaction: without the permission, nothing shows it. Never rejects. */
  async function mark(channel: GuildTextBasedChannel, messageId: string): Promise<boolean> {
    if (!channel.permissionsFor(client.user)?.has(PermissionFlagsBits.AddReactions | PermissionFlagsBits.ReadMessageHistory)) return false;
    return client.rest.put(markRoute(channel.id, messageId)).then(
      () => true,
      () => false,
    );
  }

  /** Never rejects. */
  async function unmark(channelId: string, messageId: string): Promise<void> {
    // This usually fails because the message is gone.
    await client.rest
      .delete(markRoute(channelId, messageId))
      .catch((error: unknown) => log.debug(describeError(error), 'could not take a reaction off a voice message'));
  }

  /**
   * Replies with the words of one recording, or with why there are none. Resolves with whether it has.
   * @param onRead called once the service is done with it @throws DiscordAPIError, StoreError
   */
  async function transcribe(task: Task, recording: Recording, onRead: () => void): Promise<boolean> {
    const { message, channel, guild, t, gone } = task;
    try {
      const share = credit.shareOfBalance({ kind: 'transcription', billed: Math.ceil(estimateSeconds(recording)) });
      if (share !== null && share >= ASK_FROM_SHARE) {
        await notices.littleCredit(channel, t);
        return false;
      }
      const { transcript, language } = await readWordsOnceFree(task, recording).finally(onRead);
      if (gone.signal.aborted) return false;
      const key = await loadSealingKey(store, 'recordings');
      const document = { transcript, name: recording.name, recording: seal(toLink(recording), key), source: null, language };
      const view = {
        owner: message.author.id,
        timestamps: false,
        languages: options.transcriptionLanguages.offered(),
        reply: { speakerId: task.speakerId, spoiler: guild.transcripts.spoiler },
      };
      await reply(task, transcriptMessage(document, view, { format: null, maxBytes: MAX_FILE_BYTES }, t));
      return true;
    } catch (error) {
      if (gone.signal.aborted || options.signal.aborted || isUnknownMessage(error)) return false;
      const sentence = error instanceof UserError || isRefused(error) ? explainError(error) : null;
      if (!sentence) {
        await notices.report(message, t, error);
        return false;
      }
      await reply(task, notice(sentence(t))).catch((failure: unknown) => {
        if (!isUnknownMessage(failure)) throw failure;
      });
      return true;
    }
  }

  /**
   * As long as the service is busy, or the store fails, waits and tries again, in the message's own turn: the next one would only meet the
   * same.
   * @throws as readWords
   */
  async function readWordsOnceFree(task: Task, recording: Recording): Promise<Awaited<ReturnType<typeof readWords>>> {
    let isFirst = true;
    const attempt = async () => {
      // If it is gone, this aborts `gone`, which ends the attempt.
      if (!isFirst) await task.isGone();
      isFirst = false;
      return readWords(task, recording);
    };
    return retry(attempt, createPatience(task.gone.signal), { signal: AbortSignal.any([options.signal, task.gone.signal]) });
  }

  /** In the language that the server speaks, or else in any. @throws UserError, BudgetError, ApiError, StoreError */
  async function readWords({ message, guild, gone }: Task, recording: Recording) {
    const { transcriptionLanguages } = options;
    const { longest, language: hint } = guild.transcripts;
    const payer = { guildId: message.guildId, memberId: message.author.id };
    const limit = { seconds: 60 * longest, sentence: (t: Translator) => t('voiceMessages.tooLong', { seconds: 60 * longest }) };
    const signal = AbortSignal.any([options.signal, gone.signal]);
    const read = async (language: string | null) => {
      const opened = await openRecording(payer, options, recording, signal, limit);
      return { transcript: await transcribeOne(options, opened, language, { signal }), language };
    };
    if (hint === null || transcriptionLanguages.wasRefused(hint)) return read(null);
    return read(hint).catch((error: unknown) => {
      if (error instanceof LanguageRefusal) return read(null);
      throw error;
    });
  }

  /** @throws DiscordAPIError, StoreError */
  async function reply({ message, channel, speakerId, isGone }: Task, content: MessageCreateOptions): Promise<void> {
    const { id: messageId, guildId, channelId, author } = message;
    await answers.post(channel, { guildId, channelId, messageId }, [author.id, speakerId], content, isGone);
  }

  function handleDeletion({ id, guildId }: Message | PartialMessage): void {
    if (guildId === null) return;
    underWay.get(id)?.gone.abort();
    const warn = (error: unknown) => log.warn(describeError(error), 'could not find the words of a deleted message');
    void running.add(
      keepTrying(() => answers.followDeletion(guildId, id), whileStoreFails(warn)),
      guildId,
    );
  }

  /** Voice messages can't be edited, but a file can be taken off a message. */
  function handleEdit(message: Message | PartialMessage): void {
    if (!message.partial && message.editedTimestamp !== null && !mayHaveRecording(message)) handleDeletion(message);
  }

  /** @throws StoreError */
  function cancel(memberId: string): Promise<void> {
    for (const { gone, memberIds } of underWay.values()) if (memberIds.includes(memberId)) gone.abort();
    return words.stopFor(memberId);
  }

  function isResumable({ messageId, again }: OpenVoiceMessage): boolean {
    const isNews = now() - SnowflakeUtil.timestampFrom(messageId) <= RESUME_MS;
    return isNews && !again && options.canRead();
  }

  return {
    handleMessage,
    handleEdit,
    handleDeletion,
    canResume: (message) => !isEnding && (!isResumable(message) || client.channels.cache.has(message.channelId)),
    async resume(open) {
      const { channelId, messageId } = open;
      await unmark(channelId, messageId);
      const channel = client.channels.cache.get(channelId);
      if (!isResumable(open) || !channel?.isTextBased() || channel.isDMBased()) return;
      const message = await channel.messages.fetch(messageId).catch((error: unknown) => {
        if (isUnknownMessage(error)) return null;
        throw error;
      });
      const task = message && mayHaveRecording(message) ? await toTask(message) : null;
      if (!task) return;
      const answered = { guildId: channel.guildId, channelId, messageId };
      const sent = await answers.find(answered);
      if (sent) await answers.note(answered, sent.id, [task.message.author.id, task.speakerId]);
      else track(channel.guildId, work(task, true), 'a voice message could not be answered');
    },
    cancel,
    async deleteReply({ id, guildId, channelId, reference }, memberIds) {
      const messageId = reference?.messageId;
      if (guildId === null || messageId === undefined) return [];
      const answered = { guildId, channelId, messageId };
      // A reply may be older than what is known of its message.
      await answers.note(answered, id, memberIds);
      return answers.delete(answered, memberIds);
    },
    async deleteOf(memberId) {
      await cancel(memberId);
      await answers.deleteOf(memberId);
    },
    endSoon() {
      isEnding = true;
    },
    current: running.current,
    settled: running.settled,
    close: notices.close,
  };
}

const markRoute = (channelId: string, messageId: string) =>
  Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(MARK));

function forwardKey({ channelId, reference }: Message<true>): string {
  return `words-forward:${channelId}:${reference?.messageId}`;
}

/** The message, or the one that a reply was to be sent to, is gone. */
function isUnknownMessage(error: unknown): boolean {
  if (!(error instanceof DiscordAPIError)) return false;
  const { code, rawError } = error;
  const isReplyToNothing = code === RESTJSONErrorCodes.InvalidFormBodyOrContentType && JSON.stringify(rawError).includes(UNKNOWN_REFERENCE);
  return code === RESTJSONErrorCodes.UnknownMessage || code === RESTJSONErrorCodes.UnknownChannel || isReplyToNothing;
}
