// Files and folders that only the user Parley runs as may read, whatever the umask is, and also if they existed before.
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

const OTHERS = 0o077;

/** Creates the folder if it does not exist. @throws Error of the file system */
export function makePrivateFolder(path: string): void {
  makeFolder(path);
  makePrivate(path);
}

/** Not by `recursive`: below /proc, where a folder exists that takes none, Node would try forever. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    mkdirSync(path, { mode: 0o700 });
  }
}

/**
 * Writes a file that exists as a whole or not at all, even if the process is killed.
 * @param unfinished is there meanwhile, and may be left behind @throws Error of the file system
 */
export async function writePrivateFile(path: string, bytes: Uint8Array | string, unfinished = `${path}.part`): Promise<void> {
  try {
    await writeFile(unfinished, bytes, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw error;
  }
}

/** Creates an empty file if it does not exist. @throws Error of the file system */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  makePrivate(path);
}

/**
 * Removes all permissions of group and others, if the file or folder exists. Skips what belongs to another user, who decides about it.
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
