// The typed Voice Service API, as a module of its own: no Discord, no environment. See README.md beside this file.
export { ApiError, type ApiErrorKind, apiErrorKinds } from './errors.ts';
export type * from './types.ts';
