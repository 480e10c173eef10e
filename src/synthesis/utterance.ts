// One utterance: finds the voice that speaks and where its sound comes from, and releases everything once it is no longer wanted.
import { AsyncResource } from 'node:async_hooks';
import type { Utterance } from '../voice-session/types.ts';
import type { CacheSlot } from './cache.ts';
import { createTally, type SpokenText, speakText, type VoiceCalls } from './calls.ts';
import type { Pin } from './pins.ts';
import { isUnknownVoice } from './refusals.ts';

export interface SpeechUtterance extends Utterance {
  /** Whether its sound comes from the cache, without calling the service; false until that is known. */
  readonly isFromCache: boolean;
  /** `id` of the voice that is being tried, or speaks; null = the service's default voice. */
  readonly referenceId: string | null;
  /** `id` of the voice that speaks because the default one would be late or can't; null if none does. */
  readonly standIn: string | null;
  /** Characters that the service may have charged for, once no call is waiting for its answer. Never rejects. */
  charged(): Promise<number>;
  /** UTF-8 bytes that it may have billed for them, markers included. Never rejects. */
  billed(): Promise<number>;
}

/** The text in one voice. */
export interface VoicedText extends VoiceCalls {
  referenceId: string | null;
  /** All of the text, if the voice has to be given it in one call. */
  whole?: string;
  /**
   * Awaited before the voice speaks, from the cache too. Resolves with the voice that speaks in its place; null if none does. Rejects if the
   * member may not use it.
   */
  check?: () => Promise<VoicedText | null>;
  /** `id` of the voice, if it speaks in place of the default one. */
  standIn?: string | null;
  /** Whether to try the next voice after this error, besides if the service doesn't have this one. */
  passesOn?: (error: unknown) => boolean;
  /** Absent: the sound is not cached. */
  cacheSlot?: CacheSlot | null;
}

export interface UtteranceOptions extends SpokenText {
  /** Tried in this order until one can speak the text. */
  voices: readonly [VoicedText, ...VoicedText[]];
  /** Cancels the utterance at any time. */
  signal?: AbortSignal | undefined;
  /** The sound in the first voice, in place of its cache slot. Released when the utterance ends. */
  pin?: Pin | null | undefined;
  /**
   * Awaited before the service is called, in each voice that is tried, but never once the utterance was cancelled; the utterance fails with
   * what it rejects with.
   */
  permit?: (() => Promise<void>) | undefined;
}

type Batches = AsyncGenerator<readonly Uint8Array[]>;

/** The voice that speaks, and its sound if it needn't be made. */
interface Source {
  voice: VoicedText;
  packets: readonly Uint8Array[] | null;
  /** The packets are those of the pin. */
  isPinned: boolean;
}

/** Sound whose first packets are there. */
interface Sound {
  isPinned: boolean;
  first: IteratorResult<readonly Uint8Array[]>;
  /** All after the first. */
  rest: Batches;
}

/**
 * What becomes of an utterance:
 *
 *     idle ── prepare ──▶ preparing ── first packets ──▶ prepared ── open ──▶ playing ── last packet ──▶ ended
 *                          │    ▲                         │                     ▲
 *                          │    └─ prepare, its pin gone ─┘                     │
 *                          └─────────────────── open ───────────────────────────┘
 *
 * idle       nothing is requested; `open` prepares it first
 * preparing  a voice is being found: checked, looked up in the cache, and called
 * prepared   the first packets wait to be heard; the next piece of the text is not requested before they are
 * playing    the packets are taken, and each call is made while the sound before it plays
 * ended      every call is aborted and the pin released: after the last packet, a failure, or a cancellation in any state
 */
type State =
  | { name: 'idle' }
  | { name: 'preparing'; sound: Promise<Sound> }
  | { name: 'prepared'; sound: Sound }
  | { name: 'playing' }
  | { name: 'ended'; reason: unknown };

