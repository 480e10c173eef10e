// A message in the queue, and its words.
import type { Predecessor } from '../voice/types.ts';
import type { DeferredUtterance } from './deferred-utterance.ts';
import type { Lookup, ReadableMessage } from './intake.ts';
import { introduce } from './message-text.ts';
import type { Tempo } from './speech-rate.ts';

/** Milliseconds after which a member is named again, though nobody else has spoken. */
const NAME_AGAIN_MS = 60_000;

/** A message in the queue. */
export interface Entry {
  readable: ReadableMessage;
  /** `performance.now()` */
  writtenAt: number;
  late: DeferredUtterance;
  /** What its draft says, and how; `namesWriter`: whether it should, as far as it depends on what is heard before it. */
  draft: { text: string; tempo: Tempo; namesWriter: boolean } | null;
  /** The message after the latest edit. */
  lookup: Promise<Lookup | null> | null;
  /** A second attempt, without a speed. */
  isRetried: boolean;
  /** Ends it if its turn doesn't come. */
  timer: NodeJS.Timeout | undefined;
}

/** By whether the name is said: each message in the queue is looked at again with every other that arrives. */
const spoken = { named: new WeakMap<ReadableMessage, string>(), nameless: new WeakMap<ReadableMessage, string>() };

/** The message as it is spoken, by itself or with its author's name. */
export function inWords(readable: ReadableMessage, withName: boolean): string {
  const { text, name, words, replaceWords } = readable;
  const known = withName ? spoken.named : spoken.nameless;
  const whole = known.get(readable) ?? replaceWords(introduce(withName ? name : null, text, words), text.language);
  known.set(readable, whole);
  return whole;
}

/** Whether its author should be named, after what is heard before it. */
export function wantsName({ readable }: Entry, predecessor: Predecessor | null): boolean {
  if (!readable.saysNames) return false;
  if (!predecessor?.background || predecessor.memberId !== readable.memberId) return true;
  return predecessor.endedAt !== null && performance.now() - predecessor.endedAt > NAME_AGAIN_MS;
}

/** Seconds since it was written. */
export function ageOf({ writtenAt }: Entry): number {
  return (performance.now() - writtenAt) / 1000;
}

/** The speed to ask of the service, which takes 0.5 to 2. */
export function speedOf({ base, speedFactor }: Tempo): number {
  return Math.min(2, Math.round(base * speedFactor * 100) / 100);
}
