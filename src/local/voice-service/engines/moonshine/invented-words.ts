// Words that the decoder made up at the end of what it heard: a phrase said over again, and an ending that nobody said. It holds both less likely
// than what it has heard, so that what somebody did say twice stays.
//
// Measured with five recordings of one reader, whole and cut off in 170 places, with noise and without, and 170 texts by Flite: the first token of
// a word that was heard right has a likelihood of -0.1 or so, and never less than -1.6; that of a phrase said over again, -0.5 to -1.4.

/** A token as the decoder chose it. */
interface HeardToken {
  /** With the blank before it where a word begins. */
  text: string;
  /** The natural logarithm of its probability. */
  likelihood: number;
}

interface Word {
  /** Its first token. */
  from: number;
  /** Lower case, without marks. */
  text: string;
  likelihood: number;
}

/** Of the first token of what is said over again: few people repeat so many words. */
const doubtfulRepetition = (words: number) => (words < 4 ? -0.7 : -0.3);
/** Of the first token of an ending, if everything before it is sure. */
const DOUBTFUL_ENDING = -1.8;
const SURE = -0.3;
/** Words of an ending that is made up. */
const MAX_ENDING = 2;
/** As often, one after the other, is something said that is taken for a loop by a decoder that was stopped; of four tokens and more, twice. */
const LOOP_ROUNDS = 3;
const LONG_LOOP = 4;

/** @returns how many of the tokens were heard */
export function countHeard(tokens: readonly HeardToken[]): number {
  const words = toWords(tokens);
  const end = endOfFirstRound(words);
  // What is said over and over again has several rounds, each surer than the one before.
  if (end !== undefined) return countHeard(tokens.slice(0, end));
  return beginOfEnding(words, tokens) ?? tokens.length;
}

function toWords(tokens: readonly HeardToken[]): Word[] {
  const words: Word[] = [];
  for (const [from, { text, likelihood }] of tokens.entries()) {
    const letters = text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
    const last = words.at(-1);
    if (last === undefined || text.startsWith(' ')) words.push({ from, text: letters, likelihood });
    else last.text += letters;
  }
  return words;
}

/** Where what is said over again begins, if it isn't likely. "No, no, no" is one word. */
function endOfFirstRound(words: readonly Word[]): number | undefined {
  for (let length = Math.floor(words.length / 2); length >= 2; length--) {
    const [first, second] = [words.slice(-2 * length, -length), words.slice(-length)];
    const isAgain = second.every(({ text }, at) => text === first[at]?.text) && new Set(second.map(({ text }) => text)).size > 1;
    if (isAgain && (second[0]?.likelihood ?? 0) < doubtfulRepetition(length)) return second[0]?.from;
  }
  return undefined;
}

function beginOfEnding(words: readonly Word[], tokens: readonly HeardToken[]): number | undefined {
  const ending = words
    .slice(1)
    .slice(-MAX_ENDING)
    .find(({ likelihood }) => likelihood < DOUBTFUL_ENDING);
  if (ending === undefined) return undefined;
  const before = tokens.slice(0, ending.from);
  return before.reduce((sum, { likelihood }) => sum + likelihood, 0) / before.length > SURE ? ending.from : undefined;
}

/**
 * What is said, with what it ends in said once, if that is a loop. What a starved microphone sends has the decoder go round ("half past half past
 * half past") until it is stopped.
 * @param texts of the tokens
 * @returns how many of them are left
 */
export function countBeforeLoop(texts: readonly string[]): number {
  // "Unless to be rather unless to be rather"
  const said = texts.map((text) => text.toLowerCase());
  for (let length = 1; 2 * length <= said.length; length++) {
    const rounds = length < LONG_LOOP ? LOOP_ROUNDS : 2;
    let repeated = 0;
    while (repeated < said.length - length && said.at(-1 - repeated) === said.at(-1 - repeated - length)) repeated += 1;
    if (repeated >= length * (rounds - 1)) return said.length - repeated;
  }
  return said.length;
}
