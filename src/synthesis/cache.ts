// Caches what was spoken as Opus packets on disk: saying it again costs no credit and starts at once.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { createInTurn, createUnderWay } from '../async/waiting.ts';
import { makePrivate, makePrivateFolder, writePrivateFile } from '../store/private-files.ts';
import { packedBytes, packPackets, unpackPackets } from './packet-file.ts';

export interface SpeechCache {
  /** Key of the sound of `request` (any JSON value). Without the secret it reveals nothing about the request. */
  keyOf(request: unknown): string;
  /** The packets stored under this key, or null. */
  get(key: string): Promise<Uint8Array[] | null>;
  /** Collects the packets of a sound while it is being made. */
  record(key: string): CacheRecorder;
  /** Deletes what is stored under this key, or was about to be. */
  delete(key: string): Promise<void>;
  /** Deletes everything, including what is being recorded right now. */
  clear(): Promise<void>;
  /** Identifies the cache's folder. */
  readonly id: string;
  /** Disk space in use. */
  readonly bytes: number;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

interface CacheRecorder {
  add(packet: Uint8Array): void;
  /** Stores the sound, which must be complete. Failures are reported to the cache's `warn`. */
  save(): void;
}

/** Where one sound is cached, or is going to be. */
export interface CacheSlot {
  get(): Promise<Uint8Array[] | null>;
  record(): CacheRecorder;
}

export interface SpeechCacheOptions {
  /** Created if missing. Only the cache's own files in it are ever touched. */
  directory: string;
  /** With 0 nothing is stored, and what was stored before is deleted. */
  maxBytes: number;
  /** The service whose voices spoke: two services may have different voices under one id. */
  service: string;
  /** The disk is full, or a file cannot be read or written: the sound plays on, but is not stored, or is made again. */
  warn?: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** A sound that has not been played for this long is deleted, at the latest when the next text is spoken. */
export const MAX_AGE_MS = 30 * 24 * 3600 * 1000;
/** About eight minutes. Longer sounds are not cached, because they are held in memory until they are complete. */
const MAX_SOUND_BYTES = 4 * 1024 * 1024;
/** Files take up multiples of this. */
const DISK_BLOCK = 4096;
const SECRET = 'secret';
const SECRET_BYTES = 32;
const ENTRY = /^([0-9a-f]{40})\.packets$/;
const UNFINISHED = /^(?:[0-9a-f]{40}\.packets|secret)\.[0-9a-f]{16}\.tmp$/;

/** Rejects if the directory, or the secret in it, cannot be created or read. */
export async function openSpeechCache(options: SpeechCacheOptions): Promise<SpeechCache> {
  const { directory, maxBytes, service, warn = () => {}, now = Date.now } = options;
  makePrivateFolder(directory);
  const secret = await readSecret(directory, warn);
  const pathOf = (key: string) => join(directory, `${key}.packets`);
  /** Files being deleted. */
  const removals = createUnderWay();
  /** Disk space of each file. Whatever leaves this map is deleted from disk. */
  const entries = new LRUCache<string, number>({
    maxSize: Math.max(1, maxBytes),
    sizeCalculation: (bytes) => bytes,
    ttl: MAX_AGE_MS,
    updateAgeOnGet: true,
    ttlResolution: 0,
    perf: { now },
    dispose: (_bytes, key, reason) => {
      if (reason !== 'set') removeFile(key);
    },
  });
  /** Sounds that are complete but not yet on disk: if they are requested again at once, they must not be paid for again. */
  const unwritten = new Map<string, Uint8Array[]>();
  let generation = 0;
  /** Writing and deleting take turns. */
  const inTurn = createInTurn();

  function removeFile(key: string): void {
    void removals.add(rm(pathOf(key), { force: true }).catch(warn));
  }

  async function remove(key: string): Promise<void> {
    if (!entries.delete(key)) removeFile(key);
    await removals.current();
  }

  async function removeExpired(): Promise<void> {
    entries.purgeStale();
    await removals.current();
  }

  async function write(key: string, packets: Uint8Array[], startGeneration: number): Promise<void> {
    if (startGeneration !== generation) return;
    const bytes = packPackets(packets);
    const size = onDisk(bytes.length);
    if (size > maxBytes) return;
    // Room is made before the file is written, so the disk never holds more than `maxBytes`.
    while (entries.size > 0 && entries.calculatedSize + size > maxBytes) entries.pop();
    await removeExpired();
    await writeWhole(pathOf(key), bytes);
    entries.set(key, size);
  }

  for (const { key, bytes, usedAt } of await readEntries(directory)) {
    // The time is never in the future, in case the clock was set back: the sound would be kept for too long. And never 0, which means no
    // age.
    entries.set(key, onDisk(bytes), { start: Math.max(1, Math.min(usedAt, now())) });
    if (!entries.has(key)) removeFile(key);
  }
  await removeExpired();

  return {
    id: createHash('sha256').update(secret).digest('hex').slice(0, 16),
    keyOf(request) {
      return createHmac('sha256', secret)
        .update(JSON.stringify([service, request]))
        .digest('hex')
        .slice(0, 40);
    },
    async get(key) {
      const fresh = unwritten.get(key);
      if (fresh) return fresh;
      await removeExpired();
      const bytes = await readFile(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        // The file may be readable the next time, for example once fewer files are open.
        warn(error);
        return undefined;
      });
      if (bytes === undefined) return null;
      const packets = bytes && unpackPackets(bytes);
      if (!packets) {
        if (bytes) await remove(key);
        else entries.delete(key);
        return null;
      }
      // Another process may have stored it.
      if (entries.get(key) === undefined) entries.set(key, onDisk(bytes.length));
      const usedAt = now() / 1000;
      // Keeps the order of use beyond the end of the process. Not worth waiting for.
      utimes(pathOf(key), usedAt, usedAt).catch(() => {});
      return packets;
    },
    record(key) {
      const startGeneration = generation;
      const limit = Math.min(maxBytes, MAX_SOUND_BYTES);
      let packets: Uint8Array[] = [];
      let bytes = 0;
      return {
        add(packet) {
          bytes += packet.length;
          if (packedBytes(packets.length + 1, bytes) <= limit) packets.push(packet.slice());
          else packets = [];
        },
        save() {
          if (packets.length === 0 || packedBytes(packets.length, bytes) > limit) return;
          if (startGeneration !== generation) return;
          const complete = packets;
          unwritten.set(key, complete);
          inTurn(() => write(key, complete, startGeneration))
            .catch(warn)
            .finally(() => unwritten.get(key) === complete && unwritten.delete(key));
        },
      };
    },
    delete(key) {
      unwritten.delete(key);
      return inTurn(() => remove(key));
    },
    clear() {
      generation++;
      unwritten.clear();
      return inTurn(async () => {
        entries.clear();
        // Includes files that this process doesn't know of: another process may use the same directory.
        for (const { key } of await readEntries(directory)) removeFile(key);
        await removals.current();
      });
    },
    get bytes() {
      return entries.calculatedSize;
    },
    close: () => inTurn(() => {}),
  };
}

function onDisk(fileBytes: number): number {
  return Math.max(1, Math.ceil(fileBytes / DISK_BLOCK)) * DISK_BLOCK;
}

/** The stored sounds, least recently used first. Deletes what a crash left half-written. */
async function readEntries(directory: string): Promise<{ key: string; bytes: number; usedAt: number }[]> {
  const entries = await Promise.all(
    (await readdir(directory)).map(async (name) => {
      const path = join(directory, name);
      if (UNFINISHED.test(name)) await rm(path, { force: true });
      const key = ENTRY.exec(name)?.[1];
      const facts = key === undefined ? null : await stat(path).catch(() => null);
      if (facts && facts.mode & 0o077) makePrivate(path);
      return key !== undefined && facts?.isFile() ? [{ key, bytes: facts.size, usedAt: facts.mtimeMs }] : [];
    }),
  );
  return entries.flat().sort((a, b) => a.usedAt - b.usedAt);
}

/**
 * The secret is created once and stored beside the files that it names: deleting the directory deletes both. Without it no cached sound is
 * found, so it is replaced only if it is missing or damaged.
 * @throws Error of the file system, if the file may be readable another time
 */
async function readSecret(directory: string, warn: (error: unknown) => void): Promise<Buffer> {
  const path = join(directory, SECRET);
  makePrivate(path);
  const stored = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (stored?.length === SECRET_BYTES) return stored;
  if (stored) {
    const sizes = `${stored.length} bytes instead of ${SECRET_BYTES}`;
    warn(new Error(`the secret of the speech cache is damaged (${sizes}): it is replaced, and sounds cached before are lost`));
  }
  const secret = randomBytes(SECRET_BYTES);
  await writeWhole(path, secret);
  return secret;
}

/** After a power failure, its checksum tells whether it is intact. */
const writeWhole = (path: string, bytes: Uint8Array): Promise<void> =>
  writePrivateFile(path, bytes, `${path}.${randomBytes(8).toString('hex')}.tmp`);
