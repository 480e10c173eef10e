// Who may speak in which voice. A voice that a member may not use counts as one that the service does not have, so that nobody finds out
// that it exists.
import { ApiError } from '../api/errors.ts';

/**
 * Who shares a cached sound: what was said in one server must not show in any other, neither by its price nor by how fast it starts.
 * `shared` is for Parley's own words.
 */
export type SoundScope = { guildId: string } | { userId: string } | 'shared';

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

/** The member's access to the request's voice, where its scope says. */
export async function readAccess(
  accessOf: VoiceAccessLookup | undefined,
  { referenceId, scope }: VoicedRequest,
  memberId = '',
): ReturnType<VoiceAccessLookup> {
  if (!referenceId || !accessOf) return 'catalogue';
  const guildId = typeof scope === 'object' && 'guildId' in scope ? scope.guildId : null;
  return accessOf(referenceId, { userId: memberId, guildId });
}

/** @throws ApiError as of a service that has no such voice */
export async function checkAccess(...request: Parameters<typeof readAccess>): Promise<'catalogue' | 'own'> {
  const access = await readAccess(...request);
  if (access === 'refused') throw new ApiError('not-found', 'There is no such voice.', { status: 404 });
  return access;
}
