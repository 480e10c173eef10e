import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import { ButtonStyle, ComponentType, Events, type Interaction, Locale, MessageFlags, PermissionFlagsBits as P } from 'discord.js';
import { afterEach, expect, test, vi } from 'vitest';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import { keyOf, logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { freePort } from '../helpers/program.ts';
import { openKeptDiscord } from './kept-discord.ts';

const DAY_MS = 24 * 60 * 60_000;

afterEach(() => {
  vi.useRealTimers();
});

function general(discord: LocalDiscord): string {
  return discord.channelId('general');
}

async function contents(discord: LocalDiscord, name?: string): Promise<string[]> {
  const messages = await discord.member(name).call('messages', { channel_id: general(discord) });
  return messages.map(({ content }) => content);
}

test('ids, members, settings and messages are the same after a restart, and nobody is in voice', async () => {
  const { discord, restart, warnings } = await openKeptDiscord();
  const [robin, sam] = [discord.member('Robin'), discord.member('Sam')];
  const role = discord.addRole('Reader', P.ManageMessages);
  discord.setRoles(sam.userId, [role]);
  discord.setPermissions(discord.channelId('random'), sam.userId, { deny: P.SendMessages });
  discord.setAcceptsDms(sam.userId, false);
  const dm = await sam.call('open_dm', { user_id: robin.userId });
  await sam.call('send_message', { channel_id: dm.id, content: 'between us' });
  await robin.call('send_message', { channel_id: general(discord), content: 'one' });
  const two = await robin.call('send_message', { channel_id: general(discord), content: 'two' });
  const three = await robin.call('send_message', { channel_id: general(discord), content: 'three' });
  await robin.call('delete_message', { channel_id: general(discord), message_id: two.id });
  await sam.call('add_reaction', { channel_id: general(discord), message_id: three.id, emoji: '👍' });
  await sam.call('set_locale', { locale: Locale.German });
  await sam.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const before = await sam.call('hello', {});

  const again = await restart();
  expect(again.application.id).toBe(discord.application.id);
  expect(again.guildIds).toEqual(discord.guildIds);
  const after = await again.member('Sam').call('hello', {});
  expect(after.guilds[0]?.voice_states).toEqual([]);
  expect(before.guilds[0]?.voice_states).toHaveLength(1);
  const withoutVoice = ({ guilds, ...rest }: typeof after) => ({
    ...rest,
    guilds: guilds.map((guild) => ({ ...guild, voice_states: [] })),
  });
  expect(withoutVoice(after)).toEqual(withoutVoice(before));
  expect(await contents(again)).toEqual(['one', 'three']);
  const [, reactedTo] = await again.member('Sam').call('messages', { channel_id: general(again) });
  expect(reactedTo?.reactions).toMatchObject([{ emoji: { name: '👍' }, count: 1, me: true }]);
  expect((await again.member('Sam').call('messages', { channel_id: dm.id })).map(({ content }) => content)).toEqual(['between us']);
  // Still one object each, wherever it is listed: a later change reaches all of them.
  again.setPermissions(again.channelId('random'), again.member('Sam').userId, {});
  await again.member('Sam').call('send_message', { channel_id: again.channelId('random'), content: 'allowed again' });
  expect(again.world.refusingDms).toEqual(new Set([again.member('Sam').userId]));
  expect(warnings).toEqual([]);
});

test('files are served after a restart, at the new address if the port is another one', async () => {
  const firstPort = await freePort();
  const { discord, restart } = await openKeptDiscord({ port: firstPort });
  const member = discord.member();
  const { id } = member.upload('notes.txt', 'text/plain', Buffer.from('remember this'));
  await member.call('send_message', { channel_id: general(discord), uploads: [id] });
  let again = discord;
  for (const port of [0, firstPort]) {
    again = await restart({ port });
    const [message] = await again.member().call('messages', { channel_id: general(again) });
    const url = message?.attachments[0]?.url ?? '';
    expect(new URL(url).origin).toBe(again.url);
    const response = await fetch(url, { headers: { range: 'bytes=0-7' } });
    expect([response.status, await response.text()]).toEqual([206, 'remember']);
    expect(await (await fetch(url)).text()).toBe('remember this');
  }
});

test('files that an earlier version kept are served: their URLs were not signed', async () => {
  const { discord, directory, restart, stop } = await openKeptDiscord({ port: await freePort() });
  const member = discord.member();
  const { id } = member.upload('notes.txt', 'text/plain', Buffer.from('remember this'));
  await member.call('send_message', { channel_id: general(discord), uploads: [id] });
  await stop();
  const db = new DatabaseSync(join(directory, 'world.db'));
  const message = deserialize(db.prepare('SELECT value FROM messages').get()?.value as Uint8Array);
  const [attachment] = message.attachments;
  attachment.url = attachment.proxy_url = attachment.url.replace(/\?.*/, '');
  db.prepare('UPDATE messages SET value = ?').run(serialize(message));
  db.close();
  // Twice: what was changed at the first start has been saved.
  for (let start = 0; start < 2; start++) {
    const again = await restart({ pageKey: 'k'.repeat(32) });
    const [kept] = await again.member().call('messages', { channel_id: general(again) });
    expect(await (await fetch(kept?.attachments[0]?.url ?? '')).text()).toBe('remember this');
  }
});

test('commands keep their ids and versions, so a second start has nothing to register', async () => {
  const { discord, restart } = await openKeptDiscord();
  const path = `/applications/${discord.application.id}/commands`;
  const definition = { name: 'echo', description: 'Repeats', description_localizations: { de: 'Wiederholt' } };
  const registered = await request(discord, 'PUT', path, [definition]);
  const again = await restart();
  expect((await request(again, 'GET', `${path}?with_localizations=true`)).body).toEqual(registered.body);
});

test('buttons work after a restart, and a response can be changed with its token for 15 minutes', async () => {
  const { discord, restart, stop } = await openKeptDiscord();
  const client = await logIn(discord);
  const button = { type: ComponentType.Button as const, style: ButtonStyle.Primary as const, custom_id: 'again', label: 'Again' };
  await request(discord, 'PUT', `/applications/${discord.application.id}/commands`, [{ name: 'play', description: 'Plays' }]);
  const member = discord.member();
  const [command] = (await member.call('hello', {})).commands;
  const asked = once(client, Events.InteractionCreate) as Promise<[Interaction]>;
  await member.call('run_command', { channel_id: general(discord), command_id: command?.id ?? '' });
  const [interaction] = await asked;
  if (!interaction.isChatInputCommand()) throw new Error('not a command');
  const components = [{ type: ComponentType.ActionRow as const, components: [button] }];
  await interaction.reply({ content: 'playing', components, flags: MessageFlags.Ephemeral });
  const { token } = interaction;
  await client.destroy();

  const again = await restart();
  const edit = (on: LocalDiscord) =>
    request(on, 'PATCH', `/webhooks/${on.application.id}/${token}/messages/@original`, { content: 'stopped' });
  expect((await edit(again)).status).toBe(200);
  expect(await contents(again)).toEqual(['stopped']);
  expect(await contents(again, 'Sam')).toEqual([]);
  const second = await logIn(again);
  const [message] = await again.member().call('messages', { channel_id: general(again) });
  const pressed = once(second, Events.InteractionCreate) as Promise<[Interaction]>;
  await again.member().call('click', {
    ...{ channel_id: general(again), message_id: message?.id ?? '', custom_id: 'again', component_type: ComponentType.Button },
  });
  expect((await pressed)[0].isButton()).toBe(true);
  await second.destroy();

  await stop();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15 * 60_000 });
  const late = await restart();
  expect((await edit(late)).status).toBe(401);
});

