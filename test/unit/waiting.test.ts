import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  createInTurn,
  createInTurnByKey,
  createOnceEach,
  createRemembered,
  createTogetherByKey,
  createUnderWay,
  keepTrying,
  orAborted,
  poll,
  retry,
  within,
} from '../../src/async/waiting.ts';

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

  it('is not bothered by what fails after it', async () => {
    const failing = Promise.withResolvers<never>();
    await expect(orAborted(failing.promise, AbortSignal.abort(new Error('stop')))).rejects.toThrow('stop');
    failing.reject(new Error('after the end'));
  });
});

describe('again until it works', () => {
  /** Fails as often as it has errors left. */
  function failing(...errors: string[]) {
    const attempts = { count: 0 };
    return {
      attempts,
      async attempt() {
        attempts.count++;
        const error = errors.shift();
        if (error !== undefined) throw new Error(error);
        return 'done';
      },
    };
  }

  it('pauses after each failure, as long as the error asks for', async () => {
    const { attempts, attempt } = failing('one', 'two');
    const seen: string[] = [];
    const noteError = (error: unknown) => {
      seen.push((error as Error).message);
      return 0;
    };
    expect(await retry(attempt, noteError)).toBe('done');
    expect(attempts.count).toBe(3);
    expect(seen).toEqual(['one', 'two']);
  });

  it('fails with the last error once there is to be no other attempt', async () => {
    const { attempts, attempt } = failing('one', 'two', 'three');
    await expect(retry(attempt, () => (attempts.count < 2 ? 0 : null))).rejects.toThrow('two');
    expect(attempts.count).toBe(2);
  });

  it('ends in a pause if it is aborted', async () => {
    const { attempts, attempt } = failing('one');
    const stopping = new AbortController();
    const abortIn = () => {
      stopping.abort();
      return 60_000;
    };
    await expect(retry(attempt, abortIn, { signal: stopping.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expect(attempts.count).toBe(1);
  });

  it('in the background, says whether the first attempt worked, and goes on until one does', async () => {
    expect(await keepTrying(failing().attempt, () => 0)).toBe(true);
    const { attempts, attempt } = failing('one', 'two');
    expect(await keepTrying(attempt, () => 0)).toBe(false);
    await expect.poll(() => attempts.count).toBe(3);
  });

  it('in the background, gives up without a sound', async () => {
    const { attempts, attempt } = failing('one', 'two');
    expect(await keepTrying(attempt, () => null)).toBe(false);
    expect(attempts.count).toBe(1);
  });
});

describe('until there is something', () => {
  it('looks again as long as there is nothing, and says what there is', async () => {
    const answers = [null, false, null, 0] as const;
    let looks = 0;
    expect(await poll(() => answers[looks++] ?? null, { everyMs: 0 })).toBe(0);
    expect(looks).toBe(4);
  });

  it('looks at least once, and gives up after a time', async () => {
    let looks = 0;
    const look = () => {
      looks++;
      return null;
    };
    expect(await poll(look, { everyMs: 60_000, maxMs: 0 })).toBeNull();
    expect(looks).toBe(1);
    expect(await poll(look, { everyMs: 1, maxMs: 5 })).toBeNull();
  });

  it('ends between two looks if it is aborted, and fails with what a look fails with', async () => {
    const stopping = new AbortController();
    const stop = async () => {
      stopping.abort();
      return null;
    };
    await expect(poll(stop, { everyMs: 60_000, signal: stopping.signal })).rejects.toMatchObject({ name: 'AbortError' });
    await expect(poll(() => Promise.reject(new Error('no look')), { everyMs: 0 })).rejects.toThrow('no look');
  });
});

describe('remembered', () => {
  it('what is found is looked for once, until it is forgotten', async () => {
    let found = 0;
    const numbers = createRemembered<string, number>(
      async () => ++found,
      () => Number.POSITIVE_INFINITY,
    );
    expect(await Promise.all([numbers.get('a'), numbers.get('a'), numbers.get('b')])).toEqual([1, 1, 2]);
    expect(await numbers.get('a')).toBe(1);
    numbers.forget('a');
    expect(await numbers.get('a')).toBe(3);
  });

  it('each is kept as long as it says, and a failure isn’t', async () => {
    let asked = 0;
    const answers = createRemembered<string, number>(
      async (key) => {
        asked++;
        if (key === 'failing') throw new Error('no answer');
        return asked;
      },
      (answer) => (answer === 1 ? 0 : 60_000),
    );
    expect(await answers.get('a')).toBe(1);
    await expect.poll(() => answers.get('a')).toBe(2);
    expect(await answers.get('a')).toBe(2);
    await expect(answers.get('failing')).rejects.toThrow('no answer');
    await expect(answers.get('failing')).rejects.toThrow('no answer');
    expect(asked).toBe(4);
  });

  it('what takes the place of something forgotten is kept', async () => {
    const first = Promise.withResolvers<string>();
    const finds = [() => first.promise, async () => 'second', async () => 'third'];
    const values = createRemembered<string, string>(
      () => (finds.shift() as () => Promise<string>)(),
      (value) => (value === 'first' ? 0 : Number.POSITIVE_INFINITY),
    );
    const forgotten = values.get('a');
    values.forget('a');
    expect(await values.get('a')).toBe('second');
    first.reject(new Error('it fails'));
    await expect(forgotten).rejects.toThrow('it fails');
    expect(await values.get('a')).toBe('second');
  });
});

describe('together', () => {
  it('those who ask for the same share one answer, also a failure; whoever asks later gets another', async () => {
    const together = createTogetherByKey<string, number>();
    const answer = Promise.withResolvers<number>();
    let asked = 0;
    const ask = () => {
      asked++;
      return answer.promise;
    };
    const [first, second] = [together('a', ask), together('a', ask)];
    const other = together('b', () => Promise.resolve(2));
    expect(await other).toBe(2);
    answer.reject(new Error('no answer'));
    await expect(first).rejects.toThrow('no answer');
    await expect(second).rejects.toThrow('no answer');
    expect(asked).toBe(1);
    expect(await together('a', () => Promise.resolve(3))).toBe(3);
  });
});

describe('under way', () => {
  it('what has begun counts until it has ended, even if it fails', async () => {
    const underWay = createUnderWay();
    const work = Promise.withResolvers<void>();
    const added = underWay.add(work.promise);
    expect(underWay.size).toBe(1);
    const ended = underWay.current();
    work.reject(new Error('it fails'));
    await expect(added).rejects.toThrow('it fails');
    await ended;
    expect(underWay.size).toBe(0);
  });

  it('waits for what is meant alone', async () => {
    const underWay = createUnderWay<string>();
    const work = Promise.withResolvers<void>();
    void underWay.add(never, 'a');
    void underWay.add(work.promise, 'b');
    const ended = underWay.current((key) => key === 'b');
    work.resolve();
    await ended;
    expect(underWay.size).toBe(1);
  });

  it('is settled once what begins meanwhile has ended, too', async () => {
    const underWay = createUnderWay();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    void underWay.add(first.promise.then(() => void underWay.add(second.promise)));
    let isSettled = false;
    const settled = underWay.settled().then(() => {
      isSettled = true;
    });
    first.resolve();
    await underWay.current();
    expect(isSettled).toBe(false);
    second.resolve();
    await settled;
    expect(underWay.size).toBe(0);
  });
});

it('once each: an id is new once, and forgotten after many others', () => {
  const isNew = createOnceEach(2);
  expect(['a', 'a', 'b', 'a', 'c', 'a'].map(isNew)).toEqual([true, false, true, false, true, true]);
});
