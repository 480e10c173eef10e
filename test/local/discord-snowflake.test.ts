// The ids that the local Discord gives.
import { afterEach, expect, it, vi } from 'vitest';
import { createSnowflake, snowflakeTime } from '../../src/local/discord/world/snowflake.ts';

afterEach(() => void vi.useRealTimers());

it('each is larger than the one before, within a millisecond and when the clock is corrected by seconds', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const ids = [createSnowflake(), createSnowflake()];
  vi.setSystemTime(Date.now() - 5_000);
  ids.push(createSnowflake());
  expect(ids.map(BigInt).toSorted((one, other) => Number(one - other))).toEqual(ids.map(BigInt));
  expect(new Set(ids).size).toBe(3);
});

it('tell the time again after a clock that was days ahead is set back', () => {
  const now = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * 24 * 3_600_000 });
  createSnowflake();
  vi.setSystemTime(now);
  expect(snowflakeTime(createSnowflake())).toBe(now);
});
