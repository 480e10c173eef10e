// The service's answer as sentences with times. Hosted services time single words without punctuation, and only their `text` has sentences:
// the words' times are given to the words of `text`, which rules where the two differ. Segments that are sentences already stay as they are.
import { setImmediate } from 'node:timers/promises';
import type { Segment, Transcript } from '../api/types.ts';
import { clean, type SpokenTranscript } from './transcript-lines.ts';
import { longestRising, matchUnits } from './transcript-matching.ts';
import { endOf, hasOrdinalStops, joinsWithoutSpace, lettersOf, splitWords, unitsOf, type WrittenWord } from './transcript-words.ts';

/** Seconds that a letter takes if nothing else is known. */
const LETTER_SECONDS = 0.07;
/** Seconds that times may go beyond the duration: services round. */
const TOLERANCE = 1;
/** Seconds of silence after which a long text without full stops begins a new line. */
const PAUSE = 1;
/** UTF-16 units from which a line may end at a clause or a pause, and those at which it ends at the next word. */
const LONG = 350;
const LONGEST = 700;
/** UTF-16 units; a longer segment is more than a word. */
const MAX_WORD = 60;
/** A speaker as some models mark them in the text. */
const SPEAKER_MARK = /<\|(speaker:[\w-]{1,20})\|>/g;

/** What one speaker says without a break. */
interface Turn {
  /** Null if it isn't known. */
  speaker: string | null;
  text: string;
  /** Seconds; NaN if unknown. */
  start: number;
  end: number;
}

interface Timed {
  /** Seconds; NaN if unknown. */
  start: number;
  end: number;
  /** How many letters are said in that time. */
  letters: number;
}

interface Word extends WrittenWord, Timed {
  units: string[];
  turn: number;
}

