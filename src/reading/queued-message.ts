// A message in the queue: in which words it is read when its turn comes, and how long they take.
import { truncateSpeech } from '../synthesis/index.ts';
import type { Predecessor } from '../voice-session/types.ts';
import type { CatchUpStep, SpeechRateEstimator, Tempo } from './backlog.ts';
import type { DeferredUtterance, Draft } from './deferred-utterance.ts';
import type { Lookup, ReadableMessage } from './intake.ts';
import { introduce } from './message-text.ts';

export interface QueuedMessage {
  state: 'queued';
  readable: ReadableMessage;
  /** `performance.now()` */
  writtenAt: number;
  utterance: DeferredUtterance<Draft & Words>;
  /** The message after the latest edit. */
  lookup: Promise<Lookup | null> | null;
  /** Somebody else's message has waited behind it: from then on, it ends in time for that one. */
  isLimited: boolean;
  /** A second attempt, without a speed. */
  isRetried: boolean;
  /** Removes it if its turn doesn't come. */
  timer: NodeJS.Timeout | undefined;
}

/** What is said of a message, and how. */
export interface Words {
  text: string;
  tempo: Tempo;
  /** Whether it should name its author, going by what is heard before it. */
  namesWriter: boolean;
}

/** Seconds: a longer message ends with "and so on". If others wait, the server's delay is the limit. */
const LONGEST_SECONDS = 30;
/** Seconds: no text is cut to less, so that something is heard of each. */
const SHORTEST_SECONDS = 2;
/** Seconds beyond the delay after which a message that is still waiting is no longer news. */
const STALE_SECONDS = LONGEST_SECONDS;
/** Milliseconds after which a member is named again, though nobody else has spoken. */
const NAME_AGAIN_MS = 60_000;

/** Nothing has to be caught up with. */
export const PLAIN: CatchUpStep = { speedFactor: 1, names: true, lengthShare: 1 };

/**
 * Decides the words.
 * @param step to keep up with the queue @param isAlone whether nothing else waits @param predecessor what is heard before it
 */
export function decideWords(
  message: QueuedMessage,
  speechRate: SpeechRateEstimator,
  step: CatchUpStep,
  isAlone: boolean,
  predecessor: Predecessor | null,
): Words {
  const { readable } = message;
  const namesWriter = wantsName(message, predecessor);
  const tempo = { base: speechRate.takesSpeed ? readable.speed : 1, speedFactor: step.speedFactor };
  const whole = inWords(readable, step.names && namesWriter);
  const longest = longestOf(message, isAlone, step.lengthShare);
  const seconds = speechRate.secondsOf(whole, tempo);
  const most = seconds > longest ? Math.floor((whole.length * longest) / seconds) : whole.length;
  return { text: truncateSpeech(whole, most, readable.t('say.andSoOn')), tempo, namesWriter };
}

/** Whether its author should be named, after what is heard before it. */
export function wantsName({ readable }: QueuedMessage, predecessor: Predecessor | null): boolean {
  if (!readable.saysNames) return false;
  if (!predecessor?.background || predecessor.memberId !== readable.memberId) return true;
  return predecessor.endedAt !== null && performance.now() - predecessor.endedAt > NAME_AGAIN_MS;
}

/** The speed to ask of the service, which takes 0.5 to 2. */
export function speedOf({ base, speedFactor }: Tempo): number {
  return Math.min(2, Math.round(base * speedFactor * 100) / 100);
}

/** How long it takes with this step, or in the words that are decided. @param isAlone whether nothing else waits */
export function secondsOf(message: QueuedMessage, speechRate: SpeechRateEstimator, step: CatchUpStep, isAlone = false): number {
  const { readable, utterance } = message;
  if (utterance.draft) return speechRate.secondsOf(utterance.draft.text, utterance.draft.tempo);
  const { speedFactor, names, lengthShare } = step;
  const text = inWords(readable, names && readable.saysNames);
  return Math.min(longestOf(message, isAlone, lengthShare), speechRate.secondsOf(text, { base: readable.speed, speedFactor }));
}

/** Seconds since it was written. */
export function ageOf({ writtenAt }: QueuedMessage): number {
  return (performance.now() - writtenAt) / 1000;
}

/** Milliseconds until it is no longer news. */
export function msUntilStale(message: QueuedMessage): number {
  return (message.readable.maxDelay + STALE_SECONDS - ageOf(message)) * 1000;
}

/** Seconds. */
function longestOf({ readable: { maxDelay }, isLimited }: QueuedMessage, isAlone: boolean, lengthShare: number): number {
  if (isAlone) return isLimited ? Math.min(LONGEST_SECONDS, maxDelay) : LONGEST_SECONDS;
  return Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, maxDelay * lengthShare));
}

/** Caches the spoken texts, with and without the name: every new message has all waiting ones looked at again. */
const spoken = { named: new WeakMap<ReadableMessage, string>(), nameless: new WeakMap<ReadableMessage, string>() };

/** The message as it is spoken, by itself or with its author's name. */
function inWords(readable: ReadableMessage, withName: boolean): string {
  const { text, name, t, replaceWords } = readable;
  const cached = withName ? spoken.named : spoken.nameless;
  const whole = cached.get(readable) ?? replaceWords(introduce(withName ? name : null, text, t), text.language);
  cached.set(readable, whole);
  return whole;
}
