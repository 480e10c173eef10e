// The decoder: turns uploads into samples in separate processes, which are reused while they are healthy and killed when they are not.
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aborted, EngineError } from '../engine.ts';
import { RECOGNITION_RATE } from '../limits.ts';
import { forkBare } from '../open-worker.ts';
import { type DecodeMessage, type DecodeRequest, WATCHDOG_SIGNALS, type WatchdogLimits } from './protocol.ts';

/** 16 bit, one channel, at `RECOGNITION_RATE`. */
interface DecodedRecording {
  blocks: Int16Array<ArrayBuffer>[];
  seconds: number;
}

export interface Decoder {
  /**
   * Waits for a free process; an abort frees the caller immediately.
   * @throws EngineError `not-audio`, `unsupported-format`, `too-long`, `crashed` or `aborted`
   */
  decode(audio: Uint8Array, signal?: AbortSignal): Promise<DecodedRecording>;
  /** Starts one process and waits until it is ready. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

export interface DecoderOptions {
  /** The most processes; another one is started when all are busy. */
  processes: number;
  limits?: Partial<DecodeLimits> | undefined;
  onLost?: (reason: string) => void;
}

export interface DecodeLimits extends WatchdogLimits {
  /** Milliseconds by the clock for one upload. */
  deadlineMs: number;
}

/** An hour of any kind of sound takes at most 20 s of computing and 150 MB; an idle process has 90 MB. */
const DECODE_LIMITS: DecodeLimits = {
  memoryBytes: 512 * 1024 * 1024,
  stuckMs: 3_000,
  totalMs: 60_000,
  deadlineMs: 300_000,
};

/** A place for one process, with what it is doing. */
interface Slot {
  child: ChildProcess | undefined;
  ready: Promise<void> | undefined;
  job: Job | undefined;
  deadline: NodeJS.Timeout | undefined;
}

interface Job {
  request: DecodeRequest;
  blocks: Int16Array<ArrayBuffer>[];
  length: number;
  child: ChildProcess | undefined;
  /** Only the first call has an effect. */
  settle(result: DecodedRecording | EngineError): void;
}

