// A text as a person would read it out: numbers, dates, money, units and abbreviations in words, initialisms ready to be spelled ("F_B_I").
//
// phonemize's own expansion is not used: it says "thirdy pm" for "7:30 p.m.". What only Discord writes (mentions, markdown, links) the bot
// has already rewritten, see synthesis/speakable.ts.
import { foldLatin, toAscii } from '../english-text.ts';
import { ABBREVIATIONS, CHAT, EMOJI, INITIALISM_WORDS, SIGNS, SMALL_INITIALISMS } from './abbreviations.ts';
import { digitByDigit } from './numbers.ts';
import { ACCENTED } from './pronunciations.ts';
import { sayQuantities } from './quantities.ts';
import { sayNumerals } from './roman-numerals.ts';
import type { Accent } from './voices.ts';

/** @returns ASCII letters, apostrophes, underscores between letters to spell, and marks; no digits */
export function toSpokenText(text: string, accent: Accent): string {
  let spoken = text
    .normalize('NFC')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/[\u00a0\u202f\u2009]/g, ' ');
  spoken = foldLatin(spoken.replace(/\p{L}+/gu, (word) => ACCENTED.get(word.toLowerCase()) ?? word));
  spoken = sayEmoji(spoken);
  spoken = sayAddresses(spoken);
  spoken = sayNumerals(spoken, accent);
  spoken = sayAbbreviations(spoken);
  spoken = sayQuantities(spoken, accent);
  for (const [sign, words] of SIGNS) spoken = spoken.replace(sign, words);
  spoken = toAscii(spoken);
  spoken = spellInitialisms(spoken);
  return tidy(spoken);
}

