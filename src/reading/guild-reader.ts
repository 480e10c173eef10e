// Reads the messages of one guild: queues them, decides their words when their turn is near, and makes sure that none is heard late.
import { isDeepStrictEqual } from 'node:util';
import type { Guild, Message } from 'discord.js';
import { createPauses } from '../api/index.ts';
import { createInTurn } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import { createPaidDraft } from '../discord/payment.ts';
import { type Sentence, type Translator, translatorFor } from '../locales/index.ts';
import { isSpeedRefusal } from '../synthesis/index.ts';
import type { Outcome, Predecessor, Session } from '../voice-session/types.ts';
import { createAnnouncer } from './announcer.ts';
import { type Plan, planBacklog, type Queued, type Recent, takeTurns } from './backlog.ts';
import type { ReadingContext } from './context.ts';
import { createDeferredUtterance, type Draft } from './deferred-utterance.ts';
import { type Lookup, lookUp, type ReadableMessage } from './intake.ts';
import { createProblems } from './notices.ts';
import { createPresence, type Presence } from './presence.ts';
import {
  ageOf,
  decideWords,
  msUntilStale,
  PLAIN,
  type QueuedMessage,
  secondsOf,
  speedOf,
  type Words,
  wantsName,
} from './queued-message.ts';
import type { ReadChannel, ReadingStatus, ReadOf } from './types.ts';

export interface GuildReader {
  readonly presence: Presence;
  /** @param age seconds since it was written @param isOurs whether this process reads it; never rejects */
  take(message: Message<true>, channel: ReadChannel, age: number, isOurs: boolean | Promise<boolean>): void;
  /** Call when the message was edited. */
  change(message: Message<true>, channel: ReadChannel): void;
  /** Call when the message was deleted: it is not read, or ends in the middle of a word. */
  remove(messageId: string): void;
  /** Ends the messages of a member or a channel, playing or waiting; returns how many it ended. */
  removeAll(removed: ReadOf): number;
  /** Ends the messages of members who have been timed out since they wrote them, as far as the bot knows. */
  removeTimedOut(): void;
  /** Writes a notice in a channel that is read. */
  tell(textChannelId: string, sentence: Sentence): void;
  status(): Omit<ReadingStatus, 'channels' | 'stopped' | 'pausedBy'>;
  close(): void;
}

/** Milliseconds for which it counts who has written how much, and when they were heard. */
const RECENT_MS = 30_000;
/** Seconds assumed for something in the queue whose length isn't known. */
const USUAL_SECONDS = 5;

/**
 * A message that is read:
 *
 *     arriving ── looked up, in the order of arrival ──▶ queued ── its turn ──▶ playing ──▶ over
 *        │                                                │                       │
 *        └── deleted, or not to be read after all ──▶ over ◀── deleted, skipped ──┘
 *
 * Its deferred utterance says whether its words are decided, and whether they are being heard. What is over isn't kept.
 */
type ReadMessage = ArrivingMessage | QueuedMessage;

interface ArrivingMessage {
  state: 'arriving';
  memberId: string;
  textChannelId: string;
  /** Replaced when the message is edited. */
  lookup: Promise<Lookup | null>;
}

