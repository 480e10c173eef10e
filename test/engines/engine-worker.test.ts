// The threads and processes that engines run in, with a worker that misbehaves.
import { spawnSync } from 'node:child_process';
import { constants, getPriority } from 'node:os';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEngineWorker, type EngineWorkerOptions } from '../../src/local/voice-service/engines/engine-worker.ts';
import type { Order } from '../fixtures/programs/misbehaving-worker.ts';
import { holdTimers } from '../helpers/held-timers.ts';

const file = new URL('../fixtures/programs/misbehaving-worker.ts', import.meta.url);
const threads: { close(): Promise<void> }[] = [];

function open(runsIn: 'thread' | 'process', options: Partial<EngineWorkerOptions> = {}) {
  const lost: string[] = [];
  const thread = createEngineWorker<Order, unknown, unknown>({
    file,
    runsIn,
    stepLimitMs: 30_000,
    secondTries: 3,
    onLost: (reason) => lost.push(reason),
    ...options,
  });
  threads.push(thread);
  /** All values of a task. */
  const run = (order: Order, signal?: AbortSignal) => Array.fromAsync(thread.run(order, { signal }));
  return { thread, lost, run };
}

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.close()));
});

describe.each(['thread', 'process'] as const)('an engine in a %s', (runsIn) => {
  it('passes on an error with its kind, and keeps the worker', async () => {
    const { run, lost } = open(runsIn);
    await run('count');
    await expect(run('fail')).rejects.toMatchObject({ name: 'EngineError', kind: 'not-audio', message: 'This is no sound. Send some.' });
    expect(await run('count')).toEqual([2]);
    expect(lost).toEqual([]);
  });

  it.each(['throw', 'exit'] as const)(
    'replaces a worker that dies (%s), tries its task again, fails it alone, and goes on with the next',
    async (order) => {
      const { run, lost } = open(runsIn);
      await run('count');
      const [dead, next] = await Promise.allSettled([run(order), run('count')]);
      expect(dead).toMatchObject({ status: 'rejected', reason: { kind: 'refused', message: expect.stringContaining('twice') } });
      expect(next).toMatchObject({ status: 'fulfilled', value: [1] });
      expect(lost).toHaveLength(2);
    },
  );

  it('replaces a worker that hangs, tries its task again, fails only that one, and continues with the next', async () => {
    const { run, lost } = open(runsIn, { stepLimitMs: 700 });
    await run('echo');
    const [hung, next] = await Promise.allSettled([run('hang'), run('echo')]);
    expect(hung).toMatchObject({ status: 'rejected', reason: { kind: 'refused' } });
    expect(next).toMatchObject({ status: 'fulfilled', value: ['echo'] });
    expect(lost[0]).toMatch(/no sign of life/);
  });

  it('continues with tasks that were begun in a worker that is gone, each where it was', async () => {
    const { thread, run } = open(runsIn);
    const all = ['sum', 'sum', 'sum'].map(() => thread.run('sum'));
    const sums = async (input: number) => (await Promise.all(all.map((one) => one.next(input)))).map(({ value }) => value);
    await sums(0);
    expect(await sums(2)).toEqual([2, 2, 2]);
    await expect(run('exit')).rejects.toMatchObject({ kind: 'refused' });
    expect(await sums(3)).toEqual([5, 5, 5]);
    expect(await sums(4)).toEqual([9, 9, 9]);
    await Promise.all(all.map((one) => one.return()));
  });

  it('fails what is under way when it is closed, and all that comes after', async () => {
    const { thread, run } = open(runsIn);
    await run('echo');
    const pending = [run('hang'), run('echo')];
    await Promise.all([...pending.map((one) => expect(one).rejects.toMatchObject({ kind: 'aborted' })), thread.close()]);
    await expect(run('echo')).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('does not keep a process alive that has nothing else to do', () => {
    const module = new URL('../../src/local/voice-service/engines/engine-worker.ts', import.meta.url);
    const program = `
      import { createEngineWorker } from '${module}';
      const thread = createEngineWorker({ file: new URL('${file}'), runsIn: '${runsIn}', stepLimitMs: 30000, secondTries: 1 });
      console.log(await Array.fromAsync(thread.run('echo')));`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "[ 'echo' ]\n" });
  });

  it('ends when it has had nothing to do for a while, and starts again with the next task', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { run, lost } = open(runsIn, { idleMs: 300_000 });
    await run('count');
    vi.advanceTimersByTime(299_000);
    expect(await run('count')).toEqual([2]);
    vi.advanceTimersByTime(299_000);
    expect(await run('count')).toEqual([3]);
    vi.advanceTimersByTime(301_000);
    expect(await run('count')).toEqual([1]);
    expect(lost).toEqual([]);
  });

  it('says so when the worker cannot be loaded', async () => {
    const { run } = open(runsIn, { file: new URL('./helpers/no-such-worker.ts', import.meta.url) });
    await expect(run('echo')).rejects.toMatchObject({ kind: 'crashed', message: expect.stringContaining('could not be loaded') });
  });
});

