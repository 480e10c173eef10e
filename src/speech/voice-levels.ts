// How loud each voice was heard to be, in the store: so that it begins at the right level after a restart, too.
import { createHash } from 'node:crypto';
import type { Store } from '../store/index.ts';

/** What is kept of a voice; nothing of who had it speak. */
export interface VoiceLevel {
  lufs: number;
  /** How much of it was heard, in tenths of a second. */
  blocks: number;
}

export interface VoiceLevels {
  /** null if it is not known, or the store fails, which is told to `warn`. Never rejects. @param referenceId null = the service's default voice */
  load(referenceId: string | null): Promise<VoiceLevel | null>;
  /** Beside what is being played. What fails is told to `warn`. */
  save(referenceId: string | null, level: VoiceLevel): void;
}

/** After the last time that something new was learnt of it. */
const KEPT_MS = 90 * 24 * 3600_000;

/** @param service whose voices they are: two services may have different voices under one id */
export function createVoiceLevels(store: Store, service: string, warn: (error: unknown) => void = () => {}): VoiceLevels {
  // A voice may be somebody's own: its id is not to be read from the store after they have deleted theirs.
  const keyOf = (referenceId: string | null) =>
    `level:${createHash('sha256')
      .update(JSON.stringify([service, referenceId]))
      .digest('base64url')}`;
  return {
    async load(referenceId) {
      const kept = await store.get(keyOf(referenceId)).catch(warn);
      if (!kept || typeof kept !== 'object' || Array.isArray(kept)) return null;
      const { lufs, blocks } = kept;
      return Number.isFinite(lufs) && Number.isFinite(blocks) ? { lufs: Number(lufs), blocks: Number(blocks) } : null;
    },
    save(referenceId, { lufs, blocks }) {
      setImmediate(() => store.set(keyOf(referenceId), { lufs, blocks }, { expiresInMs: KEPT_MS }).catch(warn));
    },
  };
}
