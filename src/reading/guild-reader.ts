// Reads the messages of one guild: queues them, decides their words when their turn is near, and sees to it that none is heard late.
import { isDeepStrictEqual } from 'node:util';
import type { Guild, Message } from 'discord.js';
import { describeError } from '../bot/error-boundary.ts';
import { publicWordsFor, type Sentence, type Words } from '../locales/index.ts';
import { isSpeedRefusal } from '../say/voices.ts';
import { truncateSpeech } from '../speech/index.ts';
import type { Outcome, Predecessor, Session } from '../voice/types.ts';
import { createAnnouncer } from './announcer.ts';
import { type Measure, type Plan, planBacklog, type Queued } from './backlog.ts';
import type { ReadingContext } from './context.ts';
import { ageOf, type Entry, inWords, speedOf, wantsName } from './entry.ts';
import { type Readable, readableIn } from './intake.ts';
import { createLateUtterance, type Draft } from './late-utterance.ts';
import { createPresence, type Presence } from './presence.ts';
import { createProblems } from './problems.ts';
import { createPaidDraft } from './spending.ts';
import type { ReadChannel, ReadingStatus } from './types.ts';

export interface GuildReader {
  readonly guild: Guild;
  readonly presence: Presence;
  /** @param age seconds since it was written */
  take(message: Message<true>, channel: ReadChannel, age: number): void;
  /** The message was edited. */
  change(message: Message<true>, channel: ReadChannel): void;
  /** The message was deleted: it is not read, or ends in the middle of a word. */
  remove(messageId: string): void;
  /** Ends what is read or waits of a member or a channel; returns how many messages that were. */
  removeAll(of: { memberId: string } | { textChannelId: string }): number;
  /** Ends what is read or waits of members who have been timed out since they wrote it, as far as the bot knows of it. */
  removeTimedOut(): void;
  /** Writes a notice in a channel that is read. */
  tell(textChannelId: string, sentence: Sentence): void;
  status(): Omit<ReadingStatus, 'channels'>;
  close(): void;
}

/** Seconds: a longer message ends with "and so on", and with the longest delay if others wait. */
const LONGEST_SECONDS = 30;
/** Seconds: a message that waited behind something longer than that is no news anymore. */
const STALE_SECONDS = LONGEST_SECONDS;
/** Of something in the queue whose length isn't known. */
const USUAL_SECONDS = 5;

/** A message that is not in the queue yet. */
interface Arrival {
  readable: Promise<Readable | null>;
  isGone: boolean;
}

