// Keeps the world over restarts, in a folder: its ids and settings, the messages of the last day with their files, and the interactions
// that can still be responded to. Discord's own servers do that for a real bot. Voice doesn't outlive the process: nobody is in voice.
import { rmSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { APIApplicationCommand } from 'discord-api-types/v10';
import type { SavedInteraction } from '../interactions/types.ts';
import type { LocalDiscordLog } from '../log.ts';
import { snowflakeTime } from '../world/snowflake.ts';
import type { Message, SavedWorld, World, WorldEvent } from '../world/world.ts';
import { type Database, isBusy, isDamage, openDatabase } from './database.ts';
import { createFileStorage, type FileStorage, loadFiles, type SavedFile } from './files.ts';

/** How long messages and files are kept, in ms. */
const RETENTION_MS = 24 * 60 * 60_000;
/** Limit for all messages together. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** How often messages that are too old or too many are deleted. Changes that emit no event are saved then, too. */
const TIDY_EVERY_MS = 60_000;

export interface Saved {
  world: SavedWorld;
  commands: APIApplicationCommand[];
  /** Oldest first. */
  messages: Message[];
  interactions: SavedInteraction[];
  files: SavedFile[];
  /** Where the local Discord was reached: the messages' URLs of attachments begin with it. */
  origin: string;
}

export interface Storage {
  /** Null at the first start. */
  readonly saved: Saved | null;
  readonly files: FileStorage;
  /** From now on saves each change, right after the events of one turn. `isMoved`: the messages' URLs have changed, so save all of them. */
  follow(source: StorageSource, isMoved: boolean): void;
  close(): Promise<void>;
}

interface StorageSource {
  world: World;
  origin: string;
  /** Those that can still be responded to. */
  listInteractions(): SavedInteraction[];
  /** Deletes the files that are older than this, in milliseconds since 1970. */
  deleteFilesBefore(time: number): void;
}

/** What events have of these; `ids` if several messages were deleted at once. */
interface EventIds {
  id?: string;
  channel_id?: string;
  message_id?: string;
  ids?: string[];
}

/**
 * Opens the folder, or creates it. Starts afresh if its content is damaged, and logs that.
 * @returns null if the folder can't be used, which is logged: nothing is kept then
 */
export function openStorage(directory: string, log: LocalDiscordLog): Storage | null {
  const warn = (error: unknown, message: string) => log.warn({ reason: error instanceof Error ? error.message : String(error) }, message);
  try {
    try {
      return open(directory, log);
    } catch (error) {
      if (!isDamage(error)) throw error;
      rmSync(directory, { recursive: true, force: true });
      const storage = open(directory, log);
      warn(error, 'what the local Discord had kept cannot be read: it starts afresh');
      return storage;
    }
  } catch (error) {
    if (isBusy(error))
      throw new Error(`Another local Discord is using ${directory}. End that one, or choose another folder.`, { cause: error });
    warn(error, 'the local Discord keeps nothing: its folder cannot be used');
    return null;
  }
}

function open(directory: string, log: LocalDiscordLog): Storage {
  const database = openDatabase(directory);
  try {
    deleteOldMessages(database);
    const files = loadFiles(database, directory);
    return createStorage(database, load(database, files), createFileStorage(database, directory), log);
  } catch (error) {
    database.close();
    throw error;
  }
}

function load(database: Database, files: SavedFile[]): Saved | null {
  const parts = new Map(database.read('SELECT name, value FROM parts').map(({ name, value }) => [name, deserialize(value as Uint8Array)]));
  if (!parts.has('world')) return null;
  const messages = database.read('SELECT value FROM messages ORDER BY rowid').map(({ value }) => deserialize(value as Uint8Array));
  return { ...Object.fromEntries(parts), messages, files } as unknown as Saved;
}

function deleteOldMessages(database: Database): void {
  database.write('DELETE FROM messages WHERE created_at < ?', Date.now() - RETENTION_MS);
  database.write(
    `DELETE FROM messages WHERE rowid IN (
       SELECT rowid FROM (SELECT rowid, sum(length(value)) OVER (ORDER BY rowid DESC) AS bytes FROM messages) WHERE bytes > ?)`,
    MAX_MESSAGE_BYTES,
  );
}

function createStorage(database: Database, saved: Saved | null, files: FileStorage, log: LocalDiscordLog): Storage {
  let source: StorageSource | null = null;
  let stopFollowing = () => {};
  let scheduled: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  let savedCommands: APIApplicationCommand[] | undefined;
  let isFailing = false;
  /** The parts as they were last saved. */
  const savedParts = new Map<string, Uint8Array>();
  /** Messages that have changed or gone, with their channels. */
  const changed = new Map<string, string>();
  const deletedChannels = new Set<string>();

  function note({ t, d }: WorldEvent): void {
    const { id = '', channel_id: channelId = '', message_id: messageId = id, ids = [messageId] } = (d ?? {}) as EventIds;
    if (t.startsWith('MESSAGE_')) for (const changedId of ids) changed.set(changedId, channelId);
    if (t === 'CHANNEL_DELETE' || t === 'THREAD_DELETE') deletedChannels.add(id);
    scheduled ??= setImmediate(save);
  }

  function save(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (!source) return;
    const { world, origin, listInteractions } = source;
    try {
      database.transaction(() => {
        const { application, guilds, channels, users, locales, refusingDms, messages, commands } = world;
        savePart('world', serialize({ application, guilds, channels, users, locales, refusingDms } satisfies SavedWorld));
        savePart('origin', serialize(origin));
        savePart('interactions', serialize(listInteractions()));
        // They take long to encode, and each change replaces the list.
        if (commands !== savedCommands) savePart('commands', serialize(commands));
        savedCommands = commands;
        for (const [id, channelId] of changed) saveMessage(messages, channelId, id);
        for (const id of deletedChannels) database.write('DELETE FROM messages WHERE channel_id = ?', id);
      });
      changed.clear();
      deletedChannels.clear();
      isFailing = false;
    } catch (error) {
      savedParts.clear();
      savedCommands = undefined;
      // A full disk fails at each message.
      if (!isFailing) log.warn({ reason: String(error) }, 'the local Discord could not save its state; it keeps trying');
      isFailing = true;
    }
  }

  function savePart(name: string, value: Uint8Array): void {
    const before = savedParts.get(name);
    if (before && Buffer.compare(before, value) === 0) return;
    database.write('INSERT INTO parts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value', name, value);
    savedParts.set(name, value);
  }

  function saveMessage(messages: World['messages'], channelId: string, id: string): void {
    const message = messages.get(channelId)?.find((candidate) => candidate.id === id);
    if (!message) database.write('DELETE FROM messages WHERE id = ?', id);
    else
      database.write(
        'INSERT INTO messages VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
        id,
        channelId,
        snowflakeTime(id),
        serialize(message),
      );
  }

  function tidy(): void {
    source?.deleteFilesBefore(Date.now() - RETENTION_MS);
    save();
    try {
      deleteOldMessages(database);
    } catch {
      // Tried again in a minute.
    }
  }

  return {
    saved,
    files,
    follow(followed, isMoved) {
      source = followed;
      if (isMoved) for (const [channelId, messages] of followed.world.messages) for (const { id } of messages) changed.set(id, channelId);
      stopFollowing = followed.world.onEvent(note);
      timer = setInterval(tidy, TIDY_EVERY_MS).unref();
      tidy();
    },
    async close() {
      clearInterval(timer);
      stopFollowing();
      save();
      await files.settle();
      database.close();
    },
  };
}
