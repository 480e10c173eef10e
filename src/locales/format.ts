// Numbers, plurals, lengths of time and lists, as each language writes them.
import { TimestampStyles, time } from 'discord.js';

/** Somebody else's words, which must not end the code span or fill the message. */
export { asCode as code } from '../text/untrusted-text.ts';

const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const;

/** A sentence for each plural category that the language has; `#` is the number, so nobody else’s words belong in it. https://cldr.unicode.org/index/cldr-spec/plural-rules */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** @param locale BCP 47 */
export function createFormat(locale: string) {
  // Made at their first use: ten languages of them would take a noticeable part of the start.
  const rules = once(() => new Intl.PluralRules(locale));
  const and = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }));
  const or = once(() => new Intl.ListFormat(locale, { type: 'disjunction' }));
  const duration = once(() => createDurationFormat(locale));
  const languageNames = once(() => new Intl.DisplayNames(locale, { type: 'language' }));
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent' }));
  const number = (value: number, digits = 0) => value.toLocaleString(locale, { maximumFractionDigits: digits });

  return {
    locale,
    /** "1,200". @param digits after the decimal point, at most */
    number,
    /** "1 character", "1,200 characters". */
    plural: (count: number, forms: Plural) =>
      (forms[rules().select(count)] ?? forms.other).replaceAll('#', () => number(count, Number.isInteger(count) ? 0 : 1)),
    /** "0.00124": three digits of an amount of any size, for "about". */
    significant: (value: number) => value.toLocaleString(locale, { maximumSignificantDigits: 3 }),
    /** "7%", for a share of 0.07. What is more than nothing is never shown as 0%. */
    percent: (share: number) => percent().format(share > 0 ? Math.max(0.01, share) : 0),
    /**
     * "2 minutes, 30 seconds": a length of time is written out wherever members read it, except that a transcript shows its times and its own
     * length as a clock time, 2:30, as players do. The two largest units, to the nearest second; what is more than nothing is never 0 seconds.
     */
    duration: (seconds: number) => duration()(seconds),
    /** "10 MB". As Discord counts them: 10 MB are 10 × 1024 × 1024 bytes. */
    megabytes: (bytes: number) => `${number(bytes / 1024 / 1024, 1)} MB`,
    /** "a, b and c". */
    and: (items: readonly string[]) => and().format(items),
    /** "a, b or c". */
    or: (items: readonly string[]) => or().format(items),
    /** "Italian"; anything that is no code of a language stays as it is. @param code BCP 47 */
    language: (code: string) => {
      try {
        return languageNames().of(code) ?? code;
      } catch {
        return code;
      }
    },
    relative,
  };
}

/** "in 3 hours", which Discord writes in the reader's own language. @param at milliseconds since 1970 */
export function relative(at: number): string {
  return time(Math.ceil(at / 1000), TimestampStyles.RelativeTime);
}

/** Sentences that follow each other: Chinese and Japanese have no space between them. @param locale BCP 47 */
export function joinSentences({ locale }: { locale: string }, ...sentences: string[]): string {
  return sentences.join(/^(ja|zh)/.test(locale) ? '' : ' ');
}

function once<T>(create: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= create());
}

function createDurationFormat(locale: string): (seconds: number) => string {
  const usual = new Intl.DurationFormat(locale, { style: 'long' });
  const zero = new Intl.DurationFormat(locale, { style: 'long', secondsDisplay: 'always' });
  return (seconds) => (seconds > 0 ? usual.format(largestUnits(Math.max(1, Math.round(seconds)))) : zero.format({ seconds: 0 }));
}

function largestUnits(seconds: number): Partial<Record<(typeof UNITS)[number][0], number>> {
  // Intl.DurationFormat refuses what is longer than any machine has run.
  let left = Math.min(2 ** 40, seconds);
  const parts: [(typeof UNITS)[number][0], number][] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push([unit, count]);
  }
  // After ten of the largest unit, the next one is noise: "12 minutes", not "12 minutes 3 seconds".
  const shown = (parts[0]?.[1] ?? 0) >= 10 ? parts.slice(0, 1) : parts.slice(0, 2);
  return Object.fromEntries(shown);
}
