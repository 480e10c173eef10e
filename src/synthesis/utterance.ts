// One utterance: makes its calls when they are needed, joins their sound, and releases everything once it is no longer wanted.
import { AsyncResource } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, createPauses, mayHaveBeenBilled } from '../api/errors.ts';
import type { AudioResponse } from '../api/types.ts';
import { type AudioPart, joinOpusBatches, PACKET_MS, type VoiceLoudness } from '../audio/index.ts';
import type { Utterance } from '../voice-session/types.ts';
import type { CacheSlot } from './cache.ts';
import { createLiveFeed, type LiveChoice } from './live-texts.ts';
import type { Pin } from './pins.ts';
import { endlessSound, maxSeconds, type ReadAhead, readAhead } from './read-ahead.ts';
import { isUnknownVoice } from './refusals.ts';
import { cutIntoPieces } from './speakable.ts';

/** What an utterance has cost and received so far. */
interface UtteranceFacts extends CallFacts {
  /** Whether it came from the cache, without calling the service; null until that is known. */
  fromCache: boolean | null;
}

export interface SpeechUtterance extends Utterance {
  readonly facts: Readonly<UtteranceFacts>;
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
  const facts: UtteranceFacts = { calls: 0, characters: 0, billed: 0, bytes: 0, contentType: null, firstByteMs: null, fromCache: null };
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
  let packetCount = 0;
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
      madeSeconds: () => (packetCount * PACKET_MS) / 1000,
      onCall(answered) {
        lastAnswer = answered.catch(() => {}).then(() => {});
      },
      onPart() {
        madeBefore = packetCount;
      },
    });
  }

  async function* synthesize(calls: Calls): AsyncGenerator<readonly Uint8Array[]> {
    const { loudness: storedLoudness } = voice;
    const loudness = await storedLoudness?.recall();
    try {
      yield* joinOpusBatches(calls.parts(), { loudness, volume, signal });
    } catch (error) {
      if (!signal.aborted) calls.failed();
      throw error;
    } finally {
      void storedLoudness?.save();
    }
  }

  /** Cached packets if there are any; otherwise new ones, which are cached once they are complete. */
  async function* cachedOrSynthesized(candidate: VoicedText): AsyncGenerator<readonly Uint8Array[]> {
    signal.throwIfAborted();
    voice = (await candidate.check?.()) ?? candidate;
    const { cacheSlot } = voice;
    // A pin is dropped together with the cache entry.
    const usedPin = candidate === voices[0] ? pin : null;
    const cached = usedPin ? usedPin.packets : await cacheSlot?.get();
    facts.fromCache = Boolean(cached);
    isPinned = Boolean(usedPin && cached);
    if (!cached) {
      signal.throwIfAborted();
      await permit?.();
    }
    packetCount = 0;
    if (cached) {
      yield cached;
      signal.throwIfAborted();
      return;
    }
    const recording = cacheSlot?.record();
    const calls = callsIn(voice);
    for await (const batch of synthesize(calls)) {
      signal.throwIfAborted();
      const room = madeBefore + Math.ceil((calls.maxSeconds() * 1000) / PACKET_MS) - packetCount;
      packetCount += batch.length;
      for (const packet of batch) recording?.add(packet);
      yield batch.length > room ? batch.slice(0, room) : batch;
      if (batch.length > room) throw endlessSound();
    }
    // The utterance may have been ended because its sound must not be kept.
    signal.throwIfAborted();
    recording?.save();
  }

  async function* inAvailableVoice(): AsyncGenerator<readonly Uint8Array[]> {
    const { opened, begin } = await withVoiceFallback(
      voices,
      async (candidate) => {
        voice = candidate;
        const opened = cachedOrSynthesized(candidate);
        return { opened, begin: await opened.next() };
      },
      (error, candidate) => isUnknownVoice(error) || (candidate.passesOn?.(error) ?? false),
    );
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
        // Ends the call and frees what it holds, even if nobody listens yet.
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
          // The batch may have been made before the abort.
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
    get standIn() {
      return voice.standIn ?? null;
    },
    charged: () => lastAnswer.then(() => facts.characters),
    billed: () => lastAnswer.then(() => facts.billed),
    ready: first.promise,
    // The calls belong to the trace of the utterance's own command, even if the end of another command's utterance triggers them.
    prepare: AsyncResource.bind(() => void prepare()),
    open,
    cancel: () => stop.abort(),
  };
}

