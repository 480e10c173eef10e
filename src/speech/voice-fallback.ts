// What happens if the service no longer has a voice: the next one speaks.
import { ApiError } from '../api/errors.ts';

/** Whether the service answered that it has no such voice. */
export function isUnknownVoice(error: unknown): boolean {
  return error instanceof ApiError && (error.kind === 'not-found' || error.details.some(({ loc }) => loc.includes('reference_id')));
}

/** Attempts each voice in turn until the service has one. Rejects with what the last attempt rejected with. */
export async function withVoiceFallback<Voice, Result>(
  voices: readonly [Voice, ...Voice[]],
  attempt: (voice: Voice) => Promise<Result>,
): Promise<Result> {
  const [voice, ...others] = voices;
  const [next, ...rest] = others;
  try {
    return await attempt(voice);
  } catch (error) {
    if (next === undefined || !isUnknownVoice(error)) throw error;
    return withVoiceFallback([next, ...rest], attempt);
  }
}
