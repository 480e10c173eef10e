// Numbers, lengths of time, shares and lists, as each language writes them: in messages by their styles, and for callers.
import { TimestampStyles, time } from 'discord.js';
import type { Formats, Formatters } from 'intl-messageformat';

const UNITS = [
  ['days', 86_400],
  ['hours', 3_600],
  ['minutes', 60],
  ['seconds', 1],
] as const;

/** @param locale BCP 47 */
export function createFormat(locale: string) {
  // Made at their first use: ten languages of them would take a noticeable part of the start.
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
    /** "12.3" or "0.0016": an amount of any size, for "about". Nobody asks for three digits of a fraction of a cent. */
    significant: (value: number) => value.toLocaleString(locale, { maximumSignificantDigits: value < 0.01 ? 2 : 3 }),
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

export type Format = ReturnType<typeof createFormat>;

/** How a message may ask for a number: `{seconds, number, duration}`. Without a style, a number has at most one digit after the decimal point. */
export const NUMBER_STYLES = ['duration', 'percent', 'significant', 'megabytes', 'hundredths', 'digits'] as const;
/** How a message may ask for a moment: `{at, time, relative}`. */
export const TIME_STYLES = ['relative'] as const;

/** The styles, for the library, which passes what it finds here on to the formatters. So a style need only be an object that is its own. */
export const formats: Formats = {
  number: Object.fromEntries(NUMBER_STYLES.map((style) => [style, {}])),
  date: {},
  time: Object.fromEntries(TIME_STYLES.map((style) => [style, {}])),
};

/** Has the library write numbers by our rules, in place of those of `Intl.NumberFormat`. */
export function createFormatters(format: Format): Formatters {
  const plain = withFormat((value) => format.number(value, 1));
  const rules: Record<(typeof NUMBER_STYLES)[number], (value: number) => string> = {
    duration: format.duration,
    percent: format.percent,
    significant: format.significant,
    megabytes: format.megabytes,
    hundredths: (value) => format.number(value, 2),
    // What counts nothing, such as the code of an error.
    digits: String,
  };
  const styled = new Map<object | undefined, Intl.NumberFormat>(
    NUMBER_STYLES.map((style) => [formats.number[style], withFormat(rules[style])]),
  );
  const moment = withFormat(relative);
  const plurals = once(() => new Intl.PluralRules(format.locale));
  return {
    getNumberFormat: (_locale, style) => styled.get(style) ?? plain,
    getDateTimeFormat: () => moment,
    getPluralRules: plurals,
  };
}

/** All that the library uses of a format of `Intl`; a real one would take memory for nothing. */
function withFormat(format: (value: number) => string) {
  return Object.create(null, { format: { value: format } });
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
  let value: T | undefined;
  return () => (value ??= create());
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
