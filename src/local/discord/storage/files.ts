// The bytes of attachments, each in a file of its own: a large one is written without holding up the sound.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Database } from './database.ts';

/** What is saved of a file besides its bytes. `value` is the attachment store's. */
export interface SavedFile {
  id: string;
  value: unknown;
}

export interface FileStorage {
  /** Resolves once the file survives a restart. @throws Error of the file system or of SQLite */
  save(file: SavedFile, bytes: Uint8Array): Promise<void>;
  /** @throws Error if there is no such file */
  read(id: string): Promise<Buffer>;
  delete(id: string): Promise<void>;
  /** Resolves once all that was begun has ended. */
  settle(): Promise<void>;
}

/** Lists the files, oldest first. Drops what a killed process left half done: bytes without a row, and rows without bytes. */
export function loadFiles(database: Database, directory: string): SavedFile[] {
  const folder = join(directory, 'attachments');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlisted = new Set(readdirSync(folder));
  const files: SavedFile[] = [];
  for (const row of database.read('SELECT id, value FROM files ORDER BY rowid')) {
    const id = String(row.id);
    if (unlisted.delete(id)) files.push({ id, value: deserialize(row.value as Uint8Array) });
    else database.write('DELETE FROM files WHERE id = ?', id);
  }
  for (const name of unlisted) rmSync(join(folder, name), { recursive: true, force: true });
  return files;
}

export function createFileStorage(database: Database, directory: string): FileStorage {
  const pathOf = (id: string) => join(directory, 'attachments', id);
  const running = new Set<Promise<void>>();

  function track(work: Promise<void>): Promise<void> {
    running.add(work);
    const forget = () => running.delete(work);
    work.then(forget, forget);
    return work;
  }

  return {
    save: ({ id, value }, bytes) =>
      track(
        writeFile(pathOf(id), bytes, { mode: 0o600 }).then(() =>
          database.write('INSERT OR REPLACE INTO files VALUES (?, ?)', id, serialize(value)),
        ),
      ),
    read: (id) => readFile(pathOf(id)),
    async delete(id) {
      database.write('DELETE FROM files WHERE id = ?', id);
      await track(rm(pathOf(id), { force: true }));
    },
    async settle() {
      await Promise.allSettled(running);
    },
  };
}
