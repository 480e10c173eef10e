// The decoder: turns uploads into samples in separate processes, which are reused while they are healthy and killed when they are not.
import { createTasks } from '../../../../async/tasks.ts';
import { DECODE_LIMITS, RATE } from '../../../../decoding/limits.ts';
import { createScratch } from '../../../../decoding/scratch.ts';
import type { Upload } from '../engine.ts';
import { ENGINE_HEAP_MB, toEngineError } from '../engine-worker.ts';
import type { DecodedBlock, DecodeTask } from './decode-worker.ts';

/** 16 bit, one channel, at `RATE`. */
interface DecodedRecording {
  blocks: DecodedBlock[];
  seconds: number;
}

export interface Decoder {
  /**
   * Waits for a free process; an abort frees the caller immediately.
   * @throws EngineError `not-audio`, `unsupported-format`, `too-long`, `crashed` or `aborted`
   */
  decode(audio: Upload, signal?: AbortSignal): Promise<DecodedRecording>;
  /** Starts one process and waits until it is ready. */
  warmUp(): Promise<void>;
  close(): Promise<void>;
}

interface DecoderOptions {
  /** The most processes; another one is started when all are busy. */
  processes: number;
  limits?: Partial<DecodeLimits> | undefined;
  onLost?: (reason: string) => void;
}

/** For one upload. */
export type DecodeLimits = typeof DECODE_LIMITS;

/** Bytes handed over at a time. */
const PIECE = 256 * 1024;

export function createDecoder({ processes, limits, onLost = () => {} }: DecoderOptions): Decoder {
  const { memoryBytes, stuckMs, totalMs, deadlineMs } = { ...DECODE_LIMITS, ...limits };
  const tasks = createTasks<DecodeTask, 'more', Uint8Array | null, DecodedBlock>({
    spawn: { file: new URL('./decode-worker.ts', import.meta.url), runsIn: 'process', priority: 'low', data: () => memoryBytes },
    memory: { heapMb: ENGINE_HEAP_MB, residentBytes: memoryBytes },
    // A decoder at work takes no notice of an abort.
    timeouts: { startMs: DECODE_LIMITS.deadlineMs, answerMs: deadlineMs, stuckMs, processorMs: totalMs, abandonMs: 0 },
    workers: processes,
    // What a process is lost with is to blame for it.
    secondTries: 0,
    onLost: ({ reason }) => onLost(reason),
  });
  const scratch = createScratch(tasks.ended);

  return {
    async decode(audio, signal) {
      const path = scratch.take();
      const blocks: DecodedBlock[] = [];
      // A copy: the block shares its memory with the rest of the message.
      const steps = tasks.run({ scratch: path }, { signal, onNotice: (block) => blocks.push(new Int16Array(block)) });
      try {
        await steps.next(null);
        for (const piece of piecesOf(audio)) await steps.next(piece);
        await steps.next(null);
      } catch (error) {
        throw toDecodeError(error);
      } finally {
        await steps.return();
        scratch.remove(path);
      }
      return { blocks, seconds: blocks.reduce((sum, { length }) => sum + length, 0) / RATE };
    },

    async warmUp() {
      await tasks.start().catch((error: unknown) => {
        throw toDecodeError(error);
      });
    },

    async close() {
      await tasks.close();
      await scratch.removed();
    },
  };
}

function* piecesOf(audio: Upload): Generator<Uint8Array> {
  for (const part of audio instanceof Uint8Array ? [audio] : audio)
    for (let at = 0; at < part.length; at += PIECE) yield part.subarray(at, at + PIECE);
}

const toDecodeError = (error: unknown): unknown =>
  toEngineError(error, {
    lost({ cause, reason }) {
      const broken = `its decoder broke off (${reason})`;
      const why = { time: 'decoding it did not get on', memory: 'decoding it took too much memory', ended: broken, unavailable: broken };
      return ['not-audio', `The recording is damaged: ${why[cause]}. Export it again, then send it.`];
    },
    'not-started': ({ reason }) => ['crashed', `The decoder could not be started (${reason}). Run npm ci again, then restart.`],
  });
