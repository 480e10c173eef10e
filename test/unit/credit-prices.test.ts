// What calls cost, learnt from the balance: exact decimals, samples between looks, a price that survives wrong samples, and top-ups.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultTimeouts } from '../../src/api/index.ts';
import { formatDecimal, parseDecimal } from '../../src/credit/decimal.ts';
import { createMeter, ENOUGH_SAMPLES, type Sample, unitPrice } from '../../src/credit/prices.ts';
import { type Fill, fillAfter, fillAfterRefusal, usedPart } from '../../src/credit/top-ups.ts';

const units = (text: string): bigint => parseDecimal(text) ?? expect.fail(`${text} is no decimal`);

describe('amounts of credit', () => {
  it('are read and written without a loss', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), (amount) => {
        expect(parseDecimal(formatDecimal(amount))).toBe(amount);
      }),
    );
  });

  it('are exact where a float would not be', () => {
    expect(formatDecimal(units('0.1') + units('0.2'))).toBe('0.3');
    expect(formatDecimal(units('9007199254740993.000000000000000001'))).toBe('9007199254740993.000000000000000001');
    expect(formatDecimal(units('-12.3400'))).toBe('-12.34');
    expect(formatDecimal(units('-0.5') + units('+1.'))).toBe('0.5');
    expect(formatDecimal(units('0.0000000000000000019'))).toBe('0.000000000000000001');
  });

  it.each(['', '1,5', '1e3', 'NaN', '0x10', '.5', '1.2.3', '∞', '1'.repeat(100)])('"%s" is none', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });
});

describe('a price', () => {
  const sample = (amount: number, cost: string): Sample => ({ amount, cost });
  const right = (count: number, price = 0.000015): Sample[] =>
    Array.from({ length: count }, (_, index) => {
      const amount = 10 + ((index * 37) % 300);
      return sample(amount, formatDecimal(BigInt(Math.round(amount * price * 1e9)) * 10n ** 9n));
    });

  it('is not known under ten samples', () => {
    expect(unitPrice(right(ENOUGH_SAMPLES - 1))).toBeNull();
    expect(unitPrice(right(ENOUGH_SAMPLES))).toBeCloseTo(15e12, -10);
  });

  it('stays right with a fifth of the samples wrong, on either side', () => {
    const wrong = fc.oneof(fc.double({ min: 1.5, max: 1000, noNaN: true }), fc.double({ min: 0.001, max: 0.7, noNaN: true }));
    fc.assert(
      fc.property(fc.array(wrong, { maxLength: 4 }), (factors) => {
        const samples = right(20);
        for (const [index, factor] of factors.entries()) {
          const { amount, cost } = samples[index * 4] as Sample;
          samples[index * 4] = sample(amount, formatDecimal(BigInt(Math.round(Number(units(cost)) * factor))));
        }
        const price = unitPrice(samples) ?? 0;
        expect(price / 15e12).toBeGreaterThan(0.99);
        expect(price / 15e12).toBeLessThan(1.01);
      }),
    );
  });

  it('comes out of a balance of two decimals, of which a call changes none most of the time', () => {
    // 100 characters cost 0.0015 each time; the balance is shown as it is rounded down.
    let left = units('100');
    const cent = units('0.01');
    const meter = createMeter(0);
    const samples: Sample[] = [];
    for (let call = 0; call < 300; call++) {
      meter.begin('speech')(100 + (call % 50));
      left -= units('0.000015') * BigInt(100 + (call % 50));
      const { sample } = meter.look()((left / cent) * cent);
      if (sample) samples.push({ amount: sample.amount, cost: formatDecimal(sample.cost) });
    }
    expect(samples.length).toBeGreaterThan(ENOUGH_SAMPLES);
    const price = unitPrice(samples) ?? 0;
    expect(price / 15e12).toBeGreaterThan(0.95);
    expect(price / 15e12).toBeLessThan(1.05);
  });
});

