// How reading keeps up: the mildest measure that is enough, and whose messages are skipped if none is.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Plan, planBacklog, type Queued, takeTurns } from '../../src/reading/backlog.ts';

interface Waiting {
  id: string;
  memberId?: string;
  age?: number;
  seconds?: number;
  isDrafted?: boolean;
}

/** A name takes a second. */
function message({ id, memberId = id, age = 0, seconds = 1, isDrafted = false }: Waiting): Queued {
  return { message: { id, memberId, age, isDrafted }, secondsAt: ({ speedFactor, names }) => (seconds + (names ? 1 : 0)) / speedFactor };
}

/** @param waiting in play order */
const plan = (waiting: Waiting[], remaining = 0, canSpeedUp = true): Plan => planBacklog(remaining, waiting.map(message), 8, canSpeedUp);

/** Skips until nothing is late, as the reader does, and returns whatever was skipped. */
function skipAll(waiting: Waiting[], remaining = 0): string[] {
  const { skip } = plan(waiting, remaining);
  if (skip === null) return [];
  const left = waiting.filter(({ id }) => id !== skip);
  expect(left).toHaveLength(waiting.length - 1);
  return [skip, ...skipAll(left, remaining)];
}

describe('the backlog of messages that are read', () => {
  it.each<[string, number, number, { speedFactor: number; names: boolean; skip: string | null }]>([
    ['reads as usual if all are heard in time', 4, 1, { speedFactor: 1, names: true, skip: null }],
    ['reads faster', 5, 1.2, { speedFactor: 1.2, names: true, skip: null }],
    ['reads faster still', 6, 1, { speedFactor: 1.4, names: true, skip: null }],
    ['leaves out names', 8, 1, { speedFactor: 1.4, names: false, skip: null }],
    ['skips the oldest', 16, 1, { speedFactor: 1.4, names: false, skip: '0' }],
  ])('%s', (_, count, seconds, expected) => {
    const waiting = Array.from({ length: count }, (_, index) => ({ id: String(index), memberId: 'Robin', seconds }));
    expect(plan(waiting.map((one, index) => ({ ...one, age: (count - index) / 1000 })))).toMatchObject(expected);
  });

  it('cuts a text that others wait behind before it skips any, and as little as is enough', () => {
    const long: Queued = {
      message: { id: 'long', memberId: 'Robin', age: 0.4, isDrafted: false },
      secondsAt: ({ lengthShare }) => 8 * lengthShare,
    };
    const cut = (remaining: number) => planBacklog(remaining, [long, message({ id: 'answer' })], 8, true);
    expect(cut(0)).toMatchObject({ skip: null, lengthShare: 1 });
    expect(cut(3)).toMatchObject({ skip: null, lengthShare: 1 / 2 });
    expect(cut(5)).toMatchObject({ skip: null, lengthShare: 1 / 4 });
    expect(cut(7)).toMatchObject({ skip: 'answer' });
  });

  it('does not count on a speed that the service ignores', () => {
    const waiting = Array.from({ length: 7 }, (_, index) => ({ id: String(index), memberId: 'Robin', seconds: 1 }));
    expect(plan(waiting, 0, false)).toMatchObject({ speedFactor: 1, names: false, skip: null });
  });

  it('skips the oldest message of the member who would be late', () => {
    const flood = Array.from({ length: 30 }, (_, index) => ({ id: `flood-${index}`, memberId: 'Robin', age: 1 - index / 100 }));
    const skipped = skipAll([{ id: 'quiet', memberId: 'Sam', age: 7.5 }, ...flood]);
    expect(skipped).toEqual(flood.slice(0, skipped.length).map(({ id }) => id));
    expect(skipped.length).toBeLessThan(30);
  });

  it('keeps the message whose sound is being made and the one in turn after it, but hurries for their sake', () => {
    const waiting = [{ id: 'made', isDrafted: true, age: 20, seconds: 20 }, { id: 'next', age: 5 }, { id: 'later' }];
    expect(skipAll(waiting, 30)).toEqual(['later']);
    expect(plan(waiting.slice(0, 2), 30)).toMatchObject({ speedFactor: 1.4, names: false, skip: null });
  });

  it('counts what is not a message, but neither skips it nor takes it for late', () => {
    const say: Queued = { message: null, secondsAt: () => 20 };
    expect(planBacklog(5, [say, message({ id: 'next' })], 8, true)).toMatchObject({ skip: null, delay: 5 + 20 + 1 / 1.4 });
    expect(planBacklog(5, [say, message({ id: 'next' }), message({ id: 'later' })], 8, true).skip).toBe('later');
  });

  it('gives the first turn to the member who has not been heard for longest, then to the one who has written least, and lists no message twice', () => {
    const waiting = ['Robin', 'Robin', 'Sam', 'Kim', 'Kim', 'Alex', 'Robin'].map((memberId, nth) =>
      message({ id: `${memberId} ${nth}`, memberId }),
    );
    const recent = [
      { memberId: 'Sam', heardAt: 20 },
      { memberId: 'Robin', heardAt: null },
      { memberId: 'Robin', heardAt: 10 },
      { memberId: 'Kim', heardAt: null },
      { memberId: 'Kim', heardAt: null },
      { memberId: 'Alex', heardAt: null },
    ];
    expect(takeTurns(waiting, recent)).toEqual(['Alex 5', 'Kim 3', 'Robin 0', 'Sam 2', 'Kim 4', 'Robin 1', 'Robin 6']);
    expect(takeTurns(waiting, [])).toEqual(['Robin 0', 'Sam 2', 'Kim 3', 'Alex 5', 'Robin 1', 'Kim 4', 'Robin 6']);
  });

  it('skips only waiting messages of a member with one that would be late, and only if no measure is enough', () => {
    const waiting = fc.array(
      fc.record({
        memberId: fc.constantFrom('Robin', 'Sam', 'Kim'),
        age: fc.double({ min: 0, max: 20, noNaN: true }),
        seconds: fc.double({ min: 0.1, max: 12, noNaN: true }),
        isDrafted: fc.boolean(),
      }),
      { maxLength: 25 },
    );
    fc.assert(
      fc.property(waiting, fc.double({ min: 0, max: 30, noNaN: true }), fc.boolean(), (messages, remaining, canSpeedUp) => {
        const queue = messages.map((one, index) => ({ ...one, id: String(index) }));
        const { skip, speedFactor, names } = plan(queue, remaining, canSpeedUp);
        if (skip === null) return;
        expect({ speedFactor, names }).toEqual({ speedFactor: canSpeedUp ? 1.4 : 1, names: false });
        const candidates = queue.filter(({ isDrafted }) => !isDrafted);
        const victim = queue.find(({ id }) => id === skip);
        expect(candidates.find(({ memberId }) => memberId === victim?.memberId)).toBe(victim);
        const isLate = ({ age }: { age: number }, index: number) =>
          age + remaining + queue.slice(0, index).reduce((sum, { seconds }) => sum + seconds / speedFactor, 0) > 8;
        expect(queue.some((one, index) => one.memberId === victim?.memberId && one !== candidates[0] && isLate(one, index))).toBe(true);
      }),
    );
  });
});
