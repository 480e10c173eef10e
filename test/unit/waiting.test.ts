import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createInTurn, createInTurnByKey, createOnceEach, orAborted, within } from '../../src/async/waiting.ts';

const never = new Promise<never>(() => {});

describe('in turn', () => {
  it('each begins when the one before has ended, even if that fails', async () => {
    const inTurn = createInTurn();
    const order: string[] = [];
    const first = Promise.withResolvers<void>();
    const failed = inTurn(async () => {
      await first.promise;
      order.push('first');
      throw new Error('the first fails');
    });
    const second = inTurn(() => {
      order.push('second');
      return 2;
    });
    first.resolve();
    await expect(failed).rejects.toThrow('the first fails');
    expect(await second).toBe(2);
    expect(order).toEqual(['first', 'second']);
  });

  it('one key doesn’t wait for another', async () => {
    const inTurn = createInTurnByKey<string>();
    const waiting = Promise.withResolvers<string>();
    const a = inTurn('a', () => waiting.promise);
    const next = inTurn('a', () => 'after it');
    expect(await inTurn('b', () => 'at once')).toBe('at once');
    waiting.resolve('late');
    expect(await Promise.all([a, next])).toEqual(['late', 'after it']);
  });

  it('a key waits for what it has waited for before, and no longer', async () => {
    const inTurn = createInTurnByKey<string>();
    await inTurn('a', () => Promise.reject(new Error('over'))).catch(() => {});
    expect(await inTurn('a', () => 'again')).toBe('again');
  });
});

describe('within a time', () => {
  it('says what came', async () => {
    expect(await within(60_000, Promise.resolve('in time'), 'late')).toBe('in time');
    await expect(within(60_000, Promise.reject(new Error('no')), 'late')).rejects.toThrow('no');
  });

  it('says that it is late, and is not bothered by what comes afterwards', async () => {
    const failing = Promise.withResolvers<never>();
    expect(await within(0, failing.promise, 'late')).toBe('late');
    failing.reject(new Error('after the end'));
    expect(await within(1, never)).toBeUndefined();
  });
});

describe('until a signal', () => {
  it('ends with its reason, and leaves no listener', async () => {
    const controller = new AbortController();
    const waiting = orAborted(never, controller.signal);
    controller.abort(new Error('stop'));
    await expect(waiting).rejects.toThrow('stop');
    await expect(orAborted(Promise.resolve(1), controller.signal)).rejects.toThrow('stop');
    const other = new AbortController();
    expect(await orAborted(Promise.resolve(1), other.signal)).toBe(1);
    expect(getEventListeners(other.signal, 'abort')).toEqual([]);
  });
});

it('once each: an id is new once, and forgotten after many others', () => {
  const isNew = createOnceEach(2);
  expect(['a', 'a', 'b', 'a', 'c', 'a'].map(isNew)).toEqual([true, false, true, false, true, true]);
});
