// `npm run local-discord`: the local Discord on its own. Parley as a bot that is pointed at it: long/discord-cli.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';
import { openPage } from '../helpers/local-discord.ts';
import { localDiscordArguments, startLocalDiscordProgram, startTestProcess } from '../helpers/program.ts';

test('it has the servers and the bot that it was asked for, prints the settings for that, and ends without an error', async () => {
  const { child, ended, page, settings } = await startLocalDiscordProgram('--guilds', '2', '--name', 'Talker');
  const { guilds, application } = await (await openPage(page)).call('hello', {});
  expect([application.username, guilds.length]).toEqual(['Talker', 2]);
  expect(Object.keys(settings)).toEqual(expect.arrayContaining(['DISCORD_TOKEN', 'NODE_EXTRA_CA_CERTS']));
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, signal: null });
});

test('each bot has a folder of its own, unless one is named', async () => {
  const cwd = await makeFolder();
  await startTestProcess([...localDiscordArguments, '--name', 'My/bot'], { cwd }).line(/./);
  expect(await readdir(join(cwd, 'data'))).toEqual(['standalone-discord-My%2Fbot']);
});

test('a wrong option is refused with a sentence and the usage', async () => {
  const { err, ended } = startTestProcess([...localDiscordArguments, '--guilds', 'many']);
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(err.join('\n')).toContain('--guilds must be a whole number up to 1000.');
  expect(err.join('\n')).toContain('Usage: npm run local-discord');
});
