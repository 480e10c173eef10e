// Reads the messages of one guild: queues them, decides their words when their turn is near, and makes sure that none is heard late.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Guild, Message } from 'discord.js';
import { createPauses } from '../api/index.ts';
import { createInTurn } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import { createPaidDraft, type PaidDraft } from '../discord/payment.ts';
import { publicTranslatorFor, type Sentence, type Translator } from '../locales/index.ts';
import { isSpeedRefusal, type SpeechUtterance, truncateSpeech } from '../synthesis/index.ts';
import type { Outcome, Predecessor, Session, Utterance } from '../voice-session/types.ts';
import { createAnnouncer } from './announcer.ts';
import { type CatchUpStep, type Plan, planBacklog, type Queued, type Recent, type Tempo, takeTurns } from './backlog.ts';
import type { ReadingContext } from './context.ts';
import { type Lookup, lookUp, type ReadableMessage } from './intake.ts';
import { introduce } from './message-text.ts';
import { createProblems } from './notices.ts';
import { createPresence, type Presence } from './presence.ts';
import type { ReadChannel, ReadingStatus, ReadOf } from './types.ts';

export interface GuildReader {
  readonly guild: Guild;
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

/** Seconds: a longer message ends with "and so on". If others wait, the server's delay is the limit. */
const LONGEST_SECONDS = 30;
/** Seconds: no text is cut to less, so that something is heard of each. */
const SHORTEST_SECONDS = 2;
/** Seconds beyond the delay after which a message that is still waiting is no longer news. */
const STALE_SECONDS = LONGEST_SECONDS;
/** Milliseconds for which it counts who has written how much, and when they were heard. */
const RECENT_MS = 30_000;
/** Seconds assumed for something in the queue whose length isn't known. */
const USUAL_SECONDS = 5;

/**
 * A message that is read:
 *
 *     arriving ── looked up, in the order of their arrival ──▶ queued ──▶ drafted ──▶ playing ──▶ over
 *
 * From then on that it is queued, its deferred utterance says how far it is. What is over isn't kept.
 */
type ReadMessage = Arrival | Entry;

interface Arrival {
  state: 'arriving';
  memberId: string;
  textChannelId: string;
  /** Replaced when the message is edited. */
  lookup: Promise<Lookup | null>;
  /** It was deleted, or must not be read any more. */
  isGone: boolean;
}

/** @param channels what is read in the guild now */
export function createGuildReader(guild: Guild, context: ReadingContext, channels: () => ReadChannel[]): GuildReader {
  const { sessions, speech, credit, speechRate, log } = context;
  const messages = new Map<string, ReadMessage>();
  const entryOf = (id: string): Entry | undefined => {
    const message = messages.get(id);
    return message?.state === 'queued' ? message : undefined;
  };
  const entries = (): Entry[] => [...messages.values()].filter((message) => message.state === 'queued');
  /** Messages of the last half minute, without their words. */
  let recent: (Recent & { queuedAt: number })[] = [];
  /** Messages are queued in the order of their arrival, however long each takes to look up. */
  const inTurn = createInTurn();
  let latestMessage: { textChannelId: string; t: Translator } | null = null;
  const session = () => sessions.get(guild.id);
  const announcer = createAnnouncer(guild.id, context, session);
  const problems = createProblems(guild.id, context, announcer.say);
  const presence = createPresence(guild, context, channels, (topic, sentence) => {
    if (latestMessage) problems.report(topic, sentence, latestMessage);
  });

  function secondsOf(entry: Entry, { speedFactor, names, lengthShare }: CatchUpStep, isAlone = false): number {
    const { readable, draft } = entry;
    if (draft) return speechRate.secondsOf(draft.text, draft.tempo);
    const text = inWords(readable, names && readable.saysNames);
    return Math.min(longestOf(entry, isAlone, lengthShare), speechRate.secondsOf(text, { base: readable.speed, speedFactor }));
  }

  function plan(): Plan & { waiting: number; queued: Queued[] } {
    const [current, ...next] = session()?.items() ?? [];
    const playing = current && entryOf(current.id);
    const whole = playing ? secondsOf(playing, PLAIN) : (current?.label?.seconds ?? USUAL_SECONDS);
    const remaining = current ? Math.max(0, whole - current.sentSeconds) : 0;
    const waiting = next.flatMap(({ id }) => entryOf(id) ?? []);
    const queued = next.map(({ id, label }): Queued => {
      const entry = entryOf(id);
      if (!entry) return { message: null, secondsAt: () => label?.seconds ?? USUAL_SECONDS };
      const message = { id, memberId: entry.readable.memberId, age: ageOf(entry), isDrafted: entry.draft !== null };
      return { message, secondsAt: (measure) => secondsOf(entry, measure, waiting.length === 1) };
    });
    const maxDelay = waiting.at(-1)?.readable.maxDelay ?? Number.POSITIVE_INFINITY;
    return { ...planBacklog(remaining, queued, maxDelay, speechRate.canSpeedUp), waiting: waiting.length, queued };
  }

  /** Removes messages of members who were timed out. Without the members intent, only voice states and mentions tell the bot of that. */
  function removeTimedOut(): void {
    for (const { readable } of entries())
      if (guild.members.cache.get(readable.memberId)?.isCommunicationDisabled()) session()?.remove(readable.messageId);
  }

  /** Skips what can't be heard in time. */
  function keepUp(): void {
    removeTimedOut();
    const { skip: first, queued } = plan();
    if (first === null) return;
    session()?.arrange(takeTurns(queued, recent));
    for (let { skip: next } = plan(); next !== null; next = plan().skip) skip(next);
  }

  function skip(id: string): void {
    const entry = entryOf(id);
    if (!entry) return;
    session()?.remove(id);
    announcer.skipped(entry.readable);
    if (entry.readable.marksUnheard) context.markUnheard(entry.readable.textChannelId, id);
  }

  function draftOf(entry: Entry, predecessor: Predecessor | null): Draft {
    const { readable } = entry;
    const { speedFactor, names, lengthShare, waiting } = plan();
    const namesWriter = wantsName(entry, predecessor);
    const tempo = { base: speechRate.takesSpeed ? readable.speed : 1, speedFactor };
    const whole = inWords(readable, names && namesWriter);
    const isAlone = waiting <= (session()?.items()[0]?.id === readable.messageId ? 0 : 1);
    const longest = longestOf(entry, isAlone, lengthShare);
    const seconds = speechRate.secondsOf(whole, tempo);
    const most = seconds > longest ? Math.floor((whole.length * longest) / seconds) : whole.length;
    const text = truncateSpeech(whole, most, readable.t('say.andSoOn'));
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
    const label = { voice: voices[0]?.title ?? null, text: null, seconds: secondsOf(entry, PLAIN, true) };
    // Even if this one is skipped or deleted: otherwise the others would grow again, and the next one would be late.
    for (const item of into.items()) {
      const before = entryOf(item.id);
      if (before && item.memberId !== memberId) before.isLimited = true;
    }
    messages.set(id, entry);
    const playback = into.enqueue(entry.deferred, { id, memberId, background: true, label });
    const left = entry.readable.maxDelay + STALE_SECONDS - ageOf(entry);
    entry.timer = setTimeout(() => skip(id), Math.max(0, left * 1000));
    const now = performance.now();
    const noted = { memberId, queuedAt: now, heardAt: null as number | null };
    recent = [...recent.filter(({ queuedAt }) => now - queuedAt < RECENT_MS), noted];
    void playback.started.then((ms) => {
      clearTimeout(entry.timer);
      if (ms === null) return;
      noted.heardAt = performance.now();
      keepUp();
    });
    void playback.finished.then((outcome) => finish(entry, outcome));
    // Noted before its turn comes, so the next one isn't requested with a speed.
    entry.deferred.ready.catch((error: unknown) => isSpeedRefusal(error) && speechRate.refuseSpeed());
    keepUp();
  }

  function createEntry(readable: ReadableMessage, writtenAt: number, isRetried = false): Entry {
    const pauses = createPauses();
    const entry: Entry = {
      state: 'queued',
      readable,
      writtenAt,
      draft: null,
      lookup: null,
      isLimited: false,
      isRetried,
      timer: undefined,
      deferred: createDeferredUtterance(
        (predecessor) => draftOf(entry, predecessor),
        (predecessor) => entry.draft?.namesWriter === false && wantsName(entry, predecessor),
        // A busy service is asked again, unless the message would be too old by then.
        (error) => pauses(error, (readable.maxDelay + STALE_SECONDS - ageOf(entry)) * 1000),
      ),
    };
    return entry;
  }

  /** Changes what is read of a message after an edit. */
  function rewrite(entry: Entry, readable: ReadableMessage | null): void {
    const { messageId, text } = entry.readable;
    if (entryOf(messageId) !== entry) return;
    if (!readable) session()?.remove(messageId);
    // Discord also reports an edit when it has looked up a link.
    if (!readable || isDeepStrictEqual(readable.text, text)) return;
    entry.readable = readable;
    if (entry.deferred.redraft()) keepUp();
  }

  async function finish(entry: Entry, outcome: Outcome): Promise<void> {
    const { readable, draft, deferred } = entry;
    const { messageId, textChannelId, memberId, t } = readable;
    if (entryOf(messageId) === entry) messages.delete(messageId);
    clearTimeout(entry.timer);
    const into = session();
    const isRetried = outcome.ended === 'failed' && isSpeedRefusal(outcome.cause) && !entry.isRetried && into !== undefined;
    if (isRetried) {
      speechRate.refuseSpeed();
      // Before anything is awaited, or a deletion at that moment would be lost.
      enqueue(createEntry(readable, entry.writtenAt, true), into);
    }
    await deferred.settle();
    if (outcome.ended === 'played' && draft) {
      speechRate.learn(draft.text, draft.tempo, outcome.seconds);
      problems.heard();
      await context.watchBudget({ guildId: guild.id, memberId, textChannelId, t });
    }
    if (outcome.ended === 'failed' && !isRetried && problems.failed(readable, outcome.cause) && readable.marksUnheard)
      context.markUnheard(textChannelId, messageId);
  }

  /** Looks up the message as it is now. @throws StoreError */
  async function latestLookup(arrival: Arrival): Promise<Lookup | null> {
    for (;;) {
      const { lookup } = arrival;
      const latest = await lookup;
      if (lookup === arrival.lookup) return latest;
    }
  }

  /** Queues a message that has arrived, unless it must not be read any more, or nobody would hear it. @throws StoreError */
  async function enqueueArrival(message: Message<true>, arrival: Arrival, { voiceChannelId }: ReadChannel, age: number): Promise<void> {
    const latest = await latestLookup(arrival);
    const isReadThere = channels().some((one) => one.textChannelId === arrival.textChannelId && one.voiceChannelId === voiceChannelId);
    if (arrival.isGone || !isReadThere || !presence.isHeard(voiceChannelId) || !latest?.isStillRead()) return;
    const { readable } = latest;
    latestMessage = readable;
    try {
      // It may have been written while the gateway was gone.
      const isLate = age > readable.maxDelay;
      const into = isLate ? null : presence.sessionIn(voiceChannelId);
      if (into) enqueue(createEntry(readable, performance.now() - age * 1000), into);
      else if (readable.marksUnheard) context.markUnheard(message.channelId, message.id);
    } catch (error) {
      if (problems.failed(readable, error) && readable.marksUnheard) context.markUnheard(message.channelId, message.id);
    }
  }

  /** Null unless the message is in a guild channel where it can be heard. */
  async function read(message: Message<true>, { voiceChannelId }: ReadChannel): Promise<Lookup | null> {
    const channel = guild.channels.cache.get(voiceChannelId);
    if (!channel?.isVoiceBased() || !presence.isHeard(voiceChannelId)) return null;
    return lookUp(message, channel, context);
  }

  /** A failure is noticed when the message's turn comes, which may be later. */
  function startLookup(message: Message<true>, channel: ReadChannel): Promise<Lookup | null> {
    const lookup = read(message, channel);
    lookup.catch(() => {});
    return lookup;
  }

  const warn = (error: unknown) => log.warn(describeError(error), 'a message could not be read aloud');

  return {
    guild,
    presence,
    take(message, channel, age, isOurs) {
      const { id, channelId: textChannelId, author } = message;
      const lookup = startLookup(message, channel);
      const arrival: Arrival = { state: 'arriving', memberId: author.id, textChannelId, lookup, isGone: false };
      messages.set(id, arrival);
      inTurn(async () => (await isOurs) && enqueueArrival(message, arrival, channel, age))
        .catch(warn)
        .finally(() => messages.get(id) === arrival && messages.delete(id));
    },
    change(message, channel) {
      const known = messages.get(message.id);
      const lookup = startLookup(message, channel);
      if (!known) return;
      known.lookup = lookup;
      if (known.state === 'arriving') return;
      void lookup.then((latest) => {
        // Ignored if it was edited again.
        if (known.lookup === lookup) rewrite(known, latest?.readable ?? null);
      }, warn);
    },
    remove(messageId) {
      const known = messages.get(messageId);
      if (known?.state === 'arriving') known.isGone = true;
      else if (known) session()?.remove(messageId);
    },
    removeAll(removed) {
      const isMeant = ({ memberId, textChannelId }: { memberId: string; textChannelId: string }) =>
        'memberId' in removed ? memberId === removed.memberId : textChannelId === removed.textChannelId;
      const arriving = [...messages.values()].filter(
        (message) => message.state === 'arriving' && !message.isGone && isMeant(message),
      ) as Arrival[];
      for (const arrival of arriving) arrival.isGone = true;
      const queued = entries().flatMap(({ readable }) => (isMeant(readable) ? [readable.messageId] : []));
      // The last ones first, or each would start when the one before it ends.
      return arriving.length + queued.reverse().filter((id) => session()?.remove(id)).length;
    },
    removeTimedOut,
    tell(textChannelId, sentence) {
      void context.settings
        .guild(guild.id)
        .then(({ language }) => context.notices.post(textChannelId, sentence(publicTranslatorFor(language, guild.preferredLocale, ''))))
        .catch(warn);
    },
    status() {
      const { waiting, delay, speedFactor, names } = plan();
      const { count: skipped } = announcer;
      return { waiting, delay, speed: speedFactor, isNameless: !names, skipped, problem: problems.latest };
    },
    close() {
      announcer.close();
      for (const { timer } of entries()) clearTimeout(timer);
    },
  };
}

const PLAIN: CatchUpStep = { speedFactor: 1, names: true, lengthShare: 1 };

/** Seconds. */
function longestOf({ readable: { maxDelay }, isLimited }: Entry, isAlone: boolean, lengthShare: number): number {
  if (isAlone) return isLimited ? Math.min(LONGEST_SECONDS, maxDelay) : LONGEST_SECONDS;
  return Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, maxDelay * lengthShare));
}

