// Numbers in words, as English says them.
import type { Accent } from './voices.ts';

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES = ['', 'thousand', 'million', 'billion', 'trillion'];
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};
/** Longer ones are spelled digit by digit. */
const MAX_DIGITS = 15;

/** @param digits may begin with zeros, which are then said; may have commas */
export function cardinal(digits: string, accent: Accent): string {
  const plain = digits.replaceAll(',', '');
  if (plain.length > MAX_DIGITS || /^0\d/.test(plain)) return digitByDigit(plain);
  const value = Number(plain);
  if (value === 0) return 'zero';
  const groups: string[] = [];
  for (let rest = value, scale = 0; rest > 0; rest = Math.floor(rest / 1000), scale++) {
    if (rest % 1000 === 0) continue;
    const isTail = scale === 0 && rest % 1000 < 100 && value >= 1000 && accent === 'british';
    groups.unshift(`${isTail ? 'and ' : ''}${belowThousand(rest % 1000, accent)} ${SCALES[scale]}`.trim());
  }
  return groups.join(' ');
}

function belowThousand(value: number, accent: Accent): string {
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const words = hundreds > 0 ? [`${SMALL[hundreds]} hundred`] : [];
  if (hundreds > 0 && rest > 0 && accent === 'british') words.push('and');
  if (rest > 0) words.push(belowHundred(rest));
  return words.join(' ');
}

function belowHundred(value: number): string {
  if (value < 20) return SMALL[value] as string;
  const [tens, ones] = [TENS[Math.floor(value / 10)], value % 10];
  return ones === 0 ? (tens as string) : `${tens} ${SMALL[ones]}`;
}

export function digitByDigit(digits: string): string {
  return Array.from(digits.replace(/\D/g, ''), (digit) => SMALL[Number(digit)]).join(' ');
}

/** "3.14", "1,200.50" and "-5". */
export function decimal(number: string, accent: Accent): string {
  const [whole = '', fraction] = number.replace(/^[-−]/, '').split('.');
  const minus = /^[-−]/.test(number) ? 'minus ' : '';
  const said = whole === '' ? 'zero' : cardinal(whole, accent);
  return `${minus}${said}${fraction ? ` point ${digitByDigit(fraction)}` : ''}`;
}

export function ordinal(digits: string, accent: Accent): string {
  const words = cardinal(digits, accent).split(' ');
  const last = words.pop() as string;
  return [...words, IRREGULAR_ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`)].join(' ');
}

/** From 1100 to 2099. */
export function year(digits: string, accent: Accent): string {
  const [century, rest] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (rest === 0) return century === 20 ? 'two thousand' : `${belowHundred(century)} hundred`;
  if (century === 20 && rest < 10) return accent === 'british' ? `two thousand and ${SMALL[rest]}` : `two thousand ${SMALL[rest]}`;
  return `${belowHundred(century)} ${rest < 10 ? `oh ${SMALL[rest]}` : belowHundred(rest)}`;
}

/** Names of machines and pictures: "4090" is "forty ninety", "1080" "ten eighty", "737" "seven thirty seven". @param digits three or four */
export function inPairs(digits: string): string {
  const [first, rest] = [Number(digits.slice(0, -2)), Number(digits.slice(-2))];
  if (rest === 0) return first % 10 === 0 ? `${SMALL[first / 10]} thousand` : `${belowHundred(first)} hundred`;
  return `${belowHundred(first)} ${rest < 10 ? `oh ${SMALL[rest]}` : belowHundred(rest)}`;
}

/** "1990s" and "80s": "nineteen nineties". @param digits ends with 0 */
export function decade(digits: string): string {
  const tens = (TENS[Number(digits.at(-2))] as string).replace(/y$/, 'ies');
  if (digits.length === 2) return tens;
  const century = Number(digits.slice(0, 2));
  if (digits.endsWith('00')) return century === 20 ? 'two thousands' : `${belowHundred(century)} hundreds`;
  return `${belowHundred(century)} ${digits.at(-2) === '1' ? 'tens' : tens}`;
}

/** "7:30", "9:05", "12:00" and "19:45". @param withHalf "a.m." or "p.m." follows */
export function clock(hours: string, minutes: string, withHalf: boolean, accent: Accent): string {
  const hour = cardinal(String(Number(hours)), accent);
  if (minutes === '00') return withHalf ? hour : Number(hours) > 12 || Number(hours) === 0 ? `${hour} hundred` : `${hour} o'clock`;
  return `${hour} ${minutes.startsWith('0') ? `oh ${SMALL[Number(minutes)]}` : cardinal(minutes, accent)}`;
}
