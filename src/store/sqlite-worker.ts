// Worker thread: what takes SQLite too long for the main thread. `checkpoint` copies the write-ahead log into the file of a database, as far
// as nobody reads it; `rewrite` writes the file anew, without copies of what was deleted, and empties the log.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { BUSY_MS, SECURE_DELETE, type SqliteTask } from './upkeep.ts';

const { file, task } = workerData as { file: string; task: SqliteTask };
const db = new DatabaseSync(file, { timeout: BUSY_MS });
if (task === 'checkpoint') db.exec('PRAGMA wal_checkpoint(PASSIVE)');
else {
  db.exec(`${SECURE_DELETE} VACUUM`);
  if (db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0) throw new Error('another process is reading the store');
}
db.close();
