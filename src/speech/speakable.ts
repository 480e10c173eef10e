// Turns a Discord message into what a voice should say.
//
// Regular expressions rather than a parser: discord-markdown-parser 1.3.1 (like simple-markdown, which it contains) throws RangeError on
// 4,000 asterisks and takes 2.8 s for `[a](` repeated a thousand times, in the thread that sends everybody's sound; here neither takes
// more than 30 ms. It also knows neither lists nor slash commands with spaces.

/** Names of what a message refers to; undefined if it no longer exists. */
interface Names {
  user?: (id: string) => string | undefined;
  role?: (id: string) => string | undefined;
  channel?: (id: string) => string | undefined;
}

/** Said in place of what cannot be spoken. */
interface Words {
  link: string;
  spoiler: string;
  someone: string;
  role: string;
  channel: string;
}

const ENGLISH: Words = { link: 'link', spoiler: 'spoiler', someone: 'someone', role: 'a role', channel: 'a channel' };

const MAX_REPEATS = 3;

/** Characters; what an embed holds. Messages, and so the texts of commands, have 2,000. */
const MAX_READ = 4096;
/** Characters that all mentions, times and emoji together may expand to: `<t:0>` has five and says 27. */
const MAX_EXPANDED = 4000;
/** Of a channel or role in Discord; member names are shorter. */
const MAX_NAME = 100;

/** Mentions, commands, emoji, times, and Discord's own places. */
const REFERENCE = /<(?:(@!?|@&|#)(\d{1,20})|\/([^:>\n]{1,100}):\d{1,20}|a?:(\w{2,32}):\d{1,20}|t:(-?\d{1,13})(?::([tTdDfFR]))?|id:\w+)>/g;

// Invisible or meaningless: controls except line breaks and tabs, format and direction marks, private-use characters, lone surrogates.
// The joiners stay: Persian and emoji need them.
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}]--[\n\t\u200c\u200d]]/gv;

/**
 * The text as it should be spoken: mentions and custom emoji by name, links as a word, spoilers hidden, code and markdown removed, long
 * repeats shortened. null if nothing speakable is left, that is no letter and no digit.
 * Only the first 4,096 characters are read; names and times add 4,000 at most.
 * @param options `locale` for dates (`<t:…>`, spoken in UTC)
 */
export function makeSpeakable(text: string, names: Names = {}, options: { words?: Partial<Words>; locale?: string } = {}): string | null {
  const words = { ...ENGLISH, ...options.words };
  let spoken = text.slice(0, MAX_READ).toWellFormed().replace(/\r\n?/g, '\n').replace(INVISIBLE, '');
  spoken = removeCode(spoken);
  spoken = spoken.replace(/\|\|[\s\S]+?\|\|/g, ` ${words.spoiler} `);
  spoken = nameReferences(spoken, names, words, options.locale ?? 'en');
  spoken = replaceLinks(spoken, words.link);
  spoken = removeMarkdown(spoken);
  spoken = shortenRepeats(spoken);
  spoken = spoken
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(/ (?=[,.!?;:)\]](?:\s|[,.!?;:)\]]|$))/g, '')
    .replace(/([([]) /g, '$1')
    .trim();
  return /[\p{L}\p{N}]/u.test(spoken) ? spoken : null;
}

/**
 * At most `maxLength` characters, cut between words, with `ending` spoken in place of the rest. An `ending` that would take more than
 * half of them is added on top.
 */
export function truncateSpeech(text: string, maxLength: number, ending: string): string {
  if (text.length <= maxLength) return text;
  const end = `, ${ending}.`;
  const room = Math.max(maxLength - end.length, Math.ceil(maxLength / 2));
  const start = text.slice(0, room + 1);
  const lastSpace = start.search(/\s\S*$/);
  // Scripts without spaces, and words that don't fit at all, are cut anywhere but inside a character.
  const cut = lastSpace > room / 2 ? start.slice(0, lastSpace) : start.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  return `${cut.replace(/[\s,;:.!?…–-]+$/u, '')}${end}`;
}

function removeCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/(`{1,2})(?!`)[^\n]*?[^`\n]\1(?!`)/g, ' ');
}

