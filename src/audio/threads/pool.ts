// Worker threads for the sounds beyond those that the main thread can prepare on time. Not piscina: a sound is a two-way stream of
// messages, whose bytes are pulled as they are needed, and piscina's tasks are calls with one result.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { LoudnessCopy } from '../level/loudness-meter.ts';
import { AudioError, type AudioErrorKind, type AudioPart, type PacketOptions, resourcesInUse, trackResource } from '../types.ts';

interface Thread {
  /** Like encodeParts, in the thread. */
  open(parts: AsyncIterable<AudioPart>, options: PacketOptions & { signal: AbortSignal }): AsyncGenerator<Uint8Array[]>;
}

export interface ThreadPool {
  /** Picks a thread for another sound; null = this one. Call `settled` once the sound has a packet, or never will. */
  assign(): { thread: Thread | null; settled(): void };
  /** Ends the threads and what they are preparing. */
  close(): Promise<void>;
}

interface RunningThread extends Thread {
  isReady: boolean;
  sounds: Map<number, (message: SoundMessage) => void>;
  terminate(): Promise<unknown>;
}

type SoundMessage = Exclude<FromWorker, { type: 'ready' }> | { type: 'crashed' };

/**
 * @param options `localLimit`: sounds that stay in this thread; those beyond go to others. `maxThreads`: default the number of cores but
 * one. Threads are started when they are needed, and do not keep the process alive.
 */
export function createThreadPool(options: { localLimit: number; maxThreads?: number }): ThreadPool {
  const { localLimit, maxThreads = Math.max(1, availableParallelism() - 1) } = options;
  const threads: RunningThread[] = [];
  /** Sounds begun in this thread that may or may not need an encoder: those that are passed through do not count. */
  let begun = 0;
  let isDisabled = false;

  function start(): void {
    if (isDisabled || threads.some(({ isReady }) => !isReady) || threads.length >= maxThreads) return;
    const thread = startThread((wasReady) => {
      threads.splice(threads.indexOf(thread), 1);
      // If one cannot even start, the next will not either: everything stays in this thread.
      isDisabled ||= !wasReady;
    });
    threads.push(thread);
  }

  function leastBusy(): RunningThread | null {
    const [first] = threads.filter(({ isReady }) => isReady).sort((a, b) => a.sounds.size - b.sounds.size);
    return first ?? null;
  }

  return {
    assign() {
      const local = resourcesInUse().encoder + begun;
      const thread = local >= localLimit ? leastBusy() : null;
      // A sound counts twice until its first packet is made, so a thread is not started before it is needed.
      if (local >= localLimit && (!thread || thread.sounds.size >= localLimit)) start();
      if (thread) return { thread, settled() {} };
      begun++;
      let isOpen = true;
      return {
        thread: null,
        settled() {
          if (isOpen) begun--;
          isOpen = false;
        },
      };
    },
    async close() {
      isDisabled = true;
      await Promise.all(threads.map((thread) => thread.terminate()));
    },
  };
}

/** @param onEnd called when the thread has ended, with whether it had ever been ready */
function startThread(onEnd: (wasReady: boolean) => void): RunningThread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  const post = (message: ToWorker, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);
  const thread: RunningThread = {
    isReady: false,
    sounds: new Map(),
    open: (parts, options) => packetsFrom(thread, post, parts, options),
    terminate: () => worker.terminate(),
  };
  worker.unref();
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'ready') thread.isReady = true;
    else thread.sounds.get(message.id)?.(message);
  });
  // Handled by the exit that follows.
  worker.on('error', () => {});
  worker.once('exit', () => {
    onEnd(thread.isReady);
    for (const listener of [...thread.sounds.values()]) listener({ type: 'crashed' });
  });
  return thread;
}

type Post = (message: ToWorker, transfer?: ArrayBuffer[]) => void;

let lastId = 0;

