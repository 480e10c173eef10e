// A process that decodes uploads, one at a time. Nothing else runs in it, so that ending it costs one upload at most.
//
// A process rather than a thread: a thread that runs out of memory in one large allocation aborts the whole process in spite of its
// `resourceLimits`, which count neither ArrayBuffers nor WebAssembly.
import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { lowerPriority } from '../../../../audio/lower-priority.ts';
import { EngineError, type EngineErrorKind } from '../engine.ts';
import { SPHINX_RATE } from '../pocketsphinx/index.ts';
import { decodeAudio } from './decode-audio.ts';
import type { WatchLimits } from './protocol.ts';

/** To this process. `scratch` is a folder that does not exist: the decoder may make it, and whoever asked removes it. */
export interface DecodeRequest {
  audio: Uint8Array;
  scratch: string;
}

/** From this process. After `done` or `failed` it takes the next request, unless it is `worn`: then it is to be replaced. */
export type DecodeAnswer =
  | { type: 'ready' }
  | { type: 'samples'; block: Int16Array }
  | { type: 'done'; worn: boolean }
  | { type: 'failed'; kind: EngineErrorKind; message: string; worn: boolean };

/** What the watching thread looks at: whether there is a job, as its number, and how often it has shown life. */
const watched = new Int32Array(new SharedArrayBuffer(8));
const limits = JSON.parse(process.argv[2] ?? '{}') as WatchLimits;
new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: { watched, limits }, execArgv: [] }).unref();

// The decoders print what they think of broken files.
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));
lowerPriority();
// Ctrl-C reaches every process of the terminal; when to end is up to the one that started this.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());

const send = (answer: DecodeAnswer) => process.send?.(answer);
let jobs = 0;
let trapped = false;

async function decode({ audio, scratch }: DecodeRequest): Promise<void> {
  Atomics.store(watched, 0, ++jobs);
  let answer: DecodeAnswer;
  try {
    await decodeAudio(audio, {
      rate: SPHINX_RATE,
      scratch,
      take: (block) => send({ type: 'samples', block }),
      tick: () => Atomics.add(watched, 1, 1),
      onTrap: () => {
        trapped = true;
      },
    });
    answer = { type: 'done', worn: isWorn() };
  } catch (error) {
    // Anything else ends this process: what it would decode next is not to suffer from it.
    if (!(error instanceof EngineError)) throw error;
    answer = { type: 'failed', kind: error.kind, message: error.message, worn: isWorn() };
  }
  Atomics.store(watched, 0, 0);
  send(answer);
}

/** WebAssembly that trapped may have left its memory in any state; memory that was not given back is missing for the next upload. */
function isWorn(): boolean {
  return trapped || process.memoryUsage.rss() > limits.memoryBytes / 2;
}

process.on('message', (request: DecodeRequest) => {
  void decode(request);
});
send({ type: 'ready' });
