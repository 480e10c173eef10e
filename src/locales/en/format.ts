// Pieces of sentences: somebody else's words, sizes.
import { createFormat } from '../format.ts';

export const format = createFormat('en');

/** Somebody else's words, which must not end the code span or fill the message. */
export { asCode as code } from '../../text/untrusted-text.ts';

/** As Discord counts them: 10 MB are 10 × 1024 × 1024 bytes. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;
}

/** "7 %", for a share from 0 to 1. */
export function percent(share: number): string {
  return `${Math.max(1, Math.round(Math.min(share, 1) * 100))} %`;
}

/** "1,200 characters", "2 minutes 30 seconds"; parts of a whole one are left out. */
export function sizeOf(kind: 'speech' | 'transcription', amount: number): string {
  return kind === 'speech' ? count(Math.floor(amount), 'character') : duration(amount);
}

/** "1,200 characters of speech", "2 minutes 30 seconds of transcription". */
export function amountOf(kind: 'speech' | 'transcription', amount: number): string {
  return `${sizeOf(kind, amount)} of ${kind}`;
}

function duration(seconds: number): string {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes === 0) return count(whole, 'second');
  const rest = minutes >= 10 ? 0 : whole % 60;
  return rest === 0 ? count(minutes, 'minute') : `${count(minutes, 'minute')} ${count(rest, 'second')}`;
}

/** "1 character", "1,200 characters". */
export function count(amount: number, unit: string): string {
  return `${amount.toLocaleString('en')} ${unit}${amount === 1 ? '' : 's'}`;
}