// The calls that produce the sound of a text: one for each piece of it, or a single one over the websocket, which takes it sentence by
// sentence.

/** What calls have cost and brought so far. */
interface CallFacts {
  /** Calls started. */
  calls: number;
  /** Text in calls that the service may have charged for: those under way, done, or failed with `mayHaveBeenBilled`. */
  characters: number;
  /** UTF-8 bytes that the service was sent for it. */
  billed: number;
  /** Compressed sound received. */
  bytes: number;
  /** Content type as the service labels it; null before the first answer. */
  contentType: string | null;
  /** Milliseconds from the first call that was answered to its first byte; null before. */
  firstByteMs: number | null;
}

/** The sound of one call. */
export interface SpokenPiece {
  speech: AudioResponse;
  /** Content type to assume if the bytes do not say what they are. */
  formatHint: string;
  /** More bytes than the text can take. */
  maxBytes: number;
}

/** How one voice speaks. */
interface VoiceCalls {
  /** Calls the service for one piece of the text. */
  speak(piece: string, signal: AbortSignal): Promise<SpokenPiece>;
  /** Calls it for all of the text, over the websocket. */
  speakLive?(texts: AsyncIterable<string>, signal: AbortSignal): Promise<SpokenPiece>;
  /** UTF-8 bytes that the service is sent for a text; absent = those of the text itself. */
  bytesOf?(text: string): number;
}

interface LiveText {
  sentences: readonly string[];
  choice: LiveChoice;
  /** See FeedOptions. */
  idleMs?: number;
}

interface CallsOptions {
  /** The pieces of the text; at least one. */
  pieces: readonly string[];
  live: LiveText | null | undefined;
  voice: VoiceCalls;
  /** Factor. */
  speed: number | undefined;
  signal: AbortSignal;
  /** Kept up to date. */
  facts: CallFacts;
  /** The first packet was handed out. */
  played: Promise<void>;
  hasPlayed(): boolean;
  /** Sound made so far. */
  madeSeconds(): number;
  /** @param answered settles when the service has answered */
  onCall(answered: Promise<unknown>): void;
  /** The sound of the next call begins. */
  onPart(): void;
}

interface Calls {
  /** The sound of one call after the other. Iterate once. */
  parts(): AsyncGenerator<AudioPart>;
  /** How long the sound of the current call can be. */
  maxSeconds(): number;
  /** The current call's sound is broken. */
  failed(): void;
}

/** A call that was answered. */
interface Answered {
  source: ReadAhead;
  contentType: string;
  maxSeconds(): number;
  isLive: boolean;
  /** Makes the next call; null if there is none. */
  next: Promise<(() => Promise<Answered>) | null>;
}

const READ_AHEAD_BYTES = 1024 * 1024;
/** Milliseconds for which a text may pause in the middle while the service is busy: others are waiting behind it. */
const MAX_PAUSE_MS = 60_000;

