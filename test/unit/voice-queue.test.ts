// The play order: fair between members, in whatever order they come and go.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { add, addEarlier, advance, arrange, emptyQueue, playOrder, type Queue, remove } from '../../src/voice-session/playlist.ts';

interface Item {
  memberId: string;
  nth: number;
  background?: boolean;
  isPrepared?: boolean;
}

const MEMBERS = ['Robin', 'Sam', 'Kim', 'Alex'];
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('add' as const), memberId: fc.constantFrom(...MEMBERS) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('advance' as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('remove' as const), index: fc.nat(20) }) },
);

/** Takes the steps; `visit` gets each queue, the one before it, and the item added, if any. */
function walk(
  steps: (typeof step extends fc.Arbitrary<infer S> ? S : never)[],
  visit: (after: Queue<Item>, before: Queue<Item>, added?: Item) => void,
) {
  let queue = emptyQueue<Item>();
  let nth = 0;
  for (const taken of steps) {
    const before = queue;
    let added: Item | undefined;
    if (taken.does === 'add') {
      added = { memberId: taken.memberId, nth: nth++ };
      queue = add(queue, added);
    } else if (taken.does === 'advance') queue = advance(queue);
    else {
      const waiting = playOrder(queue).slice(1);
      const item = waiting[taken.index % Math.max(1, waiting.length)];
      if (item) queue = remove(queue, item);
    }
    visit(queue, before, added);
  }
}

const named = (...names: string[]) => names.reduce((queue, memberId, nth) => add(queue, { memberId, nth }), emptyQueue<Item>());
const order = (queue: Queue<Item>) => playOrder(queue).map(({ memberId, nth }) => `${memberId} ${nth}`);

describe('the queue', () => {
  it('does not let five utterances of one member hold up one of another', () => {
    const queue = named('Robin', 'Robin', 'Robin', 'Robin', 'Robin', 'Sam');
    expect(order(queue)).toEqual(['Robin 0', 'Sam 5', 'Robin 1', 'Robin 2', 'Robin 3', 'Robin 4']);
    expect(order(advance(queue))).toEqual(['Sam 5', 'Robin 1', 'Robin 2', 'Robin 3', 'Robin 4']);
  });

  it('lets nobody go first again by finishing early and coming back', () => {
    let queue = advance(named('Robin', 'Sam', 'Kim'));
    queue = add(queue, { memberId: 'Robin', nth: 3 });
    expect(order(queue)).toEqual(['Sam 1', 'Kim 2', 'Robin 3']);
  });

  it('is empty after its last item', () => {
    expect(advance(named('Robin'))).toEqual(emptyQueue());
    expect(advance(emptyQueue())).toEqual(emptyQueue());
  });

  it('plays what is in the background once nothing else waits', () => {
    let queue = emptyQueue<Item>();
    const items = [
      ['Robin', true],
      ['Sam', true],
      ['Kim', false],
      ['Alex', true],
      ['Kim', false],
    ] as const;
    for (const [nth, [memberId, background]] of items.entries()) queue = add(queue, { memberId, nth, background });
    expect(order(queue)).toEqual(['Robin 0', 'Kim 2', 'Kim 4', 'Sam 1', 'Alex 3']);
  });

  it('plays the background in order of arrival, no matter whose it is, unless it is arranged otherwise', () => {
    const items = ['Robin', 'Sam', 'Robin', 'Kim', 'Alex'].map((memberId, nth) => ({ id: `${nth}`, memberId, nth, background: true }));
    const queue = items.reduce(add, emptyQueue<Item & { id: string }>());
    expect(order(queue)).toEqual(['Robin 0', 'Sam 1', 'Robin 2', 'Kim 3', 'Alex 4']);
    const arranged = arrange(queue, ['3', 'gone', '0', '2']);
    expect(order(arranged)).toEqual(['Robin 0', 'Sam 1', 'Alex 4', 'Kim 3', 'Robin 2']);
    const said = add(arranged, { id: '5', memberId: 'Robin', nth: 5 });
    expect(order(arrange(said, ['5', '4']))).toEqual(['Robin 0', 'Robin 5', 'Sam 1', 'Kim 3', 'Robin 2', 'Alex 4']);
  });

  it('lets nothing else in the background get ahead of what is prepared', () => {
    let queue = add(emptyQueue<Item>(), { memberId: 'Robin', nth: 0, background: true });
    queue = add(queue, { memberId: 'Robin', nth: 1, background: true, isPrepared: true });
    queue = add(queue, { memberId: 'Sam', nth: 2, background: true });
    queue = add(queue, { memberId: 'Kim', nth: 3 });
    expect(order(queue)).toEqual(['Robin 0', 'Kim 3', 'Robin 1', 'Sam 2']);
  });

  it('puts what comes from another process before what was said later, and before the current item unless that has begun', () => {
    const said = (id: string, memberId: string) => ({ id, memberId });
    const later = [said('100', 'Robin'), said('105', 'Sam')].reduce(add, emptyQueue<ReturnType<typeof said>>());
    const ids = (hasBegun: boolean) => {
      const queue = [said('99', 'Robin'), said('97', 'Kim'), said('103', 'Alex')].reduce(
        (before, item) => addEarlier(before, item, hasBegun),
        later,
      );
      return playOrder(queue).map(({ id }) => id);
    };
    expect(ids(false)).toEqual(['97', '99', '103', '105', '100']);
    expect(ids(true)).toEqual(['100', '97', '103', '105', '99']);
  });

  it('loses nothing, duplicates nothing, and keeps the current item until it ends', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        walk(steps, (after, before, added) => {
          const listed = playOrder(after);
          expect(new Set(listed).size).toBe(listed.length);
          if (after.current === null) expect(listed).toEqual([]);
          if (!added) return;
          expect(new Set(listed)).toEqual(new Set([...playOrder(before), added]));
          if (before.current) expect(after.current).toBe(before.current);
          // The new item does not change the order of the others.
          expect(listed.filter((item) => item !== added)).toEqual(playOrder(before));
        });
      }),
    );
  });

  it('plays the head of the list next', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        walk(steps, (queue) => expect(playOrder(advance(queue))).toEqual(playOrder(queue).slice(1)));
      }),
    );
  });

  it("plays each member's items in order of arrival, and between two of them one of every other member waiting", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        walk(steps, (queue) => {
          const listed = playOrder(queue);
          for (const memberId of MEMBERS) {
            const own = listed.flatMap((item, index) => (item.memberId === memberId ? [index] : []));
            const nths = own.map((index) => listed[index]?.nth ?? 0);
            expect(nths).toEqual(nths.toSorted((a, b) => a - b));
            own.slice(1).forEach((to, index) => {
              const between = new Set(listed.slice(own[index], to).map((item) => item.memberId));
              for (const later of listed.slice(to + 1)) expect(between).toContain(later.memberId);
            });
          }
        });
      }),
    );
  });
});