/** In one pass in text order, so that only the end is left out once MAX_EXPANDED is reached. */
function nameReferences(text: string, names: Names, words: Words, locale: string): string {
  let room = MAX_EXPANDED;
  const spoken = (name: string | undefined, fallback = '') => {
    const words = plainName(name) || fallback;
    room -= words.length;
    return room < 0 ? ' ' : ` ${words} `;
  };
  return text
    .replace(REFERENCE, (_, kind?: string, id = '', command?: string, emoji?: string, seconds?: string, style?: string) => {
      if (kind === '@&') return spoken(names.role?.(id), words.role);
      if (kind === '#') return spoken(names.channel?.(id), words.channel);
      if (kind !== undefined) return spoken(names.user?.(id), words.someone);
      if (seconds !== undefined) return spoken(room > 0 ? spokenTime(Number(seconds), style, locale) : '');
      return spoken(command ?? emoji);
    })
    .replace(/@(everyone|here)\b/g, '$1');
}

/** A name without characters that would be taken for markdown. */
function plainName(name = ''): string {
  return name
    .slice(0, MAX_NAME)
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(/[_*~|`<>\\]+/g, ' ')
    .trim();
}

function spokenTime(seconds: number, style: string | undefined, locale: string): string {
  const date = new Date(seconds * 1000);
  if (Number.isNaN(date.getTime())) return '';
  const withDate = style !== 't' && style !== 'T';
  const withTime = style !== 'd' && style !== 'D';
  const key = `${locale} ${withDate} ${withTime}`;
  const format =
    timeFormats.get(key) ??
    new Intl.DateTimeFormat(locale, {
      ...(withDate ? { dateStyle: 'long' } : {}),
      ...(withTime ? { timeStyle: 'short' } : {}),
      timeZone: 'UTC',
    });
  timeFormats.set(key, format);
  return format.format(date);
}

/** Expensive to create, so one of each is kept. */
const timeFormats = new Map<string, Intl.DateTimeFormat>();

function replaceLinks(text: string, link: string): string {
  return (
    text
      // A link with its own text is read as that text.
      .replace(/\[([^\]\n]+)\]\(<?(?:https?|mailto|discord):[^\s)]+(?: "[^"\n]*")?\)/gi, (_, label: string) => label)
      .replace(/<(?:https?|discord):[^\s>]+>/gi, ` ${link} `)
      // Parentheses belong to an address only in pairs, and the punctuation at its end not at all.
      .replace(
        /\b(?:https?:\/\/|discord:\/\/|www\.)(?:[^\s<>()]|\([^\s<>()]*\))*(?:[^\s<>().,;:!?'"\]}*_~|]|\([^\s<>()]*\))/gi,
        ` ${link} `,
      )
  );
}

function removeMarkdown(text: string): string {
  return (
    text
      .replace(/^[^\S\n]*(?:>>>|>)[^\S\n]?/gm, '')
      .replace(/^[^\S\n]*(?:#{1,3}|-#)[^\S\n]+/gm, '')
      .replace(/^[^\S\n]*[-*+][^\S\n]+/gm, '')
      // Escaped characters are meant literally: moved to the private use area while the others are removed.
      .replace(/\\([*_~|`\\>#-])/g, (_, sign: string) => String.fromCodePoint(0xe000 + (sign.codePointAt(0) ?? 0)))
      .replace(/(?<!\p{N})(\*{1,3})(?=\S)([^*]*?\S)\1/gu, '$2')
      .replace(/(^|[^\p{L}\p{N}_])(_{1,3})(?=\S)([\s\S]*?\S)\2(?![\p{L}\p{N}_])/gu, '$1$3')
      .replace(/~~(?=\S)([\s\S]*?\S)~~/g, '$1')
      .replace(/[\ue000-\ue07f]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xe000))
  );
}

/** Three in a row say what thirty do. Digits stay: they change the number. */
function shortenRepeats(text: string): string {
  return text
    .replace(/([^\p{N}\s])\1{3,}/gu, (_, sign: string) => sign.repeat(MAX_REPEATS))
    .replace(/(\p{L}{2,6}?)\1{3,}/gu, (_, part: string) => part.repeat(MAX_REPEATS))
    .replace(/(?<!\S)(\S{1,32})(?:\s+\1){3,}(?!\S)/gu, (whole, word: string) =>
      /^\p{N}+$/u.test(word) ? whole : Array(MAX_REPEATS).fill(word).join(' '),
    );
}
