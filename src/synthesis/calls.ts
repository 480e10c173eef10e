// The calls that produce the sound of a text: one for each piece of it, or a single one over the websocket, which takes it sentence by
// sentence.
import { ApiError, createPauses, mayHaveBeenBilled } from '../api/errors.ts';
import type { AudioResponse } from '../api/types.ts';
import { retry } from '../async/waiting.ts';
import { type AudioPart, joinOpusBatches, PACKET_MS, type VoiceLoudness } from '../audio/index.ts';
import { createLiveFeed, type LiveChoice } from './live-texts.ts';
import { endlessSound, maxSeconds, type ReadAhead, readAhead } from './read-ahead.ts';
import { cutIntoPieces } from './speakable.ts';

/** A text, and how it is spoken. */
export interface SpokenText {
  /** The pieces of the text; at least one. */
  pieces: readonly string[];
  /** The same text for a single call over the websocket; null if it must not be used. */
  live?: LiveText | null | undefined;
  /** Factor; 1 = the voice's own speed. */
  speed?: number | undefined;
  /** Factor, 0 to 2. */
  volume?: number | undefined;
}

interface LiveText {
  sentences: readonly string[];
  choice: LiveChoice;
  /** See FeedOptions. */
  idleMs?: number;
}

/** How one voice speaks. */
export interface VoiceCalls {
  /** Calls the service for one piece of the text. */
  speak(piece: string, signal: AbortSignal): Promise<SpokenPiece>;
  /** Calls it for all of the text, over the websocket. */
  speakLive(texts: AsyncIterable<string>, signal: AbortSignal): Promise<SpokenPiece>;
  /** UTF-8 bytes that the service is sent for a text. */
  bytesOf(text: string): number;
  /** Known loudness of the voice. `save` is called when a sound of it was made. */
  loudness?: { recall(): Promise<VoiceLoudness>; save(): Promise<void> } | null;
}

/** The sound of one call. */
export interface SpokenPiece {
  speech: AudioResponse;
  /** Content type to assume if the bytes do not say what they are. */
  formatHint: string;
  /** More bytes than the text can take. */
  maxBytes: number;
}

interface SpeakTextOptions {
  text: SpokenText;
  voice: VoiceCalls;
  signal: AbortSignal;
  /** Resolves when the first packet is heard. */
  heard: Promise<void>;
  tally: Tally;
}

/** A text that is being spoken. */
interface Speaking extends SpeakTextOptions {
  isHeard: boolean;
  /** Packets made so far. */
  packets: number;
  /** The call whose sound is being made, and the packets that were there before it. */
  current: { call: AnsweredCall; packetsBefore: number } | null;
}

interface AnsweredCall {
  source: ReadAhead;
  contentType: string;
  isLive: boolean;
  /** How long its sound can be. */
  maxSeconds(): number;
  /** What remains of the text when all of this call's is sent: pieces for more calls. */
  rest: Promise<readonly string[]>;
}

const READ_AHEAD_BYTES = 1024 * 1024;
/** Milliseconds for which a text may pause in the middle while the service is busy: others are waiting behind it. */
const MAX_PAUSE_MS = 60_000;

/** The sound of the text in this voice, in batches of packets. Throws ApiError, AudioError, or the signal's reason. */
export async function* speakText(options: SpeakTextOptions): AsyncGenerator<readonly Uint8Array[]> {
  const { text, voice, signal, heard } = options;
  const speaking: Speaking = { ...options, isHeard: false, packets: 0, current: null };
  void heard.then(() => {
    speaking.isHeard = true;
  });
  const loudness = await voice.loudness?.recall();
  try {
    for await (const batch of joinOpusBatches(soundsOf(speaking), { loudness, volume: text.volume ?? 1, signal })) {
      const room = roomIn(speaking);
      speaking.packets += batch.length;
      yield batch.length > room ? batch.slice(0, room) : batch;
      if (batch.length > room) throw endlessSound();
    }
  } catch (error) {
    if (!signal.aborted && speaking.current?.call.isLive) text.live?.choice.noteFailure();
    throw error;
  } finally {
    void voice.loudness?.save();
  }
}

/** How many more packets the sound of the current call can have. */
function roomIn({ current, packets }: Speaking): number {
  return current ? current.packetsBefore + Math.ceil((current.call.maxSeconds() * 1000) / PACKET_MS) - packets : 0;
}

/**
 * The sound of one call after the other. Makes the call for the next piece once the previous one is playing, so a skip wastes one call at
 * most, and a first piece that cannot be played wastes none.
 */
async function* soundsOf(speaking: Speaking): AsyncGenerator<AudioPart> {
  let following: Promise<AnsweredCall | null> = speaking.tally.waitFor(callFirst(speaking));
  try {
    for (let call = await following; call; call = await following) {
      const { source, contentType } = call;
      const ended = Promise.withResolvers<void>();
      following = callForRest(speaking, call, ended.promise);
      // The call may fail before its turn comes.
      following.catch(() => {});
      try {
        speaking.current = { call, packetsBefore: speaking.packets };
        yield { source, contentType };
        ended.resolve();
      } finally {
        source.close();
      }
    }
  } finally {
    abandon(following);
  }
}

