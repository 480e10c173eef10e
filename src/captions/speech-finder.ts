// Finds where members speak, in a process for all guilds. ONNX Runtime loads only once in a process ("Module did not self-register"), so a
// thread that ended could not be followed by another; and whatever makes it crash leaves the bot alone.
import { type Lost, type LostError, supervise } from '../async/supervise.ts';

/** A packet, or what was lost of one (null). `position` and `samples` are counted at 48 kHz. */
export interface SoundPart {
  position: number;
  samples: number;
  opus: Uint8Array | null;
}

/** Where a member spoke, in positions at 48 kHz; `from` and `to` include the margins. */
export interface Spoken {
  start: number;
  end: number;
  from: number;
  to: number;
}

/** `speaker` is the number of a `SpeakerFinder`. They are sent in arrays; each is answered once all in it is done. */
export type ToSpeechProcess = { guildId: string } & (
  | { kind: 'sound'; speaker: number; part: SoundPart }
  /** Nothing more has come for so many milliseconds. */
  | { kind: 'pause'; speaker: number; elapsedMs: number }
  | { kind: 'end' | 'forget'; speaker: number }
  | { kind: 'decode'; id: number; parts: readonly SoundPart[] }
);

export type FromSpeechProcess =
  | ({ kind: 'spoken'; speaker: number } & Spoken)
  /** Nothing before this position will be in anything `spoken`. */
  | { kind: 'passed'; speaker: number; position: number }
  | { kind: 'ended'; speaker: number }
  /** 16-bit samples at 16 kHz. */
  | { kind: 'decoded'; id: number; pcm: Uint8Array };

interface SpeakerListener {
  onSpoken(spoken: Spoken): void;
  onPassed(position: number): void;
  /** The process was lost, and with it what wasn't `spoken` yet. The next sound begins anew, in another process. */
  onLost(error: Error): void;
}

/** One member's sound. */
export interface SpeakerFinder {
  hear(part: SoundPart): void;
  /** @param elapsedMs since the last packet's end */
  pause(elapsedMs: number): void;
  /** Ends what is being said. Resolves when all of it is `spoken`, or lost. */
  end(): Promise<void>;
  /** Wipes what the process holds. Nothing more is called. */
  forget(): void;
}

export interface SpeechFinder {
  /** Starts the process. @throws Error whose message is a clause, if speech can't be found here */
  load(): Promise<void>;
  /** Guilds take turns, and so do their speakers. */
  open(guildId: string, listener: SpeakerListener): SpeakerFinder;
  /** 16-bit samples at 16 kHz; null if the process was lost. */
  decode(guildId: string, parts: readonly SoundPart[]): Promise<Uint8Array | null>;
  close(): void;
}

/** MB of JavaScript's own heap; it holds a second of sound of each speaker. */
const HEAP_MB = 128;
/**
 * Milliseconds: the sound of all speakers is sent together, because waking up the process takes a millisecond. Whatever else there is to say
 * goes at once, with the sound before it: the pause after a sentence doesn't wait.
 */
const BATCH_MS = 300;
/** Milliseconds without a speaker after which the process ends. */
const IDLE_MS = 60_000;
/** Milliseconds until it is ready, and without an answer after that. Loading the model on a busy machine takes some seconds of that. */
const ANSWER_MS = 30_000;
/** Milliseconds between two starts. */
const RESTART_MS = 5_000;

