// What happens to the entries of a dictionary: adding, removing and importing, and undoing each of these.
import { z } from 'zod';
import { type Entry, entrySchema, foldWord, keyOf } from './entry.ts';

/** Enough to undo it. */
export interface Change {
  /** Entries that were removed or replaced. */
  before: Entry[];
  /** Entries that were added or took the place of one. */
  after: Entry[];
}

export const changeSchema = z.object({ before: z.array(entrySchema), after: z.array(entrySchema) });

export interface Changed {
  entries: Entry[];
  change: Change;
  /** Entries that were not taken, as there is no room. */
  left: Entry[];
}

export type ImportMode = 'merge' | 'replace';

/** Adds the entries, or changes what is said for those that are there already. */
export function addEntries(entries: readonly Entry[], added: readonly Entry[], most: number): Changed {
  const byKey = new Map(entries.map((entry) => [keyOf(entry), entry]));
  const change: Change = { before: [], after: [] };
  const left: Entry[] = [];
  for (const entry of added) {
    const key = keyOf(entry);
    const before = byKey.get(key);
    if (before && before.spoken === entry.spoken && before.word === entry.word) continue;
    if (!before && byKey.size >= most) {
      left.push(entry);
      continue;
    }
    if (before) change.before.push(before);
    change.after.push(entry);
    byKey.set(key, entry);
  }
  return { entries: [...byKey.values()], change, left };
}

/** Removes the word in every language. */
export function removeWord(entries: readonly Entry[], word: string): Changed {
  const folded = foldWord(word);
  const isMeant = (entry: Entry) => foldWord(entry.word) === folded;
  return { entries: entries.filter((entry) => !isMeant(entry)), change: { before: entries.filter(isMeant), after: [] }, left: [] };
}

export function importEntries(entries: readonly Entry[], imported: readonly Entry[], mode: ImportMode, most: number): Changed {
  if (mode === 'merge') return addEntries(entries, imported, most);
  const { entries: after, left } = addEntries([], imported, most);
  return { entries: after, change: { before: [...entries], after }, left };
}

/** What was changed again since, by whomever, stays. */
export function undoChange(entries: readonly Entry[], { before, after }: Change, most: number): Entry[] {
  const added = new Map(after.map((entry) => [keyOf(entry), entry]));
  const kept = entries.filter((entry) => added.get(keyOf(entry))?.spoken !== entry.spoken);
  const taken = new Set(kept.map(keyOf));
  return [...kept, ...before.filter((entry) => !taken.has(keyOf(entry)))].slice(0, most);
}

/** Entries with this text in the word or in what is said, in the order of the words. */
export function findEntries(entries: readonly Entry[], typed: string): Entry[] {
  const wanted = foldWord(typed);
  const found = entries.filter(({ word, spoken }) => [word, spoken].some((text) => foldWord(text).includes(wanted)));
  return found
    .map((entry) => ({ entry, key: keyOf(entry) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ entry }) => entry);
}
