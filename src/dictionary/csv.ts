// Dictionaries as CSV files, for spreadsheets: a header, then a line for each entry with its word, what is said, and the language or nothing.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { KeyIn, Translator } from '../locales/index.ts';
import { type Entry, keyOf, readEntry } from './entry.ts';

/** The names of the command's options. */
const HEADER = ['word', 'say_as', 'language'];
/** Excel takes a file for UTF-8 only if it begins with this. */
const BYTE_ORDER_MARK = '\ufeff';
/**
 * The place at the beginning of a cell where spreadsheets would take what follows for a formula:
 * https://owasp.org/www-community/attacks/CSV_Injection. For those that separate by semicolons or tabs, a cell may begin in the middle of
 * ours.
 */
const FORMULA = /(^|[;\t])(?=["' ]*[=+\-@])/g;
/** The same place with the apostrophe that turns the cell into text. */
const NEUTRALISED = /(^|[;\t])'(?=["' ]*[=+\-@])/g;
/** Excel writes semicolons where a comma is the decimal point. */
const DELIMITERS = [',', ';', '\t'];
/** UTF-16 units passed to the parser before it yields: a few milliseconds of work, whatever they are. */
const CHUNK = 2_048;
/** Bytes, far more than an entry may have: where a quotation that is never closed ends, and from where on text without an entry counts as bad lines. */
const MAX_LINE = 16_384;
/** Reading ends after so many lines that can't be imported: such a file is no dictionary, or has one mistake throughout. */
const MAX_BAD_LINES = 50;

/** Why a line can't be imported. */
export type LineProblem = KeyIn<'dictionary.problems'>;

/** Neighbouring lines with the same problem. */
export interface SkippedLines {
  from: number;
  to: number;
  problem: LineProblem;
}

export interface CsvEntries {
  entries: Entry[];
  /** The line that each entry is on. */
  lines: Map<Entry, number>;
  skipped: SkippedLines[];
  /** The first line that was not read, and why; null = all were read. */
  unread: Unread | null;
}

export interface Unread {
  from: number;
  reason: KeyIn<'dictionary.unread'>;
}

export function writeCsv(entries: readonly Entry[]): string {
  const rows = entries.map(({ word, spoken, language }) => [word, spoken, language ?? ''].map((cell) => cell.replace(FORMULA, "$1'")));
  const quoted = [HEADER, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
  return `${BYTE_ORDER_MARK}${quoted.join('\r\n')}\r\n`;
}

/**
 * Takes any text: lines that are no entries are reported. Reading ends once there are enough of either, so a larger file takes no longer.
 * @param t in the language of the texts that the entries are for
 * @param most how many entries are of use
 */
export async function readCsv(text: string, t: Translator, most: number): Promise<CsvEntries> {
  const csv: CsvEntries = { entries: [], lines: new Map(), skipped: [], unread: null };
  const keys = new Set<string>();
  let rows = 0;
  let badLines = 0;

  function skip(line: number, problem: LineProblem): void {
    skipLine(csv.skipped, line, problem);
    badLines++;
  }

  function take(line: number, cells: string[]): void {
    const [word = '', spoken = '', language = ''] = cells.slice(0, HEADER.length).map((cell) => cell.replace(NEUTRALISED, '$1'));
    const entry = readEntry({ word, spoken, language }, t);
    if (typeof entry === 'string') skip(line, entry);
    else if (keys.has(keyOf(entry))) skip(line, 'duplicate');
    else {
      keys.add(keyOf(entry));
      csv.entries.push(entry);
      csv.lines.set(entry, line);
    }
  }

  await readRows(text.replace(/^\ufeff/, ''), ({ line, cells }) => {
    if (rows++ === 0 && cells && isHeader(cells)) return true;
    if (badLines >= MAX_BAD_LINES) csv.unread = { from: line, reason: 'tooManyBad' };
    else if (csv.entries.length >= most) csv.unread = { from: line, reason: 'full' };
    else if (cells) take(line, cells);
    else skip(line, 'quotes');
    return csv.unread === null;
  });
  return csv;
}

/** Adds a line to those that are reported. For a parser error, only the last line is known. */
export function skipLine(skipped: SkippedLines[], line: number, problem: LineProblem): void {
  const last = skipped.at(-1);
  if (last && last.problem === problem && line <= last.to + 1) last.to = Math.max(last.to, line);
  else skipped.push({ from: line, to: line, problem });
}

interface Row {
  line: number;
  /** null if the line can't be read. */
  cells: string[] | null;
}

/**
 * Calls `onRow` until it returns false. The parser's own stream of records is not used, because an error would discard those that were not
 * read yet.
 */
async function readRows(text: string, onRow: (row: Row) => boolean): Promise<void> {
  let isWanted = true;
  let last = 0;
  /** What is read of the text, and where the last line ended. */
  let at = 0;
  let passedAt = 0;
  const pass = (line: number, cells: string[] | null) => {
    last = line;
    passedAt = at;
    isWanted &&= onRow({ line, cells });
  };
  async function* chunks(): AsyncGenerator<string> {
    for (; at < text.length && isWanted; at += CHUNK) {
      yield text.slice(at, at + CHUNK);
      await nextTurn();
      // The parser measures a line by what is in its cells, so it would collect a million empty ones.
      if (at - passedAt > MAX_LINE) isWanted &&= onRow({ line: parser.info.lines, cells: [] });
    }
  }
  // Loaded when a file is first imported.
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse({
    delimiter: findDelimiter(text),
    max_record_size: MAX_LINE,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
    on_record: (cells: string[], { lines }) => {
      pass(lines, cells);
      return null;
    },
  });
  parser.on('skip', ({ lines }: { lines: number }) => pass(lines, null));
  try {
    await pipeline(Readable.from(chunks()), parser.resume());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    pass(last + 1, null);
  }
}

/** The delimiter that occurs most often in the first line. */
function findDelimiter(text: string): string {
  const [first = ''] = text
    .slice(0, MAX_LINE)
    .trimStart()
    .split(/[\r\n]/, 1);
  const unquoted = first.replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] as string;
}

function isHeader([word = '', spoken = '']: string[]): boolean {
  return word.toLowerCase() === HEADER[0] && spoken.toLowerCase().replace(/[ -]/g, '_') === HEADER[1];
}
