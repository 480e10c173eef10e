// Decodes uploads in processes of their own, which are used again while they are healthy and ended when they are not.
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../engine.ts';
import { SPHINX_RATE } from '../pocketsphinx/index.ts';
import type { DecodeAnswer, DecodeRequest } from './decoder-process.ts';
import { ENDED_BY, type WatchLimits } from './protocol.ts';

/** One channel at the recogniser's rate. */
interface DecodedRecording {
  blocks: Int16Array<ArrayBuffer>[];
  seconds: number;
}

export interface Decoder {
  /**
   * Uploads wait for a process that is free; an abort frees the caller at once.
   * @throws EngineError `not-audio`, `unsupported-format`, `too-long`, `crashed` or `aborted`
   */
  decode(audio: Uint8Array, signal?: AbortSignal): Promise<DecodedRecording>;
  /** Starts one process and waits until it is ready. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

export interface DecoderOptions {
  /** Processes at most; the next one is started when all others are busy. */
  size: number;
  limits?: Partial<DecodeLimits>;
  onLost?: (reason: string) => void;
}

export interface DecodeLimits extends WatchLimits {
  /** The whole of one upload, in milliseconds by the clock. */
  deadlineMs: number;
}

/** An hour of sound of any kind takes 20 s of computing at most, and 150 MB; a healthy process without one has 90 MB. */
export const DECODE_LIMITS: DecodeLimits = {
  memoryBytes: 512 * 1024 * 1024,
  stuckMs: 3_000,
  wholeMs: 60_000,
  deadlineMs: 300_000,
};
/** JavaScript's own heap in MB: beyond it the process aborts by itself, sooner than the watching thread may notice. */
const HEAP_MB = 256;
/** What a decoding process may know of its environment: where ffmpeg is, and what Windows needs to start anything. No keys. */
const ENVIRONMENT = ['PATH', 'SystemRoot', 'windir', 'TEMP', 'TMPDIR'];

interface Lane {
  child: ChildProcess | undefined;
  ready: Promise<void> | undefined;
  job: Job | undefined;
  deadline: NodeJS.Timeout | undefined;
}

interface Job {
  request: DecodeRequest;
  blocks: Int16Array<ArrayBuffer>[];
  length: number;
  /** What works on it. */
  child: ChildProcess | undefined;
  /** Ends the job; what comes after the first time counts for nothing. */
  settle(result: DecodedRecording | EngineError): void;
}