test('messages and files of more than a day ago are deleted from the disk, and so is what exceeds the limits', async () => {
  const { discord, directory, restart, stop } = await openKeptDiscord({ retention: { messagesPerChannel: 3, attachmentBytes: 10 } });
  const send = async (on: LocalDiscord, content: string) => {
    const member = on.member();
    const { id } = member.upload(`${content}.txt`, 'text/plain', Buffer.from('1234'));
    await member.call('send_message', { channel_id: general(on), content, uploads: [id] });
  };
  await send(discord, 'yesterday-quibblesnatch');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * DAY_MS });
  const second = await restart();
  expect(await contents(second)).toEqual([]);
  for (const content of ['a', 'b', 'c', 'd']) await send(second, content);
  const third = await restart();
  expect(await contents(third)).toEqual(['b', 'c', 'd']);
  await stop();
  expect(await readdir(join(directory, 'attachments'))).toHaveLength(2);
  const kept = await Promise.all(
    (await readdir(directory)).filter((name) => name !== 'attachments').map((name) => readFile(join(directory, name))),
  );
  expect(Buffer.concat(kept).includes('quibblesnatch')).toBe(false);
});

test('polls keep their votes, and messages their stickers, over a restart', async () => {
  const { discord, restart } = await openKeptDiscord();
  const [robin, sam] = [discord.member('Robin'), discord.member('Sam')];
  const channel_id = general(discord);
  const poll = { question: { text: 'Which?' }, answers: [{ poll_media: { text: 'This' } }, { poll_media: { text: 'That' } }] };
  const { id } = await robin.call('send_message', { channel_id, poll });
  await sam.call('vote', { channel_id, message_id: id, answer_ids: [2] });
  const sticker = (await sam.call('hello', {})).stickerPacks[0]?.stickers[0];
  await sam.call('send_message', { channel_id, sticker_ids: [sticker?.id as string] });
  const again = await restart();
  const [first, second] = await again.member('Sam').call('messages', { channel_id });
  expect(first?.poll).toMatchObject({ ...poll, results: { answer_counts: [{ id: 2, count: 1, me_voted: true }] } });
  expect(second?.sticker_items).toMatchObject([{ id: sticker?.id, name: sticker?.name }]);
});

