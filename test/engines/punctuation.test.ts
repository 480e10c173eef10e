// Capitals and punctuation of what PocketSphinx recognises.
import { describe, expect, it } from 'vitest';
import { createPunctuation } from '../../src/local/voice-service/engines/pocketsphinx/punctuation.ts';

/** Punctuates phrases with these pauses, in seconds, after each but the last. */
function punctuated(phrases: string[], pauses: number[]): string {
  const punctuate = createPunctuation();
  let at = 0;
  const segments = phrases.map((text, index) => {
    const segment = { text, start: at, end: at + 1 };
    at += 1 + (pauses[index] ?? 0);
    return segment;
  });
  return segments.map((segment, index) => punctuate(segment, segments[index + 1]).text).join(' ');
}

describe('recognised text', () => {
  it('has sentences that end at pauses and begin with a capital', () => {
    expect(punctuated(['the road was long', 'they walked home'], [0.5])).toBe('The road was long. They walked home.');
  });

  it('has a capital I, and no other where it is part of a word', () => {
    expect(punctuated(["when i said i'm in i'll be"], [])).toBe("When I said I'm in I'll be.");
  });

  it('goes on after a comma if the next phrase does, unless the pause is long', () => {
    expect(punctuated(['we left early', 'and they stayed', 'but not for long'], [0.6, 1.5])).toBe(
      'We left early, and they stayed. But not for long.',
    );
  });

  it('has no mark where the speaker looks for a word, or where a long phrase was cut', () => {
    expect(punctuated(['i went to the', 'market and bought', 'some bread'], [2, 0.05])).toBe('I went to the market and bought some bread.');
  });
});
