// Pieces of sentences: somebody else's words, sizes.
import { inlineCode } from 'discord.js';
import { truncate } from '../embed.ts';

/** Somebody else's words, which must not end the code span or fill the message. */
export function code(text: string): string {
  return inlineCode(truncate(text.replaceAll('`', "'").replaceAll('\n', ' '), 80) || ' ');
}

/** As Discord counts them: 10 MB are 10 × 1024 × 1024 bytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;
}
