// One utterance: calls made when they are wanted, their sound joined, and everything let go when it is not wanted any more.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { mayHaveBeenBilled } from '../api/errors.ts';
import type { Speech as ApiSpeech } from '../api/types.ts';
import { type AudioPart, FRAME_MS, joinOpusFrames, type VoiceLoudness } from '../audio/index.ts';
import type { Utterance } from '../voice/types.ts';
import type { Recording } from './cache.ts';
import { endless, longestSeconds } from './endless.ts';
import type { Pin } from './pins.ts';
import { type ReadAhead, readAhead } from './read-ahead.ts';

/** What an utterance has cost and brought so far. */
interface UtteranceFacts {
  /** Calls begun. */
  calls: number;
  /** Of text in the calls that the service may have charged for: those under way, done, or failed with `mayHaveBeenBilled`. */
  characters: number;
  /** Of sound received, compressed. */
  bytes: number;
  /** As the service labels it; null before the first answer. */
  contentType: string | null;
  /** Milliseconds from the first call to its first byte; null before. */
  firstByteMs: number | null;
  /** It had been said before, so that nothing was asked of the service; null before that is known. */
  fromCache: boolean | null;
}

export interface SpeechUtterance extends Utterance {
  readonly facts: Readonly<UtteranceFacts>;
  /** Characters of text that the service may have charged for, as soon as no call is waiting for its answer. Never rejects. */
  charged(): Promise<number>;
}

/** Asks the service for one piece of text. `label` is what its sound is to be taken for where the bytes do not say. */
export type SpeakPiece = (text: string, signal: AbortSignal) => Promise<{ speech: ApiSpeech; label: string }>;

/** Where the frames of this utterance may be kept already, or are to be kept. */
export interface Keeping {
  get(): Promise<Uint8Array[] | null>;
  record(): Recording;
}

/** Frames that are ready before an utterance is opened: what the player pulls at once. */
const PREPARED_FRAMES = 5;
const READ_AHEAD_BYTES = 1024 * 1024;

