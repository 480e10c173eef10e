// Dictionaries as CSV files, for spreadsheets: a header, then a line for each entry with its word, what is said, and the language or nothing.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Words } from '../locales/index.ts';
import { type Entry, keyOf, readEntry } from './entry.ts';

/** The names of the command's options. */
const HEADER = ['word', 'say_as', 'language'];
/** Excel takes a file for UTF-8 only if it begins with it. */
const BYTE_ORDER_MARK = '\ufeff';
/** Spreadsheets would take a cell that begins with one of these for a formula: https://owasp.org/www-community/attacks/CSV_Injection */
const FORMULA = /^[=+\-@]/;
/** Excel writes semicolons where a comma is the decimal point. */
const DELIMITERS = [',', ';', '\t'];
/** UTF-16 units passed to the parser at a time, and lines read before others have their turn: a millisecond of work. */
const CHUNK = 16_384;
const LINES_AT_A_TIME = 50;
/** Bytes; far more than an entry may have. A quotation mark that is never closed ends here. */
const MAX_LINE = 16_384;

/** Why a line isn't taken. */
export type LineProblem = keyof Words['dictionary']['problems'];

/** Neighbouring lines with the same problem. */
export interface SkippedLines {
  from: number;
  to: number;
  problem: LineProblem;
}

export interface CsvEntries {
  entries: Entry[];
  /** The line of each entry. */
  lines: Map<Entry, number>;
  skipped: SkippedLines[];
}

export function writeCsv(entries: readonly Entry[]): string {
  const rows = entries.map(({ word, spoken, language }) => [word, spoken, language ?? ''].map((cell) => cell.replace(FORMULA, "'$&")));
  const quoted = [HEADER, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(','));
  return `${BYTE_ORDER_MARK}${quoted.join('\r\n')}\r\n`;
}

/**
 * Whatever is in the text: lines that are no entries are reported, and further ones are not looked at once there are enough.
 * @param t the words of the texts that the entries are for
 * @param most entries that are of use
 */
export async function readCsv(text: string, t: Words, most: number): Promise<CsvEntries> {
  const found: CsvEntries = { entries: [], lines: new Map(), skipped: [] };
  const keys = new Set<string>();
  const skip = (line: number, problem: LineProblem) => skipLine(found.skipped, line, problem);
  const rows = await readRows(text.replace(/^\ufeff/, ''));
  for (const [index, { line, cells, problem }] of rows.entries()) {
    if (index % LINES_AT_A_TIME === 0) await nextTurn();
    if (index === 0 && isHeader(cells)) continue;
    if (problem !== undefined || found.entries.length >= most) {
      skip(line, problem ?? 'full');
      continue;
    }
    const [word = '', spoken = '', language = ''] = cells.map((cell) => cell.replace(/^'(?=[=+\-@])/, ''));
    const entry = readEntry({ word, spoken, language }, t);
    if (typeof entry === 'string') skip(line, entry);
    else if (keys.has(keyOf(entry))) skip(line, 'duplicate');
    else {
      keys.add(keyOf(entry));
      found.entries.push(entry);
      found.lines.set(entry, line);
    }
  }
  return found;
}

/** Adds a line to those that are reported. Of an error, only the end is known. */
export function skipLine(skipped: SkippedLines[], line: number, problem: LineProblem): void {
  const last = skipped.at(-1);
  if (last && last.problem === problem && line <= last.to + 1) last.to = Math.max(last.to, line);
  else skipped.push({ from: line, to: line, problem });
}

/** A line, and why it can't be read. */
interface Row {
  line: number;
  cells: string[];
  problem?: LineProblem;
}

/** The stream's own records are not used: an error would take those with it that were not read yet. */
async function readRows(text: string): Promise<Row[]> {
  const rows: Row[] = [];
  // Loaded when somebody first imports a file.
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
      rows.push({ line: lines, cells });
      return null;
    },
  });
  parser.on('skip', ({ lines }: { lines: number }) => rows.push({ line: lines, cells: [], problem: 'quotes' }));
  try {
    await pipeline(Readable.from(inChunks(text)), parser.resume());
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    rows.push({ line: (rows.at(-1)?.line ?? 0) + 1, cells: [], problem: 'quotes' });
  }
  return rows;
}

async function* inChunks(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += CHUNK) {
    yield text.slice(at, at + CHUNK);
    await nextTurn();
  }
}

/** The one that the first line has most of. */
function findDelimiter(text: string): string {
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1);
  const unquoted = first.replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => unquoted.split(delimiter).length;
  return DELIMITERS.toSorted((a, b) => count(b) - count(a))[0] as string;
}

function isHeader([word = '', spoken = '']: string[]): boolean {
  return word.toLowerCase() === HEADER[0] && spoken.toLowerCase().replace(/[ -]/g, '_') === HEADER[1];
}
