// Users, their keys and their credit, in one SQLite file that a kill -9 at any moment leaves right.
import { createHash, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate, makePrivateFile, makePrivateFolder } from '../../store/private-files.ts';
import { formatCredit, parseCredit } from './money.ts';

/** A key that the service accepts, and the wallet behind it. */
export interface KeyGrant {
  key: string;
  /** Whose key it is; several keys may share a user. Absent: the user the key had before, else `local` for the first such key. */
  userId?: string;
  /**
   * All the credit ever given to the user through this key, as a decimal. It is given once: what was spent stays spent over a
   * restart, and a greater figure at the next start adds the difference.
   */
  credit: string | number;
  /** From then on the key is refused. */
  expiresAt?: Date | string;
}

/** The owner of the first key that names no user, and of the private models in the catalogue file. */
const LOCAL_USER = 'local';

/** Credit taken from a wallet for work under way: kept or given back when the work ends, given back after a crash. */
export interface Hold {
  readonly id: number;
  readonly userId: string;
  readonly micro: bigint;
}

interface WalletRow {
  id: string;
  userId: string;
  credit: string;
  createdAt: string;
  updatedAt: string;
}

export interface Wallet {
  /** The user and the name of the key; null when the key is unknown. `expired` keys must be refused. */
  findKey(key: string): { keyId: string; userId: string; expired: boolean } | null;
  read(userId: string): WalletRow | null;
  balance(userId: string): bigint;
  /** Takes the amount (micro-credits) out of the wallet at once; null, and nothing taken, when it holds less. */
  hold(userId: string, micro: bigint): Hold | null;
  /**
   * Ends a hold at what the work really cost; absent = all that was held. What was held too much goes back; what is missing is
   * taken from the wallet as far as it reaches. A hold that has ended already is left alone.
   */
  settle(hold: Hold, micro?: bigint): void;
  giveBack(hold: Hold): void;
  close(): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS wallets (
    user_id TEXT PRIMARY KEY, id TEXT NOT NULL, micro INTEGER NOT NULL CHECK (micro >= 0), created_at TEXT NOT NULL, updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS keys (
    key_id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES wallets, granted INTEGER NOT NULL, expires_at INTEGER, active INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS holds (id INTEGER PRIMARY KEY, user_id TEXT NOT NULL, micro INTEGER NOT NULL) STRICT;
`;

/** Keys are stored and compared as hashes, so that the file gives nobody a key. */
const nameOfKey = (key: string) => createHash('sha256').update(key).digest('hex');

/**
 * Opens the wallet and makes `grants` the keys that count. One process at a time may have it open: the holds of another one
 * would be taken for those of a crash.
 * @throws Error when another process has it open; RangeError for an amount or a date that is none
 */
export function openWallet(file: string, grants: readonly KeyGrant[], now: () => number = Date.now): Wallet {
  makePrivateFolder(dirname(file));
  makePrivateFile(file);
  for (const beside of ['-wal', '-journal']) makePrivate(file + beside);
  const db = open(file);
  const stamp = () => new Date(now()).toISOString();
  const sql = {
    wallet: db.prepare('SELECT * FROM wallets WHERE user_id = ?'),
    make: db.prepare('INSERT INTO wallets VALUES (?, ?, 0, ?, ?) ON CONFLICT DO NOTHING'),
    give: db.prepare('UPDATE wallets SET micro = micro + ?, updated_at = ? WHERE user_id = ?'),
    take: db.prepare('UPDATE wallets SET micro = micro - ?, updated_at = ? WHERE user_id = ? AND micro >= ?'),
    takeAtMost: db.prepare('UPDATE wallets SET micro = max(0, micro - ?), updated_at = ? WHERE user_id = ?'),
    key: db.prepare('SELECT * FROM keys WHERE key_id = ?'),
    putKey: db.prepare(
      'INSERT INTO keys VALUES (?, ?, ?, ?, 1) ON CONFLICT (key_id) DO UPDATE SET user_id = excluded.user_id, granted = excluded.granted, expires_at = excluded.expires_at, active = 1',
    ),
    putHold: db.prepare('INSERT INTO holds (user_id, micro) VALUES (?, ?)'),
    endHold: db.prepare('DELETE FROM holds WHERE id = ?'),
    holds: db.prepare('SELECT * FROM holds'),
  };
  for (const statement of Object.values(sql)) statement.setReadBigInts(true);

  const settle = (hold: Hold, micro: bigint) => {
    // A call that outlives the wallet: its hold is given back at the next start.
    if (!db.isOpen) return;
    inTransaction(db, () => {
      if (sql.endHold.run(hold.id).changes === 0n) return;
      if (micro < hold.micro) sql.give.run(hold.micro - micro, stamp(), hold.userId);
      if (micro > hold.micro) sql.takeAtMost.run(micro - hold.micro, stamp(), hold.userId);
    });
  };

  const grant = (given: KeyGrant) => {
    const keyId = nameOfKey(given.key);
    const known = sql.key.get(keyId);
    const localIsFree = db.prepare('SELECT 1 FROM keys WHERE user_id = ? AND active = 1').get(LOCAL_USER) === undefined;
    const userId = given.userId ?? (known ? String(known.user_id) : localIsFree ? LOCAL_USER : `user-${keyId.slice(0, 8)}`);
    const micro = parseCredit(String(given.credit));
    const expiresAt = given.expiresAt === undefined ? null : new Date(given.expiresAt).getTime();
    if (Number.isNaN(expiresAt)) throw new RangeError(`"${given.expiresAt}" is no date: write it like 2030-01-31T00:00:00Z.`);
    sql.make.run(userId, randomUUID(), stamp(), stamp());
    const before = known ? BigInt(known.granted as bigint) : 0n;
    if (micro > before) sql.give.run(micro - before, stamp(), userId);
    if (micro < before) sql.takeAtMost.run(before - micro, stamp(), userId);
    sql.putKey.run(keyId, userId, micro, expiresAt);
  };

  try {
    inTransaction(db, () => {
      for (const row of sql.holds.all()) sql.give.run(row.micro as bigint, stamp(), row.user_id as string);
      db.exec('DELETE FROM holds; UPDATE keys SET active = 0;');
      for (const given of grants) grant(given);
    });
  } catch (error) {
    db.close();
    throw error;
  }

  return {
    findKey(key) {
      const row = sql.key.get(nameOfKey(key));
      if (!row?.active) return null;
      const expired = row.expires_at !== null && Number(row.expires_at) <= now();
      return { keyId: String(row.key_id), userId: String(row.user_id), expired };
    },
    read(userId) {
      const row = sql.wallet.get(userId);
      if (!row) return null;
      return {
        id: String(row.id),
        userId,
        credit: formatCredit(row.micro as bigint),
        createdAt: String(row.created_at),
        updatedAt: String(row.updated_at),
      };
    },
    balance: (userId) => (sql.wallet.get(userId)?.micro as bigint | undefined) ?? 0n,
    hold: (userId, micro) =>
      inTransaction(db, () => {
        if (sql.take.run(micro, stamp(), userId, micro).changes === 0n) return null;
        return { id: Number(sql.putHold.run(userId, micro).lastInsertRowid), userId, micro };
      }),
    settle: (hold, micro = hold.micro) => settle(hold, micro),
    giveBack: (hold) => settle(hold, 0n),
    close: () => db.close(),
  };
}

/** WAL with synchronous=NORMAL: a commit outlives the process, and after a power cut the file is older but whole. */
function open(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 1000 });
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    db.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT;`);
    return db;
  } catch (error) {
    db.close();
    const locked = (error as { errcode?: number }).errcode === 5;
    if (!locked) throw error;
    throw new Error(`Another voice service is using ${dirname(file)}: stop it, or give this one a folder of its own.`, { cause: error });
  }
}

function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
