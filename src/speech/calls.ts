// The calls that produce the sound of a text: one for each piece of it, or a single one over the websocket, which takes it sentence by
// sentence.
import { ApiError, mayHaveBeenBilled } from '../api/errors.ts';
import type { AudioResponse } from '../api/types.ts';
import type { AudioPart } from '../audio/index.ts';
import { createLiveFeed } from './live-feed.ts';
import { maxSeconds, type ReadAhead, readAhead } from './read-ahead.ts';
import { cutIntoPieces } from './sentences.ts';

/** What calls have cost and brought so far. */
export interface CallFacts {
  /** Calls started. */
  calls: number;
  /** Text in calls that the service may have charged for: those under way, done, or failed with `mayHaveBeenBilled`. */
  characters: number;
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
export interface VoiceCalls {
  /** Calls the service for one piece of the text. */
  speak(piece: string, signal: AbortSignal): Promise<SpokenPiece>;
  /** Calls it for all of the text, over the websocket. */
  speakLive?(texts: AsyncIterable<string>, signal: AbortSignal): Promise<SpokenPiece>;
}

export interface LiveText {
  sentences: readonly string[];
  choice: LiveChoice;
  /** See FeedOptions. */
  idleMs?: number;
}

export interface CallsOptions {
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

export interface Calls {
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

export function createCalls(options: CallsOptions): Calls {
  const { pieces, live, voice, speed, signal, facts, played, hasPlayed, madeSeconds, onCall, onPart } = options;
  let current: Answered | null = null;

  function received({ speech, formatHint, maxBytes }: SpokenPiece) {
    facts.contentType ??= speech.contentType;
    facts.firstByteMs ??= speech.firstByteMs;
    const onBytes = (count: number) => {
      facts.bytes += count;
    };
    return { source: readAhead(speech.audio, { maxBuffered: READ_AHEAD_BYTES, maxBytes, onBytes }), contentType: formatHint };
  }

  async function callForPiece([piece = '', ...rest]: readonly string[]): Promise<Answered> {
    signal.throwIfAborted();
    facts.calls++;
    facts.characters += piece.length;
    const spoken = await voice.speak(piece, signal).catch((error: unknown) => {
      if (!mayHaveBeenBilled(error)) facts.characters -= piece.length;
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
    const feed = createLiveFeed({
      sentences,
      speed,
      signal: AbortSignal.any([signal, over.signal]),
      hasPlayed,
      madeSeconds,
      source: () => source,
      idleMs,
      onSent(sentence) {
        facts.characters += sentence.length;
      },
    });
    const spoken = await speakLive(feed.texts(), signal).catch((error: unknown) => {
      // Nothing was heard of a call that failed before its first byte, and all of its text is requested again: members pay for it only
      // once.
      if (!signal.aborted || !mayHaveBeenBilled(error)) facts.characters -= feed.sent.length;
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

  /** Closes a call whose turn may never come: nothing else would end it. */
  function abandon(answered: Promise<Answered | null>): void {
    answered.then(
      (one) => one?.source.close(),
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
          following = next.then((make) => make && Promise.race([played, ended.promise]).then(() => call(make)));
          // It may fail before its turn comes.
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

// Whether a text of several sentences is spoken over the websocket: only if its first sound is no later than over HTTP, which it learns
// from the texts themselves. A websocket avoids joins between pieces, but needs a handshake of its own; which matters more depends on the
// service and the distance to it.

export type Transport = 'live' | 'http';

/** One for each process: it learns anew after a restart. */
export interface LiveChoice {
  /** Decides for the next text of several sentences. */
  shouldUseWebSocket(): boolean;
  /** The first byte of such a text has come. @param ms since its call */
  noteFirstByte(transport: Transport, ms: number): void;
  /** The websocket failed, before or in the middle of the sound. */
  noteFailure(): void;
}

/** How many first bytes are remembered for each transport. With an odd number, a single slow one changes nothing. */
const REMEMBERED = 5;
/** How many are needed for a decision. Until then the transports take turns, the websocket first. */
const NEEDED = 3;
/** Milliseconds that nobody hears: one packet. */
const UNHEARD_MS = 20;
/** One text in so many uses the other transport, to notice changes in the service. After a failure, so many texts use HTTP. */
const RECHECK = 20;

export function createLiveChoice(): LiveChoice {
  const firstBytes: Record<Transport, number[]> = { live: [], http: [] };
  let texts = 0;
  let untilLive = 0;

  return {
    shouldUseWebSocket() {
      if (untilLive > 0) {
        untilLive -= 1;
        return false;
      }
      const { live, http } = firstBytes;
      if (live.length < NEEDED || http.length < NEEDED) return live.length <= http.length;
      const isNoLater = median(live) <= median(http) + UNHEARD_MS;
      texts += 1;
      return texts % RECHECK === 0 ? !isNoLater : isNoLater;
    },
    noteFirstByte(transport, ms) {
      firstBytes[transport] = [...firstBytes[transport], ms].slice(-REMEMBERED);
    },
    noteFailure() {
      firstBytes.live = [];
      untilLive = RECHECK;
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
