// Exact amounts of credit, and the alerts that operators get as a balance falls.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatDecimal, parseDecimal } from '../../src/charging/decimal.ts';
import { levelAfter, levelAfterRefusal, usedShare, type WalletLevel } from '../../src/charging/level.ts';

const units = (text: string): bigint => parseDecimal(text) ?? expect.fail(`${text} is not a decimal`);

describe('amounts of credit', () => {
  it('survive parsing and formatting unchanged', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n }), (amount) => {
        expect(parseDecimal(formatDecimal(amount))).toBe(amount);
      }),
    );
  });

  it('are exact even if a float would not be', () => {
    expect(formatDecimal(units('0.1') + units('0.2'))).toBe('0.3');
    expect(formatDecimal(units('9007199254740993.000000000000000001'))).toBe('9007199254740993.000000000000000001');
    expect(formatDecimal(units('-12.3400'))).toBe('-12.34');
    expect(formatDecimal(units('-0.5') + units('+1.'))).toBe('0.5');
    expect(formatDecimal(units('0.0000000000000000019'))).toBe('0.000000000000000001');
  });

  it.each(['', '1,5', '1e3', 'NaN', '0x10', '.5', '1.2.3', '∞', '1'.repeat(100)])('does not include "%s"', (text) => {
    expect(parseDecimal(text)).toBeNull();
  });
});

describe('the level of a wallet', () => {
  const NOW = Date.UTC(2030, 0, 1);
  /** The alerts as the balance takes these values; 402 is a refusal. */
  function alertsFor(...balances: string[]): ('usedUp' | number)[] {
    let level: WalletLevel | null = null;
    return balances.flatMap((balance): ('usedUp' | number)[] => {
      const after =
        balance === '402'
          ? levelAfterRefusal(level, 'speech')
          : levelAfter(level && JSON.parse(JSON.stringify(level)), 'me', units(balance), NOW);
      level = after.level;
      if (!after.alert) return [];
      return after.alert.kind === 'usedUp' ? ['usedUp'] : [after.alert.percent];
    });
  }

  it('alerts at each of 50, 75 and 90 %, once', () => {
    expect(alertsFor('100', '50.01', '50', '49', '30', '25', '25', '10.0', '5', '1')).toEqual([50, 75, 90]);
  });

  it('alerts only to the highest percentage if several are passed at once', () => {
    expect(alertsFor('100', '20', '15', '9')).toEqual([75, 90]);
  });

  it('starts over with a top-up', () => {
    expect(alertsFor('100', '40', '1000', '501', '500')).toEqual([50, 50]);
    expect(alertsFor('100', '4', '0', '402', '402', '0.5', '0.2', '0.1')).toEqual([90, 'usedUp', 50, 75]);
  });

  it('does not start over with a small refund', () => {
    expect(alertsFor('100', '49', '49.9', '49.5', '50.4', '50')).toEqual([50]);
  });

  it('does not count as used up if one call was too expensive', () => {
    expect(alertsFor('100', '30', '402', '9', '402', '5', '402')).toEqual([50, 90, 'usedUp']);
  });

  it('alerts once when the credit is used up', () => {
    expect(alertsFor('100', '3', '402', '402', '2', '402')).toEqual([90, 'usedUp']);
    expect(alertsFor('402', '402')).toEqual(['usedUp']);
  });

  it('stays consistent whatever the balance does', () => {
    const balance = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 21n }).map(formatDecimal);
    fc.assert(
      fc.property(fc.array(balance, { maxLength: 30 }), (balances) => {
        let level: WalletLevel | null = null;
        for (const one of balances) {
          const after = levelAfter(level, 'me', units(one), NOW);
          level = after.level;
          expect(level.latest).toBe(one);
          const share = usedShare(level);
          if (share !== null) {
            expect(share).toBeGreaterThanOrEqual(0);
            expect(share).toBeLessThanOrEqual(1);
          }
        }
      }),
    );
  });

  it('does not mix up two wallets, and records when a balance was first seen', () => {
    const first = levelAfter(null, 'me', units('100'), NOW).level;
    expect(first.changedAt).toBeNull();
    const second = levelAfter(first, 'me', units('90'), NOW + 5).level;
    expect(levelAfter(second, 'me', units('90'), NOW + 9).level.changedAt).toBe(NOW + 5);
    expect(levelAfter(second, 'somebody else', units('1'), NOW)).toMatchObject({ level: { full: '1', alertedAt: 0 }, alert: null });
  });
});
