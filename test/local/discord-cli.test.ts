// `npm run local-discord`: the local Discord on its own. Parley as a bot that is pointed at it: long/discord-cli.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';
import { localDiscordArguments, startLocalDiscordProgram } from '../helpers/local-discord-program.ts';
import { openPage } from '../helpers/page-socket.ts';

test('it has the servers and the bot that it was asked for, prints the settings for that, and ends without an error', async () => {
  const { child, page, settings } = await startLocalDiscordProgram('--guilds', '2', '--name', 'Talker');
  const { guilds, application } = await (await openPage(page)).call('hello', {});
  expect([application.username, guilds.length]).toEqual(['Talker', 2]);
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(['DISCORD_TOKEN', 'NODE_EXTRA_CA_CERTS']));
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('each bot has a folder of its own, unless one is named', async () => {
  const cwd = await makeFolder();
  const child = spawn(process.execPath, [...localDiscordArguments, '--port', '0', '--name', 'My/bot'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(createInterface({ input: child.stdout }), 'line');
  expect(await readdir(join(cwd, 'data'))).toEqual(['standalone-discord-My%2Fbot']);
});

test('a wrong option is refused with a sentence and the usage', async () => {
  const child = spawn(process.execPath, [...localDiscordArguments, '--guilds', 'many'], { stdio: ['ignore', 'inherit', 'pipe'] });
  const [printed] = await Promise.all([child.stderr.setEncoding('utf8').toArray(), once(child, 'exit')]);
  expect(printed.join('')).toContain('--guilds must be a whole number up to 1000.');
  expect(printed.join('')).toContain('Usage: npm run local-discord');
  expect(child.exitCode).toBe(1);
});
