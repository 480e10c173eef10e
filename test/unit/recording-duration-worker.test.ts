// The worker that measures recordings: reused, and never waited for forever.
import { expect, it, onTestFinished } from 'vitest';
import { createDurationMeters } from '../../src/recording-duration/meters.ts';
import { silentOgg } from '../helpers/recordings.ts';

/** A thread that misbehaves as the first byte it receives tells it to: never answers (0), exits (1), or fills its memory (any other). */
const misbehaving = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ order }) => {
      if (order?.type === 'start') parentPort.postMessage({ type: 'answer', answer: { type: 'value', value: { seconds: 0, isMeasured: true } } });
      if (order?.type !== 'next') return;
      if (order.input[0] === 0) for (;;);
      if (order.input[0] === 1) process.exit(1);
      for (const hoard = []; ; ) hoard.push(Array(100_000).fill(1));
    });
    parentPort.postMessage({ type: 'ready' });`)}`,
);

function metersWith(options: Parameters<typeof createDurationMeters>[0] = {}) {
  const lost: Error[] = [];
  // On a busy machine, starting the thread takes longer than the usual deadline.
  const meters = createDurationMeters({ onLost: (cause) => lost.push(cause), deadlineMs: 180_000, ...options });
  onTestFinished(() => meters.close());
  return { meters, lost };
}

it('measures several recordings side by side', async () => {
  const { meters, lost } = metersWith();
  const [long, short] = [silentOgg(600), silentOgg(60)];
  const [first, second] = [meters.open(), meters.open()];
  const half = long.length >> 1;
  await Promise.all([first.add(long.subarray(0, half)), second.add(short)]);
  await first.add(long.subarray(half));
  expect((await first.end()).seconds).toBeCloseTo(612, 0);
  expect((await second.end()).seconds).toBeCloseTo(61.2, 0);
  expect(lost).toEqual([]);
});

it.each<[string, number, number, string]>([
  ['hangs', 0, 200, 'no sign of life for 0.2 s'],
  ['ends', 1, 180_000, 'it ended with code 1'],
  ['runs out of memory', 2, 180_000, 'memory limit'],
])('estimates by the bytes when the thread %s, says why, and goes on counting the next recording', async (_, order, deadlineMs, why) => {
  const { meters, lost } = metersWith({ script: misbehaving, deadlineMs });
  const meter = meters.open();
  const bytes = Buffer.alloc(30_000, order);
  expect(await meter.add(bytes)).toEqual({ seconds: 10, isMeasured: false });
  expect(await meter.add(bytes)).toEqual({ seconds: 20, isMeasured: false });
  expect(await meter.end()).toEqual({ seconds: 20, isMeasured: false });
  await expect.poll(() => lost.map(({ message }) => message)).toEqual([expect.stringContaining(why)]);
  // Another thread is started for it.
  expect(await meters.open().add(Buffer.alloc(3000, 1))).toEqual({ seconds: 1, isMeasured: false });
  await expect.poll(() => lost.length).toBe(2);
});

it('is not held up by abandoned recordings', async () => {
  const { meters } = metersWith();
  const meter = meters.open();
  await meter.add(silentOgg(60));
  meter.close();
  const next = meters.open();
  await next.add(silentOgg(60));
  expect((await next.end()).seconds).toBeCloseTo(61.2, 0);
});
