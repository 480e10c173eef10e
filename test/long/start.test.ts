// What a start says when it can't go on.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';

it('refuses the file of a later version with a sentence, and nothing else', async () => {
  const folder = await makeFolder();
  const file = join(folder, 'parley.db');
  const later = new DatabaseSync(file);
  later.exec('PRAGMA user_version = 99');
  later.close();
  const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(new URL('../../src/main.ts', import.meta.url))], {
    cwd: folder,
    env: { PATH: process.env.PATH, DATA_DIR: folder, PLAYGROUND_PORT: '0' },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `${file} was written by a later version of Parley. Start that one, or set DATA_DIR to another folder.\n`,
  });
});
