// Why the service refuses a text, as far as its answer tells.
import { ApiError } from '../api/errors.ts';

/** Whether the service answered that it has no such voice. */
export function isUnknownVoice(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'not-found' || error.details.some(({ loc }) => loc.includes('reference_id')));
}

/** About how many characters a slow voice can say, if this text is too long for it; else null. */
export function findLengthLimit(error: unknown): number | null {
  const refusal = error instanceof ApiError ? error.details.find(({ type }) => type === 'too_slow') : undefined;
  const [limit] = /\d+/.exec(refusal?.ctx ?? '') ?? [];
  return limit === undefined ? null : Number(limit);
}

/** Whether most of the text is in a script that the voice doesn't read. */
export function isScriptRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ type }) => type === 'unspeakable');
}

/** Whether the service refuses the speed. */
export function isSpeedRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ loc }) => loc.includes('prosody') || loc.includes('speed'));
}
