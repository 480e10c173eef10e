// More sounds than one thread prepares in time are prepared in others.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { AudioError } from '../errors.ts';
import type { AudioPart, FrameOptions } from '../pipeline.ts';
import { resourcesInUse, trackResource } from '../resources.ts';
import type { FromThread, ToThread } from './messages.ts';

/** Where a sound is prepared. */
interface Thread {
  open(parts: AsyncIterable<AudioPart>, options: FrameOptions & { signal: AbortSignal }): AsyncGenerator<Uint8Array[]>;
}

export interface ThreadPool {
  /** A thread for another sound, or null where it is to be prepared in this one. `settled` is to be called once it has a packet, or never will. */
  choose(): { thread: Thread | null; settled(): void };
  /** Ends the threads, and what they prepare. */
  close(): Promise<void>;
}

interface RunningThread extends Thread {
  ready: boolean;
  sounds: Map<number, (message: SoundMessage) => void>;
  end(): Promise<unknown>;
}

type SoundMessage = Exclude<FromThread, { from: 'ready' }> | { from: 'crashed' };

/** The threads are started when there are that many of the sounds that stay: starting one takes 0.2 s. */
const START_SHARE = 0.75;

/**
 * @param options `above`: so many sounds stay in this thread; those beyond go elsewhere. `most`: threads, beside this one; default: the cores
 * that this one leaves. None is started before it is needed; they do not keep the process from ending.
 */
export function createThreadPool(options: { above: number; most?: number }): ThreadPool {
  const { above, most = Math.max(1, availableParallelism() - 1) } = options;
  const threads: RunningThread[] = [];
  /** Sounds that have begun here, of which it is not known yet whether they need an encoder: those that pass through do not count. */
  let begun = 0;
  let isHopeless = false;

  function start(): void {
    if (isHopeless || threads.some(({ ready }) => !ready) || threads.length >= most) return;
    const thread = startThread((wasReady) => {
      threads.splice(threads.indexOf(thread), 1);
      // Where one cannot even begin, the next will not either: everything stays here.
      isHopeless ||= !wasReady;
    });
    threads.push(thread);
  }

  function leastBusy(): RunningThread | null {
    const [first] = threads.filter(({ ready }) => ready).sort((a, b) => a.sounds.size - b.sounds.size);
    return first ?? null;
  }

  return {
    choose() {
      const here = resourcesInUse().encoder + begun;
      if (here >= above * START_SHARE && threads.length === 0) start();
      const thread = here >= above ? leastBusy() : null;
      if (thread && thread.sounds.size >= above) start();
      if (thread) return { thread, settled() {} };
      begun++;
      let open = true;
      return {
        thread: null,
        settled() {
          if (open) begun--;
          open = false;
        },
      };
    },
    async close() {
      isHopeless = true;
      await Promise.all(threads.map((thread) => thread.end()));
    },
  };
}

/** @param onEnd told when it ends, by itself or not, and whether it had ever been ready. */
function startThread(onEnd: (wasReady: boolean) => void): RunningThread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url));
  const thread: RunningThread = {
    ready: false,
    sounds: new Map(),
    open: (parts, options) => packetsFrom(thread, tell, parts, options),
    end: () => worker.terminate(),
  };
  const tell = (order: ToThread, transfer: ArrayBuffer[] = []) => worker.postMessage(order, transfer);
  worker.unref();
  worker.on('message', (message: FromThread) => {
    if (message.from === 'ready') thread.ready = true;
    else thread.sounds.get(message.id)?.(message);
  });
  // The exit that follows says all there is to do.
  worker.on('error', () => {});
  worker.once('exit', () => {
    onEnd(thread.ready);
    for (const listener of [...thread.sounds.values()]) listener({ from: 'crashed' });
  });
  return thread;
}

let lastId = 0;

/** Packets as encodeParts gives them. Leaving the loop, and the signal, end it at once; the thread frees what it has on its own. */
async function* packetsFrom(
  thread: RunningThread,
  tell: (order: ToThread, transfer?: ArrayBuffer[]) => void,
  parts: AsyncIterable<AudioPart>,
  { signal, loudness, stallMs, volume }: FrameOptions & { signal: AbortSignal },
): AsyncGenerator<Uint8Array[]> {
  signal.throwIfAborted();
  const id = ++lastId;
  const release = trackResource('sound in a worker');
  const feed = createFeed(id, parts, tell);
  let packets: Uint8Array[] = [];
  let outcome: { failure: unknown } | null = null;
  let wake: (() => void) | null = null;

  function end(failure: unknown): void {
    outcome ??= { failure };
    wake?.();
  }

  function listen(message: SoundMessage): void {
    if (message.from === 'wants') {
      void feed.serve(message.what);
    } else if (message.from === 'packets') {
      for (const power of message.learnt) loudness?.add(power);
      packets.push(...message.packets);
      wake?.();
    } else {
      thread.sounds.delete(id);
      release();
      if (message.from === 'crashed') end(new AudioError('crashed', 'The thread that prepared the sound ended'));
      else end(message.failure && (feed.failure?.error ?? revive(message.failure)));
    }
  }

  const onAbort = () => end(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  thread.sounds.set(id, listen);
  try {
    const options = { ...(stallMs === undefined ? {} : { stallMs }), ...(volume === undefined ? {} : { volume }) };
    tell({ to: 'open', id, options, loudness: loudness?.copy() ?? null });
    for (;;) {
      signal.throwIfAborted();
      if (packets.length > 0) {
        const taken = packets;
        packets = [];
        tell({ to: 'taken', id, packets: taken.length });
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
    tell({ to: 'close', id });
    feed.close();
  }
}

function revive({ kind, message }: { kind: AudioError['kind'] | null; message: string }): Error {
  return kind ? new AudioError(kind, message) : new Error(message);
}

interface Feed {
  /** Answers with the next part, or the next bytes of the part before. */
  serve(what: 'part' | 'bytes'): Promise<void>;
  /** What a part or a source threw. */
  readonly failure: { error: unknown } | null;
  close(): void;
}

/** Passes the parts and their bytes on, one at a time, as they are wanted. */
function createFeed(id: number, parts: AsyncIterable<AudioPart>, tell: (order: ToThread, transfer?: ArrayBuffer[]) => void): Feed {
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
          tell({ to: 'part', id, part: done ? null : labelOf(value) });
        } else {
          const result = await source?.next();
          // A copy, since the whole memory that it is a part of would be handed over.
          const bytes = result && !result.done ? new Uint8Array(result.value) : null;
          tell({ to: 'bytes', id, bytes }, bytes ? [bytes.buffer] : []);
        }
      } catch (error) {
        failure = { error };
        tell({ to: 'broken', id });
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
