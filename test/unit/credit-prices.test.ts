// What amounts cost at the operator's prices.
import { expect, it } from 'vitest';
import { affordableAmount, costOf, readPrices } from '../../src/charging/prices.ts';
import { readConfig } from '../../src/config.ts';

const prices = { perMillionBytes: 15, perHour: 0.36 };
const unknown = { perMillionBytes: null, perHour: null };

it('computes the cost of bytes and seconds', () => {
  expect(costOf({ kind: 'speech', billed: 2000 }, prices)).toBeCloseTo(0.03, 12);
  expect(costOf({ kind: 'transcription', billed: 600 }, prices)).toBeCloseTo(0.06, 12);
});

it('computes what a balance pays for', () => {
  expect(affordableAmount('speech', 3, prices)).toBeCloseTo(200_000, 6);
  expect(affordableAmount('transcription', 0.18, prices)).toBeCloseTo(1800, 6);
  expect(affordableAmount('speech', -1, prices)).toBe(0);
});

it('knows nothing without a price', () => {
  expect(costOf({ kind: 'speech', billed: 1 }, unknown)).toBeNull();
  expect(affordableAmount('transcription', 10, unknown)).toBeNull();
});

it('treats a price of 0 as free, not limited by any balance', () => {
  const free = { perMillionBytes: 0, perHour: 0 };
  expect(costOf({ kind: 'speech', billed: 1000 }, free)).toBe(0);
  expect(affordableAmount('speech', 10, free)).toBeNull();
});

it("prefers the operator's prices to those of the service", () => {
  expect(readPrices(readConfig({}))).toEqual(unknown);
  expect(readPrices(readConfig({ PRICE_PER_HOUR: '0' }), prices)).toEqual({ perMillionBytes: 15, perHour: 0 });
});

it('counts a free model’s bytes for nothing, whatever the price of others, but not transcription', () => {
  const given = { PRICE_PER_MILLION_BYTES: '15', PRICE_PER_HOUR: '0.36' };
  expect(readPrices(readConfig({ ...given, VOICE_MODEL: 's2.1-pro-free' }))).toEqual({ perMillionBytes: 0, perHour: 0.36 });
  expect(readPrices(readConfig({ VOICE_MODEL: 's2.1-pro-free' }), prices).perMillionBytes).toBe(0);
  expect(readPrices(readConfig({ ...given, VOICE_MODEL: 'free' })).perMillionBytes).toBe(15);
});