/** Over the websocket if that is as fast; over HTTP if not, or if the websocket fails before its first byte. */
async function callFirst(speaking: Speaking): Promise<AnsweredCall> {
  const { text, signal } = speaking;
  const { pieces, live } = text;
  if (!live?.choice.shouldUseWebSocket()) return callForPiece(speaking, pieces);
  try {
    return await callLive(speaking, live);
  } catch (error) {
    if (signal.aborted) throw error;
    const call = await callForPiece(speaking, pieces);
    // It isn't the websocket's fault if HTTP fails as well, or if the call would have had to wait for its turn.
    if (!(error instanceof ApiError && error.kind === 'rate-limited')) live.choice.noteFailure();
    return call;
  }
}

/** Calls for what a call leaves of the text, once something is heard or that call's sound has ended. Resolves with null if nothing is left. */
async function callForRest(speaking: Speaking, { rest }: AnsweredCall, ended: Promise<void>): Promise<AnsweredCall | null> {
  const pieces = await rest;
  if (pieces.length === 0) return null;
  // A first piece of less than 20 ms ends without a packet.
  await Promise.race([speaking.heard, ended]);
  return speaking.tally.waitFor(callPatiently(speaking, pieces));
}

/** Makes a call for more of a text that has begun, later if the service is busy: a pause is better than an end in mid-text. */
async function callPatiently(speaking: Speaking, pieces: readonly string[]): Promise<AnsweredCall> {
  const { signal } = speaking;
  const since = performance.now();
  const pauses = createPauses();
  return retry(
    () => callForPiece(speaking, pieces),
    (error) => (signal.aborted ? null : pauses(error, MAX_PAUSE_MS - (performance.now() - since))),
    { signal },
  );
}

/** Calls for the first of these pieces. */
async function callForPiece(speaking: Speaking, pieces: readonly string[]): Promise<AnsweredCall> {
  const { text, voice, signal, tally } = speaking;
  const [piece = '', ...rest] = pieces;
  signal.throwIfAborted();
  const release = tally.charge(piece, voice.bytesOf(piece));
  const spoken = await voice.speak(piece, signal).catch((error: unknown) => {
    if (!mayHaveBeenBilled(error)) release();
    throw error;
  });
  if (pieces === text.pieces) text.live?.choice.noteFirstByte('http', spoken.speech.firstByteMs);
  return {
    ...received(spoken),
    isLive: false,
    maxSeconds: () => maxSeconds(piece, text.speed),
    rest: Promise.resolve(rest),
  };
}

/** Makes one call for all of the text. What the websocket isn't given in the end, because it wasn't needed for a while, is left. */
async function callLive(speaking: Speaking, { sentences, choice, idleMs }: LiveText): Promise<AnsweredCall> {
  const { text, voice, signal, tally } = speaking;
  signal.throwIfAborted();
  let source: ReadAhead | null = null;
  const over = new AbortController();
  const releases: (() => void)[] = [];
  const feed = createLiveFeed({
    sentences,
    speed: text.speed,
    signal: AbortSignal.any([signal, over.signal]),
    hasPlayed: () => speaking.isHeard,
    madeSeconds: () => (speaking.packets * PACKET_MS) / 1000,
    source: () => source,
    idleMs,
    onSent(sentence) {
      releases.push(tally.charge(sentence, voice.bytesOf(sentence)));
    },
  });
  const spoken = await voice.speakLive(feed.texts(), signal).catch((error: unknown) => {
    // Nothing was heard of a call that failed before its first byte, and all of its text is requested again: members pay for it only
    // once.
    if (!signal.aborted || !mayHaveBeenBilled(error)) for (const release of releases) release();
    over.abort();
    throw error;
  });
  choice.noteFirstByte('live', spoken.speech.firstByteMs);
  const sound = received(spoken);
  source = sound.source;
  return {
    ...sound,
    isLive: true,
    maxSeconds: () => maxSeconds(feed.sent, text.speed),
    rest: feed.rest.then((rest) => (rest === '' ? [] : cutIntoPieces(rest))),
  };
}

function received({ speech, formatHint, maxBytes }: SpokenPiece): Pick<AnsweredCall, 'source' | 'contentType'> {
  return { source: readAhead(speech.audio, { maxBuffered: READ_AHEAD_BYTES, maxBytes }), contentType: formatHint };
}

/** Closes a call whose turn may never come: nothing else would end it. */
function abandon(following: Promise<AnsweredCall | null>): void {
  following.then(
    (call) => call?.source.close(),
    () => {},
  );
}

/** What the calls of an utterance cost. */
interface Tally {
  /**
   * Adds a text to what the service may charge for: in calls under way, done, or failed with `mayHaveBeenBilled`. Returns a function that takes
   * it out again. @param bytes UTF-8 bytes that the service is sent for it
   */
  charge(text: string, bytes: number): () => void;
  /** What is charged isn't known before this call is answered. Returns its promise. */
  waitFor<T>(call: Promise<T>): Promise<T>;
  /** See SpeechUtterance. */
  charged(): Promise<number>;
  billed(): Promise<number>;
}

export function createTally(): Tally {
  let characters = 0;
  let billed = 0;
  // Calls are made one after the other.
  let lastCall: Promise<unknown> = Promise.resolve();
  return {
    charge(text, bytes) {
      characters += text.length;
      billed += bytes;
      return () => {
        characters -= text.length;
        billed -= bytes;
      };
    },
    waitFor(call) {
      lastCall = call.catch(() => {});
      return call;
    },
    charged: () => lastCall.then(() => characters),
    billed: () => lastCall.then(() => billed),
  };
}
