// One utterance: makes its calls when they are needed, joins their sound, and releases everything once it is no longer wanted.
import { AsyncResource } from 'node:async_hooks';
import { ApiError } from '../api/errors.ts';
import { joinOpusBatches, PACKET_MS, type VoiceLoudness } from '../audio/index.ts';
import type { Utterance } from '../voice/types.ts';
import type { CacheSlot, Pin } from './cache.ts';
import { type CallFacts, type Calls, createCalls, type LiveText, type VoiceCalls } from './calls.ts';
import { endlessSound } from './read-ahead.ts';

/** What an utterance has cost and received so far. */
interface UtteranceFacts extends CallFacts {
  /** Whether it came from the cache, without calling the service; null until that is known. */
  fromCache: boolean | null;
}

export interface SpeechUtterance extends Utterance {
  readonly facts: Readonly<UtteranceFacts>;
  /** `id` of the voice that is being tried, or speaks; null = the service's default voice. */
  readonly referenceId: string | null;
  /** Characters that the service may have charged for, once no call is waiting for its answer. Never rejects. */
  charged(): Promise<number>;
}

/** The text in one voice. */
export interface VoicedText extends VoiceCalls {
  referenceId: string | null;
  /** All of the text, if the voice has to be given it in one call. */
  whole?: string;
  /** Awaited before the voice speaks, from the cache too; rejects if the member may not use it. */
  check?: () => Promise<void>;
  /** Absent: the sound is not cached. */
  cacheSlot?: CacheSlot | null;
  /** Known loudness of the voice. `save` is called when a sound of it was made. */
  loudness?: { recall(): Promise<VoiceLoudness>; save(): Promise<void> } | null;
}

export interface UtteranceOptions {
  /** The pieces of the text; at least one. */
  pieces: readonly string[];
  /** The same text for a single call over the websocket; null if it must not be used. */
  live?: LiveText | null | undefined;
  /** Tried in this order until the service has the voice. */
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
  /** Factor; 1 = the voice's own speed. */
  speed?: number | undefined;
  /** Factor, 0 to 2. */
  volume?: number | undefined;
}

