// A process that decodes uploads, one at a time. Nothing else runs in it, so that killing it costs one upload at most.
//
// A process rather than a thread: a thread that runs out of memory in one large allocation aborts the whole process in spite of its
// `resourceLimits`, which count neither ArrayBuffers nor WebAssembly.
import { Console } from 'node:console';
import { flushCompileCache } from 'node:module';
import { Writable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../engine.ts';
import { lowerPriority } from '../priority.ts';
import { decodeAudio } from './decode-audio.ts';
import type { DecodeMessage, DecodeRequest, WatchdogLimits } from './protocol.ts';

/** For the watchdog: the number of the current job (0 = none), and a counter of its progress. */
const state = new Int32Array(new SharedArrayBuffer(8));
const limits = JSON.parse(process.argv[2] ?? '{}') as WatchdogLimits;
new Worker(new URL('./watchdog-thread.ts', import.meta.url), { workerData: { state, limits }, execArgv: [] }).unref();

// The decoders print warnings about broken files.
globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));
lowerPriority();
// Ctrl-C reaches every process of the terminal; the parent decides when this one ends.
process.on('SIGINT', () => {});
process.on('disconnect', () => process.exit());

const send = (message: DecodeMessage) => process.send?.(message);
let jobs = 0;
let trapped = false;

async function decode({ audio, scratch }: DecodeRequest): Promise<void> {
  Atomics.store(state, 0, ++jobs);
  let result: DecodeMessage;
  try {
    await decodeAudio(audio, {
      scratch,
      onBlock: (block) => send({ type: 'samples', block }),
      onProgress: () => Atomics.add(state, 1, 1),
      onTrap: () => {
        trapped = true;
      },
    });
    result = { type: 'done', tainted: isTainted() };
  } catch (error) {
    // Any other error ends this process, so that it cannot affect the next upload.
    if (!(error instanceof EngineError)) throw error;
    result = { type: 'failed', kind: error.kind, message: error.message, tainted: isTainted() };
  }
  Atomics.store(state, 0, 0);
  send(result);
}

/** WebAssembly that trapped may have left its memory in any state; memory that was not freed is missing for the next upload. */
function isTainted(): boolean {
  return trapped || process.memoryUsage.rss() > limits.memoryBytes / 2;
}

process.on('message', (request: DecodeRequest) => {
  void decode(request);
});
send({ type: 'ready' });
// The end comes too suddenly for it. With it, the next process starts in a third of the time.
flushCompileCache();
