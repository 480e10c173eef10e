// Makes a Discord message speakable: what is read, not what is typed.

/** Names for what a message only refers to; undefined where there is none any more. */
interface Names {
  user?: (id: string) => string | undefined;
  role?: (id: string) => string | undefined;
  channel?: (id: string) => string | undefined;
}

/** What is said in place of what cannot be said. */
interface Words {
  link: string;
  spoiler: string;
  someone: string;
  role: string;
  channel: string;
}

const ENGLISH: Words = { link: 'link', spoiler: 'spoiler', someone: 'someone', role: 'a role', channel: 'a channel' };

const MAX_REPEATS = 3;

/** Characters: what an embed holds. Messages, and so the texts of commands, have 2,000. */
const MOST_READ = 4096;
/** Characters of what mentions, times and emoji stand for, in all: `<t:0>` alone has five and says 27. */
const MOST_NAMED = 4000;
/** Of a channel or a role in Discord; members have shorter ones. */
const LONGEST_NAME = 100;

/** Mentions, commands, emoji, times, and Discord's own places. */
const REFERENCE = /<(?:(@!?|@&|#)(\d{1,20})|\/([^:>\n]{1,100}):\d{1,20}|a?:(\w{2,32}):\d{1,20}|t:(-?\d{1,13})(?::([tTdDfFR]))?|id:\w+)>/g;

// Invisible or without meaning: controls but line breaks and tabs, marks of format and direction, private signs, halves of characters.
// The joiners stay: Persian and emoji need them.
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}]--[\n\t\u200c\u200d]]/gv;

/**
 * The text as it is to be spoken: mentions by name, custom emoji by theirs, links as a word, spoilers hidden, code and markdown left out,
 * long repeats shortened. Null when nothing is left that has a sound: no letter and no digit.
 * Of the text 4,096 characters are read, and what its references stand for adds 4,000 at most.
 * @param options `locale` is that of dates (`<t:…>`, told in UTC).
 */
export function makeSpeakable(text: string, names: Names = {}, options: { words?: Partial<Words>; locale?: string } = {}): string | null {
  const words = { ...ENGLISH, ...options.words };
  let spoken = text.slice(0, MOST_READ).toWellFormed().replace(/\r\n?/g, '\n').replace(INVISIBLE, '');
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
 * At most `most` characters, cut between words, with `ending` said in place of the rest. Where `ending` would take more than half of
 * them, it comes on top.
 */
export function cutShort(text: string, most: number, ending: string): string {
  if (text.length <= most) return text;
  const end = `, ${ending}.`;
  const room = Math.max(most - end.length, Math.ceil(most / 2));
  const begin = text.slice(0, room + 1);
  const lastBlank = begin.search(/\s\S*$/);
  // Scripts without blanks, and words longer than all there is room for, are cut anywhere but inside a character.
  const cut = lastBlank > room / 2 ? begin.slice(0, lastBlank) : begin.slice(0, room).replace(/[\ud800-\udbff]$/, '');
  return `${cut.replace(/[\s,;:.!?…–-]+$/u, '')}${end}`;
}

function removeCode(text: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/(`{1,2})(?!`)[^\n]*?[^`\n]\1(?!`)/g, ' ');
}

/** One pass in the order of the text, so that only what nobody would hear to its end is left out. */
function nameReferences(text: string, names: Names, words: Words, locale: string): string {
  let room = MOST_NAMED;
  const spoken = (name: string | undefined, otherwise = '') => {
    const said = plain(name) || otherwise;
    room -= said.length;
    return room < 0 ? ' ' : ` ${said} `;
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

/** A name without what would be taken for markdown or split at. */
function plain(name = ''): string {
  return name
    .slice(0, LONGEST_NAME)
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
    clocks.get(key) ??
    new Intl.DateTimeFormat(locale, {
      ...(withDate ? { dateStyle: 'long' } : {}),
      ...(withTime ? { timeStyle: 'short' } : {}),
      timeZone: 'UTC',
    });
  clocks.set(key, format);
  return format.format(date);
}

/** Dear to make, so one of each is kept. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function replaceLinks(text: string, link: string): string {
  return (
    text
      // A link with a text of its own is called by it, unless that is an address too.
      .replace(/\[([^\]\n]+)\]\(<?(?:https?|mailto|discord):[^\s)]+(?: "[^"\n]*")?\)/gi, (_, label: string) => label)
      .replace(/<(?:https?|discord):[^\s>]+>/gi, ` ${link} `)
      // Brackets belong to an address in pairs only, and the sentence's own marks at its end not at all.
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
      // An escaped sign is meant as it stands: set aside while the others go.
      .replace(/\\([*_~|`\\>#-])/g, (_, sign: string) => String.fromCodePoint(0xe000 + (sign.codePointAt(0) ?? 0)))
      .replace(/(?<!\p{N})(\*{1,3})(?=\S)([^*]*?\S)\1/gu, '$2')
      .replace(/(^|[^\p{L}\p{N}_])(_{1,3})(?=\S)([\s\S]*?\S)\2(?![\p{L}\p{N}_])/gu, '$1$3')
      .replace(/~~(?=\S)([\s\S]*?\S)~~/g, '$1')
      .replace(/[\ue000-\ue07f]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xe000))
  );
}

/** Three of a kind say what thirty do. Digits stay: a number means what it says. */
function shortenRepeats(text: string): string {
  return text
    .replace(/([^\p{N}\s])\1{3,}/gu, (_, sign: string) => sign.repeat(MAX_REPEATS))
    .replace(/(\p{L}{2,6}?)\1{3,}/gu, (_, part: string) => part.repeat(MAX_REPEATS))
    .replace(/(?<!\S)(\S{1,32})(?:\s+\1){3,}(?!\S)/gu, (whole, word: string) =>
      /^\p{N}+$/u.test(word) ? whole : Array(MAX_REPEATS).fill(word).join(' '),
    );
}
