// The moods that a text can be spoken in, by models that take them as markers in the text.
import { segmentSentences } from './sentences.ts';

export const MOODS = ['happy', 'excited', 'calm', 'sad', 'angry', 'scared', 'whispering', 'shouting'] as const;
export type Mood = (typeof MOODS)[number];

/**
 * How each model wants a marker: s1 in parentheses, its successors in brackets. Every other model would read it out.
 * https://docs.fish.audio/developer-platform/core-features, https://docs.comfy.org/tutorials/partner-nodes/fishaudio/prompt-guide
 */
const MARKERS: Record<string, [begin: string, end: string]> = {
  s1: ['(', ')'],
  's1-mini': ['(', ')'],
  s2: ['[', ']'],
  's2-pro': ['[', ']'],
  's2.1-pro': ['[', ']'],
};

/** Whether the model of this name is known to understand moods. */
export function hasMoods(model: string): boolean {
  return Object.hasOwn(MARKERS, model);
}

/** The text with the mood's marker before every sentence, where models want it; unchanged if the model is not known to understand it. */
export function withMood(text: string, mood: Mood | null | undefined, model: string | undefined): string {
  if (!mood || model === undefined || !hasMoods(model)) return text;
  const marker = MARKERS[model]?.join(mood) ?? '';
  return [...segmentSentences(text)]
    .map(({ segment }) => (/[\p{L}\p{N}]/u.test(segment) ? segment.replace(/^\s*/, (space) => `${space}${marker} `) : segment))
    .join('');
}
