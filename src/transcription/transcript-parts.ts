// The transcripts of a recording's parts as one.
import type { SpokenTranscript } from './transcript-lines.ts';

/** Times are in seconds from the recording's beginning. */
export interface PartTranscript {
  /** Where the part begins. */
  from: number;
  /** Its words are those from `start` to `end`: what is beyond is in another part as well. */
  start: number;
  end: number;
  /** Null if the service failed at it. */
  transcript: SpokenTranscript | null;
}

/** Stands for the words of a part that are missing. */
const MISSING = '[…]';

/** @param duration of the recording, in seconds */
export function joinParts(parts: readonly PartTranscript[], duration: number): SpokenTranscript {
  const segments = parts.flatMap((part, index) => segmentsOf(part, index));
  const language = parts.find(({ transcript }) => transcript?.language !== undefined)?.transcript?.language;
  return { text: segments.map(({ text }) => text).join(' '), duration, segments, ...(language !== undefined && { language }) };
}

function segmentsOf({ from, start, end, transcript }: PartTranscript, index: number): SpokenTranscript['segments'] {
  if (!transcript) return [{ text: MISSING, start, end }];
  const isOurs = (time: { start: number; end: number }) => {
    const middle = from + (time.start + time.end) / 2;
    return middle >= start && middle < end;
  };
  return transcript.segments.flatMap((segment) => {
    const { words, speaker } = segment;
    // The service numbers them anew in each part.
    const others = speaker && { speaker: { ...speaker, id: `${index}:${speaker.id}` } };
    if (!words) return isOurs(segment) ? [{ ...segment, ...shift(segment, from), ...others }] : [];
    const kept = words.filter(isOurs);
    const [first, last] = [kept[0], kept.at(-1)];
    if (!first || !last) return [];
    const ours = { ...others, words: kept.map((word) => ({ ...word, ...shift(word, from) })) };
    if (kept.length === words.length) return [{ ...segment, ...shift(segment, from), ...ours }];
    const text = cutText(segment.text, words, words.indexOf(first), words.indexOf(last));
    return [{ text, start: first.start + from, end: last.end + from, ...ours }];
  });
}

const shift = ({ start, end }: { start: number; end: number }, by: number) => ({ start: start + by, end: end + by });

/** The text from one of its words to another. */
function cutText(text: string, words: readonly { text: string }[], first: number, last: number): string {
  let at = 0;
  let from = 0;
  for (const [index, word] of words.slice(0, last + 1).entries()) {
    const position = text.indexOf(word.text, at);
    if (position < 0)
      return words
        .slice(first, last + 1)
        .map((word) => word.text)
        .join(' ');
    if (index === first) from = position;
    at = position + word.text.length;
  }
  return text.slice(from, at);
}
