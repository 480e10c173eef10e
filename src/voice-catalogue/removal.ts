// Deletes voices that members made: here at once, at the voice service as soon as it answers. Other members who have chosen such a voice
// are found in the background, because that means reading everybody's choices; the same goes for a voice with a new title.

import { type Api, isNotFound } from '../api/index.ts';
import { createInTurn } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import type { SpeechEngine } from '../synthesis/index.ts';
import type { OwnVoice, VoiceOwners } from './owners.ts';

export interface VoiceRemoval {
  /**
   * From now on nobody can use the voice, whatever else fails. Deletes its title and cached sound, and its owner's and its servers' choice
   * of it; other members' choices follow within 10 minutes. Returns whether the service has deleted it, too; if it can't be reached, it is
   * asked again every 10 minutes and after every start. Rejects with StoreError.
   */
  remove(voiceId: string): Promise<boolean>;
  /** Gives the voice a new title: at once, but within 10 minutes in other members' choices. Null if it is gone. Rejects with StoreError. */
  rename(voiceId: string, changes: Pick<OwnVoice, 'title' | 'description'>): Promise<OwnVoice | null>;
  /** Finishes what is left to do, now and every 10 minutes from then on. Failures are logged; never rejects. */
  review(): Promise<void>;
  close(): void;
}

const REVIEW_INTERVAL_MS = 10 * 60_000;

export function createVoiceRemoval(options: {
  api: Pick<Api, 'deleteModel'>;
  speech: Pick<SpeechEngine, 'forgetVoice'>;
  settings: Pick<Settings, 'changeVoices'>;
  store: Pick<Store, 'scrub'>;
  voiceOwners: Pick<VoiceOwners, 'find' | 'rename' | 'renamed' | 'followed' | 'markDeleted' | 'deleted' | 'remove' | 'all' | 'index'>;
  log: Log;
}): VoiceRemoval {
  const { api, speech, settings, store, voiceOwners, log } = options;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | null = null;
  const inTurn = createInTurn();
  /** `performance.now()` of the last review that was started by a change. */
  let followedAt = Number.NEGATIVE_INFINITY;

  async function deleteAtService(voiceId: string): Promise<boolean> {
    try {
      await api.deleteModel(voiceId, { signal: closing.signal });
      return true;
    } catch (error) {
      if (isNotFound(error)) return true;
      log.warn(describeError(error), 'could not delete a voice at the voice service; will try again');
      return false;
    }
  }

  /** Changes the voice where its owner and the servers it is shared with have chosen it. */
  async function changeNearby({ id, ownerId, sharedWith }: OwnVoice, title: string | null): Promise<void> {
    await settings.changeVoices(new Map([[id, title]]), { memberIds: [ownerId], guildIds: sharedWith });
  }

  async function reviewAll(): Promise<void> {
    await voiceOwners.index(await voiceOwners.all());
    const [renamed, deleted] = [await voiceOwners.renamed(), await voiceOwners.deleted()];
    if (renamed.length + deleted.length === 0 || closing.signal.aborted) return;
    const titles = new Map<string, string | null>(deleted.map(({ id }) => [id, null]));
    for (const { voice } of renamed) titles.set(voice.id, voice.title);
    await settings.changeVoices(titles);
    for (const renaming of renamed) await voiceOwners.followed(renaming);
    for (const { id, isGone } of deleted) {
      if (closing.signal.aborted) return;
      await speech.forgetVoice(id);
      // The record is removed only now: without it, the voice would count as one of the catalogue.
      if (isGone || (await deleteAtService(id))) await voiceOwners.remove(id);
    }
    await store.scrub();
  }

  function review(): Promise<void> {
    return inTurn(reviewAll).catch((error: unknown) => log.warn(describeError(error), 'could not review deleted voices; will try again'));
  }

  /** Starts a review at once, but no more often than every 10 minutes. */
  function follow(): void {
    if (performance.now() - followedAt < REVIEW_INTERVAL_MS) return;
    followedAt = performance.now();
    void review();
  }

  return {
    async remove(voiceId) {
      const voice = await voiceOwners.find(voiceId);
      await voiceOwners.markDeleted(voiceId);
      await speech.forgetVoice(voiceId);
      if (voice) await changeNearby(voice, null);
      const isGone = await deleteAtService(voiceId);
      if (isGone) await voiceOwners.markDeleted(voiceId, true);
      follow();
      return isGone;
    },
    async rename(voiceId, changes) {
      const voice = await voiceOwners.rename(voiceId, changes);
      if (voice) await changeNearby(voice, voice.title);
      follow();
      return voice;
    },
    review() {
      timer ??= setInterval(() => void review(), REVIEW_INTERVAL_MS).unref();
      return review();
    },
    close() {
      closing.abort();
      if (timer) clearInterval(timer);
    },
  };
}
