// Makes texts that others wrote (the voice service, its users, members, Discord) safe to show. Everything shown of them goes through one
// of these functions. Each reads only the beginning of a text, so that the time it takes depends on what is shown, not on what came.

/** Characters read for each one shown, so that invisible characters cannot hide visible ones. */
const READ_AHEAD = 8;
/** Limit for a text that keeps its line breaks; further lines are appended to the last one. */
const MAX_LINES = 25;
const MAX_LIST_ITEMS = 40;
const MAX_ITEM_LENGTH = 60;

// Controls, private-use characters, and everything that has no width or changes the text direction. Line breaks, joiners (Persian and emoji
// need them) and variation selectors for text or emoji stay. Not all of \p{Cf}: some Arabic signs are visible. The last one is the blank
// Braille pattern.
const INVISIBLE =
  /[[\p{Cc}\p{Co}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\u2800]--[\s\u200c\u200d\ufe0e\ufe0f]]/gv;
const JOINERS = /[\u200c\u200d]+/g;
/** Stacked combining marks reach into other lines; no script stacks more than four. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;
const BLANK = /^[\s\p{M}]*$/u;

// What Discord formats, links, or turns into a mention, a time or an emoji; at the start of a line also lists, headings and quotes.
const MARKUP = /[\\*_~`|<[]|@(?=everyone|here)|:(?=\/\/)|^[#>]|^[-+](?=[\s#]|$)|(?<=^\d{1,9})\.(?=\s|$)/gm;

/** One line for places where Discord formats nothing: labels, choices, authors, footers, form titles. Empty if nothing is visible. */
export function asPlain(text: string, length: number): string {
  return clean(text, length, false);
}

/** The same for places where Discord formats: message contents and the titles, descriptions and fields of embeds. Shown as written. */
export function asMarkdown(text: string, length: number, { keepLines = false } = {}): string {
  const escaped = escapeMarkup(clean(text, length, keepLines));
  // A cut must not separate a backslash from what it escapes.
  return escaped.length <= length ? escaped : truncate(escaped, length).replace(/(?<!\\)((?:\\\\)*)\\…$/, '$1…');
}

/** Inline code that its content cannot end. Never empty. */
export function asCode(text: string, length = 80): string {
  return `\`${clean(text.slice(0, READ_AHEAD * length).replaceAll('`', "'"), length, false) || ' '}\``;
}

/** Comma-separated. */
export function asList(texts: readonly string[], length: number): string {
  const shown = texts.slice(0, MAX_LIST_ITEMS).map((text) => asPlain(text, MAX_ITEM_LENGTH));
  return asMarkdown(shown.filter(Boolean).join(', ') + (texts.length > MAX_LIST_ITEMS ? ', …' : ''), length);
}

/** For what stands alone, like a label: services write tags, and languages their own names, in lower case. */
export function capitalized(text: string): string {
  const [first = '', ...others] = text;
  return first.toUpperCase() + others.join('');
}

/** Puts backslashes before everything that would be formatted. The text must be short or already cut. */
export function escapeMarkup(text: string): string {
  return text.replace(MARKUP, '\\$&');
}

/** Removes invisible characters. The text must be short or already cut. */
export function withoutInvisible(text: string): string {
  return text
    .toWellFormed()
    .replace(INVISIBLE, '')
    .replace(JOINERS, (run, index: number, whole: string) =>
      isVisible(whole[index - 1]) && isVisible(whole[index + run.length]) ? (run[0] ?? '') : '',
    )
    .replace(STACKED_MARKS, '$1');
}

function isVisible(character: string | undefined): boolean {
  return character !== undefined && !/\s/.test(character);
}

function clean(text: string, length: number, keepLines: boolean): string {
  const maxRead = READ_AHEAD * length;
  const visible = withoutInvisible(text.slice(0, maxRead).replace(/[\ud800-\udbff]$/, ''));
  const tidy = (keepLines ? tidyLines(visible) : visible.replace(/\s+/g, ' ')).trim();
  if (BLANK.test(tidy)) return '';
  return truncate(text.length > maxRead ? `${tidy}…` : tidy, length);
}

/** At most one empty line between two lines. */
function tidyLines(text: string): string {
  let lines = 1;
  return text.replace(/\s+/g, (space) => {
    if (!space.includes('\n') || ++lines > MAX_LINES) return ' ';
    return space.indexOf('\n') === space.lastIndexOf('\n') ? '\n' : '\n\n';
  });
}

// Cuts a text to a length.

/** At most `length` UTF-16 units, ending with an ellipsis if it was cut; never half a character. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  const cut = text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut.toWellFormed().trimEnd()}…`;
}