export function createUtterance({ voices, pin, permit, ...options }: UtteranceOptions): SpeechUtterance {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const ready = Promise.withResolvers<void>();
  /** The first packet was handed out. */
  const heard = Promise.withResolvers<void>();
  const tally = createTally();
  let state: State = { name: 'idle' };
  let voice = voices[0];
  let isFromCache = false;

  // May go unobserved.
  ready.promise.catch(() => {});
  if (signal.aborted) end(signal.reason);
  else signal.addEventListener('abort', () => end(signal.reason), { once: true });

  // The calls belong to the trace of the utterance's own command, even if the end of another command's utterance triggers them.
  const prepare = AsyncResource.bind((): void => {
    // Its sound was deleted before anybody heard it.
    const isStale = state.name === 'prepared' && state.sound.isPinned && pin?.packets === null;
    if (state.name !== 'idle' && !isStale) return;
    const preparing: State = { name: 'preparing', sound: findSound() };
    state = preparing;
    preparing.sound.then((sound) => {
      if (state === preparing) state = { name: 'prepared', sound };
      ready.resolve();
    }, fail);
  });

  async function* open(playing: AbortSignal): AsyncGenerator<Uint8Array> {
    const cancel = () => stop.abort(playing.reason);
    if (playing.aborted) cancel();
    else playing.addEventListener('abort', cancel, { once: true });
    let rest: Batches | null = null;
    try {
      const sound = await takeSound();
      rest = sound.rest;
      for (let batch = sound.first; !batch.done; batch = await rest.next()) {
        for (const packet of batch.value) {
          // The batch may have been made before the abort.
          if (signal.aborted) break;
          heard.resolve();
          yield packet;
        }
      }
    } finally {
      playing.removeEventListener('abort', cancel);
      stop.abort();
      await rest?.return(undefined);
    }
  }

  /** The sound to be played, for the only one who plays it. Rejects with why there is none. */
  async function takeSound(): Promise<Sound> {
    prepare();
    if (state.name === 'ended') throw state.reason;
    if (state.name !== 'preparing' && state.name !== 'prepared') throw new Error('An utterance is played once.');
    const { sound } = state;
    state = { name: 'playing' };
    return sound;
  }

  /** Ends the calls and frees what they hold, even if nobody listens yet. */
  function fail(error: unknown): void {
    end(error);
    stop.abort();
  }

  function end(reason: unknown): void {
    if (state.name === 'ended') return;
    state = { name: 'ended', reason };
    ready.reject(reason);
    pin?.release();
  }

  /** In the first voice that can speak it. */
  function findSound(): Promise<Sound> {
    return inFirstVoice(voices, async (candidate) => {
      const source = await findSource(candidate);
      const rest = soundFrom(source);
      return { isPinned: source.isPinned, first: await rest.next(), rest };
    });
  }

  async function findSource(candidate: VoicedText): Promise<Source> {
    voice = candidate;
    signal.throwIfAborted();
    voice = (await candidate.check?.()) ?? candidate;
    // A pin is dropped together with the cache entry.
    const usedPin = candidate === voices[0] ? pin : null;
    const packets = (usedPin ? usedPin.packets : await voice.cacheSlot?.get()) ?? null;
    isFromCache = packets !== null;
    return { voice, packets, isPinned: Boolean(usedPin && packets) };
  }

  /** Cached packets if there are any; otherwise new ones, which are cached once they are complete. */
  async function* soundFrom({ voice, packets }: Source): Batches {
    if (packets) {
      yield packets;
      signal.throwIfAborted();
      return;
    }
    signal.throwIfAborted();
    await permit?.();
    const recording = voice.cacheSlot?.record();
    const text = voice.whole === undefined ? options : { ...options, pieces: [voice.whole], live: null };
    for await (const batch of speakText({ text, voice, signal, heard: heard.promise, tally })) {
      signal.throwIfAborted();
      for (const packet of batch) recording?.add(packet);
      yield batch;
    }
    // The utterance may have been ended because its sound must not be kept.
    signal.throwIfAborted();
    recording?.save();
  }

  return {
    get isFromCache() {
      return isFromCache;
    },
    get referenceId() {
      return voice.referenceId;
    },
    get standIn() {
      return voice.standIn ?? null;
    },
    charged: tally.charged,
    billed: tally.billed,
    ready: ready.promise,
    prepare,
    open,
    cancel: () => stop.abort(),
  };
}

// If a voice can't speak, because the service no longer has it or it fails or would be late, the next one does.

/** Attempts the text in each voice in turn until one can speak it. Rejects with what the last attempt rejected with. */
export function inFirstVoice<Result>(
  voices: readonly [VoicedText, ...VoicedText[]],
  attempt: (voice: VoicedText) => Promise<Result>,
): Promise<Result> {
  return withVoiceFallback(voices, attempt, (error, { passesOn }) => isUnknownVoice(error) || (passesOn?.(error) ?? false));
}

/** Attempts each voice in turn until the service has one. Rejects with what the last attempt rejected with. */
export async function withVoiceFallback<Voice, Result>(
  voices: readonly [Voice, ...Voice[]],
  attempt: (voice: Voice) => Promise<Result>,
  passesOn: (error: unknown, voice: Voice) => boolean = isUnknownVoice,
): Promise<Result> {
  const [voice, ...others] = voices;
  const [next, ...rest] = others;
  try {
    return await attempt(voice);
  } catch (error) {
    if (next === undefined || !passesOn(error, voice)) throw error;
    return withVoiceFallback([next, ...rest], attempt, passesOn);
  }
}
