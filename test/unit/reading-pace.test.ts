// How long texts are expected to be heard, after some were.
import { describe, expect, it } from 'vitest';
import { createPace } from '../../src/reading/pace.ts';

const TEXT = 'A message of about sixty letters, as members write them all day.';
const usual = { base: 1, hurry: 1 };
const fast = { base: 1, hurry: 1.4 };

describe('the pace of reading', () => {
  it('learns how slowly the voices speak', () => {
    const pace = createPace();
    const before = pace.secondsOf(TEXT, usual);
    for (let count = 0; count < 20; count++) pace.learn(TEXT, usual, 2 * before);
    expect(pace.secondsOf(TEXT, usual)).toBeCloseTo(2 * before, 1);
    expect(pace.secondsOf(TEXT, { base: 2, hurry: 1 })).toBeCloseTo(before, 1);
  });

  it('counts on the speed as long as it shortens what is heard', () => {
    const pace = createPace();
    const before = pace.secondsOf(TEXT, usual);
    for (let count = 0; count < 10; count++) pace.learn(TEXT, fast, before / 1.4);
    expect(pace.canHurry).toBe(true);
    expect(pace.secondsOf(TEXT, fast)).toBeCloseTo(before / 1.4, 5);
  });

  it('notices that the service ignores the speed', () => {
    const pace = createPace();
    const before = pace.secondsOf(TEXT, usual);
    for (let count = 0; count < 8; count++) pace.learn(TEXT, fast, before);
    expect(pace.canHurry).toBe(false);
    expect(pace.takesSpeed).toBe(true);
    expect(pace.secondsOf(TEXT, fast)).toBeGreaterThan(0.9 * before);
  });

  it('remembers that the service refuses a speed', () => {
    const pace = createPace();
    pace.refuseSpeed();
    expect(pace).toMatchObject({ canHurry: false, takesSpeed: false });
  });

  it('learns nothing from texts that are mostly a pause', () => {
    const pace = createPace();
    const before = pace.secondsOf(TEXT, usual);
    for (let count = 0; count < 50; count++) pace.learn('ok', usual, 1);
    expect(pace.secondsOf(TEXT, usual)).toBe(before);
  });
});