/** Never throws: what can't be placed gets the time between its neighbours. An hour of speech takes tens of milliseconds. */
export function alignTranscript(transcript: Transcript): SpokenTranscript {
  const steps = alignInSteps(transcript);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same, with pauses in which everybody else's sound moves. */
export async function alignWithPauses(transcript: Transcript): Promise<SpokenTranscript> {
  const steps = alignInSteps(transcript);
  let step = steps.next();
  while (!step.done) {
    await setImmediate();
    step = steps.next();
  }
  return step.value;
}

function* alignInSteps(transcript: Transcript): Generator<undefined, SpokenTranscript> {
  const { duration } = transcript;
  const segments = transcript.segments.map((segment) => ({ ...segment, text: clean(segment.text) })).filter(({ text }) => text !== '');
  const spoken = joinSegments(segments);
  const text = clean(withoutSpeakerMarks(transcript.text)) || spoken;
  const turns = findTurns(transcript, text);
  const { speakerTurns: _, ...rest } = transcript;
  if (turns.length === 1 && !areWords(segments) && areInOrder(segments, duration) && isSame(spoken, text))
    return { ...rest, text, segments: transcript.segments };
  yield;
  const words = turns.flatMap((turn, index): Word[] =>
    splitWords(turn.text).map((word) => {
      const units = unitsOf(word.text);
      return { ...word, units, turn: index, start: Number.NaN, end: Number.NaN, letters: countLetters(units) };
    }),
  );
  yield;
  const said = timeSegments(segments, duration);
  yield;
  placeWords(words, said);
  yield;
  placeTurns(words, turns, duration);
  fillGaps(words, duration);
  return { ...rest, text, segments: toSentences(words, turns, hasOrdinalStops(transcript.language ?? '')) };
}

/** The text alone. */
export function withoutSpeakerMarks(text: string): string {
  return text.replace(SPEAKER_MARK, ' ');
}

function findTurns({ text: marked, speakerTurns = [] }: Transcript, text: string): Turn[] {
  const serviceTurns = speakerTurns.map((turn): Turn => ({ ...turn, text: clean(turn.text) })).filter((turn) => turn.text !== '');
  const isWhole = serviceTurns.length > 0 && lettersOf(serviceTurns.map((turn) => turn.text).join(' ')) === lettersOf(text);
  const turns = isWhole ? serviceTurns : splitAtMarks(marked);
  const isConversation = new Set(turns.map(({ speaker }) => speaker)).size > 1;
  return isConversation ? turns : [{ speaker: null, text, start: Number.NaN, end: Number.NaN }];
}

function splitAtMarks(marked: string): Turn[] {
  const pieces = marked.split(SPEAKER_MARK);
  return pieces.flatMap((piece, index): Turn[] => {
    const text = index % 2 === 0 ? clean(piece) : '';
    return text === '' ? [] : [{ speaker: pieces[index - 1] ?? null, text, start: Number.NaN, end: Number.NaN }];
  });
}

/** Words with spaces, what is written without them without. */
function joinSegments(segments: readonly Segment[]): string {
  return segments
    .map(({ text }, index) => {
      const before = segments[index - 1]?.text;
      return before === undefined || joinsWithoutSpace(before, text) ? text : ` ${text}`;
    })
    .join('');
}

function isSame(a: string, b: string): boolean {
  return a.replaceAll(' ', '') === b.replaceAll(' ', '');
}

/** Single words or characters, as opposed to sentences. */
function areWords(segments: readonly Segment[]): boolean {
  const single = segments.filter(({ text }) => text.length <= MAX_WORD && !text.includes(' ') && splitWords(text).length === 1);
  return single.length > segments.length / 2;
}

function areInOrder(segments: readonly Segment[], duration: number): boolean {
  let last = 0;
  return segments.every(({ start, end }) => {
    const isFine = isTime(start, duration) && isTime(end, duration) && start >= last && end >= start;
    last = start;
    return isFine;
  });
}

function isTime(seconds: number, duration: number): boolean {
  return seconds >= 0 && (duration > 0 ? seconds <= duration + TOLERANCE : Number.isFinite(seconds));
}

const countLetters = (units: readonly string[]): number =>
  Math.max(
    1,
    units.reduce((sum, unit) => sum + unit.length, 0),
  );
const sumLetters = (timed: readonly Timed[]): number => timed.reduce((sum, { letters }) => sum + letters, 0);

/** The units of the segments. Times that can't be true are NaN; of those that go back, as few as possible. */
function timeSegments(segments: readonly Segment[], duration: number): (Timed & { unit: string })[] {
  const candidates = segments.flatMap(({ start }, index) => (isTime(start, duration) ? [index] : []));
  const kept = longestRising(candidates.map((index) => segments[index]?.start as number)).map((at) => candidates[at] as number);
  const isKept = new Set(kept);
  const timed = segments.map(({ text, start, end }, index) => {
    const units = unitsOf(text);
    const letters = countLetters(units);
    if (!isKept.has(index)) return { units, letters, start: Number.NaN, end: Number.NaN };
    return { units, letters, start, end: isTime(end, duration) && end >= start ? end : start + letters * LETTER_SECONDS };
  });
  const anchors = kept.map((index) => timed[index] as Timed);
  for (let first = 0; first < anchors.length; ) {
    const { start } = anchors[first] as Timed;
    let next = first + 1;
    while (anchors[next]?.start === start) next += 1;
    const limit = anchors[next]?.start ?? (duration > 0 ? Math.max(duration, start) : Number.POSITIVE_INFINITY);
    const together = anchors.slice(first, next);
    if (together.length > 1) spread(together, start, Math.min(limit, start + sumLetters(together) * LETTER_SECONDS));
    for (const word of together) word.end = Math.min(word.end, limit);
    first = next;
  }
  return timed.flatMap(({ units, start, end }) => {
    const [first = '', ...others] = units;
    if (others.length === 0) return first === '' ? [] : [{ unit: first, letters: first.length, start, end }];
    const divided = units.map((unit) => ({ unit, letters: unit.length, start: Number.NaN, end: Number.NaN }));
    spread(divided, start, end);
    return divided;
  });
}

/** Divides a time in proportion to the letters. */
function spread(timed: readonly Timed[], from: number, to: number): void {
  const total = sumLetters(timed);
  let before = 0;
  for (const item of timed) {
    item.start = from + ((to - from) * before) / total;
    before += item.letters;
    item.end = from + ((to - from) * before) / total;
  }
}

/** Gives the words the times of the units that are the same, or that stand in the same place. */
function placeWords(words: readonly Word[], said: readonly (Timed & { unit: string })[]): void {
  const written = words.flatMap((word) =>
    word.units.map((unit) => ({ word, unit, letters: unit.length, start: Number.NaN, end: Number.NaN })),
  );
  const partners = matchUnits(
    written.map(({ unit }) => unit),
    said.map(({ unit }) => unit),
  );
  let gap: Timed[] = [];
  let next = 0;
  for (const [index, writtenUnit] of written.entries()) {
    const partner = partners[index] as number;
    if (partner < 0) {
      gap.push(writtenUnit);
      continue;
    }
    placeGap(gap, said.slice(next, partner));
    const { start, end } = said[partner] as Timed;
    Object.assign(writtenUnit, { start, end });
    gap = [];
    next = partner + 1;
  }
  placeGap(gap, said.slice(next));
  for (const { word, start, end } of written) {
    if (Number.isNaN(start)) continue;
    if (Number.isNaN(word.start)) word.start = start;
    word.end = Number.isNaN(end) ? start : end;
  }
}

/** What is written otherwise than it was timed ("$10", "ten dollars") takes the same time, letter by letter. */
function placeGap(written: readonly Timed[], said: readonly Timed[]): void {
  const scale = sumLetters(said) / sumLetters(written);
  let at = 0;
  let before = 0;
  let position = 0;
  const timeAt = (letter: number): number => {
    while (at < said.length - 1 && before + (said[at] as Timed).letters <= letter) before += (said[at++] as Timed).letters;
    const saidUnit = said[at];
    return saidUnit
      ? saidUnit.start + ((saidUnit.end - saidUnit.start) * Math.min(saidUnit.letters, letter - before)) / saidUnit.letters
      : Number.NaN;
  };
  for (const item of written) {
    item.start = timeAt(position * scale);
    position += item.letters;
    item.end = timeAt(position * scale);
  }
}

/** A turn whose words have no times has those of its own. */
function placeTurns(words: readonly Word[], turns: readonly Turn[], duration: number): void {
  let first = 0;
  for (const [index, { start, end }] of turns.entries()) {
    let next = first;
    while (words[next]?.turn === index) next += 1;
    const own = words.slice(first, next);
    first = next;
    if (!isTime(start, duration) || !isTime(end, duration) || end < start) continue;
    if (own.every((word) => Number.isNaN(word.start))) spread(own, start, end);
  }
}

/** Words without times are said right after those before them. In the end, no time is missing, goes back, or overlaps another. */
function fillGaps(words: readonly Word[], duration: number): void {
  const latest = duration > 0 ? duration : Number.POSITIVE_INFINITY;
  for (let first = 0; first < words.length; ) {
    let next = first + 1;
    if (Number.isNaN((words[first] as Word).start)) {
      while (next < words.length && Number.isNaN((words[next] as Word).start)) next += 1;
      const gap = words.slice(first, next);
      const seconds = sumLetters(gap) * LETTER_SECONDS;
      const from = words[first - 1]?.end ?? Math.max(0, (words[next]?.start ?? 0) - seconds);
      const isAll = gap.length === words.length && Number.isFinite(latest);
      spread(gap, from, isAll ? latest : Math.max(from, Math.min(from + seconds, words[next]?.start ?? latest)));
    }
    first = next;
  }
  let last = 0;
  for (const word of words) {
    word.start = Math.max(last, Math.min(word.start, latest));
    last = word.start;
  }
  for (const [index, word] of words.entries()) word.end = Math.max(word.start, Math.min(word.end, words[index + 1]?.start ?? latest));
}

function toSentences(words: readonly Word[], turns: readonly Turn[], ordinals: boolean): SpokenTranscript['segments'] {
  const sentences: SpokenTranscript['segments'] = [];
  let current: Word[] = [];
  let length = 0;
  for (const [index, word] of words.entries()) {
    current.push(word);
    length += word.text.length + 1;
    const next = words[index + 1];
    const end = endOf(word.text, next?.turn === word.turn ? next.text : undefined, ordinals);
    const isRest = end === 'clause' || (next !== undefined && next.start - word.end > PAUSE);
    const isFull = length + (next?.text.length ?? 0) > LONGEST;
    if (next?.turn === word.turn && end !== 'sentence' && !(length >= LONG && isRest) && !isFull) continue;
    sentences.push(toSentence(current, turns[word.turn]?.speaker ?? null));
    current = [];
    length = 0;
  }
  return sentences;
}

function toSentence(words: readonly Word[], speaker: string | null): SpokenTranscript['segments'][number] {
  const text = words.reduce((whole, word) => whole + (word.isSpaced && whole !== '' ? ' ' : '') + word.text, '');
  const { start } = words[0] as Word;
  const { end } = words.at(-1) as Word;
  return {
    text,
    start,
    end,
    ...(speaker !== null && { speaker: { id: speaker, name: null } }),
    words: words.map(({ text: word, start: from, end: to }) => ({ text: word, start: from, end: to })),
  };
}
