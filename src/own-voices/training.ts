// Waiting until the service has trained a voice.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, ApiError, type VoiceModel } from '../api/index.ts';
import { UserError } from '../bot/user-error.ts';
import { asMarkdown } from '../text/untrusted-text.ts';

/** Not trained yet: it waits for its turn, or is at it. */
export type TrainingState = 'waiting' | 'training';

/** Milliseconds between two questions: fast training is over within seconds, any other takes minutes. */
const PAUSES = { first: 500, longest: 10_000, growth: 1.5 };
const MAX_REASON = 300;
/** Errors that would come again if the service were asked again. */
const LASTING: ApiError['kind'][] = ['not-found', 'unsupported', 'auth'];

interface WaitOptions {
  signal: AbortSignal;
  /** Milliseconds. */
  waitMs: number;
  onState(state: TrainingState): void;
}

/**
 * The model once it is trained or has failed; null if it is neither after `waitMs`. A service that can't be reached for a moment is asked
 * again. @throws UserError if the model was deleted meanwhile; ApiError
 */
export async function waitForTraining(
  api: Pick<Api, 'getModel'>,
  created: VoiceModel,
  { signal, waitMs, onState }: WaitOptions,
): Promise<VoiceModel | null> {
  const startedAt = performance.now();
  let model = created;
  let pause = PAUSES.first;
  while (model.state !== 'trained' && model.state !== 'failed') {
    if (performance.now() - startedAt > waitMs) return null;
    onState(model.state === 'training' ? 'training' : 'waiting');
    await sleep(pause, undefined, { signal });
    pause = Math.min(pause * PAUSES.growth, PAUSES.longest);
    try {
      model = await api.getModel(created.id, { signal, priority: 'background' });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError) || LASTING.includes(error.kind)) throw explainLoss(error);
      pause = Math.max(pause, error.retryAfterMs ?? 0);
    }
  }
  return model;
}

function explainLoss(error: unknown): unknown {
  const isGone = error instanceof ApiError && error.kind === 'not-found';
  return isGone ? new UserError((t) => t.ownVoices.create.deletedMeanwhile, { cause: error }) : error;
}

/** The service's own words, if it says why, and what to do. */
export function whyTrainingFailed({ stateMessage }: Pick<VoiceModel, 'stateMessage'>): UserError {
  const reason = asMarkdown(stateMessage ?? '', MAX_REASON);
  return new UserError((t) => t.ownVoices.create.trainingFailed(reason));
}
