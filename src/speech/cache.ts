// Caches what was spoken as Opus packets on disk: saying it again costs no credit and starts at once. Notes whose texts made which sounds.
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { createInTurn } from '../async/waiting.ts';
import type { Store } from '../store/index.ts';
import { makePrivate, makePrivateFolder } from '../store/private-files.ts';

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
  /** Identifies its folder. */
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
  /** Whose sound it is: two services may have different voices under one id. */
  service: string;
  /** The disk is full, or a file cannot be read or written: the sound plays on, but is not stored, or is made again. */
  warn?: (error: unknown) => void;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** A sound that has not been played for this long is deleted, at the latest when the next text is spoken. */
const MAX_AGE_MS = 30 * 24 * 3600 * 1000;
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
  const removals = new Set<Promise<void>>();
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
    const removal = rm(pathOf(key), { force: true })
      .catch(warn)
      .finally(() => removals.delete(removal));
    removals.add(removal);
  }

  async function remove(key: string): Promise<void> {
    if (!entries.delete(key)) removeFile(key);
    await Promise.all(removals);
  }

  async function removeExpired(): Promise<void> {
    entries.purgeStale();
    await Promise.all(removals);
  }

  async function write(key: string, packets: Uint8Array[], begun: number): Promise<void> {
    if (begun !== generation) return;
    const bytes = packPackets(packets);
    const size = onDisk(bytes.length);
    if (size > maxBytes) return;
    // Before it is written, so the disk never holds more than `maxBytes`.
    while (entries.size > 0 && entries.calculatedSize + size > maxBytes) entries.pop();
    await removeExpired();
    await writeWhole(pathOf(key), bytes);
    entries.set(key, size);
  }

  for (const { key, bytes, usedAt } of await readEntries(directory)) {
    // Never in the future, in case the clock was set back: it would be kept for too long. Never 0, which means no age.
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
        // It may be readable the next time, for example once fewer files are open.
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
      // Keeps the order beyond the end of the process. Not worth waiting for.
      utimes(pathOf(key), usedAt, usedAt).catch(() => {});
      return packets;
    },
    record(key) {
      const begun = generation;
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
          if (begun !== generation) return;
          const complete = packets;
          unwritten.set(key, complete);
          inTurn(() => write(key, complete, begun))
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
        // Includes files that this process doesn't know: another one may use the same directory.
        for (const { key } of await readEntries(directory)) removeFile(key);
        await Promise.all(removals);
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

/**
 * Created once and stored beside the files that it names: deleting the directory deletes both. Without it no cached sound is found, so it
 * is replaced only if it is missing or damaged. @throws Error of the file system, if it may be readable another time
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

/**
 * The file exists as a whole or not at all, even if the process is killed. After a power failure, its checksum tells whether it is intact.
 */
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

// The file format of cached Opus packets, with a checksum that tells whether it is complete.

// Name and version of the format.
const MAGIC = Buffer.from('PKT1');
const HEAD_BYTES = MAGIC.length + 4;
const LENGTH_BYTES = 2;
const MAX_PACKET_BYTES = 0xffff;

/** Size of the file that `packPackets` makes. */
export function packedBytes(packetCount: number, packetBytes: number): number {
  return HEAD_BYTES + LENGTH_BYTES * packetCount + packetBytes;
}

/** Magic, checksum of the rest, then each packet after its length. Throws RangeError for a packet of 64 KiB or more; Opus has none. */
export function packPackets(packets: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.alloc(
    packedBytes(
      packets.length,
      packets.reduce((sum, packet) => sum + packet.length, 0),
    ),
  );
  MAGIC.copy(bytes);
  let at = HEAD_BYTES;
  for (const packet of packets) {
    if (packet.length > MAX_PACKET_BYTES) throw new RangeError(`A packet of ${packet.length} bytes`);
    at = bytes.writeUInt16LE(packet.length, at);
    bytes.set(packet, at);
    at += packet.length;
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(HEAD_BYTES)), MAGIC.length);
  return bytes;
}