/** @param channels what is read in the guild now */
export function createGuildReader(guild: Guild, context: ReadingContext, channels: () => ReadChannel[]): GuildReader {
  const { sessions, speech, credit, speechRate, log } = context;
  const messages = new Map<string, ReadMessage>();
  /** Messages of the last half minute, without their words. */
  let recent: (Recent & { queuedAt: number })[] = [];
  /** Messages are queued in the order of their arrival, however long each takes to look up. */
  const inTurn = createInTurn();
  let latestMessage: { textChannelId: string; t: Translator } | null = null;
  const session = () => sessions.get(guild.id);
  const announcer = createAnnouncer(guild.id, context, session);
  const problems = createProblems(guild.id, context, announcer.say);
  const presence = createPresence(guild, context, channels, (sentence) => {
    if (latestMessage) problems.report('permission', sentence, latestMessage);
  });
  const warn = (error: unknown) => log.warn(describeError(error), 'a message could not be read aloud');

  function queuedMessage(id: string): QueuedMessage | undefined {
    const message = messages.get(id);
    return message?.state === 'queued' ? message : undefined;
  }

  function queuedMessages(): QueuedMessage[] {
    return [...messages.values()].filter((message) => message.state === 'queued');
  }

  // Arriving: each is looked up at once, and queued after those before it.

  /** A failure is noticed when the message's turn comes, which may be later. */
  function startLookup(message: Message<true>, channel: ReadChannel): Promise<Lookup | null> {
    const lookup = lookUpIfHeard(message, channel);
    lookup.catch(() => {});
    return lookup;
  }

  /** Null unless the message is in a guild channel where it can be heard. */
  async function lookUpIfHeard(message: Message<true>, { voiceChannelId }: ReadChannel): Promise<Lookup | null> {
    const channel = guild.channels.cache.get(voiceChannelId);
    if (!channel?.isVoiceBased() || !presence.isHeard(voiceChannelId)) return null;
    return lookUp(message, channel, context);
  }

  /** What is to be read of the message as it is now. @throws StoreError */
  async function latestLookup(message: ArrivingMessage): Promise<Lookup | null> {
    for (;;) {
      const { lookup } = message;
      const latest = await lookup;
      if (lookup === message.lookup) return latest;
    }
  }

  /** Queues a message that has arrived, unless it must not be read any more, or nobody would hear it. @throws StoreError */
  async function enqueueArrived(id: string, message: ArrivingMessage, { voiceChannelId }: ReadChannel, age: number): Promise<void> {
    const latest = await latestLookup(message);
    const isReadThere = channels().some(
      (channel) => channel.textChannelId === message.textChannelId && channel.voiceChannelId === voiceChannelId,
    );
    if (messages.get(id) !== message || !isReadThere || !presence.isHeard(voiceChannelId) || !latest?.isStillRead()) return;
    const { readable } = latest;
    latestMessage = readable;
    try {
      // It may have been written while the gateway was gone.
      const isLate = age > readable.maxDelay;
      const into = isLate ? null : presence.sessionIn(voiceChannelId);
      if (into) enqueue(createQueuedMessage(readable, performance.now() - age * 1000), into);
      else markUnheard(readable);
    } catch (error) {
      noteFailure(readable, error);
    }
  }

  // Queued: its words are decided when its turn is near, and it is skipped if that would be too late.

  function createQueuedMessage(readable: ReadableMessage, writtenAt: number, isRetried = false): QueuedMessage {
    const pauses = createPauses();
    const message: QueuedMessage = {
      state: 'queued',
      readable,
      writtenAt,
      lookup: null,
      isLimited: false,
      isRetried,
      timer: undefined,
      utterance: createDeferredUtterance({
        draft: (predecessor) => draft(message, predecessor),
        isStale: ({ namesWriter }, predecessor) => !namesWriter && wantsName(message, predecessor),
        // A busy service is asked again, unless the message would be too old by then.
        retryAfter: (error) => pauses(error, msUntilStale(message)),
      }),
    };
    return message;
  }

  function draft(message: QueuedMessage, predecessor: Predecessor | null): Draft & Words {
    const { messageId, memberId, volume, voices } = message.readable;
    const catchUp = plan();
    const isAlone = catchUp.waiting <= (session()?.items()[0]?.id === messageId ? 0 : 1);
    const words = decideWords(message, speechRate, catchUp, isAlone, predecessor);
    const { text, tempo } = words;
    const [voice, ...fallbacks] = voices;
    const spending = { kind: 'speech' as const, amount: text.length, guildId: guild.id, memberId };
    const paid = createPaidDraft(credit, spending, (permit) =>
      speech.utterance(
        { text, referenceId: voice?.id ?? null, speed: speedOf(tempo), volume, scope: { guildId: guild.id }, messageId },
        { fallbackIds: fallbacks.map((fallback) => fallback?.id ?? null), memberId, permit },
      ),
    );
    return { ...paid, ...words };
  }

  function enqueue(message: QueuedMessage, into: Session): void {
    const { messageId: id, memberId, voices } = message.readable;
    const label = { voice: voices[0]?.title ?? null, text: null, seconds: secondsOf(message, speechRate, PLAIN, true) };
    // Even if this one is skipped or deleted: otherwise the others would grow again, and the next one would be late.
    for (const item of into.items()) {
      const before = queuedMessage(item.id);
      if (before && item.memberId !== memberId) before.isLimited = true;
    }
    messages.set(id, message);
    const playback = into.enqueue(message.utterance, { id, memberId, background: true, label });
    message.timer = setTimeout(() => skip(id), Math.max(0, msUntilStale(message)));
    const now = performance.now();
    const noted = { memberId, queuedAt: now, heardAt: null as number | null };
    recent = [...recent.filter(({ queuedAt }) => now - queuedAt < RECENT_MS), noted];
    void playback.started.then((ms) => {
      clearTimeout(message.timer);
      if (ms === null) return;
      noted.heardAt = performance.now();
      keepUp();
    });
    void playback.finished.then((outcome) => finish(message, outcome));
    // Noted before its turn comes, so the next one isn't requested with a speed.
    message.utterance.ready.catch((error: unknown) => isSpeedRefusal(error) && speechRate.refuseSpeed());
    keepUp();
  }

  /** Changes what is read of a message after an edit. */
  function rewrite(message: QueuedMessage, readable: ReadableMessage | null): void {
    const { messageId, text } = message.readable;
    if (queuedMessage(messageId) !== message) return;
    if (!readable) session()?.remove(messageId);
    // Discord also reports an edit when it has looked up a link.
    if (!readable || isDeepStrictEqual(readable.text, text)) return;
    message.readable = readable;
    if (message.utterance.redraft()) keepUp();
  }

  function plan(): Plan & { waiting: number; queued: Queued[] } {
    const [current, ...next] = session()?.items() ?? [];
    const playing = current && queuedMessage(current.id);
    const whole = playing ? secondsOf(playing, speechRate, PLAIN) : (current?.label?.seconds ?? USUAL_SECONDS);
    const remaining = current ? Math.max(0, whole - current.sentSeconds) : 0;
    const waiting = next.flatMap(({ id }) => queuedMessage(id) ?? []);
    const queued = next.map(({ id, label }): Queued => {
      const message = queuedMessage(id);
      if (!message) return { message: null, secondsAt: () => label?.seconds ?? USUAL_SECONDS };
      const { readable, utterance } = message;
      return {
        message: { id, memberId: readable.memberId, age: ageOf(message), isDrafted: utterance.draft !== null },
        secondsAt: (step) => secondsOf(message, speechRate, step, waiting.length === 1),
      };
    });
    const maxDelay = waiting.at(-1)?.readable.maxDelay ?? Number.POSITIVE_INFINITY;
    return { ...planBacklog(remaining, queued, maxDelay, speechRate.canSpeedUp), waiting: waiting.length, queued };
  }

  /** Skips what can't be heard in time. */
  function keepUp(): void {
    removeTimedOut();
    const { skip: first, queued } = plan();
    if (first === null) return;
    session()?.arrange(takeTurns(queued, recent));
    for (let { skip: next } = plan(); next !== null; next = plan().skip) skip(next);
  }

  /** Removes messages of members who were timed out. Without the members intent, only voice states and mentions tell the bot of that. */
  function removeTimedOut(): void {
    for (const { readable } of queuedMessages())
      if (guild.members.cache.get(readable.memberId)?.isCommunicationDisabled()) session()?.remove(readable.messageId);
  }

  function skip(id: string): void {
    const message = queuedMessage(id);
    if (!message) return;
    session()?.remove(id);
    announcer.skipped(message.readable);
    markUnheard(message.readable);
  }

  // Over: heard, ended or failed.

  async function finish(message: QueuedMessage, outcome: Outcome): Promise<void> {
    const { readable, utterance } = message;
    const { messageId, textChannelId, memberId, t } = readable;
    const words = utterance.draft;
    if (queuedMessage(messageId) === message) messages.delete(messageId);
    clearTimeout(message.timer);
    const into = session();
    const isRetried = outcome.ended === 'failed' && isSpeedRefusal(outcome.cause) && !message.isRetried && into !== undefined;
    if (isRetried) {
      speechRate.refuseSpeed();
      // Before anything is awaited, or a deletion at that moment would be lost.
      enqueue(createQueuedMessage(readable, message.writtenAt, true), into);
    }
    await utterance.settle();
    if (outcome.ended === 'played' && words) {
      speechRate.learn(words.text, words.tempo, outcome.seconds);
      problems.heard();
      await context.watchBudget({ guildId: guild.id, memberId, textChannelId, t });
    }
    if (outcome.ended === 'failed' && !isRetried) noteFailure(readable, outcome.cause);
  }

  function noteFailure(readable: ReadableMessage, cause: unknown): void {
    if (problems.failed(readable, cause)) markUnheard(readable);
  }

  function markUnheard({ marksUnheard, textChannelId, messageId }: ReadableMessage): void {
    if (marksUnheard) context.markUnheard(textChannelId, messageId);
  }

  return {
    presence,
    take(message, channel, age, isOurs) {
      const { id, channelId: textChannelId, author } = message;
      const arriving: ArrivingMessage = {
        state: 'arriving',
        memberId: author.id,
        textChannelId,
        lookup: startLookup(message, channel),
      };
      messages.set(id, arriving);
      inTurn(async () => (await isOurs) && enqueueArrived(id, arriving, channel, age))
        .catch(warn)
        .finally(() => messages.get(id) === arriving && messages.delete(id));
    },
    change(edited, channel) {
      const message = messages.get(edited.id);
      if (!message) return;
      const lookup = startLookup(edited, channel);
      message.lookup = lookup;
      if (message.state === 'arriving') return;
      void lookup.then((latest) => {
        // Ignored if it was edited again.
        if (message.lookup === lookup) rewrite(message, latest?.readable ?? null);
      }, warn);
    },
    remove(messageId) {
      if (queuedMessage(messageId)) session()?.remove(messageId);
      else messages.delete(messageId);
    },
    removeAll(removed) {
      const isMeant = ({ memberId, textChannelId }: { memberId: string; textChannelId: string }) =>
        'memberId' in removed ? memberId === removed.memberId : textChannelId === removed.textChannelId;
      const arriving = [...messages].filter(([, message]) => message.state === 'arriving' && isMeant(message));
      for (const [id] of arriving) messages.delete(id);
      const queued = queuedMessages().flatMap(({ readable }) => (isMeant(readable) ? [readable.messageId] : []));
      // The last ones first, or each would start when the one before it ends.
      return arriving.length + queued.reverse().filter((id) => session()?.remove(id)).length;
    },
    removeTimedOut,
    tell(textChannelId, sentence) {
      void context.settings
        .guild(guild.id)
        .then(({ language }) => context.notices.post(textChannelId, sentence(translatorFor(language ?? guild.preferredLocale))))
        .catch(warn);
    },
    status() {
      const { waiting, delay, speedFactor, names } = plan();
      const { count: skipped } = announcer;
      return { waiting, delay, speed: speedFactor, isNameless: !names, skipped, problem: problems.latest };
    },
    close() {
      announcer.close();
      for (const { timer } of queuedMessages()) clearTimeout(timer);
    },
  };
}