/** @param channels what is read in the guild now */
export function createGuildReader(guild: Guild, context: ReadingContext, channels: () => ReadChannel[]): GuildReader {
  const { sessions, speech, credit, pace, log } = context;
  const entries = new Map<string, Entry>();
  const arrivals = new Map<string, Arrival>();
  /** Messages are queued in the order of their arrival, however long each takes to be looked at. */
  let order = Promise.resolve();
  let latestWords: { textChannelId: string; words: Words } | null = null;
  let lastNumber = 0;
  const session = () => sessions.get(guild.id);
  const announcer = createAnnouncer(guild.id, context, session);
  const problems = createProblems(guild.id, context, announcer.say);
  const presence = createPresence(guild, context, channels, (topic, sentence) => {
    if (latestWords) problems.report(topic, sentence, latestWords);
  });

  function secondsOf({ readable, draft }: Entry, { hurry, names }: Measure): number {
    if (draft) return pace.secondsOf(draft.text, draft.tempo);
    const text = inWords(readable, names && readable.saysNames);
    return Math.min(LONGEST_SECONDS, pace.secondsOf(text, { base: readable.speed, hurry }));
  }

  function plan(): Plan & { waiting: number } {
    const [current, ...next] = session()?.items() ?? [];
    const playing = current && entries.get(current.id);
    const whole = playing ? secondsOf(playing, PLAIN) : (current?.label?.seconds ?? USUAL_SECONDS);
    const remaining = announcer.pendingSeconds + (current ? Math.max(0, whole - current.sentSeconds) : 0);
    const waiting = next.flatMap(({ id }) => entries.get(id) ?? []);
    const queued = next.map(({ id, label }): Queued => {
      const entry = entries.get(id);
      if (!entry) return { message: null, secondsAt: () => label?.seconds ?? USUAL_SECONDS };
      const { number, readable } = entry;
      const message = { id, memberId: readable.memberId, number, age: ageOf(entry), isDrafted: entry.draft !== null };
      return { message, secondsAt: (measure) => secondsOf(entry, measure) };
    });
    const maxDelay = waiting.at(-1)?.readable.maxDelay ?? Number.POSITIVE_INFINITY;
    return { ...planBacklog(remaining, queued, maxDelay, pace.canHurry), waiting: waiting.length };
  }

  /** Without the members intent, their voice states and mentions of them tell. */
  function removeTimedOut(): void {
    for (const { readable } of entries.values())
      if (guild.members.cache.get(readable.memberId)?.isCommunicationDisabled()) session()?.remove(readable.messageId);
  }

  /** Skips what can't be heard in time. */
  function keepUp(): void {
    removeTimedOut();
    // Once more, because what announces the first one takes time as well.
    for (let { skip: late } = plan(); late.length > 0; late = plan().skip) for (const id of late) skip(id);
  }

  function skip(id: string): void {
    const entry = entries.get(id);
    if (!entry) return;
    session()?.remove(id);
    announcer.skipped(entry.readable);
    if (entry.readable.marksUnheard) context.markUnheard(entry.readable.textChannelId, id);
  }

  function draftOf(entry: Entry, predecessor: Predecessor | null): Draft {
    const { readable } = entry;
    const { hurry, names, waiting } = plan();
    const namesWriter = wantsName(entry, predecessor);
    const tempo = { base: pace.takesSpeed ? readable.speed : 1, hurry };
    const whole = inWords(readable, names && namesWriter);
    const isAlone = waiting <= (session()?.items()[0]?.id === readable.messageId ? 0 : 1);
    const longest = isAlone ? LONGEST_SECONDS : Math.min(LONGEST_SECONDS, readable.maxDelay);
    const seconds = pace.secondsOf(whole, tempo);
    const most = seconds > longest ? Math.floor((whole.length * longest) / seconds) : whole.length;
    const text = truncateSpeech(whole, most, readable.words.say.andSoOn);
    entry.draft = { text, tempo, namesWriter };
    const { messageId, memberId, volume, voices } = readable;
    const [voice, ...fallbacks] = voices;
    const spending = { kind: 'speech' as const, amount: text.length, guildId: guild.id, memberId };
    return createPaidDraft(credit, spending, (permit) =>
      speech.utterance(
        { text, referenceId: voice?.id ?? null, speed: speedOf(tempo), volume, scope: { guildId: guild.id }, messageId },
        { fallbackIds: fallbacks.map((fallback) => fallback?.id ?? null), memberId, permit },
      ),
    );
  }

  function enqueue(entry: Entry, into: Session): void {
    const { messageId: id, memberId, voices } = entry.readable;
    const label = { voice: voices[0]?.title ?? null, text: null, seconds: secondsOf(entry, PLAIN) };
    entries.set(id, entry);
    const playback = into.enqueue(entry.late, { id, memberId, background: true, label });
    const left = entry.readable.maxDelay + STALE_SECONDS - ageOf(entry);
    entry.timer = setTimeout(() => skip(id), Math.max(0, left * 1000));
    void playback.started.then((ms) => {
      clearTimeout(entry.timer);
      if (ms !== null) keepUp();
    });
    void playback.finished.then((outcome) => finish(entry, outcome));
    keepUp();
  }

  function createEntry(readable: Readable, writtenAt: number, isRetried = false): Entry {
    const entry: Entry = {
      readable,
      number: ++lastNumber,
      writtenAt,
      draft: null,
      isRetried,
      timer: undefined,
      late: createLateUtterance(
        (predecessor) => draftOf(entry, predecessor),
        (predecessor) => entry.draft?.namesWriter === false && wantsName(entry, predecessor),
      ),
    };
    return entry;
  }

  /** After an edit. */
  function rewrite(entry: Entry, readable: Readable | null): void {
    const { messageId, text } = entry.readable;
    if (entries.get(messageId) !== entry) return;
    if (!readable) session()?.remove(messageId);
    // Discord also reports an edit when it has looked up a link.
    if (!readable || isDeepStrictEqual(readable.text, text)) return;
    entry.readable = readable;
    if (entry.late.redraft()) keepUp();
  }

  async function finish(entry: Entry, outcome: Outcome): Promise<void> {
    const { readable, draft, late } = entry;
    const { messageId, textChannelId, memberId, words } = readable;
    if (entries.get(messageId) === entry) entries.delete(messageId);
    // If reading was stopped in the middle of it.
    presence.leaveUnread();
    clearTimeout(entry.timer);
    await late.settle();
    if (outcome.ended === 'played' && draft) {
      pace.learn(draft.text, draft.tempo, outcome.seconds);
      problems.heard();
      await context.watchBudget({ guildId: guild.id, memberId, textChannelId, words });
    }
    if (outcome.ended !== 'failed') return;
    const into = session();
    if (isSpeedRefusal(outcome.cause) && !entry.isRetried && into) {
      pace.refuseSpeed();
      enqueue(createEntry(readable, entry.writtenAt, true), into);
    } else if (problems.failed(readable, outcome.cause) && readable.marksUnheard) {
      context.markUnheard(textChannelId, messageId);
    }
  }

  /** Queues what has arrived, unless it was deleted meanwhile or nobody would hear it. */
  function enqueueArrival(
    message: Message<true>,
    arrival: Arrival,
    readable: Readable | null,
    { voiceChannelId }: ReadChannel,
    age: number,
  ): void {
    if (!readable || arrival.isGone) return;
    latestWords = readable;
    try {
      // It was written while the gateway was gone.
      const isLate = age > readable.maxDelay;
      const into = isLate ? null : presence.sessionIn(voiceChannelId);
      if (into) enqueue(createEntry(readable, performance.now() - age * 1000), into);
      else if (readable.marksUnheard && presence.isHeard(voiceChannelId)) context.markUnheard(message.channelId, message.id);
    } catch (error) {
      if (problems.failed(readable, error) && readable.marksUnheard) context.markUnheard(message.channelId, message.id);
    }
  }

  /** Null unless the message is in a guild channel where it can be heard. */
  async function read(message: Message<true>, { voiceChannelId }: ReadChannel): Promise<Readable | null> {
    const channel = guild.channels.cache.get(voiceChannelId);
    if (!channel?.isVoiceBased() || !presence.isHeard(voiceChannelId)) return null;
    return readableIn(message, channel, context);
  }

  const warn = (error: unknown) => log.warn(describeError(error), 'a message could not be read aloud');

  return {
    guild,
    presence,
    take(message, channel, age) {
      const arrival: Arrival = { readable: read(message, channel), isGone: false };
      // It may fail before its turn comes.
      arrival.readable.catch(() => {});
      arrivals.set(message.id, arrival);
      order = order
        .then(async () => enqueueArrival(message, arrival, await arrival.readable, channel, age))
        .catch(warn)
        .finally(() => arrivals.delete(message.id));
    },
    change(message, channel) {
      const arrival = arrivals.get(message.id);
      const entry = entries.get(message.id);
      if (arrival) arrival.readable = read(message, channel);
      else if (entry) void read(message, channel).then((readable) => rewrite(entry, readable), warn);
    },
    remove(messageId) {
      const arrival = arrivals.get(messageId);
      if (arrival) arrival.isGone = true;
      if (entries.has(messageId)) session()?.remove(messageId);
    },
    removeAll(of) {
      const isMeant = ({ readable }: Entry) =>
        'memberId' in of ? readable.memberId === of.memberId : readable.textChannelId === of.textChannelId;
      const meant = [...entries.values()].filter(isMeant).map(({ readable }) => readable.messageId);
      // The waiting ones first, or each would start when the one before it ends.
      return meant.reverse().filter((id) => session()?.remove(id)).length;
    },
    removeTimedOut,
    tell(textChannelId, sentence) {
      void context.settings
        .guild(guild.id)
        .then(({ language }) => context.notices.post(textChannelId, sentence(publicWordsFor(language, guild.preferredLocale, ''))))
        .catch(warn);
    },
    status() {
      const { waiting, delay, hurry, names } = plan();
      const { count: skipped } = announcer;
      return { waiting, delay, speed: hurry, isNameless: !names, skipped, isPaused: presence.isPaused, problem: problems.latest };
    },
    close() {
      announcer.close();
      for (const { timer } of entries.values()) clearTimeout(timer);
    },
  };
}

const PLAIN: Measure = { hurry: 1, names: true };
