// Worker thread: writes the file of a database anew, without copies of what was deleted, and empties its log.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { BUSY_MS, SECURE_DELETE } from './erasure.ts';

const db = new DatabaseSync(workerData as string, { timeout: BUSY_MS });
db.exec(`${SECURE_DELETE} VACUUM`);
if (db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy !== 0) throw new Error('another process is reading the store');
db.close();