export function createUtterance({ pieces, live, voices, pin, permit, speed, volume = 1, ...options }: UtteranceOptions): SpeechUtterance {
  const facts: UtteranceFacts = { calls: 0, characters: 0, bytes: 0, contentType: null, firstByteMs: null, fromCache: null };
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  let hasPlayed = false;
  /** The first packet was handed out. */
  const played = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  let voice = voices[0];
  let packets: AsyncGenerator<readonly Uint8Array[]> | null = null;
  /** The first batch, until it is taken. */
  let ahead: Promise<IteratorResult<readonly Uint8Array[]>> | null = null;
  let isOpen = false;
  /** Packets made so far, and when the current call's sound began. */
  let made = 0;
  let madeBefore = 0;
  /** The packets are those of the pin. */
  let isPinned = false;
  /** Calls are made one after the other. */
  let lastAnswer = Promise.resolve();

  // May go unobserved.
  first.promise.catch(() => {});
  // Every utterance ends with an abort, even one that was played to its end.
  let isAborted = false;
  const onAbort = () => {
    isAborted = true;
    first.reject(signal.reason);
    pin?.release();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });

  function callsIn(candidate: VoicedText) {
    return createCalls({
      pieces: candidate.whole === undefined ? pieces : [candidate.whole],
      live: candidate.whole === undefined ? live : null,
      voice: candidate,
      speed,
      signal,
      facts,
      played: played.promise,
      hasPlayed: () => hasPlayed,
      madeSeconds: () => (made * PACKET_MS) / 1000,
      onCall(answered) {
        lastAnswer = answered.catch(() => {}).then(() => {});
      },
      onPart() {
        madeBefore = made;
      },
    });
  }

  async function* synthesize(calls: Calls): AsyncGenerator<readonly Uint8Array[]> {
    const { loudness: known } = voice;
    const loudness = await known?.recall();
    try {
      yield* joinOpusBatches(calls.parts(), { loudness, volume, signal });
    } catch (error) {
      if (!signal.aborted) calls.failed();
      throw error;
    } finally {
      void known?.save();
    }
  }

  /** Cached packets if there are any; otherwise new ones, which are cached once they are complete. */
  async function* cachedOrSynthesized(): AsyncGenerator<readonly Uint8Array[]> {
    const { cacheSlot } = voice;
    signal.throwIfAborted();
    await voice.check?.();
    // A pin is dropped together with the cache entry.
    const usedPin = voice === voices[0] ? pin : null;
    const cached = usedPin ? usedPin.packets : await cacheSlot?.get();
    facts.fromCache = Boolean(cached);
    isPinned = Boolean(usedPin && cached);
    if (!cached) {
      signal.throwIfAborted();
      await permit?.();
    }
    made = 0;
    if (cached) {
      yield cached;
      signal.throwIfAborted();
      return;
    }
    const recording = cacheSlot?.record();
    const calls = callsIn(voice);
    for await (const batch of synthesize(calls)) {
      signal.throwIfAborted();
      const room = madeBefore + Math.ceil((calls.maxSeconds() * 1000) / PACKET_MS) - made;
      made += batch.length;
      for (const packet of batch) recording?.add(packet);
      yield batch.length > room ? batch.slice(0, room) : batch;
      if (batch.length > room) throw endlessSound();
    }
    // It may have been ended because its sound must not be kept.
    signal.throwIfAborted();
    recording?.save();
  }

  async function* inAvailableVoice(): AsyncGenerator<readonly Uint8Array[]> {
    const { opened, begin } = await withVoiceFallback(voices, async (candidate) => {
      voice = candidate;
      const opened = cachedOrSynthesized();
      return { opened, begin: await opened.next() };
    });
    try {
      for (let result = begin; !result.done; result = await opened.next()) yield result.value;
    } finally {
      await opened.return(undefined);
    }
  }

  function prepare(): AsyncGenerator<readonly Uint8Array[]> {
    // The pinned sound was deleted after its first packets had been prepared.
    const isStale = isPinned && pin?.packets === null && !isOpen && !signal.aborted;
    if (packets && !isStale) return packets;
    void packets?.return(undefined);
    isPinned = false;
    const opened = inAvailableVoice();
    packets = opened;
    ahead = opened.next();
    ahead.then(
      () => first.resolve(),
      (error) => {
        first.reject(error);
        // Frees the rest even if nobody listens yet.
        stop.abort();
      },
    );
    return opened;
  }

  async function* open(playing: AbortSignal): AsyncGenerator<Uint8Array> {
    const cancel = () => stop.abort(playing.reason);
    if (playing.aborted) cancel();
    else playing.addEventListener('abort', cancel, { once: true });
    const source = prepare();
    isOpen = true;
    try {
      for (;;) {
        const next = ahead ?? source.next();
        ahead = null;
        const { done, value } = await next;
        if (done) return;
        for (const packet of value) {
          // Its batch may have been made before.
          if (isAborted) break;
          if (!hasPlayed) {
            hasPlayed = true;
            played.resolve();
          }
          yield packet;
        }
      }
    } finally {
      playing.removeEventListener('abort', cancel);
      stop.abort();
      await source.return(undefined);
    }
  }

  return {
    facts,
    get referenceId() {
      return voice.referenceId;
    },
    charged: () => lastAnswer.then(() => facts.characters),
    ready: first.promise,
    // Its calls belong to the trace of its own command, even if the end of another command's utterance triggers them.
    prepare: AsyncResource.bind(() => void prepare()),
    open,
    cancel: () => stop.abort(),
  };
}

// If the service no longer has a voice, the next one speaks.

/** Whether the service answered that it has no such voice. */
export function isUnknownVoice(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'not-found' || error.details.some(({ loc }) => loc.includes('reference_id')));
}

/** Attempts each voice in turn until the service has one. Rejects with what the last attempt rejected with. */
export async function withVoiceFallback<Voice, Result>(
  voices: readonly [Voice, ...Voice[]],
  attempt: (voice: Voice) => Promise<Result>,
): Promise<Result> {
  const [voice, ...others] = voices;
  const [next, ...rest] = others;
  try {
    return await attempt(voice);
  } catch (error) {
    if (next === undefined || !isUnknownVoice(error)) throw error;
    return withVoiceFallback([next, ...rest], attempt);
  }
}