/** The same in a process: only how it is started, ended and talked to differs. */
describe('an engine', () => {
  it('runs tasks in order', async () => {
    const { run } = open('thread');
    expect(await Promise.all([run('count'), run('echo'), run('count')])).toEqual([[1], ['echo'], [2]]);
  });

  it('leaves a long task alone whose values keep coming', async () => {
    const { thread, lost } = open('thread', { stepLimitMs: 30_000 });
    const values = thread.run('sum');
    await values.next();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    for (let sum = 1; sum <= 5; sum++) {
      const next = values.next(1);
      vi.advanceTimersByTime(20_000);
      expect(await next).toEqual({ done: false, value: sum });
    }
    await values.return();
    expect(lost).toEqual([]);
  });

  it('makes a value only when it is asked for', async () => {
    const { thread, run } = open('thread');
    const values = thread.run('endless');
    await values.next();
    expect(await run('count')).toEqual([2]);
    expect(await values.next()).toEqual({ done: false, value: 3 });
    await values.return();
    expect(await run('count')).toEqual([4]);
  });

  it('lets tasks take turns, value by value', async () => {
    const { run } = open('thread');
    const leaving = new AbortController();
    const endless = run('endless', leaving.signal);
    expect(await run('echo')).toEqual(['echo']);
    leaving.abort();
    await expect(endless).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('frees the caller at once when a task is aborted, and keeps the worker', async () => {
    const { run, lost } = open('thread');
    await run('count');
    const leaving = new AbortController();
    const slow = run('slow', leaving.signal);
    let isWorkerFree = false;
    const next = run('count').finally(() => {
      isWorkerFree = true;
    });
    leaving.abort();
    await expect(slow).rejects.toMatchObject({ kind: 'aborted' });
    expect(isWorkerFree).toBe(false);
    expect(await next).toEqual([2]);
    expect(lost).toEqual([]);
  });

  it('ends soon after a step that nobody waits for any more, and starts again with the next task', async () => {
    const { run, lost } = open('thread', { abandonMs: 50 });
    await run('count');
    const leaving = new AbortController();
    const hanging = run('hang', leaving.signal);
    const next = run('count');
    leaving.abort();
    await expect(hanging).rejects.toMatchObject({ kind: 'aborted' });
    expect(await next).toEqual([1]);
    expect(lost).toEqual([]);
  });

  it('finishes a step that nobody waits for while other tasks are under way', async () => {
    const { thread, run } = open('thread', { abandonMs: 1 });
    const values = thread.run('sum');
    await values.next();
    const leaving = new AbortController();
    const slow = run('slow', leaving.signal);
    const next = run('count');
    leaving.abort();
    await expect(slow).rejects.toMatchObject({ kind: 'aborted' });
    expect(await next).toEqual([1]);
    expect(await values.next(4)).toEqual({ done: false, value: 4 });
    await values.return();
  });

  it('never starts what was aborted while it waited', async () => {
    const { run, lost } = open('thread');
    await run('echo');
    const slow = run('slow');
    const leaving = new AbortController();
    const waiting = run('exit', leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
    expect(await slow).toEqual(['slow']);
    expect(await run('count')).toEqual([1]);
    expect(lost).toEqual([]);
    await expect(run('echo', AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('does not end while a task is running', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { thread, run } = open('thread', { idleMs: 300_000, stepLimitMs: 3_600_000 });
    const values = thread.run('sum');
    await values.next();
    await run('count');
    vi.advanceTimersByTime(301_000);
    expect(await values.next(4)).toEqual({ done: false, value: 4 });
    await values.return();
    expect(await run('count')).toEqual([2]);
  });
});

describe.skipIf(process.platform === 'win32')('an engine’s process', () => {
  it.each<['killed' | 'stopped', NodeJS.Signals, RegExp]>([
    ['killed', 'SIGKILL', /it ended with SIGKILL/],
    ['stopped', 'SIGSTOP', /no sign of life/],
  ])('that is %s is replaced, and what it was doing is done again', async (how, signal, reason) => {
    const timers = holdTimers();
    const { thread, run, lost } = open('process', { stepLimitMs: timers.ms });
    const sums = thread.run('sum');
    await sums.next();
    await sums.next(3);
    const [pid] = await run('pid');
    process.kill(pid as number, signal);
    const done = Promise.all([sums.next(4), run('slow')]);
    if (how === 'stopped') {
      await expect.poll(timers.count).toBe(1);
      timers.expire();
    }
    expect(await done).toEqual([{ done: false, value: 7 }, ['slow']]);
    await sums.return();
    expect(lost).toEqual([expect.stringMatching(reason)]);
    expect(await run('pid')).not.toEqual([pid]);
  });

  it.skipIf(process.platform !== 'linux')(
    'leaves the processor to whatever has to be on time, unless ENGINE_PRIORITY is normal',
    async () => {
      onTestFinished(() => void vi.unstubAllEnvs());
      const priorityOf = async (setting: string) => {
        vi.stubEnv('ENGINE_PRIORITY', setting);
        const [pid] = await open('process').run('pid');
        return getPriority(pid as number);
      };
      expect(await priorityOf('')).toBe(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));
      expect(await priorityOf(' normal ')).toBe(getPriority());
    },
  );

  it('that works in the background has the lowest priority', async () => {
    const [pid] = await open('process', { isBackground: true }).run('pid');
    expect(getPriority(pid as number)).toBe(constants.priority.PRIORITY_LOW);
  });

  it('that runs out of memory fails its task alone, after a second try', async () => {
    const { thread, run, lost } = open('process');
    const sums = thread.run('sum');
    await sums.next();
    const [filled, sum] = await Promise.allSettled([run('fill'), sums.next(7)]);
    expect(filled).toMatchObject({ status: 'rejected', reason: { kind: 'refused' } });
    expect(sum).toMatchObject({ value: { done: false, value: 7 } });
    await sums.return();
    expect(lost.length).toBeGreaterThanOrEqual(2);
  });
});
