// Numbers in a text, in words: dates, times, money, measures, telephone numbers and all others.
import { MONTHS, UNITS } from './abbreviations.ts';
import { cardinal, clock, decade, decimal, digitByDigit, ordinal, year } from './numbers.ts';
import type { Accent } from './voices.ts';

const MONTH_NAMES = Object.values(MONTHS);
const MONTH = `(?<month>${[...Object.keys(MONTHS).map((short) => `${short}\\b\\.?`), ...MONTH_NAMES, 'Sept\\b\\.?'].join('|')})`;
const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+`;
const SCALE = '(?: ?(?<scale>thousand|million|billion|trillion|[kKMB]|bn|mn?|mil)(?![A-Za-z]))?';
const SCALE_WORDS: Readonly<Record<string, string>> = {
  k: 'thousand',
  m: 'million',
  mn: 'million',
  mil: 'million',
  b: 'billion',
  bn: 'billion',
};
const CURRENCIES: Readonly<Record<string, [one: string, many: string, part: string, parts: string]>> = {
  $: ['dollar', 'dollars', 'cent', 'cents'],
  '€': ['euro', 'euros', 'cent', 'cents'],
  '£': ['pound', 'pounds', 'penny', 'pence'],
  '¥': ['yen', 'yen', 'sen', 'sen'],
  '₹': ['rupee', 'rupees', 'paisa', 'paise'],
};

/** @returns the text without digits, but for those inside of words */
export function sayQuantities(text: string, accent: Accent): string {
  return [sayDates, sayTimes, sayMoney, sayMeasures, sayNumbers].reduce((said, say) => say(said, accent), text);
}

function sayDates(text: string, accent: Accent): string {
  const named = (day: string, month: string, years: string | undefined) => {
    const name = MONTHS[month.slice(0, 3) as keyof typeof MONTHS] ?? month;
    const said = ordinal(String(Number(day)), accent);
    const date = accent === 'american' ? `${name} ${said}` : `the ${said} of ${name}`;
    return years === undefined ? date : `${date}, ${year(years, accent)}`;
  };
  const numbered = (whole: string, day: number, month: number, years: string | undefined) => {
    const name = MONTH_NAMES[month - 1];
    return name === undefined || day < 1 || day > 31 ? whole : named(String(day), name, years);
  };
  const full = (years: string) => (years.length === 2 ? `20${years}` : years);
  return text
    .replace(/(\d-\d\d)T(?=\d\d:)/g, '$1, ')
    .replace(/\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/g, (whole: string, y: string, m: string, d: string) =>
      numbered(whole, Number(d), Number(m), y),
    )
    .replace(/\b(\d{1,2})([/.])(\d{1,2})\2((?:19|20)\d\d|\d\d)\b(?!\.\d)/g, (whole: string, a: string, _: string, b: string, y: string) => {
      const dayFirst = Number(a) > 12 || (Number(b) <= 12 && accent === 'british');
      return dayFirst ? numbered(whole, Number(a), Number(b), full(y)) : numbered(whole, Number(b), Number(a), full(y));
    })
    .replace(new RegExp(`\\b${MONTH} (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? ((?:1[1-9]|20)\\d\\d)\\b)?(?!:)`, 'g'), (...match) =>
      named(match[2], match[1], match[3]),
    )
    .replace(new RegExp(`\\b(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?:,? ((?:1[1-9]|20)\\d\\d)\\b)?`, 'g'), (...match) =>
      named(match[1], match[2], match[3]),
    )
    .replace(
      /\b(January|February|March|April|June|July|August|September|October|November|December) ((?:1[1-9]|20)\d\d)\b/g,
      (_, m: string, y: string) => `${m} ${year(y, accent)}`,
    )
    .replace(/(?<![\w.,-])'?(\d0|(?:1[1-9]|20)\d0)'?s\b/g, (_, digits: string) => decade(digits));
}

/** "p.m.", with its last stop unless that ends the sentence, too. */
const HALF = '(?: ?(?<half>[apAP])(?:\\.[mM]\\b|[mM]\\b)(?:\\.(?=\\s+[a-z(]|[,;:]))?)';

function sayTimes(text: string, accent: Accent): string {
  const half = (letter: string | undefined) => (letter === undefined ? '' : ` ${letter.toUpperCase()}_M`);
  return text
    .replace(/(:[0-5]\d) ?[-–] ?(?=\d{1,2}:[0-5]\d)/g, '$1 to ')
    .replace(
      new RegExp(`\\b([01]?\\d|2[0-4]):([0-5]\\d)(?::([0-5]\\d)(?:\\.\\d+)?Z?)?${HALF}?`, 'g'),
      (_: string, hours: string, minutes: string, seconds: string | undefined, letter: string | undefined) => {
        const said = clock(hours, minutes, letter !== undefined, accent);
        return said + (seconds ? ` and ${cardinal(String(Number(seconds)), accent)} seconds` : '') + half(letter);
      },
    )
    .replace(
      new RegExp(`\\b(1[0-2]|[1-9])${HALF}`, 'g'),
      (_: string, hours: string, letter: string) => cardinal(hours, accent) + half(letter),
    )
    .replace(/\b([ap])\.m\b\.?/gi, (_: string, letter: string) => half(letter).trim());
}

function sayMoney(text: string, accent: Accent): string {
  const amount = (sign: string, number: string, scale: string | undefined): string => {
    const [one, many, part, parts] = CURRENCIES[sign] as [string, string, string, string];
    const [whole = '', cents] = number.split('.');
    if (scale) return `${decimal(number, accent)} ${SCALE_WORDS[scale.toLowerCase()] ?? scale} ${many}`;
    if (cents === undefined || cents.length !== 2) return `${decimal(number, accent)} ${number === '1' ? one : many}`;
    const said = [];
    if (Number(whole.replaceAll(',', '')) > 0) said.push(`${cardinal(whole, accent)} ${whole === '1' ? one : many}`);
    if (Number(cents) > 0) said.push(`${cardinal(String(Number(cents)), accent)} ${Number(cents) === 1 ? part : parts}`);
    return said.length > 0 ? said.join(' and ') : `zero ${many}`;
  };
  return text
    .replace(/(?<=[\d%]) ?[-–] ?(?=[$€£¥₹]\d)/g, ' to ')
    .replace(
      new RegExp(`(-?)(?:US|CA|AU)?([$€£¥₹]) ?(${NUMBER})${SCALE}`, 'g'),
      (...match) => (match[1] ? 'minus ' : '') + amount(match[2], match[3], match[4]),
    )
    .replace(new RegExp(`(?<![\\d.,])(${NUMBER})${SCALE} ?([€£¥₹])`, 'g'), (...match) => amount(match[3], match[1], match[2]))
    .replace(
      new RegExp(`(?<![\\d.,])(${NUMBER}) ?¢`, 'g'),
      (_, number: string) => `${decimal(number, accent)} ${number === '1' ? 'cent' : 'cents'}`,
    );
}

const UNIT = new RegExp(
  `(?<![\\w.])(-?)(${NUMBER})(?: ?(?:-|–|to) ?(${NUMBER}))?( ?)(${Object.keys(UNITS)
    .toSorted((a, b) => b.length - a.length)
    .map((unit) => unit.replace(/[/^]/g, '\\$&'))
    .join('|')})(?![\\w°²³'])(?:\\.(?=[,;:]|\\s+[a-z]))?`,
  'g',
);

function sayMeasures(text: string, accent: Accent): string {
  return text
    .replace(/(?<=\d%) ?[-–] ?(?=\d)/g, ' to ')
    .replace(/\b(\d)'(\d{1,2})"?(?!\w)/g, (_, feet: string, inches: string) => `${cardinal(feet, accent)} foot ${cardinal(inches, accent)}`)
    .replace(UNIT, (whole: string, minus: string, number: string, end: string | undefined, gap: string, unit: string) => {
      const [one, many] = UNITS[unit] as [string, string];
      // "3 in a row", "a 5 h" and "7 A" are no units where a blank stands before so short a word.
      if (gap !== '' && /^(?:in|m|g|s|h|d|V|A|x|K|M|B|C|F|p)$/.test(unit) && !/^(?:m|g|V|s|h)$/.test(unit)) return whole;
      const range = end === undefined ? '' : ` to ${decimal(end, accent)}`;
      return `${minus && end === undefined ? 'minus ' : ''}${decimal(number, accent)}${range} ${number === '1' && end === undefined ? one : many}`;
    });
}

const FRACTIONS: Readonly<Record<string, string>> = {
  '1/2': 'one half',
  '1/3': 'one third',
  '2/3': 'two thirds',
  '1/4': 'one quarter',
  '3/4': 'three quarters',
  '1/8': 'one eighth',
  '3/8': 'three eighths',
  '5/8': 'five eighths',
  '7/8': 'seven eighths',
  '½': 'one half',
  '⅓': 'one third',
  '⅔': 'two thirds',
  '¼': 'one quarter',
  '¾': 'three quarters',
};

function sayNumbers(text: string, accent: Accent): string {
  return (
    text
      .replace(/(\d) ?([½⅓⅔¼¾])/g, (_, whole: string, part: string) => `${whole} and ${FRACTIONS[part]?.replace(/^one /, 'a ')}`)
      .replace(/[½⅓⅔¼¾]/g, (part) => ` ${FRACTIONS[part]} `)
      .replace(
        /(?<![\w/.])(\d+) (\d\/\d)(?![\w/])/g,
        (_, whole: string, part: string) => `${whole} and ${(FRACTIONS[part] ?? part).replace(/^one /, 'a ')}`,
      )
      .replace(/(?<![\w/.])\d\/\d(?![\w/.])/g, (part) => FRACTIONS[part] ?? part.replace('/', ' out of '))
      .replace(/\b24\/7\b/g, 'twenty four seven')
      .replace(/\b9\/11\b/g, 'nine eleven')
      .replace(/(\d) \/ (?=\d)/g, '$1 divided by ')
      .replace(
        /(?<![\w/.])(\d+)\/(\d+)(?![\w/.])/g,
        (_, part: string, whole: string) => `${cardinal(part, accent)} out of ${cardinal(whole, accent)}`,
      )
      // Telephone numbers, with pauses between their groups.
      .replace(
        /(?<![\w.])(?:\+(\d{1,3})[ -]?)?(?:\((\d{3,4})\) ?|(\d{3})[-. ](?=\d{3}[-. ]\d{4}))(\d{3})[-. ](\d{4})\b/g,
        (_: string, ...groups: (string | undefined)[]) =>
          groups
            .slice(0, 5)
            .flatMap((group) => (group === undefined ? [] : [digitByDigit(group)]))
            .join(', '),
      )
      .replace(/(?<![\w.-])(\d{3})-(\d{4})(?![\w-])/g, (_, a: string, b: string) => `${digitByDigit(a)}, ${digitByDigit(b)}`)
      .replace(/(?<!\w)(?:\+\d+(?:[ -]\d{2,}){2,}|\d{3,}(?:[ -]\d{3,}){2,})(?!\w)/g, (groups) =>
        groups.split(/[ -]/).map(digitByDigit).join(', '),
      )
      .replace(/\b(\d+)(?:st|nd|rd|th)\b/gi, (_, digits: string) => ordinal(digits, accent))
      // "v2.0.1", and sections such as 3.1.4.
      .replace(/\b(?:[vV]ersion )?[vV]\.?(?=\d)/g, 'version ')
      .replace(/\b\d+(?:\.\d+){2,}\b/g, (version) =>
        version
          .split('.')
          .map((part) => cardinal(part, accent))
          .join(' point '),
      )
      // From the year before to the next.
      .replace(
        /(?<![\w.,-])((?:1[1-9]|20)\d\d)\s?[-–]\s?((?:1[1-9]|20)\d\d)(?![\w-]|,\d)/g,
        (_, from: string, to: string) => `${year(from, accent)} to ${year(to, accent)}`,
      )
      .replace(
        /(?<![\w.,])(-?\d+(?:\.\d+)?)\s?[-–]\s?(\d+(?:\.\d+)?)(?![\w-]|\.\d)/g,
        (_, from: string, to: string) => `${decimal(from, accent)} to ${decimal(to, accent)}`,
      )
      .replace(/(?<![\w.,$-])((?:1[1-9]|20)\d\d)(?![\w,]*\d|\.\d)/g, (digits: string) => ` ${year(digits, accent)} `)
      .replace(/(?<=\d)(?:x|×)(?=\d)/g, ' by ')
      .replace(
        /(?<=\d)\s*([+=*×÷])\s*(?=\d)/g,
        (_, sign: string) => ` ${{ '+': 'plus', '=': 'equals', '*': 'times', '×': 'times', '÷': 'divided by' }[sign]} `,
      )
      .replace(/(?<=^|[\s(])[-−](?=\d|\.\d)/g, 'minus ')
      .replace(new RegExp(NUMBER, 'g'), (number) => ` ${decimal(number, accent)} `)
  );
}
