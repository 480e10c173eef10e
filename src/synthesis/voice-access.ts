// Who may speak in which voice. A voice that a member may not use counts as one that the service doesn't have, so its existence isn't
// revealed.
import { ApiError } from '../api/errors.ts';
import type { SoundScope } from './types.ts';

/**
 * Whether the member may speak in this voice there: any of the `catalogue`, or an `own` one, which a member made.
 * @param user `userId` '' = nobody in particular; `guildId` null = outside of servers
 */
export type VoiceAccessLookup = (
  voiceId: string,
  user: { userId: string; guildId: string | null },
) => Promise<'catalogue' | 'own' | 'refused'>;

interface VoicedRequest {
  referenceId?: string | null;
  scope?: SoundScope;
}

/** The member's access to the request's voice, in the place that its scope names. */
export async function readAccess(
  accessOf: VoiceAccessLookup | undefined,
  { referenceId, scope }: VoicedRequest,
  memberId = '',
): ReturnType<VoiceAccessLookup> {
  if (!referenceId || !accessOf) return 'catalogue';
  const guildId = typeof scope === 'object' && 'guildId' in scope ? scope.guildId : null;
  return accessOf(referenceId, { userId: memberId, guildId });
}

/** @throws ApiError like that of a service without such a voice */
export async function checkAccess(...request: Parameters<typeof readAccess>): Promise<'catalogue' | 'own'> {
  const access = await readAccess(...request);
  if (access === 'refused') throw new ApiError('not-found', 'There is no such voice.', { status: 404 });
  return access;
}
