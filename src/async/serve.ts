// The other side of supervise.ts, in a thread or a process: what it is handed, what it answers, and when it ends.
import { Console } from 'node:console';
import { flushCompileCache } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { Writable } from 'node:stream';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { FromWorker, Hello, ToWorker, WatchdogLimits } from './protocol.ts';

/** The one that supervises this thread or process. */
export interface Supervisor<Order, Answer, Notice, Ready> {
  /** What `spawn.data` returned. */
  data: unknown;
  /** Orders come from now on. */
  ready(ready: Ready, take: (order: Order) => void): void;
  /** Nothing can be done here, as a clause. @param details whatever the supervisor should know besides */
  unavailable(reason: string, details?: unknown): void;
  /** @param buffers are handed over rather than copied, if this is a thread */
  answer(answer: Answer, buffers?: ArrayBuffer[]): void;
  notify(notice: Notice): void;
  /** From now on, processor time counts for the next answer. */
  beginWork(): void;
  reportProgress(): void;
}

/**
 * Call it once, first of all. The process ends with the one that started it, and not before: Ctrl-C and systemd reach every process, while the
 * supervisor may have something left to do.
 * @param onEnd ends it in order; called when the supervisor asks for that. If the supervisor is gone, it ends at once: another one may want
 *   its files
 */
export async function serve<Order, Answer, Notice = never, Ready = undefined>(
  onEnd: () => Promise<void> = async () => {},
): Promise<Supervisor<Order, Answer, Notice, Ready>> {
  type Message = FromWorker<Answer, Notice, Ready>;
  const post = (message: Message, buffers: ArrayBuffer[] = []) =>
    // A failure to send means that the supervisor is gone, and so is this process soon.
    parentPort ? parentPort.postMessage(message, buffers) : process.send?.(message, undefined, undefined, () => {});
  const hello = Promise.withResolvers<Hello>();
  let take: (order: Order) => void = () => {};
  const receive = (message: ToWorker<Order>) => {
    if (message.type === 'order') take(message.order);
    else if (message.type === 'ping') post({ type: 'pong' });
    else if (message.type === 'hello') hello.resolve(message);
    else void onEnd().finally(() => process.exit());
  };
  if (parentPort) {
    parentPort.on('message', receive);
    hello.resolve(workerData);
  } else {
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => {});
    process.on('disconnect', () => process.exit());
    process.on('message', receive);
    // Whoever ends before this file is loaded isn't noticed by the listener.
    if (!process.connected) process.exit();
  }
  const { data, limits, isLowPriority, showsOutput } = await hello.promise;
  // Engines and decoders print warnings that nobody reads; they must not pile up either.
  if (!showsOutput) globalThis.console = new Console(new Writable({ write: (_chunk, _encoding, done) => done() }));
  if (isLowPriority) lowerPriority();
  const progress = startWatchdog(limits);
  return {
    data,
    ready(ready, onOrder) {
      take = onOrder;
      post({ type: 'ready', ready });
      // Its end may come too suddenly for it. With it, the next process starts in a third of the time.
      if (!parentPort) flushCompileCache();
    },
    unavailable: (reason, details) => post({ type: 'unavailable', reason, details }),
    answer(answer, buffers) {
      progress.end();
      post({ type: 'answer', answer }, buffers);
    },
    notify: (notice) => post({ type: 'notice', notice }),
    beginWork: progress.begin,
    reportProgress: progress.report,
  };
}

/** Of the calling thread. Does nothing except on Linux, the only system with a priority per thread. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    // Never raised: a process that was started with a low priority may not do that.
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Not permitted here, and not needed to work.
  }
}

/** Starts the watchdog, if there is a limit. */
function startWatchdog(limits: WatchdogLimits) {
  /** The number of the current work (0 = none), and a counter of its progress. */
  const state = new Int32Array(new SharedArrayBuffer(8));
  let works = 0;
  if (Object.values(limits).some((limit) => limit !== undefined))
    new Worker(new URL('./watchdog.ts', import.meta.url), { workerData: { state, limits }, execArgv: [] }).unref();
  return {
    begin: () => void Atomics.store(state, 0, ++works),
    end: () => void Atomics.store(state, 0, 0),
    report: () => void Atomics.add(state, 1, 1),
  };
}
