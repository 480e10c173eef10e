// Subtitle cues as they are made for people: one or two short lines, shown for 1 to 7 s, that end where sentences and clauses end.
import type { TranscriptLine } from './transcript-lines.ts';
import { endOf, isChineseOrJapanese, joinsWithoutSpace, splitLongWord, splitWords } from './transcript-words.ts';

export interface Cue {
  lines: string[];
  speaker: string | null;
  /** Milliseconds. `start` < `end`, and cues don't overlap. */
  start: number;
  end: number;
}

/** UTF-16 units of a line: what is read at a glance. Characters of Chinese and Japanese are wider. */
const LINE_LENGTH = { usual: 42, chineseOrJapanese: 24 };
/** Milliseconds that a cue is shown. */
const SHORTEST = 1000;
const LONGEST = 7000;
/** Milliseconds of silence after which another cue begins. */
const PAUSE = 1000;
/** Milliseconds at which somebody takes a breath. */
const BREATH = 300;

/** What speaks against a cue. Only the proportions matter. */
const COST = {
  cue: 1,
  /** Shown for too short a time. */
  short: 30,
  /** A sentence ends in the middle of it. */
  sentenceWithin: 4,
  /** It ends at the end of a clause, at a breath, or anywhere else. */
  atClause: 2,
  atBreath: 4,
  elsewhere: 6,
  /** After a word that mostly belongs to the next one, as articles and conjunctions do. */
  afterShortWord: 9,
  /** Almost empty, although it is only a part of its sentence: halves are better than most and a rest. */
  empty: 4,
};

const SHORT_WORD = /^\p{L}{1,3}$/u;

interface Word {
  text: string;
  isSpaced: boolean;
  start: number;
  end: number;
  endsWith: 'sentence' | 'clause' | null;
}

/** Words that may share a cue: those of one speaker, without a pause. */
interface Block {
  speaker: string | null;
  words: Word[];
}

/** @param options `duration`: of the recording, in milliseconds; 0 = unknown. `named`: begins each line with its speaker's name */
export function toCues(lines: readonly TranscriptLine[], { duration, named }: { duration: number; named: boolean }): Cue[] {
  const blocks = toBlocks(lines, named);
  const cues: Cue[] = [];
  let lastEnd = 0;
  for (const [index, { speaker, words }] of blocks.entries()) {
    const width = isChineseOrJapanese(words.map(({ text }) => text).join('')) ? LINE_LENGTH.chineseOrJapanese : LINE_LENGTH.usual;
    const fitting = words.flatMap((word) => splitWord(word, width));
    const nextBlock = blocks[index + 1]?.words[0]?.start ?? (duration > 0 ? duration : Number.POSITIVE_INFINITY);
    const layout = createLayout(fitting, width);
    for (const [from, to] of chooseCues(fitting, layout, nextBlock)) {
      const next = fitting[to]?.start ?? nextBlock;
      const said = { start: Math.max(lastEnd, fitting[from]?.start ?? 0), end: fitting[to - 1]?.end ?? 0 };
      const end = Math.max(said.start + 1, Math.min(said.start + LONGEST, Math.max(said.end, Math.min(said.start + SHORTEST, next))));
      // If it can't stay, it comes earlier.
      const start = Math.max(lastEnd, Math.min(said.start, end - SHORTEST));
      cues.push({ lines: layout.linesOf(from, to), speaker, start, end });
      lastEnd = end;
    }
  }
  return cues;
}

function toBlocks(lines: readonly TranscriptLine[], named: boolean): Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    for (const [index, word] of toWords(line, named).entries()) {
      const block = blocks.at(-1);
      const before = block?.words.at(-1);
      const isNew = !before || word.start - before.end > PAUSE || (index === 0 && (line.speaker !== null || block?.speaker !== null));
      if (isNew) blocks.push({ speaker: line.speaker, words: [word] });
      else block?.words.push(index > 0 ? word : { ...word, isSpaced: !joinsWithoutSpace(before.text, word.text) });
    }
  }
  return blocks;
}

/** With their own times, or else in proportion to their characters. */
function toWords(line: TranscriptLine, named: boolean): Word[] {
  const { speaker, start, end } = line;
  const timed = findTimes(line) ?? divideTime(line);
  const words = timed.map((word, index): Word => ({ ...word, endsWith: endOf(word.text, timed[index + 1]?.text) }));
  if (!named || speaker === null) return words;
  const [first, ...others] = words;
  const name = `${speaker}:`.split(' ').map((text, index): Word => ({ text, isSpaced: index > 0, start, end: start, endsWith: null }));
  return first ? [...name, { ...first, isSpaced: true }, ...others] : [...name.map((word) => ({ ...word, end }))];
}

/** Null if the words aren't those of the text: somebody may have written them into the file. */
function findTimes({ text, words }: TranscriptLine): Omit<Word, 'endsWith'>[] | null {
  if (!words || words.length === 0) return null;
  const spokenWords: Omit<Word, 'endsWith'>[] = [];
  let at = 0;
  let last = words[0]?.start ?? 0;
  for (const word of words) {
    const isSpaced = text[at] === ' ';
    if (isSpaced) at += 1;
    if (word.text === '' || !text.startsWith(word.text, at)) return null;
    at += word.text.length;
    const start = Math.max(last, word.start);
    last = start;
    spokenWords.push({ text: word.text, isSpaced, start, end: Math.max(start, word.end) });
  }
  return at === text.length ? spokenWords : null;
}

