// What a run does on a machine that lacks what some tests need.
import { execFileSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';
import { describeMissing } from '../tools/reporters.ts';

const root = new URL('../../', import.meta.url);

/** Whether ffmpeg counts as there on a machine that has no program at all. */
function hasFfmpeg(env: Record<string, string>): boolean {
  const program = "import { ffmpeg } from './test/helpers/requirements.ts'; console.log(ffmpeg.isMet);";
  return execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, env, encoding: 'utf8' }).trim() === 'true';
}

test('a program that is missing skips its tests, in CI too, unless everything is to be tested', () => {
  expect(hasFfmpeg({ PATH: '' })).toBe(false);
  expect(hasFfmpeg({ PATH: '', CI: 'true' })).toBe(false);
  expect(hasFfmpeg({ PATH: '', TEST_EVERYTHING: '1' })).toBe(true);
});

test('a program that nobody may run counts as missing', async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, 'ffmpeg'), '', { mode: 0o644 });
  expect(hasFfmpeg({ PATH: folder })).toBe(false);
  await chmod(join(folder, 'ffmpeg'), 0o755);
  expect(hasFfmpeg({ PATH: folder })).toBe(true);
});

test('the run ends with what was not checked, why, and one line that installs all of it', () => {
  const without = (program: string) => `something (skipped: ${program} is not installed)`;
  expect(describeMissing([without('ffmpeg'), 'whatever needs nothing', `the store > ${without('redis-server')}`, without('ffmpeg')])).toBe(
    `
 Not checked on this machine:
   sound as ffmpeg hears it, and AAC     2 tests  ffmpeg is not installed
   several processes of one bot          1 test   redis-server is not installed

 To check it, on Debian:
   sudo apt-get install -y ffmpeg redis-server
`,
  );
  expect(describeMissing(['whatever needs nothing'])).toBe('');
});
