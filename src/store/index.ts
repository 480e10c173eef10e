// State that outlives the process: settings, usage, notes of open replies.
export {
  createTextKey,
  deriveSealingKey,
  KEEP_QUESTION_MS,
  KEEP_REPLY_MS,
  keepText,
  keepValue,
  keptTextsPrefix,
  loadSealingKey,
  readKeptText,
  readKeptValue,
  seal,
  takeKeptText,
  takeKeptValue,
  unseal,
} from './sealed.ts';
export { openSqliteStore } from './sqlite.ts';
export { exportStore, importStore } from './transfer.ts';
export { readAs, type Store, StoreError, update, type Value, whileStoreFails } from './types.ts';
