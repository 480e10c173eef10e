// Numbers in a text, in words: dates, times, money, measures, telephone numbers and all others.
import { MONTHS, UNITS } from './abbreviations.ts';
import { cardinal, clock, decade, decimal, digitByDigit, inPairs, ordinal, year } from './numbers.ts';
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
  return [sayDates, sayTimes, sayMoney, sayModels, sayMeasures, sayNumbers].reduce((said, say) => say(said, accent), text);
}

function sayDates(text: string, accent: Accent): string {
  const named = (day: string, month: string, years: string | undefined) => {
    const name = MONTHS[month.slice(0, 3) as keyof typeof MONTHS] ?? month;
    const said = ordinal(String(Number(day)), accent);
    const date = accent === 'american' ? `${name} ${said}` : `the ${said} of ${name}`;
    return years === undefined ? date : `${date}, ${year(years, accent)}`;
  };
  const days = (first: string, last: string, month: string) => {
    const end = ordinal(String(Number(last)), accent);
    return accent === 'american'
      ? `${named(first, month, undefined)} to ${end}`
      : `the ${ordinal(String(Number(first)), accent)} to ${named(last, month, undefined)}`;
  };
  const numbered = (whole: string, day: number, month: number, years: string | undefined) => {
    const name = MONTH_NAMES[month - 1];
    return name === undefined || day < 1 || day > 31 ? whole : named(String(day), name, years);
  };
  const full = (years: string) => (years.length === 2 ? `20${years}` : years);
  return (
    text
      .replace(/(\d-\d\d)T(?=\d\d:)/g, '$1, ')
      .replace(/\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/g, (whole: string, y: string, m: string, d: string) =>
        numbered(whole, Number(d), Number(m), y),
      )
      .replace(
        /\b(\d{1,2})([/.])(\d{1,2})\2((?:19|20)\d\d|\d\d)\b(?!\.\d)/g,
        (whole: string, a: string, _: string, b: string, y: string) => {
          const dayFirst = Number(a) > 12 || (Number(b) <= 12 && accent === 'british');
          return dayFirst ? numbered(whole, Number(a), Number(b), full(y)) : numbered(whole, Number(b), Number(a), full(y));
        },
      )
      // "10-12 May" and "May 10-12".
      .replace(new RegExp(`\\b(\\d{1,2}) ?[-–] ?(\\d{1,2}) ${MONTH}`, 'g'), (...match) => days(match[1], match[2], match[3]))
      .replace(new RegExp(`\\b${MONTH} (\\d{1,2}) ?[-–] ?(\\d{1,2})\\b(?!:)`, 'g'), (...match) => days(match[2], match[3], match[1]))
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
      .replace(/(?<![\w.,-])'?((?:1[1-9]|20)\d0)'?s\b/g, (_, digits: string) => decade(digits))
      // "90s" alone are seconds.
      .replace(
        /(?<![\w.,-])(?:'(\d0)'?s|(?<=\b(?:the|early|mid|late|his|her|their|my) |\b(?:early|mid|late)-)(\d0)'?s|(\d0)'?s(?= (?:music|kids?|rock|pop|hits?|style|movies?|songs?|shows?|fashion|vibes?|nostalgia)\b))\b/g,
        (_, ...digits: (string | undefined)[]) => decade(digits.slice(0, 3).find((one) => one !== undefined) as string),
      )
  );
}

/** "p.m.", with its last stop unless that ends the sentence, too. */
const HALF = '(?: ?(?<half>[apAP])(?:\\.[mM]\\b|[mM]\\b)(?:\\.(?=\\s+[a-z(]|[,;:]))?)';

