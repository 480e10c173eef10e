// Deletes voices that members made: here at once, at the voice service as soon as it answers.
import { type Api, ApiError } from '../api/index.ts';
import { describeError } from '../bot/error-boundary.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../settings/index.ts';
import type { Speech } from '../speech/index.ts';
import type { VoiceOwners } from './owners.ts';

export interface VoiceRemoval {
  /**
   * From now on nobody can use the voice, whatever else fails: its cached sound goes, and so does everybody's choice of it. Returns whether
   * the service has deleted it, too; if it can't be asked now, it is asked again every hour and after every start. Rejects with StoreError.
   */
  remove(voiceId: string): Promise<boolean>;
  /** Tries again what is left to delete, now and every hour from then on. Failures are logged; never rejects. */
  review(): Promise<void>;
  close(): void;
}

const REVIEW_INTERVAL_MS = 3600_000;

export function createVoiceRemoval(options: {
  api: Pick<Api, 'deleteModel'>;
  speech: Pick<Speech, 'forgetVoice'>;
  settings: Pick<Settings, 'changeVoice'>;
  voiceOwners: Pick<VoiceOwners, 'markDeleted' | 'deleted' | 'remove'>;
  log: Log;
}): VoiceRemoval {
  const { api, speech, settings, voiceOwners, log } = options;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | null = null;

  async function finish(voiceId: string): Promise<boolean> {
    await speech.forgetVoice(voiceId);
    await settings.changeVoice(voiceId, null);
    try {
      await api.deleteModel(voiceId, { signal: closing.signal });
    } catch (error) {
      const isGone = error instanceof ApiError && error.kind === 'not-found';
      if (!isGone) {
        log.warn(describeError(error), 'a deleted voice is still at the voice service; its deletion will be tried again');
        return false;
      }
    }
    // Not before: without the note that is left it would count as a voice of the catalogue.
    await voiceOwners.remove(voiceId);
    return true;
  }

  async function reviewAll(): Promise<void> {
    for (const id of await voiceOwners.deleted()) if (!closing.signal.aborted) await finish(id);
  }

  const review = () =>
    reviewAll().catch((error: unknown) => log.warn(describeError(error), 'deleted voices could not be reviewed; they will be again'));

  return {
    async remove(voiceId) {
      await voiceOwners.markDeleted(voiceId);
      return finish(voiceId);
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
