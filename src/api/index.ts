// The Voice Service API as a typed, self-contained module: it knows no Discord and reads no environment. See README.md.
// To see how a call works, read client.ts (the operations), then call.ts (one call: limits, retries, abort).
export { type ApiOptions, createApi } from './client.ts';
export { ApiError, type ApiErrorKind, apiErrorKinds, createPauses, isNotFound, mayHaveBeenBilled, type Pauses } from './errors.ts';
export { type CallReport, defaultTimeouts } from './options.ts';
export { defaultRetries } from './retries.ts';
export type * from './types.ts';
export { toLanguageHint } from './upload.ts';
