// Which failed calls are repeated, and after how long; without any waiting.
import { expect, test } from 'vitest';
import { readRetryAfter } from '../../src/api/error-mapping.ts';
import { ApiError, createPauses, defaultRetries } from '../../src/api/index.ts';
import { retryDelay } from '../../src/api/retries.ts';

const busy = new ApiError('server', 'busy', { status: 503, retryable: true });
const middle = () => 0.5;

test('each delay is half fixed, half random, and doubles', () => {
  expect(retryDelay(busy, 1, defaultRetries, () => 0)).toBe(150);
  expect(retryDelay(busy, 1, defaultRetries, () => 1)).toBe(300);
  expect(retryDelay(busy, 2, defaultRetries, () => 1)).toBe(600);
  expect(retryDelay(busy, 3, defaultRetries, middle)).toBe(null);
});

test('no delay exceeds the maximum', () => {
  expect(retryDelay(busy, 30, { attempts: 99, firstDelay: 300, maxDelay: 1000 }, () => 1)).toBe(1000);
});

test('never waits less than the service asks, and gives up if it asks for more than the maximum', () => {
  const asked = (retryAfterMs: number) => new ApiError('rate-limited', 'slow', { status: 429, retryable: true, retryAfterMs });
  expect(retryDelay(asked(2000), 1, defaultRetries, () => 0)).toBe(2000);
  expect(retryDelay(asked(2000), 1, defaultRetries, middle)).toBe(2150);
  expect(retryDelay(asked(10_001), 1, defaultRetries, middle)).toBe(null);
});

test('repeats after a connect timeout, but not after a timeout that may have interrupted work in progress', () => {
  const timeout = (facts: ConstructorParameters<typeof ApiError>[2]) => new ApiError('timeout', 'slow', { retryable: true, ...facts });
  const connecting = Object.assign(new Error('slow'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
  expect(retryDelay(timeout({ status: null }), 1, defaultRetries, middle)).toBe(null);
  expect(retryDelay(timeout({ status: 408 }), 1, defaultRetries, middle)).toBe(225);
  expect(retryDelay(timeout({ cause: connecting }), 1, defaultRetries, middle)).toBe(225);
});

test('reads Retry-After in seconds or as a date, and ignores nonsense', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(readRetryAfter('3', now)).toBe(3000);
  expect(readRetryAfter('0.5', now)).toBe(500);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:00:07 GMT', now)).toBe(7000);
  expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  expect(readRetryAfter('soon', now)).toBe(null);
  expect(readRetryAfter(undefined, now)).toBe(null);
});

test('pauses for a busy service double, half of each random, up to ten seconds, unless it says how long', () => {
  const tooMany = (retryAfterMs: number | null = null) =>
    new ApiError('rate-limited', 'slow', { status: 429, retryable: true, retryAfterMs });
  const longest = createPauses(() => 1);
  expect([1, 2, 3, 4, 5, 6].map(() => longest(tooMany(), 60_000))).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
  const shortest = createPauses(() => 0);
  expect([1, 2, 3].map(() => shortest(tooMany(), 60_000))).toEqual([500, 1000, 2000]);
  expect(shortest(tooMany(700), 60_000)).toBe(700);
});

test('there is no pause if the time is up, the call may have been charged for, or it failed for another reason', () => {
  const tooMany = new ApiError('rate-limited', 'slow', { status: 429, retryable: true });
  expect(createPauses(() => 1)(tooMany, 1000)).toBe(null);
  expect(createPauses(() => 1)(busy, 60_000)).toBe(null);
  expect(createPauses(() => 1)(new Error('another'), 60_000)).toBe(null);
  expect(createPauses(() => 1)(tooMany.with({ mayHaveBeenBilled: true }), 60_000)).toBe(null);
});
