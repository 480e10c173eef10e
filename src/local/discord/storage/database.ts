// One SQLite file in a folder that only this user may read. A process killed at any moment leaves it readable.
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** Raise it when what is saved changes its shape: what another version wrote is then discarded. */
const FORMAT = 3;
/** SQLite's codes for a damaged file, and for one that is no database. */
const DAMAGE_CODES = [11, 26];
const BUSY_CODE = 5;

// `parts` are whatever there is one of. The rows of the others are in the order of their creation. Values are serialized by V8, which keeps
// maps, sets, and which objects are the same one: a member's user is also in the list of users.
const SCHEMA = `
  CREATE TABLE parts (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
  CREATE TABLE messages (id TEXT PRIMARY KEY, channel_id TEXT NOT NULL, created_at INTEGER NOT NULL, value BLOB NOT NULL) STRICT;
  CREATE TABLE files (id TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
`;

export interface Database {
  read(sql: string, ...values: SQLInputValue[]): Record<string, unknown>[];
  write(sql: string, ...values: SQLInputValue[]): void;
  /** All of the changes, or none of them. */
  transaction(change: () => void): void;
  close(): void;
}

/** Opens the folder's file, or creates it. @throws Error: see isDamage */
export function openDatabase(directory: string): Database {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  const file = join(directory, 'world.db');
  const db = new DatabaseSync(file);
  try {
    chmodSync(file, 0o600);
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON;');
    prepareSchema(db);
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    read: (sql, ...values) => db.prepare(sql).all(...values),
    write: (sql, ...values) => void db.prepare(sql).run(...values),
    transaction: (change) => runTransaction(db, change),
    close: () => db.close(),
  };
}

/** Whether the content is to blame for this error, and not the disk, the permissions, or another process that has it open. */
export function isDamage(error: unknown): boolean {
  const { errcode, syscall } = error as { errcode?: number; syscall?: string };
  // The lower byte of an extended code is the code itself.
  return errcode === undefined ? syscall === undefined : DAMAGE_CODES.includes(errcode & 0xff);
}

/** Whether another process has it open. */
export function isBusy(error: unknown): boolean {
  return ((error as { errcode?: number }).errcode ?? 0) % 256 === BUSY_CODE;
}

function prepareSchema(db: DatabaseSync): void {
  const version = db.prepare('PRAGMA user_version').get()?.user_version;
  if (version === 0) runTransaction(db, () => db.exec(`${SCHEMA} PRAGMA user_version = ${FORMAT};`));
  else if (version !== FORMAT) throw new Error(`it has format ${version}, not ${FORMAT}`);
  const [{ quick_check: state } = {}] = db.prepare('PRAGMA quick_check').all();
  if (state !== 'ok') throw new Error('it is damaged');
}

function runTransaction(db: DatabaseSync, change: () => void): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    change();
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