/** The packets, or null if the file is incomplete, damaged or empty. */
export function unpackPackets(bytes: Buffer): Uint8Array[] | null {
  if (bytes.length <= HEAD_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (bytes.readUInt32LE(MAGIC.length) !== crc32(bytes.subarray(HEAD_BYTES))) return null;
  const packets: Uint8Array[] = [];
  for (let at = HEAD_BYTES; at < bytes.length; ) {
    const length = at + LENGTH_BYTES <= bytes.length ? bytes.readUInt16LE(at) : Number.POSITIVE_INFINITY;
    at += LENGTH_BYTES;
    if (at + length > bytes.length) return null;
    packets.push(bytes.subarray(at, at + length));
    at += length;
  }
  return packets;
}

// Cached sounds held in memory from the moment a member is told that they are free until they have been played.

export interface Pin {
  /** null once the sound was dropped or released. */
  readonly packets: readonly Uint8Array[] | null;
  release(): void;
}

export interface Pins {
  /** Pins what `load` returns under this key; null if that is null, was dropped meanwhile, or does not fit. */
  pin(key: string, memberId: string | undefined, load: () => Promise<Uint8Array[] | null>): Promise<Pin | null>;
  /** Drops everything pinned for this member, if one is given, and these sounds no matter who they were pinned for. */
  drop(memberId: string | null, keys: Iterable<string>): void;
  dropAll(): void;
}

interface HeldPin {
  key: string;
  memberId: string | undefined;
  packets: Uint8Array[] | null;
}

/**
 * Not an LRU cache: a pin is a promise to a member, so a new one is refused rather than an old one evicted.
 * @param maxBytes of all pinned sounds together; pins of one sound share its memory
 */
export function createPins(maxBytes: number): Pins {
  const held = new Set<HeldPin>();

  function drop(pin: HeldPin): void {
    pin.packets = null;
    held.delete(pin);
  }

  function bytesOfOthers(key: string): number {
    const sounds = new Map([...held].map((pin) => [pin.key, pin.packets]));
    sounds.delete(key);
    return [...sounds.values()].reduce((sum, packets) => sum + bytesOf(packets), 0);
  }

  return {
    async pin(key, memberId, load) {
      const pin: HeldPin = { key, memberId, packets: null };
      // Held before it is loaded, so a deletion in between is noticed.
      held.add(pin);
      const shared = [...held].find((other) => other.key === key && other.packets)?.packets;
      const packets = shared ?? (await load());
      if (!held.has(pin)) return null;
      if (!packets || bytesOfOthers(key) + bytesOf(packets) > maxBytes) {
        drop(pin);
        return null;
      }
      pin.packets = packets;
      return {
        get packets() {
          return pin.packets;
        },
        release: () => drop(pin),
      };
    },
    drop(memberId, keys) {
      const dropped = new Set(keys);
      for (const pin of [...held]) if (pin.memberId === memberId || dropped.has(pin.key)) drop(pin);
    },
    dropAll() {
      for (const pin of [...held]) drop(pin);
    },
  };
}

function bytesOf(packets: readonly Uint8Array[] | null): number {
  return packets?.reduce((sum, packet) => sum + packet.length, 0) ?? 0;
}

// Notes which member's text each cached sound is from, and which sounds are in a voice that a member made, so members can have theirs
// deleted. The names of sounds reveal nothing about the texts.

export interface SoundOwners {
  /** Runs in the background; failures are reported to `warn`. */
  note(memberId: string, key: string): void;
  /** Keys of the sounds that the member caused in the last 30 days. Rejects with StoreError. */
  keysOf(memberId: string): Promise<string[]>;
  /** Forgets this member, or everybody if absent. Rejects with StoreError. */
  forget(memberId?: string): Promise<void>;
  /** Notes a sound in a voice that a member made; false if that failed, which is reported to `warn`. Never rejects. */
  noteVoice(voiceId: string, key: string): Promise<boolean>;
  /** Keys of the sounds in this voice of the last 30 days. Rejects with StoreError. */
  keysOfVoice(voiceId: string): Promise<string[]>;
  /** Rejects with StoreError. */
  forgetVoice(voiceId: string): Promise<void>;
}

const VOICE_PREFIX = 'voice-sound:';

export function createSoundOwners(store: Store, warn: (error: unknown) => void = () => {}): SoundOwners {
  const prefixOf = (memberId: string) => `sound:${memberId}:`;
  const voicePrefixOf = (voiceId: string) => `${VOICE_PREFIX}${voiceId.toWellFormed()}:`;
  const keysBelow = async (prefix: string) => (await store.list(prefix)).map(([name]) => name.slice(name.lastIndexOf(':') + 1));
  return {
    note(memberId, key) {
      setImmediate(() => store.set(`${prefixOf(memberId)}${key}`, true, { expiresInMs: MAX_AGE_MS }).catch(warn));
    },
    keysOf: (memberId) => keysBelow(prefixOf(memberId)),
    async forget(memberId) {
      await store.deleteAll(memberId === undefined ? 'sound:' : prefixOf(memberId));
      if (memberId === undefined) await store.deleteAll(VOICE_PREFIX);
    },
    async noteVoice(voiceId, key) {
      try {
        await store.set(voicePrefixOf(voiceId) + key, true, { expiresInMs: MAX_AGE_MS });
        return true;
      } catch (error) {
        warn(error);
        return false;
      }
    },
    keysOfVoice: (voiceId) => keysBelow(voicePrefixOf(voiceId)),
    forgetVoice: (voiceId) => store.deleteAll(voicePrefixOf(voiceId)),
  };
}
