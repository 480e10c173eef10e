import { expect, test } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';
import { openPage } from '../helpers/local-discord.ts';
import { startLocalDiscordProgram, startProgram, warnings } from '../helpers/program.ts';

test('a bot started with the settings that it prints speaks there, and finds the same servers after a restart', async () => {
  const data = await makeFolder();
  const first = await startLocalDiscordProgram('--data', data, '--guilds', '2', '--name', 'Talker');
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
  expect(await first.ended).toEqual({ code: 0, signal: null });

  const second = await startLocalDiscordProgram('--data', data);
  expect(second.settings.DISCORD_TOKEN).toBe(first.settings.DISCORD_TOKEN);
  const after = await (await openPage(second.page)).call('hello', {});
  expect(after.application.id).toBe(application.id);
  expect(after.guilds.map(({ id }) => id)).toEqual(guilds.map(({ id }) => id));
});