/** @param pieces of the text, at least one. `options.signal` cancels the utterance at any time. */
export function createUtterance(
  pieces: string[],
  speak: SpeakPiece,
  options: {
    signal?: AbortSignal;
    keeping?: Keeping;
    pin?: Pin;
    permit?: () => Promise<void>;
    /** A factor; 1 = as the voice speaks. */
    speed?: number;
    /** What is known of the voice's loudness; `keep` is called when a sound of it was made. */
    voice?: { recall(): Promise<VoiceLoudness>; keep(): Promise<void> };
    /** A factor, 0 to 2. */
    volume?: number;
  } = {},
): SpeechUtterance {
  const { signal: outer, keeping, pin, permit, voice, volume = 1 } = options;
  const facts: UtteranceFacts = { calls: 0, characters: 0, bytes: 0, contentType: null, firstByteMs: null, fromCache: null };
  const stop = new AbortController();
  const signal = outer ? AbortSignal.any([outer, stop.signal]) : stop.signal;
  const played = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  let frames: AsyncGenerator<Uint8Array> | null = null;
  let ahead: Promise<IteratorResult<Uint8Array>>[] = [];
  let isOpen = false;
  /** Made so far, and at most with the piece that is being made. */
  let made = 0;
  let mostFrames = 0;
  /** What is made ready, or played, is the pinned sound. */
  let isPinned = false;
  /** Calls are made one after the other. */
  let lastAnswer = Promise.resolve();

  // Whether anybody waits for it is not known.
  first.promise.catch(() => {});
  // Every utterance ends in an abort, one that was played to its end too.
  const onAbort = () => {
    first.reject(signal.reason);
    pin?.release();
  };
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });

  async function fetchPiece(text: string): Promise<AudioPart & { source: ReadAhead }> {
    signal.throwIfAborted();
    facts.calls++;
    facts.characters += text.length;
    const answered = speak(text, signal).catch((error: unknown) => {
      if (!mayHaveBeenBilled(error)) facts.characters -= text.length;
      throw error;
    });
    lastAnswer = answered.then(
      () => {},
      () => {},
    );
    const { speech, label } = await answered;
    facts.contentType ??= speech.contentType;
    facts.firstByteMs ??= speech.firstByteMs;
    const source = readAhead(speech.audio, READ_AHEAD_BYTES, (count) => {
      facts.bytes += count;
    });
    return { source, contentType: label };
  }

  /** One piece after the other. The call for the next is made once the one before is being played, so that a skip wastes one call at most. */
  async function* parts(): AsyncGenerator<AudioPart> {
    let part = fetchPiece(pieces[0] ?? '');
    try {
      for (let index = 0; index < pieces.length; index++) {
        const current = await part;
        const next = pieces[index + 1];
        if (next !== undefined) part = played.promise.then(() => fetchPiece(next));
        // It may fail before its turn comes.
        part.catch(() => {});
        try {
          mostFrames = made + Math.ceil((longestSeconds(pieces[index] ?? '', options.speed) * 1000) / FRAME_MS);
          yield current;
        } finally {
          current.source.close();
        }
      }
    } finally {
      // After a skip it is one whose turn never comes, and nobody else would end its call.
      part.then(
        ({ source }) => source.close(),
        () => {},
      );
    }
  }

  /** As they are kept; else as they are made, to be kept once they are complete. */
  async function* keptOrMade(): AsyncGenerator<Uint8Array> {
    signal.throwIfAborted();
    // A pin is dropped with what is in the cache.
    const kept = pin ? pin.packets : await keeping?.get();
    facts.fromCache = Boolean(kept);
    isPinned = Boolean(pin && kept);
    if (!kept) await permit?.();
    made = 0;
    const recording = kept ? undefined : keeping?.record();
    for await (const frame of kept ?? make()) {
      signal.throwIfAborted();
      made += 1;
      if (!kept && made > mostFrames) throw endless();
      recording?.add(frame);
      yield frame;
    }
    recording?.save();
  }

  async function* make(): AsyncGenerator<Uint8Array> {
    const loudness = await voice?.recall();
    try {
      yield* joinOpusFrames(parts(), { ...(loudness ? { loudness } : {}), volume, signal });
    } finally {
      void voice?.keep();
    }
  }

  function prepare(): AsyncGenerator<Uint8Array> {
    // The pinned sound was deleted after its first packets had been made ready.
    const isStale = isPinned && pin?.packets === null && !isOpen && !signal.aborted;
    if (frames && !isStale) return frames;
    void frames?.return(undefined);
    isPinned = false;
    made = 0;
    const opened = keptOrMade();
    frames = opened;
    ahead = [opened.next()];
    ahead[0]?.then(() => first.resolve(), first.reject);
    void prepareMore(opened);
    return opened;
  }

  /** One at a turn: a connection is often being made at the same time, and its answers are not to wait for all of them. */
  async function prepareMore(source: AsyncGenerator<Uint8Array>): Promise<void> {
    try {
      for (let count = 1; count < PREPARED_FRAMES; count++) {
        await ahead.at(-1);
        await nextTurn();
        if (isOpen || frames !== source) return;
        ahead.push(source.next());
      }
      await ahead.at(-1);
    } catch {
      // Before anybody listens it frees the rest by itself; it is still told to whoever opens.
      stop.abort();
    }
  }

  function open(playing: AbortSignal): AsyncIterable<Uint8Array> {
    const cancel = () => stop.abort(playing.reason);
    if (playing.aborted) cancel();
    else playing.addEventListener('abort', cancel, { once: true });
    const source = prepare();
    const end = () => {
      playing.removeEventListener('abort', cancel);
      stop.abort();
    };
    const iterator: AsyncIterator<Uint8Array> = {
      async next() {
        played.resolve();
        isOpen = true;
        try {
          const result = await (ahead.shift() ?? source.next());
          if (result.done) end();
          return result;
        } catch (error) {
          end();
          throw error;
        }
      },
      return() {
        const returned = source.return(undefined);
        end();
        return returned;
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  return {
    facts,
    charged: () => lastAnswer.then(() => facts.characters),
    ready: first.promise,
    prepare() {
      prepare();
    },
    open,
    cancel: () => stop.abort(),
  };
}
