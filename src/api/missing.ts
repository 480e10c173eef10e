// Operations that the service does not have, as with engines that speak and do nothing else: remembered, so that they are not asked
// for again at every key that is pressed.
import { ApiError } from './errors.ts';
import type { Operation } from './types.ts';

/** Milliseconds; a service that is given a catalogue while it runs is noticed so much later. */
const missingFor = 3_600_000;

const names: Record<Operation, string> = {
  catalogue: 'a catalogue of voices',
  speech: 'text-to-speech',
  transcription: 'transcription',
  credit: 'a balance',
};

export interface MissingOperations {
  /** @throws ApiError of kind `unsupported` while the operation is known not to be there */
  check(operation: Operation): void;
  note(error: ApiError): void;
}

/** @param now milliseconds of a clock that is never set back */
export function createMissingOperations(now: () => number): MissingOperations {
  const missing = new Map<Operation, { status: number | null; until: number }>();
  return {
    check(operation) {
      const known = missing.get(operation);
      if (known && now() < known.until) throw notThere(operation, known.status);
    },
    note({ kind, operation, status }) {
      // Without speech nothing works: a service that lacks it for a moment, while it is being replaced, is asked again at once.
      if (kind === 'unsupported' && operation !== null && operation !== 'speech')
        missing.set(operation, { status, until: now() + missingFor });
    },
  };
}

/**
 * Does this answer say that the service has no such operation, rather than no such voice or user? 405 and 501 always do. A 404 does
 * where the request names neither: the catalogue, transcription, the balance of `self`.
 */
export function saysNotThere(status: number, namesResource: boolean): boolean {
  return status === 405 || status === 501 || (status === 404 && !namesResource);
}

export function notThere(operation: Operation, status: number | null, requestId: string | null = null): ApiError {
  const message = `The voice service does not have ${names[operation]} (${status}). If it should, check the base address.`;
  return new ApiError('unsupported', message, { status, requestId, operation });
}
