// Cuts a text in words into clauses, each of which is synthesised in one go: short ones, so that a skip wastes little, but not so short that
// they lose their melody. The first is the shortest, since its sound is waited for, and each next one is made while those before it are heard.
// A cut between two words is heard as a pause. Nobody waits for a file, so there a clause ends where the text has a mark.

interface Clause {
  /** Ends with a mark. */
  text: string;
  pauseSeconds: number;
}

/** Seconds after what ends with the mark. */
const PAUSES: Readonly<Record<string, number>> = { '.': 0.38, '!': 0.38, '?': 0.4, '…': 0.45, ';': 0.24, ':': 0.24, ',': 0.14 };
const PARAGRAPH_SECONDS = 0.6;
/** Where a clause is cut between two words that nothing separates. */
const CUT_SECONDS = 0.03;
const END_SECONDS = 0.1;
/** In characters; 15 are about a second. */
const MAX_FIRST_CLAUSE = 50;
const MAX_CLAUSE = 110;
/** Times as long as all before it: with the slack, a voice that takes a quarter of a second for a second keeps up. */
const GROWTH = 2;
/** Not cut into shorter clauses, however short those before it are. */
const MIN_LIMIT = 32;
/** Shorter sentences are spoken together with the next one: alone they sound clipped. */
const MIN_SENTENCE = 20;
/** How much longer than the limit a clause may be, rather than leaving a word or two to the next. */
const SLACK = 1.25;
/** In a file: nobody writes longer without a mark. A clause of 188 characters takes 640 MB, in place of 550 for the longest that is heard at once. */
const MAX_UNCUT = 200;
/** Nobody writes longer words. */
const LONG_WORD = /([A-Za-z]{28})(?=[A-Za-z])/g;
/** People breathe before these rather than anywhere: before the first more often. */
const BEFORE_BREATH = [
  / (?=(?:and|or|but|because|which|that|who|where|when|while|if|so|after|before|until)\b)/gi,
  / (?=(?:with|without|for|from|to|in|on|at|by|as|than|into|along|through|over|under|about)\b)/gi,
];

/** Nobody pauses after these: they belong to what follows. */
const BEFORE_MORE =
  / (?:an?|the|my|your|his|her|its|our|their|is|are|was|were|be|been|has|have|had|will|would|can|could|not|very|so|if|than|as|and|or|but|that|to|of|in|on|at|by|for|with|from|into|about|along|through|over|under|near|this|these|those|some|any|no|every|each|more|most|first|second|next|last|I|you|he|she|it|we|they|Mount|Saint|Fort|Doctor|Mister|Missus|Miz|Professor|Captain|President|zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|point|minus|number)$/i;