describe('a sample', () => {
  let clock = 0;
  const start = (settleMs = 0) => {
    const meter = createMeter(settleMs, () => clock);
    const see = (balance: bigint) => meter.look()(balance);
    see(1000n);
    return { meter, see };
  };

  it('is what the balance went down by around a call', () => {
    const { meter, see } = start();
    meter.begin('speech')(40);
    expect(see(960n)).toEqual({ quiet: true, sample: { kind: 'speech', amount: 40, cost: 40n } });
    meter.begin('transcription')(2.5);
    expect(see(955n).sample).toEqual({ kind: 'transcription', amount: 2.5, cost: 5n });
    expect(see(955n).sample).toBeNull();
  });

  it('is the sum of calls that overlapped', () => {
    const { meter, see } = start();
    const [first, second] = [meter.begin('speech'), meter.begin('speech')];
    first(10);
    expect(see(980n)).toEqual({ quiet: false, sample: null });
    second(30);
    expect(see(960n).sample).toEqual({ kind: 'speech', amount: 40, cost: 40n });
  });

  it('waits for a call that began or ended while the balance was looked at', () => {
    const { meter, see } = start();
    const ended = meter.look();
    meter.begin('speech')(10);
    expect(ended(990n)).toEqual({ quiet: false, sample: null });
    expect(see(990n).sample).toEqual({ kind: 'speech', amount: 10, cost: 10n });
  });

  it('waits until a call is surely booked', () => {
    const { meter, see } = start(1000);
    meter.begin('speech')(10);
    clock += 999;
    expect(see(995n).quiet).toBe(false);
    clock += 1;
    expect(see(990n).sample?.cost).toBe(10n);
  });

  it('is thrown away with a top-up, a call whose end nobody knows, or calls of both kinds', () => {
    const { meter, see } = start();
    meter.begin('speech')(10);
    expect(see(2000n)).toEqual({ quiet: true, sample: null });
    meter.begin('speech')(null);
    meter.begin('speech')(10);
    expect(see(1980n).sample).toBeNull();
    meter.begin('speech')(10);
    meter.begin('transcription')(10);
    expect(see(1960n).sample).toBeNull();
    // Somebody else spends from the wallet.
    expect(see(1900n).sample).toBeNull();
    meter.begin('speech')(10);
    expect(see(1890n).sample?.amount).toBe(10);
  });

  it('waits for the longest call that the client allows', () => {
    const { meter, see } = start();
    const end = meter.begin('transcription');
    clock += Math.max(...Object.values(defaultTimeouts));
    expect(see(995n).quiet).toBe(false);
    end(3600);
    expect(see(990n).sample).toEqual({ kind: 'transcription', amount: 3600, cost: 10n });
  });

  it('is not kept waiting for ever by a call that was forgotten', () => {
    const { meter, see } = start();
    meter.begin('speech');
    expect(see(1000n).quiet).toBe(false);
    clock += 24 * 3_600_000;
    expect(see(990n)).toEqual({ quiet: true, sample: null });
    meter.begin('speech')(10);
    expect(see(980n).sample?.amount).toBe(10);
  });

  it('counts each end once', () => {
    const { meter, see } = start();
    const end = meter.begin('speech');
    end(10);
    end(10);
    end(null);
    expect(see(990n).sample?.amount).toBe(10);
  });
});

describe('what operators are told', () => {
  const NOW = Date.UTC(2030, 0, 1);
  /** What is told as the balance goes this way. */
  function told(...balances: string[]): ('out' | number)[] {
    let fill: Fill | null = null;
    return balances.flatMap((balance): ('out' | number)[] => {
      const after =
        balance === '402' ? fillAfterRefusal(fill) : fillAfter(fill && JSON.parse(JSON.stringify(fill)), 'me', units(balance), NOW);
      fill = after.fill;
      if (!after.news) return [];
      return after.news.kind === 'out' ? ['out'] : [after.news.percent];
    });
  }

  it('is each of 50, 75 and 90 %, once', () => {
    expect(told('100', '50.01', '50', '49', '30', '25', '25', '10.0', '5', '1')).toEqual([50, 75, 90]);
  });

  it('is the highest alone where several are passed at once', () => {
    expect(told('100', '20', '15', '9')).toEqual([75, 90]);
  });

  it('begins anew with a top-up', () => {
    expect(told('100', '40', '1000', '501', '500')).toEqual([50, 50]);
    expect(told('100', '4', '0', '402', '402', '0.5', '0.2', '0.1')).toEqual([90, 'out', 50, 75]);
  });

  it('does not begin anew where a little is given back', () => {
    expect(told('100', '49', '49.9', '49.5', '50.4', '50')).toEqual([50]);
  });

  it('is not that it is used up where one call alone was too dear', () => {
    expect(told('100', '30', '402', '9', '402', '5', '402')).toEqual([50, 90, 'out']);
  });

  it('is said once where the credit is used up', () => {
    expect(told('100', '3', '402', '402', '2', '402')).toEqual([90, 'out']);
    expect(told('402', '402')).toEqual(['out']);
  });

  it('never goes wrong, whatever the balance does', () => {
    const balance = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 21n }).map(formatDecimal);
    fc.assert(
      fc.property(fc.array(balance, { maxLength: 30 }), (balances) => {
        let fill: Fill | null = null;
        for (const one of balances) {
          const after = fillAfter(fill, 'me', units(one), NOW);
          fill = after.fill;
          expect(fill.latest).toBe(formatDecimal(units(one)));
          const part = usedPart(fill);
          if (part !== null) {
            expect(part).toBeGreaterThanOrEqual(0);
            expect(part).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });

  it('does not mix up two wallets, and knows when a balance was first seen', () => {
    const first = fillAfter(null, 'me', units('100'), NOW).fill;
    expect(first.changedAt).toBeNull();
    const second = fillAfter(first, 'me', units('90'), NOW + 5).fill;
    expect(fillAfter(second, 'me', units('90'), NOW + 9).fill.changedAt).toBe(NOW + 5);
    expect(fillAfter(second, 'somebody else', units('1'), NOW)).toMatchObject({ fill: { full: '1', told: 0 }, news: null });
  });
});