test('only this user may read the folder and its files', async () => {
  const { discord, directory } = await openKeptDiscord();
  const member = discord.member();
  const { id } = member.upload('notes.txt', 'text/plain', Buffer.from('for me'));
  await member.call('send_message', { channel_id: general(discord), uploads: [id] });
  await expect.poll(() => readdir(join(directory, 'attachments'))).toHaveLength(1);
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  expect(entries.length).toBeGreaterThanOrEqual(3);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  for (const entry of entries) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    expect([entry.name, mode & 0o777]).toEqual([entry.name, entry.isDirectory() ? 0o700 : 0o600]);
  }
});

test.each([
  ['overwritten', (bytes: Buffer) => Buffer.alloc(bytes.length, 'no database ')],
  ['cut off', (bytes: Buffer) => bytes.subarray(0, bytes.length - 5000)],
  ['empty', () => Buffer.alloc(0)],
  // SQLite keeps the version of the format there.
  ['written by an earlier version', (bytes: Buffer) => bytes.fill(Buffer.from([0, 0, 0, 2]), 60, 64)],
  ['changed in one place', (bytes: Buffer) => bytes.fill('?', bytes.indexOf('Playground'), bytes.indexOf('Playground') + 40)],
])('a file that was %s is replaced by a new one', async (name, damage) => {
  const { discord, directory, warnings, restart, stop } = await openKeptDiscord();
  for (const content of ['a', 'b', 'c']) await discord.member().call('send_message', { channel_id: general(discord), content });
  await stop();
  const file = join(directory, 'world.db');
  await writeFile(file, damage(await readFile(file)));
  const again = await restart();
  expect(await contents(again)).toEqual([]);
  expect(again.guildId).not.toBe(discord.guildId);
  await again.member().call('send_message', { channel_id: general(again), content: 'new' });
  expect(warnings).toEqual(name === 'empty' ? [] : ['what the local Discord had kept cannot be read: it starts afresh']);
  expect(await contents(await restart())).toEqual(['new']);
});

test('a folder that another one uses is refused; with one that cannot be written to, nothing is kept, and the log says so', async () => {
  const { discord, directory, log, warnings, restart } = await openKeptDiscord();
  await discord.member().call('send_message', { channel_id: general(discord), content: 'mine' });
  await expect(startLocalDiscord({ directory, log })).rejects.toThrow(
    /^Another local Discord is using .*\. End that one, or choose another folder\.$/,
  );
  expect(await contents(await restart())).toEqual(['mine']);
  expect(warnings).toEqual([]);
  const file = join(directory, '..', 'file');
  await writeFile(file, '');
  const homeless = await openLocalDiscord({ directory: join(file, 'nowhere'), log });
  expect(await contents(homeless)).toEqual([]);
  expect(warnings).toEqual(['the local Discord keeps nothing: its folder cannot be used']);
});

test('an open page’s key is accepted by the next start, which shows the history at once', async () => {
  const { discord, restart } = await openKeptDiscord({ pageKey: 'k'.repeat(32), port: await freePort() });
  await discord.member().call('send_message', { channel_id: general(discord), content: 'still here' });
  const again = await restart();
  expect(keyOf(again)).toBe(keyOf(discord));
  expect(await contents(again)).toEqual(['still here']);
});

test('the files of a layout are there after a restart, and an edit can keep them', async () => {
  const { discord, restart } = await openKeptDiscord();
  const flags = MessageFlags.IsComponentsV2;
  const components = [{ type: ComponentType.File, file: { url: 'attachment://words.txt' } }];
  const form = new FormData();
  form.set('payload_json', JSON.stringify({ flags, components }));
  form.set('files[0]', new Blob(['hello'], { type: 'text/plain' }), 'words.txt');
  const { body } = await request(discord, 'POST', `/channels/${general(discord)}/messages`, form);
  const again = await restart();
  const { body: kept } = await request(again, 'GET', `/channels/${general(again)}/messages/${body.id}`);
  const [{ file }] = kept.components as [{ file: { url: string; attachment_id: string } }];
  expect(await (await fetch(file.url)).text()).toBe('hello');
  const edit = { flags, components, attachments: [{ id: file.attachment_id, filename: 'words.txt' }] };
  const edited = await request(again, 'PATCH', `/channels/${general(again)}/messages/${body.id}`, edit);
  expect(edited).toMatchObject({ status: 200, body: { components: [{ file: { url: file.url }, name: 'words.txt', size: 5 }] } });
});
