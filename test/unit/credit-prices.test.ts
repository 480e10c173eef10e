// What amounts cost at the operator's prices.
import { expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { affordableAmount, costOf, readPrices } from '../../src/wallet/account.ts';

const prices = { perMillionCharacters: 15, perHour: 0.36 };
const unknown = { perMillionCharacters: null, perHour: null };

it('computes the cost of characters and seconds', () => {
  expect(costOf({ kind: 'speech', amount: 2000 }, prices)).toBeCloseTo(0.03, 12);
  expect(costOf({ kind: 'transcription', amount: 600 }, prices)).toBeCloseTo(0.06, 12);
});

it('computes what a balance pays for', () => {
  expect(affordableAmount('speech', 3, prices)).toBeCloseTo(200_000, 6);
  expect(affordableAmount('transcription', 0.18, prices)).toBeCloseTo(1800, 6);
  expect(affordableAmount('speech', -1, prices)).toBe(0);
});

it('knows nothing without a price', () => {
  expect(costOf({ kind: 'speech', amount: 1 }, unknown)).toBeNull();
  expect(affordableAmount('transcription', 10, unknown)).toBeNull();
});

it('treats a price of 0 as free, not limited by any balance', () => {
  const free = { perMillionCharacters: 0, perHour: 0 };
  expect(costOf({ kind: 'speech', amount: 1000 }, free)).toBe(0);
  expect(affordableAmount('speech', 10, free)).toBeNull();
});

it("prefers the operator's prices to those of the service", () => {
  expect(readPrices(readConfig({}))).toEqual(unknown);
  expect(readPrices(readConfig({ PRICE_PER_HOUR: '0' }), prices)).toEqual({ perMillionCharacters: 15, perHour: 0 });
});
