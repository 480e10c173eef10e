// How reading keeps up: the mildest measure that is enough, and whose messages are skipped if none is.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Plan, planBacklog, type Queued } from '../../src/reading/backlog.ts';

interface Waiting {
  id: string;
  memberId?: string;
  age?: number;
  seconds?: number;
  isDrafted?: boolean;
}

/** A name takes a second. */
function message({ id, memberId = id, age = 0, seconds = 1, isDrafted = false }: Waiting, number: number): Queued {
  return { message: { id, memberId, number, age, isDrafted }, secondsAt: ({ hurry, names }) => (seconds + (names ? 1 : 0)) / hurry };
}

const plan = (waiting: Waiting[], remaining = 0, canHurry = true): Plan => planBacklog(remaining, waiting.map(message), 8, canHurry);

describe('the backlog of messages that are read', () => {
  it.each<[string, number, number, { hurry: number; names: boolean; skip: string[] }]>([
    ['reads as usual if all are heard in time', 4, 1, { hurry: 1, names: true, skip: [] }],
    ['reads faster', 5, 1.2, { hurry: 1.2, names: true, skip: [] }],
    ['reads faster still', 6, 1, { hurry: 1.4, names: true, skip: [] }],
    ['leaves out names', 8, 1, { hurry: 1.4, names: false, skip: [] }],
    ['skips the oldest', 16, 1, { hurry: 1.4, names: false, skip: ['0', '1', '2', '3'] }],
  ])('%s', (_, count, seconds, expected) => {
    const waiting = Array.from({ length: count }, (_, index) => ({ id: String(index), memberId: 'Robin', seconds }));
    expect(plan(waiting.map((one, index) => ({ ...one, age: (count - index) / 1000 })))).toMatchObject(expected);
  });

  it('does not count on a speed that the service ignores', () => {
    const waiting = Array.from({ length: 7 }, (_, index) => ({ id: String(index), memberId: 'Robin', seconds: 1 }));
    expect(plan(waiting, 0, false)).toMatchObject({ hurry: 1, names: false, skip: [] });
  });

  it('takes from whoever has the most, not from who wrote first', () => {
    const flood = Array.from({ length: 30 }, (_, index) => ({ id: `flood-${index}`, memberId: 'Robin', age: 1 - index / 100 }));
    const { skip } = plan([{ id: 'quiet', memberId: 'Sam', age: 2 }, ...flood]);
    expect(skip).not.toContain('quiet');
    expect(skip[0]).toBe('flood-0');
    expect(skip.at(-1)).not.toBe('flood-29');
  });

  it('keeps the last message, and the one whose sound is being made', () => {
    const { skip } = plan([{ id: 'made', isDrafted: true, seconds: 20 }, { id: 'old', age: 5 }, { id: 'new' }], 30);
    expect(skip).toEqual(['old']);
  });

  it('skips no more than it must, only what waits, and never everything', () => {
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
      fc.property(waiting, fc.double({ min: 0, max: 30, noNaN: true }), fc.boolean(), (messages, remaining, canHurry) => {
        const queue = messages.map((one, index) => ({ ...one, id: String(index) }));
        const { skip, hurry, names } = plan(queue, remaining, canHurry);
        const left = queue.filter(({ id }) => !skip.includes(id));
        const candidates = queue.filter(({ isDrafted }) => !isDrafted);
        expect(skip.every((id) => candidates.some((one) => one.id === id))).toBe(true);
        if (candidates.length > 0) expect(skip.length).toBeLessThan(candidates.length);
        if (skip.length > 0) expect({ hurry, names }).toEqual({ hurry: canHurry ? 1.4 : 1, names: false });
        // What is left is in time, or there was nothing more to skip.
        const again = plan(left, remaining, canHurry);
        expect(again.skip).toEqual([]);
      }),
    );
  });
});
