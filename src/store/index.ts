// State that outlives the process: settings, usage, notes of open replies.
export {
  createTextKey,
  KEEP_QUESTION_MS,
  KEEP_REPLY_MS,
  keepText,
  keepValue,
  keptTextsPrefix,
  readKeptText,
  readKeptValue,
  takeKeptText,
  takeKeptValue,
} from './kept-texts.ts';
export { readAs } from './read-as.ts';
export { deriveSealingKey, loadSealingKey, seal, unseal } from './seal.ts';
export { openSqliteStore } from './sqlite.ts';
export { exportStore, importStore } from './transfer.ts';
export { type Store, StoreError, type Value } from './types.ts';
export { update } from './update.ts';