/** The packets of a sound that the thread prepares. Leaving the loop or the signal ends it; the thread then immediately frees its resources. */
async function* packetsFrom(
  thread: RunningThread,
  post: Post,
  parts: AsyncIterable<AudioPart>,
  { signal, loudness, stallMs, volume }: PacketOptions & { signal: AbortSignal },
): AsyncGenerator<Uint8Array[]> {
  signal.throwIfAborted();
  const id = ++lastId;
  const release = trackResource('sound in a worker');
  const feed = createFeed(id, parts, post);
  let packets: Uint8Array[] = [];
  let outcome: { failure: unknown } | null = null;
  let wake: (() => void) | null = null;

  function end(failure: unknown): void {
    outcome ??= { failure };
    wake?.();
  }

  function handle(message: SoundMessage): void {
    if (message.type === 'request') {
      void feed.serve(message.what);
    } else if (message.type === 'packets') {
      for (const power of message.learnt) loudness?.add(power);
      packets.push(...message.packets);
      wake?.();
    } else {
      thread.sounds.delete(id);
      release();
      if (message.type === 'crashed') end(new AudioError('crashed', 'The thread that prepared the sound ended'));
      else end(message.failure && (feed.failure?.error ?? toError(message.failure)));
    }
  }

  const onAbort = () => end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  thread.sounds.set(id, handle);
  try {
    const options = { ...(stallMs === undefined ? {} : { stallMs }), ...(volume === undefined ? {} : { volume }) };
    post({ type: 'open', id, options, loudness: loudness?.copy() ?? null });
    for (;;) {
      signal.throwIfAborted();
      if (packets.length > 0) {
        const taken = packets;
        packets = [];
        post({ type: 'taken', id, packets: taken.length });
        yield taken;
      } else if (outcome) {
        const { failure } = outcome as { failure: unknown };
        if (failure !== null) throw failure;
        return;
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    post({ type: 'close', id });
    feed.close();
  }
}

function toError({ kind, message }: { kind: AudioError['kind'] | null; message: string }): Error {
  return kind ? new AudioError(kind, message) : new Error(message);
}

interface Feed {
  /** Posts the next part, or the next bytes of the current part. */
  serve(what: 'part' | 'bytes'): Promise<void>;
  /** What the parts or a source threw. */
  readonly failure: { error: unknown } | null;
  close(): void;
}

/** Posts the parts and their bytes to the worker, one at a time, on request. */
function createFeed(id: number, parts: AsyncIterable<AudioPart>, post: Post): Feed {
  const iterator = parts[Symbol.asyncIterator]();
  let source: AsyncIterator<Uint8Array> | null = null;
  let failure: { error: unknown } | null = null;

  function closeSource(): void {
    source?.return?.()?.then(undefined, () => {});
    source = null;
  }

  return {
    async serve(what) {
      try {
        if (what === 'part') {
          closeSource();
          const { done, value } = await iterator.next();
          if (!done) source = value.source[Symbol.asyncIterator]();
          post({ type: 'part', id, part: done ? null : labelOf(value) });
        } else {
          const result = await source?.next();
          // A copy: transferring the original would detach its whole buffer.
          const bytes = result && !result.done ? new Uint8Array(result.value) : null;
          post({ type: 'bytes', id, bytes }, bytes ? [bytes.buffer] : []);
        }
      } catch (error) {
        failure = { error };
        post({ type: 'source-failed', id });
      }
    },
    get failure() {
      return failure;
    },
    close() {
      closeSource();
      iterator.return?.()?.then(undefined, () => {});
    },
  };
}

function labelOf({ contentType, sampleRate }: AudioPart): Omit<AudioPart, 'source'> {
  return { ...(contentType === undefined ? {} : { contentType }), ...(sampleRate === undefined ? {} : { sampleRate }) };
}

// Messages between the main thread and the worker threads that prepare sound for it.

/** `id` identifies a sound; messages about one that has ended are ignored. */
export type ToWorker =
  | { type: 'open'; id: number; options: Pick<PacketOptions, 'stallMs' | 'volume'>; loudness: LoudnessCopy | null }
  /** Answers to `request`; null after the last one. */
  | { type: 'part'; id: number; part: Omit<AudioPart, 'source'> | null }
  | { type: 'bytes'; id: number; bytes: Uint8Array | null }
  /** Answer to `request`: the source failed. */
  | { type: 'source-failed'; id: number }
  /** The main thread has taken this many packets. */
  | { type: 'taken'; id: number; packets: number }
  | { type: 'close'; id: number };

export type FromWorker =
  /** Warmed up: the first sound does not wait for compilation. */
  | { type: 'ready' }
  | { type: 'request'; id: number; what: 'part' | 'bytes' }
  /** `learnt`: powers of blocks to add to the main thread's VoiceLoudness. */
  | { type: 'packets'; id: number; packets: Uint8Array[]; learnt: number[] }
  /** All of the sound's resources are freed. */
  | { type: 'ended'; id: number; failure: { kind: AudioErrorKind | null; message: string } | null };
