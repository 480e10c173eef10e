// What outlives the process: settings, use in numbers.
export { loadSealingKey, seal, unseal } from './seal.ts';
export { openSqliteStore } from './sqlite.ts';
export { type Store, StoreError, type Value } from './types.ts';
