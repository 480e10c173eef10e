// A process beside ours: when it is started, asked, ended and given up. What runs in it is tried with the engines and the decoder.
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { type Lost, LostError, type SuperviseOptions, supervise, type Timeouts } from '../../src/async/supervise.ts';
import { makeFolder } from '../helpers/folder.ts';
import { holdTimers } from '../helpers/held-timers.ts';

type Order = 'echo' | 'exit' | 'hang';
type Options = Partial<Omit<SuperviseOptions<string, never, string>, 'timeouts'>> & { data?: unknown; timeouts?: Partial<Timeouts> };

/** Writes what `serve` returns to a supervisor into `code`, as the file of a process. */
async function supervised(code: string, { data, timeouts, ...options }: Options = {}) {
  const file = join(await makeFolder(), 'worker.mjs');
  await writeFile(file, `import { serve } from '${new URL('../../src/async/serve.ts', import.meta.url)}';\n${code}`);
  const lost: Lost[] = [];
  const answers: string[] = [];
  const starts: number[] = [];
  const handOver = () => {
    starts.push(performance.now());
    return data;
  };
  const worker = supervise<Order, string, never, string>({
    spawn: { file: pathToFileURL(file), runsIn: 'process', data: handOver },
    memory: { heapMb: 64 },
    timeouts: { startMs: 30_000, answerMs: 30_000, ...timeouts },
    onLost: (one) => lost.push(one),
    onAnswer: (answer) => answers.push(answer),
    ...options,
  });
  onTestFinished(() => worker.close());
  return { worker, lost, answers, starts };
}

const OBEDIENT = `
  const supervisor = await serve();
  supervisor.ready(String(process.pid), (order) => {
    if (order === 'exit') process.exit(3);
    if (order === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    supervisor.answer(supervisor.data + process.argv.length);
  });`;

it('hands over what it needs in a message, where no arguments tell it, and passes on its answers', async () => {
  const { worker, answers } = await supervised(OBEDIENT, { data: 'a secret ' });
  expect(worker.state()).toBe('absent');
  const pid = await worker.start();
  expect(worker.state()).toBe('ready');
  expect(await worker.start()).toBe(pid);
  worker.post('echo', true);
  await expect.poll(() => answers).toEqual(['a secret 2']);
});

it('says why one that has ended was lost, and starts another no sooner than it should', async () => {
  const { worker, lost, starts } = await supervised(OBEDIENT, { timeouts: { restartMs: 700 } });
  const pid = await worker.start();
  worker.post('exit', true);
  await expect.poll(() => lost).toEqual([{ cause: 'ended', reason: 'it ended with exit code 3', wasReady: true }]);
  expect(worker.state()).toBe('absent');
  expect(await worker.start()).not.toBe(pid);
  const [first = 0, second = 0] = starts;
  // A timer may ring up to a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(699);
  expect(lost).toHaveLength(1);
});

it('gives up one that no longer answers, even if nothing was asked of it', async () => {
  const { worker, lost } = await supervised(OBEDIENT, { timeouts: { pingMs: 20, answerMs: 1_000 } });
  await worker.start();
  worker.post('hang', false);
  await expect.poll(() => lost, { timeout: 20_000 }).toEqual([{ cause: 'time', reason: 'no sign of life for 1 s', wasReady: true }]);
});

it('keeps one that answered in time while this process couldn’t read it', async () => {
  const data = join(await makeFolder(), 'answered');
  const { worker, lost, answers } = await supervised(
    `import { writeFileSync } from 'node:fs';
    const supervisor = await serve();
    supervisor.ready('', (order) => {
      supervisor.answer(order);
      writeFileSync(supervisor.data, '');
    });`,
    { data, timeouts: { answerMs: 50 } },
  );
  await worker.start();
  worker.post('echo', true);
  const began = performance.now();
  // Nothing else happens here until then.
  while (!existsSync(data) || performance.now() - began < 100);
  await expect.poll(() => answers).toEqual(['echo']);
  expect(lost).toEqual([]);
});

it('passes on why one can’t work here, and whatever that is about', async () => {
  const { worker, lost } = await supervised(`(await serve()).unavailable('its model is missing', { code: 'ENOENT' });`);
  const why = { cause: 'unavailable', reason: 'its model is missing', details: { code: 'ENOENT' }, wasReady: false };
  await expect(worker.start()).rejects.toMatchObject({ name: LostError.name, lost: why });
  expect(lost).toEqual([why]);
});

it.each([
  ['does what it has to do last, if it may', `await writeFile(supervisor.data, 'done');`, 'done'],
  ['is killed if that takes too long', `await writeFile(supervisor.data, 'begun'); await new Promise(() => {});`, 'begun'],
])('%s, when it is closed', async (_, lastWork, written) => {
  const data = join(await makeFolder(), 'last');
  const timers = holdTimers();
  const { worker, lost } = await supervised(
    `import { writeFile } from 'node:fs/promises';
    const supervisor = await serve(async () => { ${lastWork} });
    supervisor.ready('', () => {});`,
    { data, timeouts: { endMs: timers.ms } },
  );
  await worker.start();
  const closed = worker.close();
  await expect.poll(() => readFile(data, 'utf8').catch(() => '')).toBe(written);
  if (written === 'begun') timers.expire();
  await closed;
  await expect(worker.start()).rejects.toThrow('it was closed');
  expect(lost).toEqual([]);
});