const EMOJI_VARIANT = '(?:\\ufe0f|\\p{Emoji_Modifier})?';
const PICTURE = `\\p{Extended_Pictographic}${EMOJI_VARIANT}(?:\\u200d\\p{Extended_Pictographic}${EMOJI_VARIANT})*`;
/** The same several times in a row is one. */
const EMOJI_RUN = new RegExp(`(\\p{RI}{2}|${PICTURE})(?: ?\\1)*`, 'gu');
const FACE = /(?<=^|\s)(?:[:;=8xX]['-]?[)(DdPpOo/\\|*3]|<3|\^_\^|[oO]_[oO]|:'\()(?=\s|$|[.,!?])/g;

function sayEmoji(text: string): string {
  return text
    .replace(EMOJI_RUN, (run, emoji: string) => {
      if (/^[©®™‼⁉↔-↪]/u.test(emoji)) return run;
      const name = EMOJI[emoji.replace(/[\ufe0f\p{Emoji_Modifier}]/gu, '')];
      return name === undefined ? ' ' : ` , ${name} , `;
    })
    .replace(FACE, (face) => (face === '<3' ? ' heart ' : ' '));
}

/** Addresses of the net: "example.com/help" and "ann@example.com". */
function sayAddresses(text: string): string {
  const dots = (host: string) => host.replace(/\./g, ' dot ').replace(/-/g, ' dash ').replace(/_/g, ' underscore ');
  return text
    .replace(/\b(?:https?:\/\/|www\.)(?:www\.)?([\w.-]*\w)(?::\d+)?((?:\/[^\s<>"]*)?)/gi, (_, host: string) => ` ${dots(host)} `)
    .replace(/(?<![\w.+-])([\w.+-]+)@([\w-]+(?:\.[\w-]+)+)\b/g, (_, user: string, host: string) => `${dots(user)} at ${dots(host)}`)
    .replace(
      /\b([a-z][\w-]{0,40}(?:\.[\w-]{1,40}){0,5})\.(com|org|net|io|gg|dev|app|co|uk|de|fr|tv|gov|edu|me|ai|js|ts|py|json|txt|md|exe|zip|png|jpg|mp3|mp4|wav|pdf)\b(?:\/\S*)?/gi,
      (_, name: string, end: string) =>
        `${dots(name)} dot ${end.length < 3 || /^(?:exe|txt|png|jpg|pdf|mp\d)$/i.test(end) ? end.toUpperCase() : end}`,
    )
    .replace(/\b(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\b/g, (address: string) => address.split('.').map(digitByDigit).join(' dot '))
    .replace(/(?<!\w)@(\w)/g, 'at $1')
    .replace(/(?<!\w)#(?=[A-Za-z])/g, 'hashtag ');
}

function sayAbbreviations(text: string): string {
  let spoken = text
    // "Dr. Lee" and "Elm Dr.", "St. Paul" and "Main St."
    .replace(/\b(Dr|St)\.?(?= [A-Z])(?<!(?:[A-Z]\w+|\d(?:st|nd|rd|th)) (?:Dr|St)\.?)/g, (_, short: string) =>
      short === 'Dr' ? 'Doctor' : 'Saint',
    )
    .replace(/(?<=(?:[A-Z]\w+|\d(?:st|nd|rd|th)) )(Dr|St)\b\.?(?=[,;]| [a-z]|$| [A-Z]\w+,|\s*\n)/g, (_, short: string) =>
      short === 'Dr' ? 'Drive' : 'Street',
    )
    .replace(/\bDr\.(?=\s|$)/g, 'Doctor')
    .replace(/\bSt\.(?=\s+[A-Z])/g, 'Street.')
    .replace(/\bSt\.(?=\s|$)/g, 'Street')
    .replace(/\bNo\. ?(?=\d)/g, 'number ')
    .replace(/#(?=\d)/g, 'number ');
  for (const [short, words] of ABBREVIATIONS) spoken = spoken.replace(short, words);
  for (const [short, words] of CHAT) spoken = spoken.replace(short, words);
  return (
    spoken
      .replace(SMALL_INITIALISMS, (letters) => letters.toUpperCase())
      // "U.S.", with its last stop where that ends the text, too.
      .replace(/\b((?:[A-Z]\.){2,})(?:(\s*$)|)/gm, (all, letters: string, end?: string) =>
        end === undefined ? all : `${letters.replaceAll('.', '')}.${end}`,
      )
      .replace(/\b(?:[A-Z]\.){2,}(?:[A-Z]\b)?/g, (letters) => letters.replaceAll('.', ''))
      // "J. R. R. Tolkien". What has to follow is optional here and above: a search that fails begins again at each letter.
      .replace(/\b(?:[A-Z]\. ){2,}([A-Z]\w)?/g, (all, name?: string) => (name === undefined ? all : all.replaceAll('.', '')))
  );
}

const SAID_WITHOUT_VOWEL = /^(?:hm+|sh+|ps+t|br+|mm+|zz+|gr+|pf+t|ts+k|nth|mr|mrs|ms|dr)$/;

/**
 * All in capitals and not a word: spelled. What stands in a text of capitals alone is shouted. Of four letters and more that can be said,
 * `toKokoro` spells those that no dictionary has.
 */
function spellInitialisms(text: string): string {
  const shouted = !/[a-z]{2}/.test(text) && /[A-Z]{4,}/.test(text);
  return (
    text
      // "ChatGPT", "MySQL" and "VSCode".
      .replace(/\biOS\b/g, 'I_O_S')
      .replace(/(?<=\b[A-Z]?[a-z]{2,12})(?=[A-Z]{2,5}\b)|(?<=\b[A-Z]{2,5})(?=[A-Z][a-z]{2})/g, ' ')
      .replace(/\b([A-Z]{2,})('?s)?\b(?!_)/g, (whole: string, letters: string, plural: string | undefined) => {
        if (INITIALISM_WORDS.has(letters)) return whole;
        if (isPronounceable(letters) && (shouted || letters.length > 3)) return whole;
        return spell(letters, plural);
      })
      .replace(/(?<!')\b[bcdfghjklmnpqrstvwxz]{2,5}\b/g, (letters) =>
        SAID_WITHOUT_VOWEL.test(letters) ? letters : spell(letters.toUpperCase(), undefined),
      )
  );
}

const spell = (letters: string, plural: string | undefined) => `${[...letters].join('_')}${plural === undefined ? '' : '_s'}`;

/** Has a vowel, and no four consonants in a row. */
const isPronounceable = (letters: string) => /[AEIOUY]/.test(letters) && !/[^AEIOUY]{4}/.test(letters);

/** The one of several marks in a row that can be heard. */
function oneMark(marks: string): string {
  if (marks.includes('?')) return '?';
  if (marks.includes('!')) return '!';
  if (/\.\.+/.test(marks)) return '...';
  return marks.includes('.') ? '.' : (marks.trim()[0] as string);
}

function tidy(text: string): string {
  return (
    text
      // "GitHub" and "YouTube" are two words; "McDonald" is one, and so is "iPhone".
      .replace(/(?<=[a-z]{3})(?=[A-Z][a-z])/g, ' ')
      .replace(/_(?![A-Zs])|(?<![A-Z])_/g, ' ')
      .replace(/(?<=[A-Za-z])-(?=[A-Za-z])/g, ' ')
      .replace(/(?<=\s)-+(?=\s)|--+/g, ', ')
      .replace(/[()[\]{}"]+/g, (bracket) => (/["]/.test(bracket) ? ' ' : ', '))
      .replace(/(?<=[A-Za-z])'(?=[\s,.;:!?]|$)|(?<=\s|^)'(?=[A-Za-z])/g, ' ')
      .replace(/[^A-Za-z'_.,;:!?\n ]+/g, ' ')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?[.,;:!?][.,;:!? ]*/g, (marks) => `${oneMark(marks)} `)
      .replace(/(^|\n)[.,;:!? ]+/g, '$1')
      .trim()
  );
}
