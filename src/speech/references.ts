// Says what a message refers to: mentions, commands and emoji by name, times in words.
import { withoutInvisible } from './letters.ts';

/** Names of what a message refers to; undefined if it no longer exists. */
export interface Names {
  user?: (id: string) => string | undefined;
  role?: (id: string) => string | undefined;
  channel?: (id: string) => string | undefined;
}

export interface ReferenceWords {
  /** BCP 47, of times. */
  locale: string;
  someone: string;
  role: string;
  channel: string;
  /** Absent: Unicode emoji stay as they are. */
  emoji?: {
    /** The name of a Unicode emoji; undefined if it has none, and is left out. */
    name(emoji: string): string | undefined;
    /** The same emoji several times. @param count at least 2 */
    repeated(name: string, count: number): string;
  };
}

/** Characters that all mentions, times and emoji together may expand to: `<t:0>` has five and says 31. */
const MAX_EXPANDED = 4000;
/** Discord's limit for the names of channels and roles; member names are shorter. */
const MAX_NAME = 100;

/** Stands where a voice should pause, beside the name of an emoji. A private-use character, which no text contains by now. */
export const PAUSE = '\ue100';

/** Mentions, commands, emoji, times, and Discord's own places. */
const DISCORDS =
  /<(?:(?<kind>@!?|@&|#)(?<id>\d{1,20})|\/(?<command>[^:>\n]{1,100}):\d{1,20}|t:(?<seconds>-?\d{1,13})(?::(?<style>[tTdDfFR]))?|id:\w+)>|(?<custom><a?:(?<name>\w{2,32}):\d{1,20}>)(?:[^\S\n]*\k<custom>)*/;
const PICTOGRAPH = /(?:\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)/u.source;
/** Flags, keycaps, and pictures alone or joined; the same several times in a row is one match. */
const UNICODE = `(?<unicode>\\p{RI}{2}|[0-9#*]\\ufe0f?\\u20e3|${PICTOGRAPH}(?:[\\u{e0020}-\\u{e007f}]+|(?:\\u200d${PICTOGRAPH})*))(?:[^\\S\\n]*\\k<unicode>)*`;

const REFERENCE = new RegExp(DISCORDS, 'g');
const REFERENCE_OR_EMOJI = new RegExp(`${DISCORDS.source}|${UNICODE}`, 'gu');

type Groups = Partial<Record<'kind' | 'id' | 'command' | 'seconds' | 'style' | 'custom' | 'name' | 'unicode', string>>;

/** In one pass in text order, so that only the end is left out once MAX_EXPANDED is reached. */
export function nameReferences(text: string, names: Names, words: ReferenceWords): string {
  let room = MAX_EXPANDED;
  const spoken = (name: string | undefined, fallback = '') => {
    const plain = plainName(name) || fallback;
    room -= plain.length;
    return room < 0 ? ' ' : ` ${plain} `;
  };
  const spokenEmoji = (name: string | undefined, count: number) => {
    if (!words.emoji) return Array.from({ length: count }, () => spoken(name)).join('');
    const plain = plainName(name);
    if (plain === '' || room < 0) return ' ';
    return `${PAUSE}${spoken(count > 1 ? words.emoji.repeated(plain, count) : plain)}${PAUSE}`;
  };
  return text
    .replace(words.emoji ? REFERENCE_OR_EMOJI : REFERENCE, (found: string, ...rest: unknown[]) => {
      const { kind, id = '', command, seconds, style, custom, name, unicode } = rest.at(-1) as Groups;
      if (kind === '@&') return spoken(names.role?.(id), words.role);
      if (kind === '#') return spoken(names.channel?.(id), words.channel);
      if (kind !== undefined) return spoken(names.user?.(id), words.someone);
      if (seconds !== undefined) return spoken(room > 0 ? spokenTime(Number(seconds), style, words.locale) : '');
      if (custom !== undefined) return spokenEmoji(customEmojiName(name), found.split(custom).length - 1);
      if (unicode !== undefined) return spokenEmoji(words.emoji?.name(unicode), found.split(unicode).length - 1);
      return spoken(command);
    })
    .replace(/@(everyone|here)\b/g, '$1');
}

/** "PepeHands" are two words. */
function customEmojiName(name = ''): string {
  return name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
}

/** A name without characters that would be taken for markdown. */
function plainName(name = ''): string {
  return withoutInvisible(name.slice(0, MAX_NAME))
    .replace(/[_*~|`<>\\]+/g, ' ')
    .trim();
}

/** As Discord writes it, but in UTC, and it says so: a voice doesn't know where its listeners are. */
function spokenTime(seconds: number, style: string | undefined, locale: string): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  if (style === 'R') return spokenDistance(seconds - Date.now() / 1000, locale);
  const withDate = style !== 't' && style !== 'T';
  const withTime = style !== 'd' && style !== 'D';
  const key = `${locale} ${withDate} ${withTime}`;
  const format =
    timeFormats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      ...(withDate ? { year: 'numeric', month: 'long', day: 'numeric' } : {}),
      ...(withTime ? { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } : {}),
      timeZone: 'UTC',
    });
  timeFormats.set(key, format);
  return format.format(date);
}

/** Seconds. */
const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "in 5 minutes", "2 years ago". @param seconds negative = in the past */
function spokenDistance(seconds: number, locale: string): string {
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  const format = distanceFormats.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  distanceFormats.set(locale, format);
  return format.format(Math.round(seconds / size), unit);
}

// Expensive to create, so one of each is kept.
const timeFormats = new Map<string, Intl.DateTimeFormat>();
const distanceFormats = new Map<string, Intl.RelativeTimeFormat>();
