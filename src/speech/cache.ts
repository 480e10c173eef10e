// Keeps what was spoken, as Opus packets on disk: saying it again costs no credit and starts at once.
import { createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate, makePrivateFolder } from '../store/private-files.ts';
import { packedBytes, packPackets, unpackPackets } from './packet-file.ts';

export interface SpeechCache {
  /** Name under which the sound of `request` (anything that JSON can hold) is kept. Without the secret it says nothing about it. */
  keyOf(request: unknown): string;
  /** The packets kept under this name, or null. */
  get(key: string): Promise<Uint8Array[] | null>;
  /** Collects the packets of a sound while it is being made. */
  record(key: string): Recording;
  /** Forgets what is kept under this name, or was to be when this was called. */
  delete(key: string): Promise<void>;
  /** Forgets everything, also what is being recorded at this moment. */
  clear(): Promise<void>;
  /** What it takes of the disk. */
  readonly bytes: number;
  /** Waits for what is being written. */
  close(): Promise<void>;
}

export interface Recording {
  add(packet: Uint8Array): void;
  /** The sound is complete: only now is it kept. What goes wrong is told to the cache's `warn`. */
  save(): void;
}

export interface SpeechCacheOptions {
  /** Made when it is not there. Of what is in it, nothing but the cache's own files is ever touched. */
  directory: string;
  /** Bound of what is kept. With 0 nothing is, and what was kept before is deleted. */
  maxBytes: number;
  /** Whose sound it is: two services may have different voices under one id. */
  service: string;
  /** The disk is full or may not be written: the sound goes on, but is not kept. */
  warn?: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** What was not said again for so long is deleted, at the latest when the next text is spoken. */
export const MAX_AGE_MS = 30 * 24 * 3600 * 1000;
/** Eight minutes. A longer sound is not kept, for it would have to be held in memory until it is complete. */
const MAX_SOUND_BYTES = 4 * 1024 * 1024;
/** What a file takes of the disk is a multiple of this. */
const DISK_BLOCK = 4096;
const SECRET = 'secret';
const SECRET_BYTES = 32;
const ENTRY = /^([0-9a-f]{40})\.packets$/;
const UNFINISHED = /^(?:[0-9a-f]{40}\.packets|secret)\.[0-9a-f]{16}\.tmp$/;

interface Entry {
  bytes: number;
  usedAt: number;
}

/** Rejects when the directory cannot be made or read. */
export async function openSpeechCache(options: SpeechCacheOptions): Promise<SpeechCache> {
  const { directory, maxBytes, service, warn = () => {}, now = Date.now } = options;
  makePrivateFolder(directory);
  const secret = await readSecret(directory);
  /** The least recently used first. */
  const entries = new Map<string, Entry>();
  /** Complete, and on their way to the disk: asked for again at once, they must not be paid for again. */
  const unwritten = new Map<string, Uint8Array[]>();
  let total = 0;
  let generation = 0;
  /** Writing and clearing take turns. */
  let turn: Promise<void> = Promise.resolve();

  const pathOf = (key: string) => join(directory, `${key}.packets`);

  function forget(key: string): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  function remember(key: string, fileBytes: number, usedAt: number): void {
    forget(key);
    const bytes = Math.ceil(fileBytes / DISK_BLOCK) * DISK_BLOCK;
    entries.set(key, { bytes, usedAt });
    total += bytes;
  }

  async function remove(key: string): Promise<void> {
    forget(key);
    await rm(pathOf(key), { force: true }).catch(warn);
  }

  /** Deletes what is too old, and the least recently used until `fileBytes` more have room. */
  async function makeRoom(fileBytes: number): Promise<void> {
    const room = maxBytes - Math.ceil(fileBytes / DISK_BLOCK) * DISK_BLOCK;
    for (const [key, { usedAt }] of entries) {
      if (total <= room && usedAt > now() - MAX_AGE_MS) return;
      await remove(key);
    }
  }

  async function write(key: string, packets: Uint8Array[], begun: number): Promise<void> {
    if (begun !== generation) return;
    const bytes = packPackets(packets);
    await makeRoom(bytes.length);
    await writeWhole(pathOf(key), bytes);
    remember(key, bytes.length, now());
  }

  function takeTurn(act: () => Promise<void>): Promise<void> {
    const done = turn.then(act);
    turn = done.catch(() => {});
    return done;
  }

  // Never in the future, where the clock was set back: it would be kept for too long.
  for (const { key, bytes, usedAt } of await readEntries(directory)) remember(key, bytes, Math.min(usedAt, now()));
  await makeRoom(0);

  return {
    keyOf(request) {
      return createHmac('sha256', secret)
        .update(JSON.stringify([service, request]))
        .digest('hex')
        .slice(0, 40);
    },
    async get(key) {
      const fresh = unwritten.get(key);
      if (fresh) return fresh;
      await makeRoom(0);
      const bytes = await readFile(pathOf(key)).catch(() => null);
      if (!bytes) {
        forget(key);
        return null;
      }
      const packets = unpackPackets(bytes);
      if (!packets) {
        await remove(key);
        return null;
      }
      const usedAt = now();
      remember(key, bytes.length, usedAt);
      // So that the order outlives the process. Whether it does is not worth waiting for.
      utimes(pathOf(key), usedAt / 1000, usedAt / 1000).catch(() => {});
      return packets;
    },
    record(key) {
      const begun = generation;
      const most = Math.min(maxBytes, MAX_SOUND_BYTES);
      let packets: Uint8Array[] = [];
      let bytes = 0;
      return {
        add(packet) {
          bytes += packet.length;
          if (packedBytes(packets.length + 1, bytes) <= most) packets.push(packet.slice());
          else packets = [];
        },
        save() {
          if (packets.length === 0 || packedBytes(packets.length, bytes) > most) return;
          if (begun !== generation) return;
          const complete = packets;
          unwritten.set(key, complete);
          takeTurn(() => write(key, complete, begun))
            .catch(warn)
            .finally(() => unwritten.get(key) === complete && unwritten.delete(key));
        },
      };
    },
    delete(key) {
      unwritten.delete(key);
      return takeTurn(() => remove(key));
    },
    clear() {
      generation++;
      unwritten.clear();
      return takeTurn(async () => {
        // What the directory has, not what is known of it: another process may keep its sounds in the same place.
        for (const { key } of await readEntries(directory)) await remove(key);
        entries.clear();
        total = 0;
      });
    },
    get bytes() {
      return total;
    },
    close: () => turn,
  };
}

/** What is kept, the least recently used first. What a crash left half written is deleted. */
async function readEntries(directory: string): Promise<{ key: string; bytes: number; usedAt: number }[]> {
  const found = await Promise.all(
    (await readdir(directory)).map(async (name) => {
      const path = join(directory, name);
      if (UNFINISHED.test(name)) await rm(path, { force: true });
      const key = ENTRY.exec(name)?.[1];
      const facts = key === undefined ? null : await stat(path).catch(() => null);
      if (facts && facts.mode & 0o077) makePrivate(path);
      return key !== undefined && facts?.isFile() ? [{ key, bytes: facts.size, usedAt: facts.mtimeMs }] : [];
    }),
  );
  return found.flat().sort((a, b) => a.usedAt - b.usedAt);
}

/** Made once and kept beside what it names: whoever deletes the directory deletes both. */
async function readSecret(directory: string): Promise<Buffer> {
  const path = join(directory, SECRET);
  makePrivate(path);
  const kept = await readFile(path).catch(() => null);
  if (kept?.length === SECRET_BYTES) return kept;
  const secret = randomBytes(SECRET_BYTES);
  await writeWhole(path, secret);
  return secret;
}

/** A file is there whole or not at all, whenever the process ends. After a loss of power its checksum tells. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const unfinished = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    await writeFile(unfinished, bytes, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}