export function createDecoder({ processes, limits, onLost = () => {} }: DecoderOptions): Decoder {
  const { deadlineMs, ...watchdogLimits } = { ...DECODE_LIMITS, ...limits };
  const slots: Slot[] = Array.from({ length: processes }, () => ({
    child: undefined,
    ready: undefined,
    job: undefined,
    deadline: undefined,
  }));
  const waiting: Job[] = [];
  const cleanups = new Set<Promise<void>>();
  let closed = false;

  function start(slot: Slot): ChildProcess {
    const child = forkBare(new URL('./decoder-process.ts', import.meta.url), [JSON.stringify(watchdogLimits)]);
    const ready = Promise.withResolvers<void>();
    // May go unobserved: a job in the slot is failed by `lose`.
    ready.promise.catch(() => {});
    let isReady = false;
    slot.child = child;
    slot.ready = ready.promise;
    child.on('message', (message: DecodeMessage) => {
      if (message.type === 'ready') {
        isReady = true;
        ready.resolve();
      } else if (slot.child === child) receive(slot, message);
    });
    const onEnd = (how: string) => {
      const failure = isReady ? toDecodeError(how) : notStarted(how);
      ready.reject(failure);
      if (slot.child === child) lose(slot, `it ended with ${how}`, failure);
    };
    // It could not be started, or no longer be reached.
    child.on('error', (error) => onEnd(error.message));
    child.on('exit', (code, signal) => onEnd(signal ?? `exit code ${code}`));
    return child;
  }

  function receive(slot: Slot, message: Exclude<DecodeMessage, { type: 'ready' }>): void {
    const { job } = slot;
    if (!job) return;
    if (message.type === 'samples') {
      // A copy: the block shares its memory with the rest of the message.
      job.blocks.push(new Int16Array(message.block));
      job.length += message.block.length;
      return;
    }
    setIdle(slot);
    if (message.tainted) kill(slot);
    if (message.type === 'done') job.settle({ blocks: job.blocks, seconds: job.length / RECOGNITION_RATE });
    else job.settle(new EngineError(message.kind, message.message));
    dispatch();
  }

  /** An idle process does not keep this one alive. */
  function setIdle(slot: Slot): void {
    clearTimeout(slot.deadline);
    slot.job = undefined;
    slot.child?.unref();
    slot.child?.channel?.unref();
  }

  function kill(slot: Slot): void {
    slot.child?.kill('SIGKILL');
    slot.child = undefined;
  }

  /** Fails the slot's job, and continues with the waiting ones in a new process. */
  function lose(slot: Slot, reason: string, failure: EngineError): void {
    const { job } = slot;
    setIdle(slot);
    kill(slot);
    if (closed) return;
    onLost(reason);
    job?.settle(failure);
    dispatch();
  }

  function dispatch(): void {
    for (;;) {
      const slot = slots.find(({ job, child }) => !job && child) ?? slots.find(({ job }) => !job);
      const job = slot && !closed ? waiting.shift() : undefined;
      if (!slot || !job) return;
      let child: ChildProcess;
      try {
        child = slot.child ?? start(slot);
      } catch (error) {
        // Some failures are thrown, not emitted: out of memory, for one.
        job.settle(notStarted((error as Error).message));
        continue;
      }
      slot.job = job;
      job.child = child;
      child.ref();
      child.channel?.ref();
      slot.deadline = setTimeout(() => lose(slot, `no end after ${deadlineMs / 1000} s`, toDecodeError(WATCHDOG_SIGNALS.time)), deadlineMs);
      child.send(job.request, (error) => {
        if (error && slot.child === child) lose(slot, error.message, toDecodeError(error.message));
      });
    }
  }

  /** Removes what the decoder left on disk, once the process can write no more. */
  function cleanUp({ child, request }: Job): void {
    const cleanup = (async () => {
      if (child?.killed) await exited(child);
      await rm(request.scratch, { recursive: true, force: true });
    })()
      .catch(() => {})
      .finally(() => cleanups.delete(cleanup));
    cleanups.add(cleanup);
  }

  return {
    async decode(audio, signal) {
      if (closed) throw aborted('the engines are closed. Start them again');
      if (signal?.aborted) throw aborted();
      const { promise, resolve, reject } = Promise.withResolvers<DecodedRecording>();
      const job: Job = {
        request: { audio, scratch: join(tmpdir(), `parley-${randomUUID()}`) },
        blocks: [],
        length: 0,
        child: undefined,
        settle(result) {
          signal?.removeEventListener('abort', onAbort);
          if (result instanceof EngineError) reject(result);
          else resolve(result);
        },
      };
      const onAbort = () => {
        const slot = slots.find((candidate) => candidate.job === job);
        if (!slot) waiting.splice(waiting.indexOf(job), 1);
        job.settle(aborted());
        if (!slot) return;
        // A decoder at work reads no messages.
        setIdle(slot);
        kill(slot);
        dispatch();
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(job);
      dispatch();
      return promise.finally(() => cleanUp(job));
    },

    async warmUp() {
      const slot = slots[0] as Slot;
      if (!slot.child) start(slot);
      await slot.ready;
      if (!slot.job) setIdle(slot);
    },

    async close() {
      closed = true;
      const failure = aborted('the engines were closed. Start them again, then repeat the request');
      for (const job of waiting.splice(0)) job.settle(failure);
      await Promise.all(
        slots.map(async (slot) => {
          const { job, child } = slot;
          setIdle(slot);
          kill(slot);
          job?.settle(failure);
          if (child) await exited(child);
        }),
      );
      await Promise.all(cleanups);
    },
  };
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  await once(child, 'exit');
}

const notStarted = (how: string) =>
  new EngineError('crashed', `The decoder could not be started (${how}). Run npm ci again, then restart.`);

/** @param how the signal, exit code or error that the process ended with */
function toDecodeError(how: string): EngineError {
  const why =
    how === WATCHDOG_SIGNALS.time
      ? 'decoding it did not get on'
      : how === WATCHDOG_SIGNALS.memory || how === 'SIGABRT'
        ? 'decoding it took too much memory'
        : `its decoder broke off (${how})`;
  return new EngineError('not-audio', `The recording is damaged: ${why}. Export it again, then send it.`);
}
