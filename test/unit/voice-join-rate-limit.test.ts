// The join rate limit: how often voice channels may be joined.
import { expect, it } from 'vitest';
import { createJoinRateLimit } from '../../src/voice-session/voice-state-sender.ts';

const in1 = (id: string) => ({ id, shardId: 1 });

it('allows a guild five joins in any minute, with growing delays, whatever other guilds do', () => {
  let now = 0;
  const rateLimit = createJoinRateLimit(undefined, () => now);
  const take = (count: number, id = 'a') => Array.from({ length: count }, () => rateLimit.reserveJoin(in1(id)));
  expect(take(7)).toEqual([0, 0, 1000, 4000, 10_000, null, null]);
  expect(take(1, 'b')).toEqual([0]);
  now = 59_999;
  expect(take(1)).toEqual([null]);
  now = 60_001;
  expect(take(3)).toEqual([4000, 10_000, null]);
  now = 200_000;
  expect(take(1)).toEqual([0]);
});

it('delays by exactly what was asked, whatever fraction of a millisecond the clock shows', () => {
  // Adding the delay to such a time and subtracting the time again loses its last bits.
  const rateLimit = createJoinRateLimit([77_777], () => 59199.3636);
  expect(rateLimit.reserveJoin(in1('a'))).toBe(77_777);
});

it('does not count joins that went well', () => {
  const rateLimit = createJoinRateLimit(undefined, () => 0);
  for (let round = 0; round < 20; round++) {
    expect(rateLimit.reserveJoin(in1('a'))).toBe(0);
    rateLimit.forget('a');
  }
});

/** The largest number of these times within one minute. */
function mostInAMinute(times: number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}

it("keeps a hundred guilds whose voice server died within Discord's rate limit, and lets other guilds join at once", () => {
  let now = 0;
  const rateLimit = createJoinRateLimit(undefined, () => now);
  const sends: number[] = [];
  const next = new Map(Array.from({ length: 100 }, (_, index) => [`broken ${index}`, 0]));
  for (const id of next.keys()) sends.push(now + (rateLimit.reserveJoin(in1(id)) ?? 0));
  const waits: (number | null)[] = [];
  for (now = 61_000; now < 400_000; now += 500) {
    // Each is disconnected as soon as it has rejoined, and gives up once it is refused another join.
    for (const [id, at] of next) {
      if (at > now) continue;
      const wait = rateLimit.reserveJoin(in1(id));
      if (wait !== null) sends.push(now + wait);
      next.set(id, wait === null ? Number.POSITIVE_INFINITY : now + wait + 100);
    }
    if (now % 2000 > 0) continue;
    const wait = rateLimit.reserveJoin(in1(`healthy at ${now}`));
    waits.push(wait);
    sends.push(now + (wait ?? 0));
  }
  expect(mostInAMinute(sends)).toBeLessThanOrEqual(110);
  // The first rejoins, all at once, count as first joins; a minute later they no longer matter.
  expect(new Set(waits.slice(30))).toEqual(new Set([0]));
});

it('counts leaves towards the joins of the same shard only', () => {
  let now = 0;
  const rateLimit = createJoinRateLimit(undefined, () => now);
  for (let count = 0; count < 79; count++) rateLimit.record(in1('a'));
  now = 1000;
  expect(rateLimit.reserveJoin(in1('b'))).toBe(0);
  expect(rateLimit.reserveJoin(in1('b'))).toBe(59_000);
  expect(rateLimit.reserveJoin(in1('c'))).toBe(59_000);
  expect(rateLimit.reserveJoin({ id: 'd', shardId: 2 })).toBe(0);
  now = 60_000;
  expect(rateLimit.reserveJoin(in1('e'))).toBe(0);
});
