// Pieces of sentences: numbers, times and lists, and somebody else's words.
import { createFormat } from '../format.ts';

export const format = createFormat('en');

/** Somebody else's words, which must not end the code span or fill the message. */
export { asCode as code } from '../../text/untrusted-text.ts';
