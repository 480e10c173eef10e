// Operations that the service doesn't have (some self-hosted ones only speak): remembered, so that they aren't requested at every key
// press of an autocompletion.
import { ApiError } from './errors.ts';
import type { Operation } from './types.ts';

/** Milliseconds; how long it may take to notice an operation that a running service has gained. */
const REMEMBER_MS = 3_600_000;

const operationNames: Record<Operation, string> = {
  catalogue: 'a catalogue of voices',
  speech: 'text-to-speech',
  'live-speech': 'text-to-speech over a websocket',
  transcription: 'transcription',
  credit: 'a balance',
  'own-voices': 'voices of your own',
};

export interface UnsupportedOperations {
  /** @throws ApiError `unsupported` while the operation is known to be missing */
  check(operation: Operation): void;
  record(error: ApiError): void;
}

/** @param now monotonic clock in milliseconds */
export function createUnsupportedOperations(now: () => number): UnsupportedOperations {
  const missing = new Map<Operation, { status: number | null; until: number }>();
  return {
    check(operation) {
      const refusal = missing.get(operation);
      if (refusal && now() < refusal.until) throw unsupportedError(operation, refusal.status);
    },
    record({ kind, operation, status }) {
      // Nothing works without speech: a service that lacks it for a moment, while it is being replaced, is asked again at once.
      if (kind === 'unsupported' && operation !== null && operation !== 'speech')
        missing.set(operation, { status, until: now() + REMEMBER_MS });
    },
  };
}

/**
 * Whether a status says that the service lacks the operation, rather than the voice or user. 405 and 501 always do; a 404 does if the
 * request names neither: the catalogue, transcription, the balance of `self`.
 */
export function isUnsupported(status: number, namesResource: boolean): boolean {
  return status === 405 || status === 501 || (status === 404 && !namesResource);
}

export function unsupportedError(operation: Operation, status: number | null, requestId: string | null = null): ApiError {
  const message = `The voice service does not have ${operationNames[operation]} (${status}). If it should, check the base address.`;
  return new ApiError('unsupported', message, { status, requestId, operation });
}
