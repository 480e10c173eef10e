// Users, their keys and their credit, in one SQLite file that stays consistent if the process is killed at any moment.
import { createHash, randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makePrivate, makePrivateFile, makePrivateFolder } from '../../store/private-files.ts';
import { formatCredit, parseCredit } from './money.ts';

/** A key that the service accepts, and the wallet behind it. */
export interface KeyGrant {
  key: string;
  /** The owner; several keys may share one. Defaults to the user the key had before, else to `local` for the first such key. */
  userId?: string;
  /**
   * All the credit ever granted through this key, as a decimal. It is granted once: what was spent stays spent over a restart, and a
   * greater figure at the next start adds the difference.
   */
  credit: string | number;
  /** The key is rejected from then on. */
  expiresAt?: Date | string;
}

/** The owner of the first key without a user, and of the private models in the catalogue file. */
const LOCAL_USER = 'local';

/** Credit taken from a wallet for work in progress: kept or refunded when the work ends, refunded after a crash. */
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
  /** The user and the id of the key; null if the key is unknown. `expired` keys must be rejected. */
  findKey(key: string): { keyId: string; userId: string; expired: boolean } | null;
  read(userId: string): WalletRow | null;
  balance(userId: string): bigint;
  /** Micro-credits granted through all keys of the user so far. */
  paidIn(userId: string): bigint;
  /** Takes the amount (micro-credits) out of the wallet; null, and nothing taken, if the balance is lower. */
  hold(userId: string, micro: bigint): Hold | null;
  /**
   * Ends a hold at the real cost, which defaults to all that was held. Any excess is refunded; what is missing is taken from the wallet
   * as far as the balance allows. Has no effect on a hold that has already ended.
   */
  settle(hold: Hold, micro?: bigint): void;
  refund(hold: Hold): void;
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

/** Keys are stored and compared as hashes, so that the file reveals none. */
const hashKey = (key: string) => createHash('sha256').update(key).digest('hex');

/**
 * Opens the wallet and makes `grants` the only valid keys. One process at a time may have it open: it would take the holds of
 * another one for those of a crash.
 * @throws Error if another process has it open, RangeError for an invalid amount or date
 */
export function openWallet(file: string, grants: readonly KeyGrant[], now: () => number = Date.now): Wallet {
  makePrivateFolder(dirname(file));
  makePrivateFile(file);
  for (const suffix of ['-wal', '-journal']) makePrivate(file + suffix);
  const db = open(file);
  const stamp = () => new Date(now()).toISOString();
  const sql = {
    wallet: db.prepare('SELECT * FROM wallets WHERE user_id = ?'),
    make: db.prepare('INSERT INTO wallets VALUES (?, ?, 0, ?, ?) ON CONFLICT DO NOTHING'),
    give: db.prepare('UPDATE wallets SET micro = micro + ?, updated_at = ? WHERE user_id = ?'),
    take: db.prepare('UPDATE wallets SET micro = micro - ?, updated_at = ? WHERE user_id = ? AND micro >= ?'),
    takeAtMost: db.prepare('UPDATE wallets SET micro = max(0, micro - ?), updated_at = ? WHERE user_id = ?'),
    key: db.prepare('SELECT * FROM keys WHERE key_id = ?'),
    paidIn: db.prepare('SELECT coalesce(sum(granted), 0) AS micro FROM keys WHERE user_id = ?'),
    putKey: db.prepare(
      'INSERT INTO keys VALUES (?, ?, ?, ?, 1) ON CONFLICT (key_id) DO UPDATE SET user_id = excluded.user_id, granted = excluded.granted, expires_at = excluded.expires_at, active = 1',
    ),
    putHold: db.prepare('INSERT INTO holds (user_id, micro) VALUES (?, ?)'),
    endHold: db.prepare('DELETE FROM holds WHERE id = ?'),
    holds: db.prepare('SELECT * FROM holds'),
  };
  for (const statement of Object.values(sql)) statement.setReadBigInts(true);

  const settle = (hold: Hold, micro = hold.micro) => {
    // The call outlived the wallet: its hold is refunded at the next start.
    if (!db.isOpen) return;
    inTransaction(db, () => {
      if (sql.endHold.run(hold.id).changes === 0n) return;
      if (micro < hold.micro) sql.give.run(hold.micro - micro, stamp(), hold.userId);
      if (micro > hold.micro) sql.takeAtMost.run(micro - hold.micro, stamp(), hold.userId);
    });
  };

  const grantKey = (grant: KeyGrant) => {
    const keyId = hashKey(grant.key);
    const known = sql.key.get(keyId);
    const isLocalFree = db.prepare('SELECT 1 FROM keys WHERE user_id = ? AND active = 1').get(LOCAL_USER) === undefined;
    const userId = grant.userId ?? (known ? String(known.user_id) : isLocalFree ? LOCAL_USER : `user-${keyId.slice(0, 8)}`);
    const micro = parseCredit(String(grant.credit));
    const expiresAt = grant.expiresAt === undefined ? null : new Date(grant.expiresAt).getTime();
    if (Number.isNaN(expiresAt)) throw new RangeError(`"${grant.expiresAt}" is not a date: write it like 2030-01-31T00:00:00Z.`);
    sql.make.run(userId, randomUUID(), stamp(), stamp());
    const granted = known ? BigInt(known.granted as bigint) : 0n;
    if (micro > granted) sql.give.run(micro - granted, stamp(), userId);
    if (micro < granted) sql.takeAtMost.run(granted - micro, stamp(), userId);
    sql.putKey.run(keyId, userId, micro, expiresAt);
  };

  try {
    inTransaction(db, () => {
      for (const row of sql.holds.all()) sql.give.run(row.micro as bigint, stamp(), row.user_id as string);
      db.exec('DELETE FROM holds; UPDATE keys SET active = 0;');
      // Known keys first: a new one in front of them must not become a second key of the user that one of them has.
      const isNew = ({ key }: KeyGrant) => sql.key.get(hashKey(key)) === undefined;
      for (const grant of [...grants.filter((one) => !isNew(one)), ...grants.filter(isNew)]) grantKey(grant);
    });
  } catch (error) {
    db.close();
    throw error;
  }

  return {
    findKey(key) {
      const row = sql.key.get(hashKey(key));
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
    paidIn: (userId) => sql.paidIn.get(userId)?.micro as bigint,
    hold: (userId, micro) =>
      inTransaction(db, () => {
        if (sql.take.run(micro, stamp(), userId, micro).changes === 0n) return null;
        return { id: Number(sql.putHold.run(userId, micro).lastInsertRowid), userId, micro };
      }),
    settle,
    refund: (hold) => settle(hold, 0n),
    close: () => db.close(),
  };
}

/** WAL with synchronous=NORMAL: a commit survives the process; after a power cut the file may be older, but is consistent. */
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
