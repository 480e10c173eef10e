// Finds the words of dictionaries in a text, and puts what is said in their place: in one pass, whose cost depends on the length of the
// text and hardly on the number of entries.
import { type Entry, type FoldedText, foldText } from './entry.ts';

/** A dictionary as a tree: each step is one UTF-16 unit of a folded word. */
export interface CompiledDictionary {
  /** From a node and a unit, as one number, to the next node. One map for all nodes takes a tenth of the memory of a map for each. */
  steps: Map<number, number>;
  /** The entries whose word ends at a node. */
  ends: Map<number, Entry[]>;
}

const ROOT = 0;
const UNITS = 0x10000;

/** Characters that all entries together may add: no more of a text is ever spoken, so what follows need not be replaced. */
const MAX_ADDED = 4000;

/** @param dictionary what the entries are added to: a large one is compiled in parts */
export function compileDictionary(
  entries: readonly Entry[],
  dictionary: CompiledDictionary = { steps: new Map(), ends: new Map() },
): CompiledDictionary {
  const { steps, ends } = dictionary;
  // The root, and one for each step.
  let nodes = steps.size + 1;
  for (const entry of entries) {
    let node = ROOT;
    const word = foldText(entry.word).keys.join('');
    for (let at = 0; at < word.length; at++) {
      const step = node * UNITS + word.charCodeAt(at);
      node = steps.get(step) ?? nodes++;
      steps.set(step, node);
    }
    if (node !== ROOT) ends.set(node, [...(ends.get(node) ?? []), entry]);
  }
  return dictionary;
}

/** What it takes in memory at most, in bytes: a step up to 72 in a map that has just grown, an entry those of its two texts twice and 400 more. */
export function bytesOf({ steps, ends }: CompiledDictionary): number {
  let bytes = 72 * steps.size;
  for (const entries of ends.values()) for (const { word, spoken } of entries) bytes += 400 + 2 * (word.length + spoken.length);
  return bytes;
}

/**
 * Replaces whole words, the longest first where several begin, and never what was put in: with a → b and b → a the two change places.
 * @param language of the text (BCP 47), for entries of one language; null = not known, then these count as well
 * @param dictionaries the first one's entry counts if several have the same word
 */
export function replaceWords(text: string, language: string | null, dictionaries: readonly CompiledDictionary[]): string {
  const filled = dictionaries.filter(({ ends }) => ends.size > 0);
  if (filled.length === 0) return text;
  const folded = foldText(text);
  let replaced = '';
  let copied = 0;
  let room = MAX_ADDED;
  for (let at = 0; at < folded.keys.length; ) {
    const found = startsWord(folded, at) ? findLongest(folded, at, language, filled) : null;
    if (!found) {
      at++;
      continue;
    }
    const start = folded.starts[at] as number;
    const end = folded.starts[found.end] as number;
    room -= Math.max(0, found.entry.spoken.length - (end - start));
    if (room < 0) break;
    replaced += folded.text.slice(copied, start) + found.entry.spoken;
    copied = end;
    at = found.end;
  }
  return copied === 0 ? text : replaced + folded.text.slice(copied);
}

interface Found {
  entry: Entry;
  /** The unit after the word. */
  end: number;
}

function findLongest(folded: FoldedText, from: number, language: string | null, dictionaries: readonly CompiledDictionary[]): Found | null {
  let longest: Found | null = null;
  for (const { steps, ends } of dictionaries) {
    let node: number | undefined = ROOT;
    for (let at = from; at < folded.keys.length; at++) {
      const key = folded.keys[at] as string;
      for (let unit = 0; unit < key.length && node !== undefined; unit++) node = steps.get(node * UNITS + key.charCodeAt(unit));
      if (node === undefined) break;
      const end = at + 1;
      if (longest && end <= longest.end) continue;
      const entries = ends.get(node);
      const entry: Entry | undefined = entries && endsWord(folded, end) ? chooseEntry(entries, language) : undefined;
      if (entry) longest = { entry, end };
    }
  }
  return longest;
}

/** One for this language rather than one for all. If the language isn't known, the other way round. */
function chooseEntry(entries: readonly Entry[], language: string | null): Entry | undefined {
  const forAll = entries.find((entry) => entry.language === null);
  if (language === null) return forAll ?? entries[0];
  return entries.find((entry) => entry.language === baseOf(language)) ?? forAll;
}

/** "pt" of "pt-BR". */
function baseOf(language: string): string {
  return language.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
}

/** Scripts without blanks have words anywhere. Where scripts meet, as in "GPT를", a new word begins. */
function startsWord({ kinds }: FoldedText, at: number): boolean {
  const kind = kinds[at];
  return !((kind === 'letter' || kind === 'hangul') && kinds[at - 1] === kind);
}

/** Korean appends particles to its words, so a word may go on in Hangul. */
function endsWord({ kinds }: FoldedText, end: number): boolean {
  return !(kinds[end - 1] === 'letter' && kinds[end] === 'letter');
}