function sayTimes(text: string, accent: Accent): string {
  const half = (letter: string | undefined) => (letter === undefined ? '' : ` ${letter.toUpperCase()}_M`);
  return (
    text
      .replace(/(:[0-5]\d) ?[-–] ?(?=\d{1,2}:[0-5]\d)/g, '$1 to ')
      // "4:32.7", a lap; "10:1" and "16:9", odds and screens.
      .replace(
        /(?<!:\d\d)(:[0-5]\d)\.(\d{1,3})\b(?![.:]\d)/g,
        (_, seconds: string, part: string) => `${seconds} point ${digitByDigit(part)}`,
      )
      .replace(/(?<![\w:.,]|\b(?:[A-Z][a-z]+|verse|chapter) )(\d{1,4}):(\d)(?![\w:]|[.,]\d)/g, '$1 to $2')
      .replace(/\b(1[0-2]|[1-9])((?: ?[apAP][mM])?) ?[-–] ?(?=(?:1[0-2]|[1-9]) ?[apAP]\.?[mM]\b)/g, '$1$2 to ')
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
      .replace(/\b([ap])\.m\b\.?/gi, (_: string, letter: string) => half(letter).trim())
  );
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
    .replace(new RegExp(`(-?)(?:US|CA|AU)?([$€£¥₹]) ?(${NUMBER})${SCALE}`, 'g'), (...match) => {
      const [whole, minus, sign, number, scale] = match as string[];
      const [at, all] = match.slice(5) as [number, string];
      const said = (minus ? 'minus ' : '') + amount(sign as string, number as string, scale);
      const isOfWhat = isOfNoun(
        all.slice(Math.max(0, at - 10), at),
        all.slice(at + (whole as string).length, at + (whole as string).length + 20),
      );
      // "a $5 bill"
      return isOfWhat && !/\./.test(number as string) ? said.replace(/(dollar|euro|pound|rupee)s$/, '$1') : said;
    })
    .replace(new RegExp(`(?<![\\d.,])(${NUMBER})${SCALE} ?([€£¥₹])`, 'g'), (...match) => amount(match[3], match[1], match[2]))
    .replace(
      new RegExp(`(?<![\\d.,])(${NUMBER}) ?¢`, 'g'),
      (_, number: string) => `${decimal(number, accent)} ${number === '1' ? 'cent' : 'cents'}`,
    );
}

/** Emergency calls, digit by digit. */
const EMERGENCY = /(?<![\w.,$€£-])(911|999|112)(?![\w%°-]|[.,]\d)/g;
const anyOf = (units: readonly string[]) => units.map((unit) => unit.replace(/[/^]/g, '\\$&')).join('|');
/** "404 in" and "404 A" may be anything. */
const COUNTED = Object.keys(UNITS).filter((unit) => unit !== 'in' && (unit.length > 1 || /[mgVsh]/.test(unit)));
/** What is counted: "404 million", "404 km", "404 people" and other plurals, but not "404 errors" and "404 means". */
const COUNTS = `(?:hundred|thousand|million|billion|trillion|percent|people|men|women|children|of|and counting|${anyOf(COUNTED)}|(?!(?:errors|pages|responses|codes|links|means|happens|keeps|comes|shows|appears|always|i?s|[dg]oes|has|was|as)\\b)[a-z]+[^\\Wsu]s)`;
/** Read "four oh four", as a page that isn't there. */
const NOT_FOUND = new RegExp(`(?<![\\w.,$€£-])404(s?)\\b(?![%°-]|[.,]\\d| ${COUNTS}(?!\\w))`, 'g');
/** Graphics cards, processors and aircraft. */
const MODEL =
  /(?<=\b(?:RTX|GTX|RX|GT|Radeon|GeForce|Arc|Ryzen(?: [3579])?|i[3579]|Boeing|Airbus|Porsche) ?[-A]?)(\d{3,4})(?=(Ti|XT|XTX|X3D|[A-Z]{1,2})?\b)/g;