// A message in the queue, and its words.

/** Milliseconds after which a member is named again, though nobody else has spoken. */
const NAME_AGAIN_MS = 60_000;

interface Entry {
  state: 'queued';
  readable: ReadableMessage;
  /** `performance.now()` */
  writtenAt: number;
  deferred: DeferredUtterance;
  /** What its draft says, and how; `namesWriter`: whether it should name its author, going by what is heard before it. */
  draft: { text: string; tempo: Tempo; namesWriter: boolean } | null;
  /** The message after the latest edit. */
  lookup: Promise<Lookup | null> | null;
  /** Somebody else's message has waited behind it: from then on, it ends in time for that one. */
  isLimited: boolean;
  /** A second attempt, without a speed. */
  isRetried: boolean;
  /** Removes it if its turn doesn't come. */
  timer: NodeJS.Timeout | undefined;
}

/** Caches the spoken texts, with and without the name: every new message has all waiting ones looked at again. */
const spoken = { named: new WeakMap<ReadableMessage, string>(), nameless: new WeakMap<ReadableMessage, string>() };

/** The message as it is spoken, by itself or with its author's name. */
function inWords(readable: ReadableMessage, withName: boolean): string {
  const { text, name, t, replaceWords } = readable;
  const known = withName ? spoken.named : spoken.nameless;
  const whole = known.get(readable) ?? replaceWords(introduce(withName ? name : null, text, t), text.language);
  known.set(readable, whole);
  return whole;
}