export function createDecoder({ size, limits: given, onLost = () => {} }: DecoderOptions): Decoder {
  const { deadlineMs, ...watchLimits } = { ...DECODE_LIMITS, ...given };
  const lanes: Lane[] = Array.from({ length: size }, () => ({ child: undefined, ready: undefined, job: undefined, deadline: undefined }));
  const waiting: Job[] = [];
  const cleaning = new Set<Promise<void>>();
  let closed = false;

  function start(lane: Lane): ChildProcess {
    const child = fork(new URL('./decoder-process.ts', import.meta.url), [JSON.stringify(watchLimits)], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      env: Object.fromEntries(ENVIRONMENT.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const ready = Promise.withResolvers<void>();
    // Whoever has a job there is told by `lose`.
    ready.promise.catch(() => {});
    let isReady = false;
    lane.child = child;
    lane.ready = ready.promise;
    child.on('message', (answer: DecodeAnswer) => {
      if (answer.type === 'ready') {
        isReady = true;
        ready.resolve();
      } else if (lane.child === child) receive(lane, answer);
    });
    // It was not started, or could be told nothing any more: `exit` follows the latter alone.
    child.on('error', (error) => end(error.message));
    child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    const end = (how: string) => {
      const failure = isReady ? failureOf(how) : notStarted(how);
      ready.reject(failure);
      if (lane.child === child) lose(lane, `it ended with ${how}`, failure);
    };
    return child;
  }

  function receive(lane: Lane, answer: Exclude<DecodeAnswer, { type: 'ready' }>): void {
    const { job } = lane;
    if (!job) return;
    if (answer.type === 'samples') {
      // Its own memory: what came shares that of the message.
      job.blocks.push(new Int16Array(answer.block));
      job.length += answer.block.length;
      return;
    }
    rest(lane);
    if (answer.worn) stop(lane);
    if (answer.type === 'done') job.settle({ blocks: job.blocks, seconds: job.length / SPHINX_RATE });
    else job.settle(new EngineError(answer.kind, answer.message));
    dispatch();
  }

  /** The lane has nothing to do, and keeps nobody from ending. */
  function rest(lane: Lane): void {
    clearTimeout(lane.deadline);
    lane.job = undefined;
    lane.child?.unref();
    lane.child?.channel?.unref();
  }

  function stop(lane: Lane): void {
    lane.child?.kill('SIGKILL');
    lane.child = undefined;
  }

  /** Fails what the lane was doing, and goes on with what waits in a new process. */
  function lose(lane: Lane, reason: string, failure: EngineError): void {
    const { job } = lane;
    rest(lane);
    stop(lane);
    if (closed) return;
    onLost(reason);
    job?.settle(failure);
    dispatch();
  }

  function dispatch(): void {
    for (;;) {
      const lane = lanes.find(({ job, child }) => !job && child) ?? lanes.find(({ job }) => !job);
      const job = lane && !closed ? waiting.shift() : undefined;
      if (!lane || !job) return;
      const child = lane.child ?? start(lane);
      lane.job = job;
      job.child = child;
      child.ref();
      child.channel?.ref();
      lane.deadline = setTimeout(() => lose(lane, `no end after ${deadlineMs / 1000} s`, failureOf(ENDED_BY.time)), deadlineMs);
      child.send(job.request, (error) => {
        if (error && lane.child === child) lose(lane, error.message, failureOf(error.message));
      });
    }
  }

  /** Removes what the decoder left on disk, once it can write no more. */
  function cleanUp({ child, request }: Job): void {
    const cleaned = (async () => {
      if (child?.killed) await exited(child);
      await rm(request.scratch, { recursive: true, force: true });
    })()
      .catch(() => {})
      .finally(() => cleaning.delete(cleaned));
    cleaning.add(cleaned);
  }

  return {
    async decode(audio, signal) {
      if (closed) throw aborted('the engines are closed. Start them again');
      if (signal?.aborted) throw aborted('the request was cancelled. Ask again if it is still wanted');
      const { promise, resolve, reject } = Promise.withResolvers<DecodedRecording>();
      const scratch = join(tmpdir(), `parley-${randomUUID()}`);
      const onAbort = () => {
        const lane = lanes.find((one) => one.job === job);
        if (!lane) waiting.splice(waiting.indexOf(job), 1);
        job.settle(aborted('the request was cancelled. Ask again if it is still wanted'));
        if (!lane) return;
        // A decoder at work hears nothing.
        rest(lane);
        stop(lane);
        dispatch();
      };
      const job: Job = {
        request: { audio, scratch },
        blocks: [],
        length: 0,
        child: undefined,
        settle(result) {
          signal?.removeEventListener('abort', onAbort);
          if (result instanceof EngineError) reject(result);
          else resolve(result);
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      waiting.push(job);
      dispatch();
      return promise.finally(() => cleanUp(job));
    },

    async warmUp() {
      const lane = lanes[0] as Lane;
      if (!lane.child) start(lane);
      await lane.ready;
      if (!lane.job) rest(lane);
    },

    async close() {
      closed = true;
      const closing = aborted('the engines were closed. Start them again, then repeat the request');
      for (const job of waiting.splice(0)) job.settle(closing);
      await Promise.all(
        lanes.map(async (lane) => {
          const { job, child } = lane;
          rest(lane);
          stop(lane);
          job?.settle(closing);
          if (child) await exited(child);
        }),
      );
      await Promise.all(cleaning);
    },
  };
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  await once(child, 'exit');
}

const aborted = (reason: string) => new EngineError('aborted', `Stopped: ${reason}.`);

const notStarted = (how: string) =>
  new EngineError('crashed', `The decoder could not be started (${how}). Run npm ci again, then restart.`);

/** What is said of an upload whose process ended over it. */
function failureOf(how: string): EngineError {
  const why =
    how === ENDED_BY.time
      ? 'decoding it did not get on'
      : how === ENDED_BY.memory || how === 'SIGABRT'
        ? 'decoding it took too much memory'
        : `its decoder broke off (${how})`;
  return new EngineError('not-audio', `The recording is damaged: ${why}. Export it again, then send it.`);
}