function sayModels(text: string): string {
  return (
    text
      .replace(MODEL, (digits) => (digits === '911' ? 'nine eleven' : `${inPairs(digits)} `))
      .replace(EMERGENCY, (digits) => ` ${digitByDigit(digits)} `)
      .replace(NOT_FOUND, ' four oh four$1 ')
      // "1080p"
      .replace(/\b(\d{3,4})([pi])\b/g, (_, digits: string, scan: string) => `${inPairs(digits)} ${scan.toUpperCase()}`)
      .replace(/\b(\d+) ?\^ ?(-?\d+)\b/g, (_, base: string, power: string) => `${base}${POWERS[power] ?? ` to the power of ${power}`}`)
      .replace(/\b([a-zA-Z]) ?\^ ?(\d+)\b/g, (_, base: string, power: string) => `${base}${POWERS[power] ?? ` to the power of ${power}`}`)
      // "30m ago" and "3d ago"
      .replace(
        /(?<![\w.])(\d+) ?([md])(?= ago\b)/g,
        (_, number: string, unit: string) => `${number} ${unit === 'm' ? 'min' : number === '1' ? 'day' : 'days'}`,
      )
      // "2h 15m 30s"
      .replace(/(?<![\w.])(\d+) ?h ?(\d+) ?m\b(?: ?(\d+) ?s\b)?/g, (_, hours: string, minutes: string, seconds?: string) =>
        [`${hours} h`, `${minutes} min`, ...(seconds ? [`${seconds} s`] : [])].join(' '),
      )
      .replace(/(?<![\w.])(\d+) ?m ?(\d+) ?s\b/g, '$1 min $2 s')
  );
}

const POWERS: Readonly<Record<string, string>> = { '2': ' squared', '3': ' cubed' };

/** Words after which "a 2 TB" is no measure of what follows: "the 5 km from here". */
const NO_NOUN =
  /^(?:of|in|at|per|long|wide|tall|high|deep|away|from|to|and|or|is|was|on|for|with|ago|left|later|before|after|more|are|were|will|have|has|than|that|which|we|you|i|they|it|below|above|off|into|down|up)$/i;
const isOfNoun = (before: string, after: string): boolean => {
  const next = /^ ([A-Za-z]+)/.exec(after)?.[1];
  return (
    next !== undefined && !NO_NOUN.test(next) && /\b(?:an?|the|this|that|my|your|our|his|her|their|new|another|each|every) $/i.test(before)
  );
};

const UNIT = new RegExp(
  `(?<![\\w.])(-?)(${NUMBER})(?: ?(?:-|–|to) ?(${NUMBER}))?( ?|-)(${anyOf(Object.keys(UNITS).toSorted((a, b) => b.length - a.length))})(?![\\w°²³'])(?:\\.(?=[,;:]|\\s+[a-z]))?`,
  'g',
);

function sayMeasures(text: string, accent: Accent): string {
  return (
    text
      .replace(/(?<=\d%) ?[-–] ?(?=\d)/g, ' to ')
      // "a 27" monitor"; where there are two marks, it is quoted, and one alone may end a quotation that began in an earlier piece.
      .replace(/^([^"]*\b(?:an?|the|my|your|his|her|our|this|that|new) \d{1,3}(?:\.\d+)?)"(?=[^"]*$)/i, '$1 inch')
      .replace(
        /\b(\d)'(\d{1,2})"?(?!\w)/g,
        (_, feet: string, inches: string) => `${cardinal(feet, accent)} foot ${cardinal(inches, accent)}`,
      )
      .replace(
        UNIT,
        (whole: string, minus: string, number: string, end: string | undefined, gap: string, unit: string, at: number, all: string) => {
          const [one, many] = UNITS[unit] as [string, string];
          // "3 in a row", "a 5 h" and "7 A" are no units where a blank stands before so short a word.
          if (gap === '-' && unit.length < 2) return whole;
          if (gap === ' ' && /^(?:in|m|g|s|h|d|V|A|x|K|M|B|C|F|p)$/.test(unit) && !/^(?:m|g|V|s|h)$/.test(unit)) return whole;
          const range = end === undefined ? '' : ` to ${decimal(end, accent)}`;
          const isOfWhat =
            end === undefined &&
            !/[%°]/.test(unit) &&
            (gap === '-' || isOfNoun(all.slice(Math.max(0, at - 10), at), all.slice(at + whole.length, at + whole.length + 20)));
          const isSingle = (number === '1' && end === undefined) || isOfWhat;
          return `${minus && end === undefined ? 'minus ' : ''}${decimal(number, accent)}${range} ${isSingle ? one : many}`;
        },
      )
  );
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