function createCalls(options: CallsOptions): Calls {
  const { pieces, live, voice, speed, signal, facts, played, hasPlayed, madeSeconds, onCall, onPart } = options;
  let current: Answered | null = null;

  function received({ speech, formatHint, maxBytes }: SpokenPiece) {
    facts.contentType ??= speech.contentType;
    facts.firstByteMs ??= speech.firstByteMs;
    const source = readAhead(speech.audio, { maxBuffered: READ_AHEAD_BYTES, maxBytes, progress: facts });
    return { source, contentType: formatHint };
  }

  /** Adds a text to what the service may charge for. Returns a function that takes it out again. */
  function charge(text: string): () => void {
    const bytes = voice.bytesOf?.(text) ?? Buffer.byteLength(text);
    facts.characters += text.length;
    facts.billed += bytes;
    return () => {
      facts.characters -= text.length;
      facts.billed -= bytes;
    };
  }

  async function callForPiece([piece = '', ...rest]: readonly string[]): Promise<Answered> {
    signal.throwIfAborted();
    facts.calls++;
    const release = charge(piece);
    const spoken = await voice.speak(piece, signal).catch((error: unknown) => {
      if (!mayHaveBeenBilled(error)) release();
      throw error;
    });
    if (piece === pieces[0]) live?.choice.noteFirstByte('http', spoken.speech.firstByteMs);
    return {
      ...received(spoken),
      maxSeconds: () => maxSeconds(piece, speed),
      isLive: false,
      next: Promise.resolve(rest.length > 0 ? () => callForPiece(rest) : null),
    };
  }

  async function callLive({ sentences, choice, idleMs }: LiveText, speakLive: NonNullable<VoiceCalls['speakLive']>): Promise<Answered> {
    signal.throwIfAborted();
    facts.calls++;
    let source: ReadAhead | null = null;
    const over = new AbortController();
    const releases: (() => void)[] = [];
    const feed = createLiveFeed({
      sentences,
      speed,
      signal: AbortSignal.any([signal, over.signal]),
      hasPlayed,
      madeSeconds,
      source: () => source,
      idleMs,
      onSent(sentence) {
        releases.push(charge(sentence));
      },
    });
    const spoken = await speakLive(feed.texts(), signal).catch((error: unknown) => {
      // Nothing was heard of a call that failed before its first byte, and all of its text is requested again: members pay for it only
      // once.
      if (!signal.aborted || !mayHaveBeenBilled(error)) for (const release of releases) release();
      over.abort();
      throw error;
    });
    choice.noteFirstByte('live', spoken.speech.firstByteMs);
    const sound = received(spoken);
    source = sound.source;
    const next = feed.rest.then((rest) => (rest === '' ? null : () => callForPiece(cutIntoPieces(rest))));
    return { ...sound, maxSeconds: () => maxSeconds(feed.sent, speed), isLive: true, next };
  }

  /** Over the websocket if that is as fast; over HTTP if not, or if the websocket fails before its first byte. */
  async function callFirst(): Promise<Answered> {
    if (!live || !voice.speakLive || !live.choice.shouldUseWebSocket()) return callForPiece(pieces);
    try {
      return await callLive(live, voice.speakLive);
    } catch (error) {
      if (signal.aborted) throw error;
      const answered = await callForPiece(pieces);
      // It isn't the websocket's fault if HTTP fails as well, or if the call would have had to wait for its turn.
      if (!(error instanceof ApiError && error.kind === 'rate-limited')) live.choice.noteFailure();
      return answered;
    }
  }

  function call(make: () => Promise<Answered>): Promise<Answered> {
    const answered = make();
    onCall(answered);
    return answered;
  }

  /** Makes a call for more of a text that has begun, later if the service is busy: a pause is better than an end in mid-text. */
  async function callForMore(make: () => Promise<Answered>): Promise<Answered> {
    const since = performance.now();
    const pauses = createPauses();
    for (;;) {
      try {
        return await make();
      } catch (error) {
        const pause = signal.aborted ? null : pauses(error, MAX_PAUSE_MS - (performance.now() - since));
        if (pause === null) throw error;
        await sleep(pause, undefined, { signal });
      }
    }
  }

  /** Closes a call whose turn may never come: nothing else would end it. */
  function abandon(answered: Promise<Answered | null>): void {
    answered.then(
      (answered) => answered?.source.close(),
      () => {},
    );
  }

  return {
    maxSeconds: () => current?.maxSeconds() ?? 0,
    failed() {
      if (current?.isLive) live?.choice.noteFailure();
    },
    /**
     * Makes the call for the next piece once the previous one is playing, so a skip wastes one call at most, and a first piece that cannot
     * be played wastes none.
     */
    async *parts() {
      let following: Promise<Answered | null> = call(callFirst);
      try {
        for (let answered = await following; answered; answered = await following) {
          current = answered;
          const { source, contentType, next } = answered;
          const ended = Promise.withResolvers<void>();
          // A first piece of less than 20 ms ends without a packet.
          following = next.then((make) => make && Promise.race([played, ended.promise]).then(() => call(() => callForMore(make))));
          // The call may fail before its turn comes.
          following.catch(() => {});
          try {
            onPart();
            yield { source, contentType };
            ended.resolve();
          } finally {
            source.close();
          }
        }
      } finally {
        abandon(following);
      }
    },
  };
}

// If the service no longer has a voice, the next one speaks.

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
