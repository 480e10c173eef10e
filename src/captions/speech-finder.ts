// Finds where members speak, in a process for all guilds. ONNX Runtime loads only once in a process ("Module did not self-register"), so a
// thread that ended could not be followed by another; and whatever makes it crash leaves the bot alone.
import { type ChildProcess, fork } from 'node:child_process';

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

/** `speaker` is the number of a `SpeakerFinder`. They are sent in arrays. */
export type ToSpeechProcess = { guildId: string } & (
  | { kind: 'sound'; speaker: number; part: SoundPart }
  /** Nothing more has come for so many milliseconds. */
  | { kind: 'pause'; speaker: number; elapsedMs: number }
  | { kind: 'end' | 'forget'; speaker: number }
  | { kind: 'decode'; id: number; parts: readonly SoundPart[] }
);

export type FromSpeechProcess =
  | { kind: 'ready' }
  /** Why there is no model, as a clause. */
  | { kind: 'unavailable'; reason: string }
  | ({ kind: 'spoken'; speaker: number } & Spoken)
  /** What is before this position is in nothing that will be `spoken`. */
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

/** The environment of the process: what Windows needs to start programs. No keys. */
const ENVIRONMENT = ['PATH', 'SystemRoot', 'windir', 'TEMP', 'TMPDIR', 'NODE_COMPILE_CACHE'];
/** MB of JavaScript's own heap; it holds a second of sound of each speaker. */
const HEAP_MB = 128;
/**
 * Milliseconds: the sound of all speakers is sent together, because waking up the process takes a millisecond. Whatever else there is to say
 * goes at once, with the sound before it: the pause after a sentence doesn't wait.
 */
const BATCH_MS = 300;
/** Milliseconds without a speaker after which the process ends. */
const IDLE_MS = 60_000;
/** Milliseconds without an answer after which it counts as hanging. Loading the model on a busy machine takes some seconds of that. */
const ANSWER_MS = 30_000;
/** Milliseconds between two starts. */
const RESTART_MS = 5_000;

interface Running {
  child: ChildProcess;
  ready: Promise<void>;
  /** `performance.now()` of the first message since the last answer; null = all were answered. */
  unansweredSince: number | null;
}

