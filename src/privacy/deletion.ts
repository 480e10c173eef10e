// Deletes what is stored about a member who asks for it, and about a guild the bot has left.

import { guildCaptionsKeys } from '../captions/stored.ts';
import { guildUsageKeys, memberBudgetKey } from '../charging/index.ts';
import type { Dictionaries } from '../dictionary/dictionaries.ts';
import { directHintKey } from '../discord/direct-messages.ts';
import type { Left, Removals } from '../posted-words/removals.ts';
import { forgetReading, forgetStarter } from '../reading/persisted-channels.ts';
import { forgetVoiceAssignments } from '../reading/voice-pool.ts';
import { keptTextsPrefix, type Store } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import type { SpeechEngine } from '../synthesis/index.ts';
import { guildWordsPrefixes } from '../transcription/voice-messages/links.ts';
import type { VoiceOwners } from '../voice-catalogue/owners.ts';

const DAY_MS = 24 * 3600_000;
/** Usage expires after two days; one more for safety. */
const PAST_DAYS = 3;

export interface MemberData {
  settings: Settings;
  dictionaries: Dictionaries;
  speech: SpeechEngine;
  store: Store;
  voiceOwners: VoiceOwners;
  /** Cancels voices that are being made. */
  voiceMaker: { forget(memberId: string): Promise<void> };
  /** Withdraws the member's agreement to be captioned, and deletes their words from captions that are on. */
  captions: { forget(memberId: string): Promise<void> };
  words: { removals: Pick<Removals, 'leftOf'> };
  /** Deletes replies with the words of the member's voice messages. */
  voiceMessages: { deleteOf(memberId: string): Promise<void> };
  /** Returns whether the voice service has deleted the voice, too. */
  voiceRemoval: { remove(voiceId: string): Promise<boolean> };
}

/** How much was deleted. */
export interface Deleted {
  /** Cached sounds. */
  sounds: number;
  /** Whether the sounds are gone from all processes of the bot. */
  everywhere: boolean;
  voices: number;
  /** How many of the voices the voice service could not delete yet. */
  voicesLeft: number;
  /** What couldn't be deleted on Discord yet. */
  wordsLeft: Left[];
}

/**
 * Deletes the voices that the member made or speaks in, their settings, dictionary, reading voices, cached speech, stored texts, replies
 * with the words of their voice messages, agreement to be captioned, usage of past days, and that they have started reading somewhere. Today's usage stays, or deleting
 * would reset the daily budget; mutes belong to the guild.
 * @param now milliseconds since 1970
 * @throws StoreError
 */
export async function deleteMemberData(data: MemberData, memberId: string, now: number = Date.now()): Promise<Deleted> {
  const { settings, dictionaries, speech, store, voiceOwners, voiceMaker, voiceRemoval, voiceMessages, captions, words } = data;
  await voiceMaker.forget(memberId);
  await voiceMessages.deleteOf(memberId);
  await captions.forget(memberId);
  const voices = await voiceOwners.concerning(memberId);
  const removed = await Promise.all(voices.map(({ id }) => voiceRemoval.remove(id)));
  const { count: sounds, everywhere } = await speech.forget(memberId);
  await settings.resetMember(memberId);
  await dictionaries.clear({ userId: memberId });
  await forgetVoiceAssignments(store, memberId);
  await forgetStarter(store, memberId);
  await store.deleteAll(keptTextsPrefix(memberId));
  await store.delete(directHintKey(memberId));
  const today = Math.floor(now / DAY_MS);
  for (let day = today - PAST_DAYS; day < today; day++) {
    for (const kind of ['speech', 'transcription'] as const) {
      const inAllServers = memberBudgetKey(day, kind, memberId);
      await store.delete(inAllServers);
      await store.deleteAll(`${inAllServers}:`);
    }
  }
  await store.scrub();
  const wordsLeft = await words.removals.leftOf(memberId);
  return { sounds, everywhere, voices: voices.length, voicesLeft: removed.filter((isGone) => !isGone).length, wordsLeft };
}

/**
 * Deletes a guild's settings, dictionary and usage, and ends the sharing of voices with it; what its members have set for themselves stays.
 * @param now milliseconds since 1970
 * @throws StoreError
 */
export async function deleteGuildData(
  { settings, dictionaries, store, voiceOwners }: Pick<MemberData, 'settings' | 'dictionaries' | 'store' | 'voiceOwners'>,
  guildId: string,
  now: number,
): Promise<void> {
  await settings.resetGuild(guildId);
  await forgetReading(store, guildId);
  for (const prefix of guildWordsPrefixes(guildId)) await store.deleteAll(prefix);
  const captions = guildCaptionsKeys(guildId);
  await store.delete(captions.key);
  for (const prefix of captions.prefixes) await store.deleteAll(prefix);
  await dictionaries.clear({ guildId });
  await voiceOwners.unshareAll(guildId);
  for (const key of guildUsageKeys(guildId, now)) {
    await store.delete(key);
    await store.deleteAll(`${key}:`);
  }
}
