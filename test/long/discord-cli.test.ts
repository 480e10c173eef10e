// `npm run local-discord` with Parley as a bot that is pointed at it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';
import { openPage } from '../helpers/page-socket.ts';
import { startProgram, warnings } from '../helpers/program.ts';
import { withCompileCache } from '../helpers/start-command.ts';

const main = fileURLToPath(new URL('../../src/local/discord/main.ts', import.meta.url));

/** Resolves with the page's address and the settings that it prints for bots. */
async function start(...args: string[]): Promise<{ child: ChildProcess; page: string; settings: Record<string, string> }> {
  const child = spawn(process.execPath, [...withCompileCache, main, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let page = '';
  const settings: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    page ||= /ready: open (\S+)/.exec(line)?.[1] ?? '';
    const [, name, value] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
    if (name && value) settings[name] = value;
    if ('NODE_EXTRA_CA_CERTS' in settings) return { child, page, settings };
  }
  throw new Error('it ended before it was ready');
}

test('a bot started with the settings that it prints speaks there, and finds the same servers after a restart', async () => {
  const data = await makeFolder();
  const first = await start('--data', data, '--guilds', '2', '--name', 'Talker');
  const bot = await startProgram(first.settings);
  await bot.line(/the commands are registered/);
  const page = await openPage(first.page);
  const { guilds, commands, application } = await page.call('hello', {});
  expect([application.username, guilds.length]).toEqual(['Talker', 2]);
  const idOf = (name: string) => guilds[0]?.channels.find((channel) => channel.name === name)?.id ?? '';
  await page.call('join_voice', { channel_id: idOf('Lounge') });
  const command_id = commands.find(({ name }) => name === 'say')?.id ?? '';
  await page.call('run_command', { channel_id: idOf('general'), command_id, options: [{ name: 'text', type: 3, value: 'Hello there.' }] });
  await page.until(() => page.packets() >= 10);
  expect(warnings(bot)).toEqual([]);
  bot.child.kill('SIGINT');
  await bot.ended;
  first.child.kill('SIGTERM');
  expect(await once(first.child, 'exit')).toEqual([0, null]);

  const second = await start('--data', data);
  expect(second.settings.DISCORD_TOKEN).toBe(first.settings.DISCORD_TOKEN);
  const after = await (await openPage(second.page)).call('hello', {});
  expect(after.application.id).toBe(application.id);
  expect(after.guilds.map(({ id }) => id)).toEqual(guilds.map(({ id }) => id));
});