/** Whether its author should be named, after what is heard before it. */
function wantsName({ readable }: Entry, predecessor: Predecessor | null): boolean {
  if (!readable.saysNames) return false;
  if (!predecessor?.background || predecessor.memberId !== readable.memberId) return true;
  return predecessor.endedAt !== null && performance.now() - predecessor.endedAt > NAME_AGAIN_MS;
}

/** Seconds since it was written. */
function ageOf({ writtenAt }: Entry): number {
  return (performance.now() - writtenAt) / 1000;
}

/** The speed to ask of the service, which takes 0.5 to 2. */
function speedOf({ base, speedFactor }: Tempo): number {
  return Math.min(2, Math.round(base * speedFactor * 100) / 100);
}

// An utterance whose words are decided as late as possible: when its turn is near, and again if they change before anybody has heard it.

/** The sound of the words as they are now. */
export type Draft = PaidDraft<SpeechUtterance>;

export interface DeferredUtterance extends Utterance {
  /** The words are decided, and their sound is being made. */
  readonly isDrafted: boolean;
  /** Decides the words again after a change. Returns false if they are already being heard. */
  redraft(): boolean;
  /** Call when it has ended. */
  settle(): Promise<void>;
}

/**
 * What becomes of its words:
 *
 *     undecided ── its turn is near ──▶ drafted ── the first packet ──▶ heard
 *         │                              │  ▲                             │
 *         │                              └──┘ other words, or once more   │
 *         └───────── cancelled ──────────────┴───────── ended ────────────┴──▶ over
 */