function divideTime({ text, start, end }: TranscriptLine): Omit<Word, 'endsWith'>[] {
  const perUnit = (end - start) / text.length;
  let at = 0;
  return splitWords(text).map((word) => {
    const from = at;
    at += word.text.length + (word.isSpaced ? 1 : 0);
    return { ...word, start: Math.round(start + from * perUnit), end: Math.round(start + at * perUnit) };
  });
}

/** A word that is longer than a line. */
function splitWord(word: Word, width: number): Word[] {
  if (word.text.length <= width) return [word];
  const pieces = splitLongWord(word.text, width);
  const perUnit = (word.end - word.start) / word.text.length;
  let at = 0;
  return pieces.map((text, index) => {
    const start = Math.round(word.start + at * perUnit);
    at += text.length;
    const isLast = index === pieces.length - 1;
    const end = isLast ? word.end : Math.round(word.start + at * perUnit);
    return { text, isSpaced: index === 0 && word.isSpaced, start, end, endsWith: isLast ? word.endsWith : null };
  });
}

interface Layout {
  /** UTF-16 units of the words from one to before another. */
  lengthOf(from: number, to: number): number;
  /** The first word that doesn't fit into a cue any more. */
  reachOf(from: number): number;
  linesOf(from: number, to: number): string[];
  width: number;
}

function createLayout(words: readonly Word[], width: number): Layout {
  /** Where each word begins and ends if all stand in one line. */
  const begins: number[] = [];
  const ends: number[] = [];
  for (const { text, isSpaced } of words) {
    const begin = (ends.at(-1) ?? 0) + (isSpaced && ends.length > 0 ? 1 : 0);
    begins.push(begin);
    ends.push(begin + text.length);
  }
  const lengthOf = (from: number, to: number) => (ends[to - 1] as number) - (begins[from] as number);
  /** By word: the first one that doesn't fit into a line with it. */
  const reach = new Int32Array(words.length + 1).fill(words.length);
  for (let from = 0, to = 0; from < words.length; from++) {
    while (to < words.length && lengthOf(from, to + 1) <= width) to += 1;
    reach[from] = Math.max(to, from + 1);
  }
  const join = (from: number, to: number) =>
    words.slice(from, to).reduce((line, { text, isSpaced }) => line + (isSpaced && line !== '' ? ' ' : '') + text, '');

  return {
    width,
    lengthOf,
    reachOf: (from) => reach[reach[from] as number] as number,
    linesOf(from, to) {
      if (lengthOf(from, to) <= width) return [join(from, to)];
      let best = reach[from] as number;
      let least = Number.POSITIVE_INFINITY;
      for (let middle = from + 1; middle <= (reach[from] as number); middle++) {
        if (lengthOf(middle, to) > width) continue;
        const difference = Math.abs(lengthOf(from, middle) - lengthOf(middle, to)) / width;
        const cost = costOfBreak(words, middle) + COST.elsewhere * difference;
        if (cost > least) continue;
        least = cost;
        best = middle;
      }
      return [join(from, best), join(best, to)];
    },
  };
}

function costOfBreak(words: readonly Word[], at: number): number {
  const [before, after] = [words[at - 1], words[at]];
  if (!before || !after || before.endsWith === 'sentence') return 0;
  if (before.endsWith === 'clause') return COST.atClause;
  if (after.start - before.end >= BREATH) return COST.atBreath;
  return SHORT_WORD.test(before.text) ? COST.afterShortWord : COST.elsewhere;
}

/** The best way to divide words among cues. @returns the first word of each, and the one after its last */
function chooseCues(words: readonly Word[], { lengthOf, reachOf, width }: Layout, nextBlock: number): [from: number, to: number][] {
  const costs = new Float64Array(words.length + 1).fill(Number.POSITIVE_INFINITY);
  const begins = new Int32Array(words.length + 1);
  costs[0] = 0;
  for (const [from, { start }] of words.entries()) {
    let sentences = 0;
    const startsSentence = from === 0 || words[from - 1]?.endsWith === 'sentence';
    for (let to = from + 1; to <= reachOf(from); to++) {
      const last = words[to - 1] as Word;
      if (to > from + 1 && last.end - start > LONGEST) break;
      const next = words[to]?.start ?? nextBlock;
      const isShort = Math.max(last.end, Math.min(start + SHORTEST, next)) - start < SHORTEST;
      const isPart = !startsSentence || (to < words.length && last.endsWith !== 'sentence');
      const cost =
        (costs[from] as number) +
        COST.cue +
        (isShort ? COST.short : 0) +
        COST.sentenceWithin * sentences +
        costOfBreak(words, to) +
        (isPart ? COST.empty * (1 - Math.min(1, lengthOf(from, to) / (2 * width))) ** 2 : 0);
      if (last.endsWith === 'sentence') sentences += 1;
      if (cost >= (costs[to] as number)) continue;
      costs[to] = cost;
      begins[to] = from;
    }
  }
  const cues: [number, number][] = [];
  for (let to = words.length; to > 0; to = begins[to] as number) cues.push([begins[to] as number, to]);
  return cues.reverse();
}
