// The typed Voice Service API, as a module of its own: no Discord, no environment. See README.md beside this file.
export { type ApiOptions, createApi, defaultTimeouts, type Timeouts } from './client.ts';
export { ApiError, type ApiErrorKind, apiErrorKinds, mayHaveBeenBilled } from './errors.ts';
export { defaultRetries, type RetryOptions } from './retry.ts';
export type * from './types.ts';
