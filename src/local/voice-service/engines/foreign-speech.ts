// Whether what the recogniser heard was English. It knows nothing else. Of other languages it makes fluent English that nobody said, but is less
// sure of each word; or it writes down the sounds, or finds no words at all.
import { EngineError, type HeardSegment, type TranscriptSegment } from './engine.ts';

/**
 * Mean logarithm of a token's probability. Below the first, what is written may be something else than what was said. One stretch alone says less
 * than several, so it is refused below the second only. Clean English has -0.25 and more, and with noise at 5 dB -0.55.
 */
const DOUBTFUL = -0.6;
const FOREIGN_ALONE = -0.7;
/** In place of both where the recogniser wrote down the sounds, and next to nothing of what any English has. */
const UNLIKE_ENGLISH = -0.35;
/** Fewer tokens say nothing of the language: "hm", a name. Nor do fewer words. */
const MIN_TOKENS = 8;
const MIN_WORDS = 8;
/** As many are missing in five seconds of speech without a word. */
const MIN_MISSING = 6;
/** Of all words; in English, it is a quarter and more. */
const FEWEST_COMMON = 0.15;
/** Tokens in a second of speech: English has three to six. Those that are missing count as unlikely ones. */
const FEWEST_A_SECOND = 1.2;
const MISSING = -0.9;

/** Decibels: clean speech has 23 and more, with noise at 10 dB at most 19. */
const NOISY = 21;
/** In noise, the recogniser is less sure of English, too: of a sentence at 5 dB with -0.9. More tokens than these say as much as clean ones. */
const FEW_TOKENS = 30;
const FOREIGN_IN_NOISE = -1.3;

/** None that is a word in several of the languages that are taken for English, such as "a", "no" and "me". */
const COMMON = new Set(
  (
    'the an and or but of to in for with from by is are was were be been it this that these those i you she we they my your his her our their ' +
    'him them us not did have has had will would can could if what who when where how there here all just at on he'
  ).split(' '),
);

interface Judgement {
  tokens: number;
  /** NaN if nothing is known. */
  mean: number;
  words: number;
  isLikeEnglish: boolean;
}

/** Of several stretches together, or of one. */
function judge(segments: readonly HeardSegment[]): Judgement {
  let [tokens, logProbability] = [0, 0];
  for (const { start, end, certainty } of segments) {
    if (!certainty) continue;
    const missing = Math.max(0, FEWEST_A_SECOND * (end - start) - certainty.tokens);
    tokens += certainty.tokens + missing;
    logProbability += certainty.logProbability + MISSING * missing;
  }
  // Of "it's", the first part.
  const words = segments.flatMap(({ text }) => text.toLowerCase().match(/(?<![\p{L}'’])\p{L}+/gu) ?? []);
  const common = words.filter((word) => COMMON.has(word)).length;
  return {
    tokens,
    mean: logProbability / tokens,
    words: words.length,
    isLikeEnglish: words.length < MIN_WORDS || common >= FEWEST_COMMON * words.length,
  };
}

function isDoubtful(segments: readonly HeardSegment[]): boolean {
  const { mean, isLikeEnglish } = judge(segments);
  return mean < (isLikeEnglish ? DOUBTFUL : UNLIKE_ENGLISH);
}

const isNoisy = ({ aboveNoise = Infinity }: HeardSegment): boolean => aboveNoise < NOISY;

function isForeign(segments: readonly HeardSegment[]): boolean {
  // Among words, a stretch of which noise leaves none is no sign of another language.
  const hasWords = segments.some(({ text }) => text !== '');
  const telling = segments.filter((segment) => segment.text !== '' || !hasWords || !isNoisy(segment));
  const { tokens, mean, words, isLikeEnglish } = judge(telling);
  if (tokens < (words === 0 ? MIN_MISSING : MIN_TOKENS)) return false;
  if (hasWords && tokens < FEW_TOKENS && telling.every(isNoisy)) return mean < FOREIGN_IN_NOISE;
  return mean < (isLikeEnglish ? (telling.length > 1 ? DOUBTFUL : FOREIGN_ALONE) : UNLIKE_ENGLISH);
}

/**
 * What was heard, with what may be wrong marked. @param segments the text is empty in those without words
 * @param isSaidToBeEnglish then nothing is refused @throws EngineError `foreign-speech`
 */
export function requireEnglishSpeech(
  segments: readonly HeardSegment[],
  isSaidToBeEnglish: boolean,
): { segments: TranscriptSegment[]; doubtful: boolean } {
  if (!isSaidToBeEnglish && isForeign(segments))
    throw new EngineError(
      'foreign-speech',
      'This does not sound like English, the only language that is understood here. Send en if it is English.',
    );
  return {
    segments: segments.flatMap(({ certainty, aboveNoise, ...segment }) =>
      segment.text === '' ? [] : { ...segment, ...(isDoubtful([{ ...segment, certainty }]) && { doubtful: true }) },
    ),
    doubtful: isDoubtful(segments),
  };
}