/** @param options `answerMs`, `restartMs`: see above */
export function createSpeechFinder({
  script = new URL('./speech-process.ts', import.meta.url),
  answerMs = ANSWER_MS,
  restartMs = RESTART_MS,
} = {}): SpeechFinder {
  const speakers = new Map<number, SpeakerListener>();
  /** Waiting for an answer, by what they wait for. */
  const ending = new Map<number, () => void>();
  const decoding = new Map<number, (pcm: Uint8Array | null) => void>();
  let running: Running | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  /** Why speech can't be found here at all. */
  let unavailable: Error | null = null;
  let batch: ToSpeechProcess[] = [];
  let batchTimer: NodeJS.Timeout | undefined;
  /** What comes before it is sent then. */
  let restartTimer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let lastNumber = 0;

  /** Null while none may be started. */
  function start(): Running | null {
    if (running || unavailable || performance.now() - startedAt < restartMs) return running;
    startedAt = performance.now();
    const child = fork(script, [], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      env: Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const ready = Promise.withResolvers<void>();
    ready.promise.catch(() => {});
    const started: Running = { child, ready: ready.promise, unansweredSince: null };
    running = started;
    child.unref();
    child.channel?.unref();
    child.on('message', (message: FromSpeechProcess) => {
      if (running !== started) return;
      started.unansweredSince = null;
      if (message.kind === 'ready') ready.resolve();
      else if (message.kind === 'unavailable') {
        unavailable = new Error(message.reason);
        ready.reject(unavailable);
        lose(started, unavailable);
      } else receive(message);
    });
    const onEnd = (how: string) => {
      const error = new Error(`the process that finds speech ended with ${how}`);
      ready.reject(error);
      lose(started, error);
    };
    child.on('error', (error) => onEnd(error.message));
    child.on('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
    return started;
  }

  function receive(message: Exclude<FromSpeechProcess, { kind: 'ready' | 'unavailable' }>): void {
    if (message.kind === 'spoken') speakers.get(message.speaker)?.onSpoken(message);
    else if (message.kind === 'passed') speakers.get(message.speaker)?.onPassed(message.position);
    else if (message.kind === 'ended') settle(ending, message.speaker, undefined);
    else settle(decoding, message.id, message.pcm);
  }

  /** What it hadn't found is lost. */
  function lose(lost: Running, error: Error): void {
    if (running !== lost) return;
    stop();
    for (const listener of speakers.values()) listener.onLost(error);
  }

  function stop(): void {
    const stopped = running;
    running = null;
    clearTimeout(idleTimer);
    clearTimeout(batchTimer);
    batchTimer = undefined;
    clearTimeout(restartTimer);
    restartTimer = undefined;
    batch = [];
    stopped?.child.kill('SIGKILL');
    for (const number of [...ending.keys()]) settle(ending, number, undefined);
    for (const id of [...decoding.keys()]) settle(decoding, id, null);
  }

  /** @returns false if there is no process to take it */
  function post(message: ToSpeechProcess): boolean {
    const current = start();
    if (!current) {
      if (unavailable) return false;
      // Another one is started soon.
      batch.push(message);
      restartLater();
      return true;
    }
    const now = performance.now();
    current.unansweredSince ??= now;
    if (now - current.unansweredSince > answerMs) {
      lose(current, new Error(`the process that finds speech has not answered for ${answerMs / 1000} s`));
      return false;
    }
    batch.push(message);
    if (message.kind === 'sound') batchTimer ??= setTimeout(flush, BATCH_MS, current).unref();
    else flush(current);
    return true;
  }

  function restartLater(): void {
    // Timers may fire a fraction of a millisecond early.
    restartTimer ??= setTimeout(restart, Math.max(0, startedAt + restartMs - performance.now()) + 1).unref();
  }

  function restart(): void {
    restartTimer = undefined;
    const current = start();
    if (batch.length === 0 || unavailable) return;
    if (!current) {
      restartLater();
      return;
    }
    current.unansweredSince ??= performance.now();
    flush(current);
  }

  function flush({ child }: Running): void {
    clearTimeout(batchTimer);
    batchTimer = undefined;
    // A failure to send is followed by the end of the process.
    if (child.connected) child.send(batch, () => {});
    batch = [];
  }

  function endWhenIdle(): void {
    clearTimeout(idleTimer);
    if (speakers.size === 0 && decoding.size === 0) idleTimer = setTimeout(stop, IDLE_MS).unref();
  }

  return {
    async load() {
      if (unavailable) throw unavailable;
      await start()?.ready;
      endWhenIdle();
    },

    open(guildId, listener) {
      const speaker = ++lastNumber;
      speakers.set(speaker, listener);
      clearTimeout(idleTimer);
      return {
        hear: (part) => void post({ guildId, kind: 'sound', speaker, part }),
        pause: (elapsedMs) => void post({ guildId, kind: 'pause', speaker, elapsedMs }),
        end() {
          const { promise, resolve } = Promise.withResolvers<void>();
          if (!post({ guildId, kind: 'end', speaker })) return Promise.resolve();
          ending.set(speaker, resolve);
          return promise;
        },
        forget() {
          speakers.delete(speaker);
          settle(ending, speaker, undefined);
          if (running) post({ guildId, kind: 'forget', speaker });
          else batch = batch.filter((message) => !('speaker' in message) || message.speaker !== speaker);
          endWhenIdle();
        },
      };
    },

    decode(guildId, parts) {
      const id = ++lastNumber;
      const { promise, resolve } = Promise.withResolvers<Uint8Array | null>();
      if (!post({ guildId, kind: 'decode', id, parts })) return Promise.resolve(null);
      decoding.set(id, resolve);
      return promise;
    },

    close: stop,
  };
}

function settle<T>(waiting: Map<number, (value: T) => void>, key: number, value: T): void {
  waiting.get(key)?.(value);
  waiting.delete(key);
}
