// How often a guild's voice may be joined.
import { expect, it } from 'vitest';
import { createJoinBudget } from '../src/voice/join-budget.ts';

it('gives a guild five joins in any minute, each after a longer pause, whatever other guilds do', () => {
  let now = 0;
  const budget = createJoinBudget(undefined, () => now);
  const take = (count: number, guild = 'a') => Array.from({ length: count }, () => budget.take(guild));
  expect(take(7)).toEqual([0, 0, 1000, 4000, 10_000, null, null]);
  expect(take(1, 'b')).toEqual([0]);
  now = 59_999;
  expect(take(1)).toEqual([null]);
  now = 60_001;
  expect(take(3)).toEqual([4000, 10_000, null]);
  now = 200_000;
  expect(take(1)).toEqual([0]);
});

it('does not count what went well', () => {
  const budget = createJoinBudget(undefined, () => 0);
  for (let round = 0; round < 20; round++) {
    expect(budget.take('a')).toBe(0);
    budget.forget('a');
  }
});
