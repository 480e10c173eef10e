// Deletes what is kept of a member, on their own wish, and of a server that I am no longer in.
import { guildUsageKeys, memberBudgetKey } from '../credit/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Speech } from '../speech/index.ts';
import type { Store } from '../store/index.ts';

const DAY_MS = 24 * 3600_000;
/** Numbers of use are there for two days: so long back there can be any. */
const PAST_DAYS = 3;

/**
 * The member's settings, the sounds of their words, and their use of the days that are over. Today's use stays until it is over, for
 * without it nothing would be left of the day's budget; mutes are the server's. Gives how many sounds there were. Rejects with
 * StoreError.
 */
export async function deleteMemberData(
  { settings, speech, store }: { settings: Settings; speech: Speech; store: Store },
  memberId: string,
  now: number = Date.now(),
): Promise<number> {
  const sounds = await speech.forget(memberId);
  await settings.resetMember(memberId);
  const today = Math.floor(now / DAY_MS);
  for (let day = today - PAST_DAYS; day < today; day++) {
    for (const kind of ['speech', 'transcription'] as const) {
      const everywhere = memberBudgetKey(day, kind, memberId);
      await store.delete(everywhere);
      await store.deleteAll(`${everywhere}:`);
    }
  }
  await store.scrub();
  return sounds;
}

/** The settings of a server and its use in numbers; what its members have set for themselves is theirs. Rejects with StoreError. */
export async function deleteGuildData(
  { settings, store }: { settings: Settings; store: Store },
  guildId: string,
  now: number = Date.now(),
): Promise<void> {
  await settings.resetGuild(guildId);
  for (const key of guildUsageKeys(guildId, now)) {
    await store.delete(key);
    await store.deleteAll(`${key}:`);
  }
}
