// How long texts are expected to be heard, after some were.
import { describe, expect, it } from 'vitest';
import { createSpeechRateEstimator } from '../../src/reading/backlog.ts';

const TEXT = 'A message of about sixty letters, as members write them all day.';
const usual = { base: 1, speedFactor: 1 };
const fast = { base: 1, speedFactor: 1.4 };

describe('the pace of reading', () => {
  it('learns how slowly the voices speak', () => {
    const speechRate = createSpeechRateEstimator();
    const before = speechRate.secondsOf(TEXT, usual);
    for (let count = 0; count < 20; count++) speechRate.learn(TEXT, usual, 2 * before);
    expect(speechRate.secondsOf(TEXT, usual)).toBeCloseTo(2 * before, 1);
    expect(speechRate.secondsOf(TEXT, { base: 2, speedFactor: 1 })).toBeCloseTo(before, 1);
  });

  it('counts on the speed as long as it shortens what is heard', () => {
    const speechRate = createSpeechRateEstimator();
    const before = speechRate.secondsOf(TEXT, usual);
    for (let count = 0; count < 10; count++) speechRate.learn(TEXT, fast, before / 1.4);
    expect(speechRate.canSpeedUp).toBe(true);
    expect(speechRate.secondsOf(TEXT, fast)).toBeCloseTo(before / 1.4, 5);
  });

  it('notices that the service ignores the speed', () => {
    const speechRate = createSpeechRateEstimator();
    const before = speechRate.secondsOf(TEXT, usual);
    for (let count = 0; count < 8; count++) speechRate.learn(TEXT, fast, before);
    expect(speechRate.canSpeedUp).toBe(false);
    expect(speechRate.takesSpeed).toBe(true);
    expect(speechRate.secondsOf(TEXT, fast)).toBeGreaterThan(0.9 * before);
  });

  it('remembers that the service refuses a speed', () => {
    const speechRate = createSpeechRateEstimator();
    speechRate.refuseSpeed();
    expect(speechRate).toMatchObject({ canSpeedUp: false, takesSpeed: false });
  });

  it('learns nothing from texts that are mostly a pause', () => {
    const speechRate = createSpeechRateEstimator();
    const before = speechRate.secondsOf(TEXT, usual);
    for (let count = 0; count < 50; count++) speechRate.learn('ok', usual, 1);
    expect(speechRate.secondsOf(TEXT, usual)).toBe(before);
  });
});
