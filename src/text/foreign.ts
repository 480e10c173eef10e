// Texts that others wrote (the voice service, its users, members, Discord), made safe to show. Whatever is shown of them goes through one
// of these functions. Each reads only the beginning of a text, so that the time it takes depends on what is shown and not on what came.
import { truncate } from '../bot/discord-limits.ts';

/** Of each character that is shown so many are read: what cannot be seen must not hide what can. */
const READ_AHEAD = 8;
/** Of a text that keeps its lines; what stands on further ones follows on the last. */
const MOST_LINES = 25;
/** Of a list. */
const MOST_LISTED = 40;
const LONGEST_LISTED = 60;

// Controls, private signs, and all that has no width or turns the direction of what follows. Breaks, joiners (Persian and emoji need them)
// and the choice between a text and an emoji stay. Not all of \p{Cf}: some of Arabic's signs are seen. The last one is a blank of Braille.
const UNSEEN =
  /[[\p{Cc}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\u2800]--[\s\u200c\u200d\ufe0e\ufe0f]]/gv;
const JOINERS = /[\u200c\u200d]+/g;
/** Marks piled on one another reach into other lines; no script piles more. */
const PILES = /(\p{M}{4})\p{M}+/gu;
const BLANK = /^[\s\p{M}]*$/u;

// What Discord formats, links, or turns into a mention, a time or an emoji; at the beginning of a line a list, a heading or a quote.
const MARKUP = /[\\*_~`|<[]|@(?=everyone|here)|:(?=\/\/)|^[#>]|^[-+](?=[\s#]|$)|(?<=^\d{1,9})\.(?=\s|$)/gm;

/** As one line for places where Discord formats nothing: labels, choices, authors, footers, titles of forms. Blank if nothing can be seen. */
export function asPlain(text: string, length: number): string {
  return clean(text, length, false);
}

/** The same for places where Discord formats: titles, descriptions and fields of embeds, contents. It is shown as it was written. */
export function asMarkdown(text: string, length: number, { keepLines = false } = {}): string {
  const escaped = escapeMarkup(clean(text, length, keepLines));
  // An escape must not lose what it escapes.
  return escaped.length <= length ? escaped : truncate(escaped, length).replace(/(?<!\\)((?:\\\\)*)\\…$/, '$1…');
}

/** As code, which cannot be ended by what is in it. Never blank. */
export function asCode(text: string, length = 80): string {
  return `\`${clean(text.slice(0, READ_AHEAD * length).replaceAll('`', "'"), length, false) || ' '}\``;
}

/** Several, with commas between them. */
export function asList(texts: readonly string[], length: number): string {
  const shown = texts.slice(0, MOST_LISTED).map((text) => asPlain(text, LONGEST_LISTED));
  return asMarkdown(shown.filter(Boolean).join(', ') + (texts.length > MOST_LISTED ? ', …' : ''), length);
}

/** Backslashes before everything that would be formatted. The text must be short, or already cut. */
export function escapeMarkup(text: string): string {
  return text.replace(MARKUP, '\\$&');
}

/** Without what cannot be seen. The text must be short, or already cut. */
export function withoutInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(UNSEEN, '')
    .replace(JOINERS, (run, at: number, whole: string) => (isSeen(whole[at - 1]) && isSeen(whole[at + run.length]) ? (run[0] ?? '') : ''))
    .replace(PILES, '$1');
}

function isSeen(character: string | undefined): boolean {
  return character !== undefined && !/\s/.test(character);
}

function clean(text: string, length: number, keepLines: boolean): string {
  const most = READ_AHEAD * length;
  const seen = withoutInvisible(text.slice(0, most).replace(/[\ud800-\udbff]$/, ''));
  const tidy = (keepLines ? withLines(seen) : seen.replace(/\s+/g, ' ')).trim();
  if (BLANK.test(tidy)) return '';
  return truncate(text.length > most ? `${tidy}…` : tidy, length);
}

/** No more than one line left empty between two. */
function withLines(text: string): string {
  let lines = 1;
  return text.replace(/\s*?\n\s*|[^\S\n]+/g, (blank) => {
    if (!blank.includes('\n') || ++lines > MOST_LINES) return ' ';
    return blank.indexOf('\n') === blank.lastIndexOf('\n') ? '\n' : '\n\n';
  });
}
