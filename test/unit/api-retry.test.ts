// When calls are repeated and after how long, without any waiting.
import { expect, test } from 'vitest';
import { ApiError, defaultRetries } from '../../src/api/index.ts';
import { readRetryAfter, sleep, waitBeforeRetry } from '../../src/api/retry.ts';

const busy = new ApiError('server', 'busy', { status: 503, retryable: true });
const middle = () => 0.5;

test('each wait is half fixed and half chance, and doubles', () => {
  expect(waitBeforeRetry(busy, 1, defaultRetries, () => 0)).toBe(150);
  expect(waitBeforeRetry(busy, 1, defaultRetries, () => 1)).toBe(300);
  expect(waitBeforeRetry(busy, 2, defaultRetries, () => 1)).toBe(600);
  expect(waitBeforeRetry(busy, 3, defaultRetries, middle)).toBe(null);
});

test('no wait is longer than the longest', () => {
  expect(waitBeforeRetry(busy, 30, { attempts: 99, firstWait: 300, longestWait: 1000 }, () => 1)).toBe(1000);
});

test('what the service asks for is never undercut, and beyond the longest wait there is none', () => {
  const asked = (retryAfterMs: number) => new ApiError('rate-limited', 'slow', { status: 429, retryable: true, retryAfterMs });
  expect(waitBeforeRetry(asked(2000), 1, defaultRetries, () => 0)).toBe(2000);
  expect(waitBeforeRetry(asked(2000), 1, defaultRetries, middle)).toBe(2150);
  expect(waitBeforeRetry(asked(10_001), 1, defaultRetries, middle)).toBe(null);
});

test('a limit that may have ended work under way is not repeated, a connection that never was is', () => {
  const timeout = (facts: ConstructorParameters<typeof ApiError>[2]) => new ApiError('timeout', 'slow', { retryable: true, ...facts });
  const connecting = Object.assign(new Error('slow'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
  expect(waitBeforeRetry(timeout({ status: null }), 1, defaultRetries, middle)).toBe(null);
  expect(waitBeforeRetry(timeout({ status: 408 }), 1, defaultRetries, middle)).toBe(225);
  expect(waitBeforeRetry(timeout({ cause: connecting }), 1, defaultRetries, middle)).toBe(225);
});

test('Retry-After is read in seconds and as a date, and nonsense is nothing', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(readRetryAfter('3', now)).toBe(3000);
  expect(readRetryAfter('0.5', now)).toBe(500);
  expect(readRetryAfter('Thu, 01 Jan 2026 00:00:07 GMT', now)).toBe(7000);
  expect(readRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0);
  expect(readRetryAfter('soon', now)).toBe(null);
  expect(readRetryAfter(undefined, now)).toBe(null);
});

test('an abort ends a sleep at once with its reason', async () => {
  const caller = new AbortController();
  const sleeping = sleep(3_600_000, caller.signal);
  caller.abort('enough');
  await expect(sleeping).rejects.toBe('enough');
  await expect(sleep(3_600_000, caller.signal)).rejects.toBe('enough');
});
