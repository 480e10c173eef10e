// State that outlives the process: settings, usage, notes of open replies.
export { loadSealingKey, seal, unseal } from './seal.ts';
export { openSqliteStore } from './sqlite.ts';
export { type Store, StoreError, type Value } from './types.ts';