type DeferredState =
  | { name: 'undecided'; draft: null }
  | { name: 'drafted' | 'heard'; draft: Draft }
  /** Null if it ended before. */
  | { name: 'over'; draft: Draft | null };

/**
 * @param draft decides the words, knowing what is heard before them
 * @param isStale whether they should be other words, now that something else is heard before them
 * @param retryAfter milliseconds after which a sound that failed is made again; null if it has failed for good
 */
export function createDeferredUtterance(
  draft: (predecessor: Predecessor | null) => Draft,
  isStale: (predecessor: Predecessor | null) => boolean,
  retryAfter: (error: unknown) => number | null = () => null,
): DeferredUtterance {
  const ready = Promise.withResolvers<void>();
  // May go unobserved.
  ready.promise.catch(() => {});
  let state: DeferredState = { name: 'undecided', draft: null };
  let predecessor: Predecessor | null = null;
  const mayChange = () => state.name === 'undecided' || state.name === 'drafted';

  function decide(): Draft {
    const before = state.draft;
    const made = draft(predecessor);
    state = { name: state.name === 'over' ? 'over' : 'drafted', draft: made };
    made.utterance.ready.then(
      () => made === state.draft && ready.resolve(),
      (error: unknown) => made === state.draft && ready.reject(error),
    );
    before?.utterance.cancel();
    void before?.settle();
    return made;
  }

  function end(): void {
    state = { name: 'over', draft: state.draft };
  }

  async function* open(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const own = state.draft ?? decide();
        const packets = own.utterance.open(signal);
        const first = await packets.next().catch(async (error: unknown) => {
          if (own !== state.draft) return;
          const pause = signal.aborted ? null : retryAfter(error);
          if (pause === null) throw error;
          await sleep(pause, undefined, { signal });
          if (own === state.draft) decide();
        });
        // Other words were decided meanwhile, which has cancelled these.
        if (own !== state.draft || !first) continue;
        if (state.name !== 'over') state = { name: 'heard', draft: own };
        try {
          if (!first.done) yield first.value;
          return yield* packets;
        } finally {
          await packets.return(undefined);
        }
      }
    } finally {
      end();
    }
  }

  return {
    ready: ready.promise,
    get isDrafted() {
      return state.draft !== null;
    },
    prepare(before = null) {
      predecessor = before;
      if (!mayChange()) return;
      const latest = state.draft && !isStale(before) ? state.draft : decide();
      latest.utterance.prepare();
    },
    redraft() {
      if (!mayChange()) return false;
      if (state.draft) decide().utterance.prepare();
      return true;
    },
    open,
    cancel() {
      end();
      state.draft?.utterance.cancel();
      ready.reject(new Error('the utterance is not wanted anymore'));
    },
    async settle() {
      end();
      await state.draft?.settle();
    },
  };
}
