// Files and folders that nobody may read but the user that Parley runs as: whatever the umask is, and also if they were made before, by an
// earlier version or by hand.
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';

const OTHERS = 0o077;

/** Makes the folder if there is none. @throws Error of the file system */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  makePrivate(path);
}

/** Makes an empty file if there is none. @throws Error of the file system */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  makePrivate(path);
}

/**
 * Takes from everybody else what they may do with this file or folder, if there is one. What belongs to another user is left alone, as it
 * is for them to say who may read it.
 */
export function makePrivate(path: string): void {
  try {
    const { mode } = statSync(path);
    if (mode & OTHERS) chmodSync(path, mode & 0o777 & ~OTHERS);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'EPERM') throw error;
  }
}
