// Capitals and punctuation, which PocketSphinx doesn't recognise. They are guessed from pauses and a few words, and so are sometimes wrong:
// somebody who hesitates gets a full stop, and a question never gets its mark.
import type { TranscriptSegment } from '../engine.ts';

/** Seconds. Before a word of `CONTINUING`, only a longer pause ends a sentence. */
const LONG_PAUSE = 1;
/** A recording that is cut because nobody pauses is cut between any two words. */
const MIN_PAUSE = 0.25;

/** No sentence ends with these: the speaker was looking for the next word. */
const UNFINISHED = new Set(
  (
    'a an the and or but because if of to from in into on at by for with as than that which who whose when while my your his her its our ' +
    'their is are was were am be been very'
  ).split(' '),
);
/** Words that more often go on with a sentence than begin one. */
const CONTINUING = new Set(['and', 'or', 'but', 'because', 'which', 'while', 'than']);

/** @returns a function that takes the segments in order, each with the one that follows, and returns them punctuated */
export function createPunctuation(): (segment: TranscriptSegment, next: TranscriptSegment | undefined) => TranscriptSegment {
  let beginsSentence = true;
  return (segment, next) => {
    const mark = markBetween(segment, next);
    const text = segment.text.replace(/\bi\b/g, 'I');
    const punctuated = (beginsSentence ? text.charAt(0).toUpperCase() + text.slice(1) : text) + mark;
    beginsSentence = mark === '.';
    return { ...segment, text: punctuated };
  };
}

function markBetween(segment: TranscriptSegment, next: TranscriptSegment | undefined): '.' | ',' | '' {
  if (!next) return '.';
  const pause = next.start - segment.end;
  if (pause < MIN_PAUSE || UNFINISHED.has(segment.text.split(' ').at(-1) ?? '')) return '';
  return pause < LONG_PAUSE && CONTINUING.has(next.text.split(' ', 1)[0] ?? '') ? ',' : '.';
}
