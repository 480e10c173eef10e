// Whether what the recogniser heard was English. It knows nothing else, and turns every other language into fluent English that nobody said; but it
// is then less sure of each word.
import { EngineError, type HeardSegment, type TranscriptSegment } from './engine.ts';

/**
 * Mean logarithm of a token's probability. Below the first, what is written may be something else than what was said: 50 of 56 stretches in
 * other languages are, and 1 of 88 in clean English. One stretch alone says less than several, so it is refused below the second only.
 */
const DOUBTFUL = -0.6;
const FOREIGN_ALONE = -0.8;
/** Fewer tokens say nothing of the language: "hm", a name. */
const MIN_TOKENS = 8;

const isDoubtful = (segments: readonly HeardSegment[]): boolean => meanOf(segments) < DOUBTFUL;

/** NaN if nothing is known. */
function meanOf(segments: readonly HeardSegment[]): number {
  const { logProbability, tokens } = sumOf(segments);
  return logProbability / tokens;
}

function sumOf(segments: readonly HeardSegment[]): { tokens: number; logProbability: number } {
  const sum = { tokens: 0, logProbability: 0 };
  for (const { certainty } of segments) {
    sum.tokens += certainty?.tokens ?? 0;
    sum.logProbability += certainty?.logProbability ?? 0;
  }
  return sum;
}

function isForeign(segments: readonly HeardSegment[]): boolean {
  if (sumOf(segments).tokens < MIN_TOKENS) return false;
  return meanOf(segments) < (segments.length > 1 ? DOUBTFUL : FOREIGN_ALONE);
}

/** What was heard, with what may be wrong marked. @param isSaidToBeEnglish then nothing is refused @throws EngineError `foreign-speech` */
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
    segments: segments.map(({ certainty: _, ...segment }, index) => ({
      ...segment,
      ...(isDoubtful(segments.slice(index, index + 1)) && { doubtful: true }),
    })),
    doubtful: isDoubtful(segments),
  };
}
