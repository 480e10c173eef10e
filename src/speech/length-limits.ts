// How much sound a text can be, so that a service that never stops is cut off.
import { AudioError } from '../audio/index.ts';

/**
 * Seconds. Voices speak 12 to 17 characters of English a second and 4 or 5 of Chinese; slowest are digits and symbols that are read out
 * by name, at about half a second each. So this is twice the slowest, plus room for a pause or a greeting.
 */
const SECONDS_PER_CHARACTER = 1;
const EXTRA_SECONDS = 30;

/** Bytes per second at most: Opus at 510 kbit/s, more than MP3 has; 32-bit stereo samples at 48 kHz. */
const COMPRESSED_RATE = 64_000;
const UNCOMPRESSED_RATE = 384_000;
const COMPRESSED = /^audio\/(mpeg|mp3|ogg|opus|webm|aac|mp4)\b/i;

/** Seconds of sound that a text can be at most, at this speed factor. */
export function maxSeconds(text: string, speed = 1): number {
  return (EXTRA_SECONDS + SECONDS_PER_CHARACTER * text.length) / Math.min(speed, 1);
}

/** How fast English is spoken, and scripts that write a syllable or a word as one character. */
const CHARACTERS_PER_SECOND = 15;
const WIDE_CHARACTERS_PER_SECOND = 4.5;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Seconds of sound that a text probably is, at this speed factor: for people, not for limits. */
export function estimateSeconds(text: string, speed = 1): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return (wide / WIDE_CHARACTERS_PER_SECOND + (text.length - wide) / CHARACTERS_PER_SECOND) / speed;
}

/** Bytes that this many seconds of sound can take at most. */
export function maxSoundBytes(seconds: number, contentType: string): number {
  return Math.ceil(seconds * (COMPRESSED.test(contentType) ? COMPRESSED_RATE : UNCOMPRESSED_RATE));
}

export function endlessSound(): AudioError {
  return new AudioError('endless', 'The sound goes on for longer than its text can be spoken');
}