/** @param options `answerMs`, `restartMs`: see above */
export function createSpeechFinder({
  script = new URL('./speech-process.ts', import.meta.url),
  answerMs = ANSWER_MS,
  restartMs = RESTART_MS,
} = {}): SpeechFinder {
  const speakers = new Map<number, SpeakerListener>();
  /** Functions to call when the process has answered, by what they wait for. */
  const ending = new Map<number, () => void>();
  const decoding = new Map<number, (pcm: Uint8Array | null) => void>();
  /** Why speech can't be found here at all. */
  let unavailable: Error | null = null;
  /** What comes while there is no process is sent to the next one. */
  let batch: ToSpeechProcess[] = [];
  let batchTimer: NodeJS.Timeout | undefined;
  let lastNumber = 0;

  const speechProcess = supervise<ToSpeechProcess[], null, FromSpeechProcess>({
    spawn: { file: script, runsIn: 'process' },
    memory: { heapMb: HEAP_MB },
    timeouts: { startMs: ANSWER_MS, answerMs, idleMs: IDLE_MS, restartMs },
    onReady: flush,
    onNotice: receive,
    onLost: lose,
  });

  function receive(message: FromSpeechProcess): void {
    if (message.kind === 'spoken') speakers.get(message.speaker)?.onSpoken(message);
    else if (message.kind === 'passed') speakers.get(message.speaker)?.onPassed(message.position);
    else if (message.kind === 'ended') settle(ending, message.speaker, undefined);
    else settle(decoding, message.id, message.pcm);
  }

  /** Speech that the process hadn't found yet is lost. */
  function lose({ cause, reason }: Lost): void {
    const error = toError(cause, reason);
    if (cause === 'unavailable') unavailable = error;
    abandon();
    for (const listener of speakers.values()) listener.onLost(error);
  }

  /** Nothing waits for the process any more. */
  function abandon(): void {
    clearTimeout(batchTimer);
    batchTimer = undefined;
    batch = [];
    for (const number of [...ending.keys()]) settle(ending, number, undefined);
    for (const id of [...decoding.keys()]) settle(decoding, id, null);
  }

  /** @returns false if there can't be a process to take it */
  function post(message: ToSpeechProcess): boolean {
    if (unavailable) return false;
    batch.push(message);
    if (speechProcess.state() !== 'ready') void speechProcess.start().catch(() => {});
    else if (message.kind === 'sound') batchTimer ??= setTimeout(flush, BATCH_MS).unref();
    else flush();
    return true;
  }

  function flush(): void {
    clearTimeout(batchTimer);
    batchTimer = undefined;
    if (batch.length > 0) speechProcess.post(batch, true);
    batch = [];
  }

  function noteIdle(): void {
    speechProcess.setIdle(speakers.size === 0 && decoding.size === 0);
  }

  return {
    async load() {
      if (unavailable) throw unavailable;
      noteIdle();
      await speechProcess.start().catch(({ lost }: LostError) => {
        throw toError(lost.cause, lost.reason);
      });
    },

    open(guildId, listener) {
      const speaker = ++lastNumber;
      speakers.set(speaker, listener);
      noteIdle();
      return {
        hear: (part) => void post({ guildId, kind: 'sound', speaker, part }),
        pause: (elapsedMs) => void post({ guildId, kind: 'pause', speaker, elapsedMs }),
        end() {
          const { promise, resolve } = Promise.withResolvers<void>();
          if (!post({ guildId, kind: 'end', speaker })) return Promise.resolve();
          const before = ending.get(speaker);
          ending.set(speaker, () => {
            before?.();
            resolve();
          });
          return promise;
        },
        forget() {
          speakers.delete(speaker);
          settle(ending, speaker, undefined);
          if (speechProcess.state() === 'ready') post({ guildId, kind: 'forget', speaker });
          else batch = batch.filter((message) => !('speaker' in message) || message.speaker !== speaker);
          noteIdle();
        },
      };
    },

    decode(guildId, parts) {
      const id = ++lastNumber;
      const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
      if (!post({ guildId, kind: 'decode', id, parts })) return Promise.resolve(null);
      decoding.set(id, resolve);
      noteIdle();
      return promise.finally(noteIdle);
    },

    close() {
      abandon();
      void speechProcess.close();
    },
  };
}

function toError(cause: Lost['cause'], reason: string): Error {
  return new Error(cause === 'unavailable' ? reason : `the process that finds speech: ${reason}`);
}

function settle<T>(waiting: Map<number, (value: T) => void>, key: number, value: T): void {
  waiting.get(key)?.(value);
  waiting.delete(key);
}
