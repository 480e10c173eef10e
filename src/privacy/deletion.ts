// Deletes what is stored about a member who asks for it, and about a guild the bot has left.
import { guildUsageKeys, memberBudgetKey } from '../credit/index.ts';
import type { Dictionaries } from '../dictionary/index.ts';
import { readChannelsKey } from '../reading/kept-channels.ts';
import type { Settings } from '../settings/index.ts';
import type { Speech } from '../speech/index.ts';
import { keptTextsPrefix, type Store } from '../store/index.ts';

const DAY_MS = 24 * 3600_000;
/** Usage expires after two days; one more for safety. */
const PAST_DAYS = 3;

/**
 * Deletes the member's settings, dictionary, cached speech, kept texts and usage of past days. Today's usage stays until the day is over, or
 * nothing would be left of the daily budget; mutes belong to the guild.
 * @param now milliseconds since 1970
 * @returns how many cached sounds were deleted, and whether that is done in all processes of the bot
 * @throws StoreError
 */
export async function deleteMemberData(
  { settings, dictionaries, speech, store }: { settings: Settings; dictionaries: Dictionaries; speech: Speech; store: Store },
  memberId: string,
  now: number = Date.now(),
): Promise<{ count: number; everywhere: boolean }> {
  const sounds = await speech.forget(memberId);
  await settings.resetMember(memberId);
  await dictionaries.clear({ userId: memberId });
  await store.deleteAll(keptTextsPrefix(memberId));
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

/**
 * Deletes a guild's settings, dictionary and usage; what its members have set for themselves stays.
 * @param now milliseconds since 1970
 * @throws StoreError
 */
export async function deleteGuildData(
  { settings, dictionaries, store }: { settings: Settings; dictionaries: Dictionaries; store: Store },
  guildId: string,
  now: number = Date.now(),
): Promise<void> {
  await settings.resetGuild(guildId);
  await store.delete(readChannelsKey(guildId));
  await dictionaries.clear({ guildId });
  for (const key of guildUsageKeys(guildId, now)) {
    await store.delete(key);
    await store.deleteAll(`${key}:`);
  }
}
