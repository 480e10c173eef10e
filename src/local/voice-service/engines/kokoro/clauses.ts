// Cuts a text in words into clauses, each of which is synthesised in one go: short ones, so that a skip wastes little, but not so short that
// they lose their melody. The first is the shortest, since its sound is waited for, and each next one is made while those before it are heard.

export interface Clause {
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
/** Nobody writes longer words. */
const LONG_WORD = /([A-Za-z]{28})(?=[A-Za-z])/g;
/** People breathe before these rather than anywhere. */
const BEFORE_BREATH =
  / (?=(?:and|or|but|because|which|that|who|where|when|while|if|so|with|without|for|from|to|in|on|at|by|as|than|into|after|before|until)\b)/gi;

/** Nobody pauses after these: they belong to what follows. */
const BEFORE_MORE =
  / (?:an?|the|my|your|his|her|its|our|their|is|are|was|were|be|been|has|have|had|will|would|can|could|not|very|so|if|than|as|and|or|but|that|to|of|in|on|at|by|for|with|from|into|about|along|through|over|under)$/i;

/** @param text of `toSpokenText` @returns at least one clause if there is any letter */
export function toClauses(text: string): Clause[] {
  const clauses: Clause[] = [];
  for (const paragraph of text.replace(LONG_WORD, '$1 ').split('\n')) {
    const sentences = paragraph.match(/[^.!?]+[.!?]*\s*/g) ?? [];
    let pending = '';
    for (const [at, sentence] of sentences.entries()) {
      pending += sentence;
      const next = sentences[at + 1];
      const isShort = next !== undefined && pending.trim().length < MIN_SENTENCE;
      // What is heard first must last until the next clause is there.
      if (isShort && (clauses.length === 0 || pending.length + next.length <= MAX_CLAUSE)) continue;
      if (/[A-Za-z]/.test(pending)) addClauses(clauses, pending.trim());
      pending = '';
    }
    const last = clauses.at(-1);
    if (last) last.pauseSeconds = Math.max(last.pauseSeconds, PARAGRAPH_SECONDS);
  }
  const last = clauses.at(-1);
  if (last) last.pauseSeconds = END_SECONDS;
  return clauses;
}

function addClauses(clauses: Clause[], sentence: string): void {
  let spoken = clauses.reduce((sum, clause) => sum + clause.text.length, 0);
  const add = (text: string, ending: ',' | '.') => {
    if (/[A-Za-z]/.test(text)) clauses.push(toClause(text, ending));
    spoken += text.length;
  };
  const limit = () => (spoken === 0 ? MAX_FIRST_CLAUSE : Math.min(MAX_CLAUSE, Math.max(MIN_LIMIT, GROWTH * spoken)));
  let rest = sentence.replace(/[,;:]$/, '');
  while (rest.length > limit() * SLACK) {
    const end = clauseEnd(rest, limit());
    add(rest.slice(0, end), ',');
    rest = rest.slice(end).trim();
  }
  add(rest, '.');
}

/** Where to cut: after a mark, before a word that begins something, or between any two that a reader would separate. */
function clauseEnd(text: string, limit: number): number {
  const head = text.slice(0, limit);
  const mark = Math.max(...[...head.matchAll(/[,;:] /g)].map(({ index }) => index + 1), 0);
  if (mark > limit / 4) return mark;
  const breath = Math.max(...[...head.matchAll(BEFORE_BREATH)].map(({ index }) => index), 0);
  const blank = breath > limit / 3 ? breath : head.lastIndexOf(' ');
  if (blank <= 0) return limit;
  let end = blank;
  for (let more = BEFORE_MORE.exec(head.slice(0, end)); more && more.index > limit / 3; more = BEFORE_MORE.exec(head.slice(0, end))) {
    end = more.index;
  }
  return end;
}

/** @param ending of what ends without a mark: its last sound would be cut off */
function toClause(text: string, ending: ',' | '.'): Clause {
  const trimmed = text.trim();
  const pauseSeconds = PAUSES[trimmed.endsWith('...') ? '…' : (trimmed.at(-1) ?? '')];
  if (pauseSeconds !== undefined) return { text: trimmed, pauseSeconds };
  return { text: trimmed + ending, pauseSeconds: ending === ',' ? CUT_SECONDS : (PAUSES[ending] as number) };
}
