// Turns a Discord message into what a voice should say, cut where a speaker would pause, and marked with a mood.
//
// Regular expressions rather than a parser: discord-markdown-parser 1.3.1 (like simple-markdown, which it contains) throws RangeError on
// 4,000 asterisks and takes 2.8 s for `[a](` repeated a thousand times, in the thread that sends everybody's sound; here neither takes
// more than 30 ms. It also knows neither lists nor slash commands with spaces.
import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { familyOf, type ModelFamily } from '../api/models.ts';

// Plain letters, which voices can speak: some people write in signs that only look like letters (𝓡𝓸𝓫𝓲𝓷, ⓗⓘ, ʜᴇʟʟᴏ), or pile marks on them.

// Variants for which Unicode defines the plain letter: mathematical, circled, squared and parenthesised, fullwidth, and raised ones.
const COMPATIBLE =
  /[\u{1d400}-\u{1d7ff}\u24b6-\u24e9\u249c-\u24b5\u{1f110}-\u{1f149}\uff21-\uff3a\uff41-\uff5a\u02b0-\u02b8\u1d2c-\u1d6a\u1d9b-\u1dbf\u2071\u207f]+/gu;
/** White on black, circled and squared, from A to Z. They may end like emoji. */
const WHITE_ON_BLACK = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]\ufe0f?/gu;
/** Two of them are a flag. */
const SINGLE_FLAG_LETTER = /(?<!\p{RI})\p{RI}(?!\p{RI})/gu;
const FLAG_LETTER_A = 0x1f1e6;
/** Phonetic signs, in the order of the alphabet. There is none for x. */
const SMALL_CAPITALS = new Map([...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ'].map((sign, index) => [sign, letterAt(index)]));
// Fewer than two may be phonetics.
const SMALL_CAPITAL_WORDS = new RegExp(`[${[...SMALL_CAPITALS.keys()].join('')}]{2,}`, 'gu');

/** Struck through or enclosed, with all other marks there, or in piles: once composed, no language needs two on a letter. */
const DECORATION = /(?!\u20e3)[\u0334-\u0338\p{Me}][\u0300-\u036f]*|[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f]{2,}/gu;
/** Marks beyond four on a letter. Other scripts write vowels and tones as marks, but none more than four. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;

// Invisible or meaningless: controls except line breaks and tabs, format and direction marks, private-use characters, lone surrogates, blanks
// that count as letters. The joiners stay: Persian and emoji need them. So do the variants of emoji, and the tags that make a flag of England.
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]--[\n\t\u200c\u200d\ufe0e\ufe0f\u{e0020}-\u{e007f}]]/gv;

function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** The same text with ordinary letters, composed (NFC), and without what is invisible. */
export function plainLetters(text: string): string {
  const plain = text
    .replace(COMPATIBLE, (signs) => signs.normalize('NFKC').replace(/[()]/g, ''))
    .replace(WHITE_ON_BLACK, (sign) => letterAt(((sign.codePointAt(0) ?? 0) - 0x1f150) % 32))
    .replace(SINGLE_FLAG_LETTER, (sign) => letterAt((sign.codePointAt(0) ?? 0) - FLAG_LETTER_A))
    .replace(SMALL_CAPITAL_WORDS, (word) => [...word].map((sign) => SMALL_CAPITALS.get(sign) ?? sign).join(''));
  return withoutInvisible(plain).normalize('NFC').replace(DECORATION, '').replace(PILED_MARKS, '$1');
}

function letterAt(index: number): string {
  return String.fromCharCode(0x61 + index);
}

// Says the links in a text: their own text, their site, or just that there is one.

interface LinkWords {
  link: string;
  /** Words to say where a link leads; absent: only that it is a link. */
  sites?: {
    /** @param site "github.com" */
    linkTo(site: string): string;
    /** What is said for a link to another message in Discord. */
    messageLink: string;
    gif: string;
  };
}

/** Names of sites longer than this are no help to listeners. */
const MAX_SITE = 40;
/** Members choose their GIFs there, in Discord’s own menu. */
const GIF_SITE = /(?:^|\.)(?:tenor|giphy)\.com$|^klipy\.com$/;
const DISCORD = /(?:^|\.)(?:discord|discordapp)\.com$/;

/** Each of these in text order: a link with its own text, a link in angle brackets, a bare one. */
function replaceLinks(text: string, words: LinkWords): string {
  const spoken = (url: string) => ` ${nameLink(url, words)} `;
  return (
    text
      // A link with its own text is read as that text.
      .replace(/\[([^[\]\n]+)\]\(<?(?:https?|mailto|discord):[^\s)]+(?: "[^"\n]*")?\)/gi, (_, label: string) => label)
      .replace(/<((?:https?|discord):[^\s>]+)>/gi, (_, url: string) => spoken(url))
      // Parentheses belong to an address only in pairs, and the punctuation at its end not at all.
      .replace(/\b(?:https?:\/\/|discord:\/\/|www\.)(?:[^\s<>()]|\([^\s<>()]*\))*(?:[^\s<>().,;:!?'"\]}*_~|]|\([^\s<>()]*\))/gi, spoken)
  );
}

function nameLink(url: string, { link, sites }: LinkWords): string {
  const address = /^www\./i.test(url) ? `https://${url}` : url;
  if (!sites || !URL.canParse(address)) return link;
  const { hostname, pathname, protocol } = new URL(address);
  const site = domainToUnicode(hostname.replace(/^www\./, ''));
  if (protocol === 'discord:' || (DISCORD.test(site) && pathname.startsWith('/channels/'))) return sites.messageLink;
  if (GIF_SITE.test(site) || /\.gif$/i.test(pathname)) return sites.gif;
  return !site.includes('.') || site.length > MAX_SITE || isIP(site) !== 0 ? link : sites.linkTo(site);
}

// Says what a message refers to: mentions, commands and emoji by name, times in words.

/** Names of what a message refers to; undefined if it no longer exists. */
export interface Names {
  user?: (id: string) => string | undefined;
  role?: (id: string) => string | undefined;
  channel?: (id: string) => string | undefined;
}

interface ReferenceWords {
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
const PAUSE = '\ue100';

/** Mentions, commands, emoji, times, and Discord's own places. */
const DISCORDS =
  /<(?:(?<kind>@!?|@&|#)(?<id>\d{1,20})|\/(?<command>[^:>\n]{1,100}):\d{1,20}|t:(?<seconds>-?\d{1,13})(?::(?<style>[tTdDfFR]))?|id:\w+)>|(?<custom><a?:(?<name>\w{2,32}):\d{1,20}>)(?:[^\S\n]*\k<custom>)*/;
const PICTOGRAPH = /(?:\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)/u.source;
/** Flags, keycaps, and pictures alone or joined; the same several times in a row is one match. */
const UNICODE = `(?<unicode>\\p{RI}{2}|[0-9#*]\\ufe0f?\\u20e3|${PICTOGRAPH}(?:[\\u{e0020}-\\u{e007f}]+|(?:\\u200d${PICTOGRAPH})*))(?:[^\\S\\n]*\\k<unicode>)*`;

const REFERENCE = new RegExp(DISCORDS, 'g');
const REFERENCE_OR_EMOJI = new RegExp(`${DISCORDS.source}|${UNICODE}`, 'gu');

type Groups = Partial<Record<'kind' | 'id' | 'command' | 'seconds' | 'style' | 'custom' | 'name' | 'unicode', string>>;

/** In one pass in text order, so only the end is left out once MAX_EXPANDED is reached. */
function nameReferences(text: string, names: Names, words: ReferenceWords): string {
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
    .replace(words.emoji ? REFERENCE_OR_EMOJI : REFERENCE, (reference: string, ...rest: unknown[]) => {
      const { kind, id = '', command, seconds, style, custom, name, unicode } = rest.at(-1) as Groups;
      if (kind === '@&') return spoken(names.role?.(id), words.role);
      if (kind === '#') return spoken(names.channel?.(id), words.channel);
      if (kind !== undefined) return spoken(names.user?.(id), words.someone);
      if (seconds !== undefined) return spoken(room > 0 ? spokenTime(Number(seconds), style, words.locale) : '');
      if (custom !== undefined) return spokenEmoji(customEmojiName(name), reference.split(custom).length - 1);
      if (unicode !== undefined) return spokenEmoji(words.emoji?.name(unicode), reference.split(unicode).length - 1);
      return spoken(command);
    })
    .replace(/@(everyone|here)\b/g, '$1');
}

/** The words in the name: "PepeHands" are two. */
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

// Cached, because they are expensive to create.
const timeFormats = new Map<string, Intl.DateTimeFormat>();
const distanceFormats = new Map<string, Intl.RelativeTimeFormat>();

/** Said in place of what cannot be spoken. */
export interface SpeakableWords extends LinkWords, ReferenceWords {
  spoiler: string;
  /** Absent: code is left out. */
  code?: string;
}

const MAX_REPEATS = 3;

/** Characters; what an embed holds. Messages, and so the texts of commands, have 2,000. */
const MAX_READ = 4096;

/** Parts of some flags. */
const TAGS = /[\u{e0020}-\u{e007f}]+/gu;
const PAUSES = new RegExp(`(?: ?${PAUSE})+ ?`, 'g');

/**
 * The text as it should be spoken: mentions and emoji by name, links as a word, spoilers hidden, code and markdown removed, decorated letters
 * made plain, long repeats shortened. null if nothing speakable is left, that is no letter and no digit.
 * Only the first 4,096 characters are read; names and times add 4,000 at most.
 */
export function makeSpeakable(text: string, words: SpeakableWords, names: Names = {}): string | null {
  let spoken = plainLetters(text.slice(0, MAX_READ).replace(/\r\n?/g, '\n'));
  spoken = replaceCode(spoken, words.code ?? '');
  spoken = spoken.replace(/\|\|[\s\S]+?\|\|/g, ` ${words.spoiler} `);
  spoken = nameReferences(spoken, names, words);
  spoken = replaceLinks(spoken, words);
  spoken = removeMarkdown(spoken);
  spoken = shortenRepeats(spoken);
  spoken = tidySpaces(addPauses(spoken.replace(TAGS, '')));
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
  return `${cut.replace(/(?<![\s,;:.!?…–-])[\s,;:.!?…–-]+$/u, '')}${end}`;
}

function replaceCode(text: string, word: string): string {
  return text.replace(/```[\s\S]*?(?:```|$)/g, ` ${word} `).replace(/(`{1,2})(?!`)[^\n]*?[^`\n]\1(?!`)/g, ` ${word} `);
}

function removeMarkdown(text: string): string {
  return (
    text
      // Not `^`: for it, a line also begins after signs that count as blanks here.
      .replace(/(?<![^\n])[^\S\n]*(?:>>>|>)[^\S\n]?/g, '')
      .replace(/(?<![^\n])[^\S\n]*(?:#{1,3}|-#)[^\S\n]+/g, '')
      .replace(/(?<![^\n])[^\S\n]*(?:[-*+][^\S\n]+)+/g, '')
      // Escaped characters are meant literally: moved to the private use area while the others are removed.
      .replace(/\\([*_~|`\\>#-])/g, (_, sign: string) => String.fromCodePoint(0xe000 + (sign.codePointAt(0) ?? 0)))
      .replace(/(?<!\p{N})(\*{1,3})(?=\S)([^*]*?\S)\1/gu, '$2')
      .replace(/(^|[^\p{L}\p{N}_])(_{1,3})(?=\S)([\s\S]*?\S)\2(?![\p{L}\p{N}_])/gu, '$1$3')
      .replace(/~~(?=\S)([\s\S]*?\S)~~/g, '$1')
      .replace(/[\ue000-\ue07f]/g, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xe000))
  );
}

/** A comma where a voice should pause, unless there is a sign for it already. */
function addPauses(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(PAUSES, PAUSE)
    .replace(/(^|[\n,.!?;:…([，。、！？])\ue100/g, '$1 ')
    .replace(/\ue100(?=$|[\n,.!?;:…)\]，。、！？])/g, '')
    .replaceAll(PAUSE, ', ');
}

/** One blank between words, and none where it would be heard as nothing. */
function tidySpaces(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .replace(/ (?=[,.!?;:)\]](?:\s|[,.!?;:)\]]|$))/g, '')
    .replace(/([([]) /g, '$1')
    .trim();
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

// Cuts a text where a speaker would pause: into pieces for one call each, or sentence by sentence for a call that takes them as they come.

/** UTF-16 units, as Discord counts. */
export const MAX_PIECE = 300;
/** The first piece of a long text is shorter, so it starts as fast as a short text. */
const MAX_FIRST_PIECE = 150;
/** Sentences that together fit into this are kept together: a voice speaks "No. Never." better in one go. */
const SHORT_SENTENCES = 80;

// Created at first use: the first object of Intl, of any kind, takes 6 MB.
let sentences: Intl.Segmenter | null = null;
let graphemes: Intl.Segmenter | null = null;

// Ends of clauses and words, with the spaces after them; scripts without spaces have their own punctuation.
const CLAUSE_END = /[,;:،؛、，；：)\]»”–—…]\s*|\n+/gu;
const WORD_END = /\s+/gu;

/**
 * The pieces of `text`, each at most `max` long and none blank; only the spaces between them are lost. Sentences stay whole if they fit;
 * longer ones are cut after a clause, otherwise between words, and never inside a character.
 */
export function cutIntoPieces(text: string, max: number = MAX_PIECE): string[] {
  return cut(text.trim(), { max, fill: max })
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * The sentences of `text`, at most 300 long and none blank. Together they are the whole text: each keeps the space after it, without which
 * a service would glue two words into one.
 */
export function cutIntoSentences(text: string): string[] {
  return cut(text.trim(), { max: MAX_PIECE, fill: SHORT_SENTENCES }).filter((part) => part !== '');
}

function segmentSentences(text: string): Intl.Segments {
  sentences ??= new Intl.Segmenter(undefined, { granularity: 'sentence' });
  return sentences.segment(text);
}

/** @param sizes `max` of a piece; sentences are put together up to `fill` */
function cut(whole: string, { max, fill }: { max: number; fill: number }): string[] {
  if (whole.length <= fill) return [whole];
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of segmentSentences(whole)) {
    const room = pieces.length === 0 ? Math.min(max, MAX_FIRST_PIECE) : max;
    if (piece.trim() !== '' && (piece + segment.trimEnd()).length > Math.min(room, fill)) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
    while (piece.trimEnd().length > max) {
      const end = lastCut(piece, pieces.length === 0 ? Math.min(max, MAX_FIRST_PIECE) : max);
      pieces.push(piece.slice(0, end));
      piece = piece.slice(end);
    }
  }
  return [...pieces, piece];
}

/** Finds where to cut a text that is longer than `max`. */
function lastCut(text: string, max: number): number {
  // Not after a clause much shorter than what fits.
  return lastMatchEnd(text, CLAUSE_END, max, max / 2) ?? lastMatchEnd(text, WORD_END, max, 0) ?? lastGrapheme(text, max);
}

function lastMatchEnd(text: string, pattern: RegExp, max: number, min: number): number | null {
  let lastEnd: number | null = null;
  for (const match of text.slice(0, max).matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end > min && text.slice(0, end).trim() !== '') lastEnd = end;
  }
  return lastEnd;
}

function lastGrapheme(text: string, max: number): number {
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  let end = 0;
  for (const { index, segment } of graphemes.segment(text)) {
    // A single character of a thousand joined code points is cut like the rest.
    if (index + segment.length > max) return end === 0 ? max : end;
    end = index + segment.length;
  }
  return end;
}

// The moods that a text can be spoken in, by models that take them as markers in the text.

export const MOODS = ['happy', 'excited', 'calm', 'sad', 'angry', 'scared', 'whispering', 'shouting'] as const;
export type Mood = (typeof MOODS)[number];

/** How each family of models wants a marker. Every other model would read it out. */
const MARKERS: Partial<Record<ModelFamily, [begin: string, end: string]>> = {
  s1: ['(', ')'],
  s2: ['[', ']'],
  free: ['[', ']'],
  drama: ['[', ']'],
};

/** Whether the model of this name is known to understand moods. */
export function hasMoods(model: string): boolean {
  return MARKERS[familyOf(model)] !== undefined;
}

/** The text with the mood's marker before every sentence, where models want it; unchanged if the model is not known to understand it. */
export function withMood(text: string, mood: Mood | null | undefined, model: string | undefined): string {
  const marker = MARKERS[familyOf(model)]?.join(mood ?? '');
  if (!mood || marker === undefined) return text;
  return [...segmentSentences(text)]
    .map(({ segment }) => (/[\p{L}\p{N}]/u.test(segment) ? segment.replace(/^\s*/, (space) => `${space}${marker} `) : segment))
    .join('');
}

// What members write, spoken and not obeyed: models take "[laughing]", "<|speaker:1|>" or "<whisper>" out of the text, and do it.

/** `<whisper>`, `</whisper>` or `<|…|>`. Comparisons, arrows and hearts have no letter right after the bracket, or no end. */
const TAG = /[<＜](?:[/／]?\p{L}|[|｜])[^<>＜＞\n]*[>＞]/u;
/** Where there is a tag, all of them go: of tags within tags, others would be left. */
const ANGLE_BRACKETS = /[<＜][/／|｜]?|[|｜]?[>＞]/g;

/**
 * The text without signs that the model would take for instructions; their words stay, and are spoken. Square brackets count for every model:
 * services use their own default, which knows them, in place of a model that has ended or that they don't know.
 */
export function withoutInstructions(text: string, model: string | undefined): string {
  const plain = (TAG.test(text) ? text.replace(ANGLE_BRACKETS, ' ') : text).replace(/[[\]［］]/g, ' ');
  const spoken = familyOf(model) === 's1' ? addPauses(plain.replace(/[()（）]/g, PAUSE)) : plain;
  return spoken === text ? text : tidySpaces(spoken);
}
