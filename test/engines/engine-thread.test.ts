import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorkerPool, type WorkerPool } from '../../src/local/voice-service/engines/engine-thread.ts';
import type { Order } from '../helpers/misbehaving-worker.ts';

const file = new URL('../helpers/misbehaving-worker.ts', import.meta.url);
const pools: WorkerPool[] = [];

function open(size = 1, silenceLimit = 30_000) {
  const lost: string[] = [];
  const pool = createWorkerPool({ file, size, silenceLimit, onLost: (reason) => lost.push(reason) });
  pools.push(pool);
  return { pool, lost, ask: (order: Order, signal?: AbortSignal) => pool.ask(pool.pickLane(), { order }, { signal, anywhere: true }) };
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

describe('the pool of workers', () => {
  it('answers requests in turn', async () => {
    const { ask } = open();
    expect(await Promise.all([ask('count'), ask('echo'), ask('count')])).toEqual([1, 'echo', 2]);
  });

  it('passes on an error with its kind, and keeps the worker', async () => {
    const { ask, lost } = open();
    await ask('count');
    await expect(ask('fail')).rejects.toMatchObject({ name: 'EngineError', kind: 'not-audio', message: 'This is no sound. Send some.' });
    expect(await ask('count')).toBe(2);
    expect(lost).toEqual([]);
  });

  it.each(['throw', 'exit'] as const)('replaces a worker that dies (%s), fails its request, and goes on with the next', async (order) => {
    const { ask, lost } = open();
    await ask('count');
    const [dead, next] = await Promise.allSettled([ask(order), ask('count')]);
    expect(dead).toMatchObject({ status: 'rejected', reason: { kind: 'crashed' } });
    expect(next).toMatchObject({ status: 'fulfilled', value: 1 });
    expect(lost).toHaveLength(1);
  });

  it('replaces a worker that hangs', async () => {
    const { ask, lost } = open(1, 2000);
    await ask('echo');
    await expect(ask('hang')).rejects.toMatchObject({ kind: 'crashed' });
    expect(await ask('echo')).toBe('echo');
    expect(lost[0]).toMatch(/no sign of life/);
  });

  it('leaves long work alone that shows life', async () => {
    const { ask, lost } = open(1, 2000);
    expect(await ask('work')).toBe('worked');
    expect(lost).toEqual([]);
  });

  it('frees the caller and the worker when a request is aborted', async () => {
    const { ask, lost } = open();
    await ask('count');
    const leaving = new AbortController();
    const endless = ask('until-cancelled', leaving.signal);
    const next = ask('count');
    leaving.abort();
    await expect(endless).rejects.toMatchObject({ kind: 'aborted' });
    expect(await next).toBe(2);
    expect(lost).toEqual([]);
  });

  it('never starts what was aborted while it waited', async () => {
    const { ask, lost } = open();
    const busy = new AbortController();
    const first = ask('until-cancelled', busy.signal);
    const leaving = new AbortController();
    const waiting = ask('exit', leaving.signal);
    leaving.abort();
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
    busy.abort();
    await expect(first).rejects.toMatchObject({ kind: 'aborted' });
    expect(await ask('count')).toBe(1);
    expect(lost).toEqual([]);
    await expect(ask('echo', AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('gives what waits for a busy worker to one that is free', async () => {
    const { pool } = open(2);
    const lane = pool.pickLane();
    const leaving = new AbortController();
    const busy = pool.ask(lane, { order: 'until-cancelled' }, { signal: leaving.signal });
    const waiting = pool.ask(lane, { order: 'echo' }, { anywhere: true });
    expect(await pool.ask(pool.pickLane(), { order: 'echo' })).toBe('echo');
    expect(await waiting).toBe('echo');
    leaving.abort();
    await expect(busy).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('lets requests take turns in one worker when it may', async () => {
    const pool = createWorkerPool({ file, size: 1, turns: 2, silenceLimit: 30_000 });
    pools.push(pool);
    const leaving = new AbortController();
    const endless = pool.ask(pool.pickLane(), { order: 'until-cancelled' }, { signal: leaving.signal });
    expect(await pool.ask(pool.pickLane(), { order: 'echo' })).toBe('echo');
    leaving.abort();
    await expect(endless).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('fails what is under way when it is closed, and all that comes after', async () => {
    const { pool, ask } = open();
    const pending = ask('hang');
    await Promise.all([expect(pending).rejects.toMatchObject({ kind: 'aborted' }), pool.close()]);
    await expect(ask('echo')).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('does not keep a process alive that has nothing else to do', () => {
    const pool = new URL('../../src/local/voice-service/engines/engine-thread.ts', import.meta.url);
    const program = `
      import { createWorkerPool } from '${pool}';
      const pool = createWorkerPool({ file: new URL('${file}'), size: 1, silenceLimit: 30000 });
      console.log(await pool.ask(pool.pickLane(), { order: 'echo' }));`;
    const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 50_000 });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'echo\n' });
  });

  it('says so when the worker cannot be loaded', async () => {
    const pool = createWorkerPool({ file: new URL('../helpers/no-such-worker.ts', import.meta.url), size: 1, silenceLimit: 30_000 });
    pools.push(pool);
    await expect(pool.warmUp()).rejects.toMatchObject({ kind: 'crashed' });
  });
});