/** Nor before these, which belong to what precedes. */
const AFTER_MORE =
  /^(?:is|are|was|were|has|have|had|will|would|can|could|do|does|did|not|of|me|him|them|us|it|o'clock|[AP]_M|hundred|thousand|million|billion|point|percent|dollars?|euros?|pounds?|cents?|degrees?|years?|hours?|minutes?|seconds?|days?|weeks?|months?|Street|Avenue|Road)\b/;

/** @param text of `toSpokenText` @param isFile nobody hears it while it is made @returns at least one clause if there is any letter */
export function toClauses(text: string, isFile = false): Clause[] {
  const clauses: Clause[] = [];
  for (const paragraph of text.replace(LONG_WORD, '$1 ').split('\n')) {
    const sentences = paragraph.match(/[^.!?]+[.!?]*\s*/g) ?? [];
    let pending = '';
    for (const [at, sentence] of sentences.entries()) {
      pending += sentence;
      const next = sentences[at + 1];
      const isShort = next !== undefined && pending.trim().length < MIN_SENTENCE;
      // What is heard first must last until the next clause is there.
      if (isShort && ((clauses.length === 0 && !isFile) || pending.length + next.length <= MAX_CLAUSE)) continue;
      if (/[A-Za-z]/.test(pending)) addClauses(clauses, pending.trim(), isFile);
      pending = '';
    }
    const last = clauses.at(-1);
    if (last) last.pauseSeconds = Math.max(last.pauseSeconds, PARAGRAPH_SECONDS);
  }
  const last = clauses.at(-1);
  if (last) last.pauseSeconds = END_SECONDS;
  return clauses;
}

function addClauses(clauses: Clause[], sentence: string, isFile: boolean): void {
  let spoken = clauses.reduce((sum, clause) => sum + clause.text.length, 0);
  const add = (text: string, ending: ',' | '.') => {
    if (/[A-Za-z]/.test(text)) clauses.push(toClause(text, ending));
    spoken += text.length;
  };
  const limit = () => (isFile ? MAX_CLAUSE : spoken === 0 ? MAX_FIRST_CLAUSE : Math.min(MAX_CLAUSE, Math.max(MIN_LIMIT, GROWTH * spoken)));
  let rest = sentence.replace(/[,;:]$/, '');
  while (rest.length > limit() * SLACK) {
    const end = isFile ? fileClauseEnd(rest) : clauseEnd(rest, limit());
    add(rest.slice(0, end), end === rest.length ? '.' : ',');
    rest = rest.slice(end).trim();
  }
  if (rest !== '') add(rest, '.');
}

/** Where to cut: after a mark, before a word that begins something, or between any two that a reader would separate. */
function clauseEnd(text: string, limit: number): number {
  const head = text.slice(0, limit);
  const mark = lastMark(head);
  if (mark > limit / 4) return mark;
  for (const words of BEFORE_BREATH) {
    const breaths = [...head.matchAll(words)].map(({ index }) => withoutMore(head, index, limit / 3));
    const breath = Math.max(...breaths, 0);
    if (breath > limit / 3) return breath;
  }
  return lastSeparable(text, limit) ?? limit;
}

const lastMark = (text: string): number => Math.max(...[...text.matchAll(/[,;:] /g)].map(({ index }) => index + 1), 0);

/** Before the words at the end that belong to what follows. */
function withoutMore(head: string, end: number, least: number): number {
  const more = BEFORE_MORE.exec(head.slice(0, end));
  return more && more.index > least ? withoutMore(head, more.index, least) : end;
}

/** The last blank at which no name, number or verb is torn apart, or else the last one. */
function lastSeparable(text: string, limit: number): number | undefined {
  const blanks = [...text.slice(0, Math.floor(limit * SLACK)).matchAll(/ /g)]
    .map(({ index }) => index)
    .filter((index) => index > limit / 3);
  const isSeparable = (blank: number) => {
    const [head, rest] = [text.slice(0, blank), text.slice(blank + 1)];
    const isName = /(?:^| )[A-Z][\w']*$/.test(head) && /^[A-Z]/.test(rest);
    return !isName && !BEFORE_MORE.test(head) && !AFTER_MORE.test(rest);
  };
  return blanks.findLast(isSeparable) ?? blanks.findLast((blank) => blank < limit) ?? blanks[0];
}

/** Where to cut what is too long in a file: after a mark, as long as there is one before the model's own limit. */
function fileClauseEnd(text: string): number {
  const head = text.slice(0, MAX_UNCUT);
  const next = head.slice(MAX_CLAUSE).search(/[,;:] /);
  const mark = Math.max(lastMark(head.slice(0, MAX_CLAUSE)), 0) || (next < 0 ? 0 : MAX_CLAUSE + next + 1);
  if (mark > 0) return mark;
  return text.length <= MAX_UNCUT ? text.length : clauseEnd(text, MAX_UNCUT);
}

/** @param ending of what ends without a mark: its last sound would be cut off */
function toClause(text: string, ending: ',' | '.'): Clause {
  const trimmed = text.trim();
  const pauseSeconds = PAUSES[trimmed.endsWith('...') ? '…' : (trimmed.at(-1) ?? '')];
  if (pauseSeconds !== undefined) return { text: trimmed, pauseSeconds };
  return { text: trimmed + ending, pauseSeconds: ending === ',' ? CUT_SECONDS : (PAUSES[ending] as number) };
}
