// What /dictionary says.
import { bold, inlineCode, roleMention } from 'discord.js';
import { code, format } from './format.ts';

const entries = (count: number) => format.plural(count, { one: '# entry', other: '# entries' });

export const dictionary = {
  titles: { server: 'Server dictionary', me: 'Your dictionary' },
  /** @param most how many there may be */
  count: (count: number, most: number) => `${format.number(count)} of ${entries(most)}`,
  /** @param typed what was searched for */
  found: (count: number, typed: string) => `${entries(count)} with ${code(typed)}`,
  empty: {
    server: `There’s nothing here yet. ${inlineCode('/dictionary add')} teaches me how to say a word.`,
    me: `There’s nothing here yet. ${inlineCode('/dictionary add')} teaches me how you want a word said. Your entries take precedence over the server’s.`,
  },
  noneFound: (typed: string) => `No entry contains ${code(typed)}. Try a shorter part of the word.`,
  /** @param word @param spoken what is said instead @param language code of the only language it applies to; null = all */
  entry: (word: string, spoken: string, language: string | null) =>
    language === null ? `${bold(word)} → ${spoken}` : `${bold(word)} → ${spoken} (${format.language(language)})`,
  added: { server: 'Added to the server’s dictionary.', me: 'Added to your dictionary.' },
  changed: { server: 'Changed in the server’s dictionary.', me: 'Changed in your dictionary.' },
  /** @param spoken what was said before */
  before: (spoken: string) => `Before: ${spoken}`,
  removed: { server: 'Removed from the server’s dictionary.', me: 'Removed from your dictionary.' },
  hear: 'Hear it',
  undo: 'Undo',
  undone: { server: 'Undone. The server’s dictionary is as it was.', me: 'Undone. Your dictionary is as it was.' },
  undoExpired: `It’s too late to undo this. ${inlineCode('/dictionary list')} shows what’s there now.`,
  notFound: {
    server: (word: string) => `${code(word)} isn’t in the server’s dictionary. ${inlineCode('/dictionary list')} shows what is.`,
    me: (word: string) => `${code(word)} isn’t in your dictionary. ${inlineCode('/dictionary list')} shows what is.`,
  },
  nothingApplies: (text: string) => `No entry changes how I say ${code(text)}. Add one with ${inlineCode('/dictionary add')}.`,
  full: {
    server: (most: number) => `The server’s dictionary is full: it holds ${entries(most)}. Remove one first.`,
    me: (most: number) => `Your dictionary is full: it holds ${entries(most)}. Remove one first.`,
  },
  /** @param roles ids of the roles that may change it */
  notAllowed: (roles: readonly string[]) =>
    roles.length === 0 || roles.length > 5
      ? `You need ${bold('Manage Server')} to change the server’s dictionary. To change your own, choose it in ${inlineCode('for')}.`
      : `You need ${bold('Manage Server')} or ${format.or(roles.map(roleMention))} to change the server’s dictionary. To change your own, choose it in ${inlineCode('for')}.`,
  notInGuild: `There’s only your own dictionary here. Leave ${inlineCode('for')} blank.`,
  /** Why an entry isn’t taken, from a command or from a line of a file. */
  problems: {
    noWord: 'The word has no letter or digit. Write it the way people type it.',
    longWord: 'The word is too long. Use up to 100 characters.',
    noSpoken: 'There’s nothing to say for the word. Write at least one letter or digit.',
    longSpoken: 'There’s too much to say for the word. Use up to 200 characters.',
    language: `I don’t know this language. Use a code such as ${inlineCode('en')}, or leave it blank for all languages.`,
    duplicate: 'This word is already on an earlier line. I used that one.',
    quotes: 'A quotation mark isn’t closed, here or above.',
    full: 'The dictionary is full.',
  },
  showServer: 'Server dictionary',
  showMine: 'Your dictionary',
  removeMenu: 'Remove a word…',
  exported: {
    server: 'Here’s the server’s dictionary. Edit it in any spreadsheet and import it again.',
    me: 'Here’s your dictionary. Edit it in any spreadsheet and import it again.',
  },
  /** The title of a form and the labels in it have at most 45 characters, the hint 100. */
  importTitle: { server: 'Import into the server’s dictionary', me: 'Import into your dictionary' },
  importLabel: 'CSV file',
  importHint: 'Columns: word, what to say, language (may be blank). Up to 1 MB.',
  importModeLabel: 'Existing entries',
  importModes: { merge: 'Keep them; if a word is in both, the file wins', replace: 'Remove them all first' },
  /** @param added @param changed how many entries */
  imported: (added: number, changed: number) =>
    changed === 0 ? `Imported. ${entries(added)} added.` : `Imported. ${entries(added)} added, ${format.number(changed)} changed.`,
  /** @param gone how many entries were removed */
  importedInstead: (count: number, gone: number) => `Imported ${entries(count)}, replacing the previous ${format.number(gone)}.`,
  importedNothing: (file: string) => `There’s nothing in ${code(file)} that I can import. I didn’t change anything.`,
  skipped: (count: number) => format.plural(count, { one: 'I skipped # line:', other: 'I skipped # lines:' }),
  line: (line: number, reason: string) => `Line ${format.number(line)}: ${reason}`,
  lines: (from: number, to: number, reason: string) => `Lines ${format.number(from)} to ${format.number(to)}: ${reason}`,
  /** @param count of lines in the list that aren’t shown */
  moreSkipped: (count: number) => `… and ${format.plural(count, { one: '# more', other: '# more' })}. The attached file has them all.`,
  /** Why the rest of a file wasn’t read. @param line the first line that wasn’t */
  unread: {
    full: (line: number) => `I stopped at line ${format.number(line)}, because the dictionary is full.`,
    tooManyBad: (line: number) =>
      `I stopped at line ${format.number(line)}, because I had to skip too many lines before it. Fix them and import the file again.`,
  },
  notText: (file: string) => `${code(file)} isn’t a text file in UTF-8. In Excel, save it as “CSV UTF-8”. I didn’t change anything.`,
  /** @param limit in bytes */
  fileTooLarge: (file: string, limit: number) =>
    `${code(file)} is over ${format.megabytes(limit)}, more than any dictionary holds. Split it. I didn’t change anything.`,
  /** In /privacy. @param count of the member’s own entries */
  privacy: (count: number) =>
    `${bold('Dictionaries.')} ${count === 0 ? '' : `${entries(count)} of yours, until you remove them. `}A server’s entries stay as long as its settings.`,
};
