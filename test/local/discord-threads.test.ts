// Threads in the local Discord: created by members and the application, over REST and the gateway.
import { once } from 'node:events';
import { ChannelType, Events, GatewayIntentBits, PermissionFlagsBits as P, type TextChannel } from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createSchemaCheck, watchRequests } from '../helpers/openapi.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';

const checkThread = createSchemaCheck('ThreadResponse');
const checkMember = createSchemaCheck('ThreadMemberResponse');

async function setUp(privilegedIntents = 0) {
  const discord = await openLocalDiscord({ privilegedIntents, members: 3 });
  const [robin, sam, ada] = [discord.member('Robin'), discord.member('Sam'), discord.member('Ada')];
  const channel_id = discord.channelId('general');
  const own = discord.world.firstGuild.roles.find(({ managed }) => managed)?.id as string;
  const permit = (permissions: bigint) => discord.setRolePermissions(own, permissions);
  const write = (content: string, to = channel_id) => sam.call('send_message', { channel_id: to, content });
  const call = (method: string, path: string, body?: object) => request(discord, method, path, body);
  const create = async (body: object, message = '') => {
    const { body: thread } = await call('POST', `/channels/${channel_id}${message && `/messages/${message}`}/threads`, body);
    return thread as unknown as { id: string };
  };
  return { discord, robin, sam, ada, channel_id, own, permit, write, call, create };
}

test('a thread of a message has its id, begins with it, and is part of it', async () => {
  const { discord, sam, channel_id, write, call } = await setUp();
  const session = await openRawGatewaySession(discord, GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages);
  const { id } = await write('topic');
  const seen = sam.next('THREAD_CREATE');
  const { status, body } = await call('POST', `/channels/${channel_id}/messages/${id}/threads`, { name: 'On topic' });
  checkThread(body);
  const expected = {
    ...{ id, type: 11, parent_id: channel_id, name: 'On topic', owner_id: discord.application.id, member_count: 1 },
    thread_metadata: { archived: false, locked: false, auto_archive_duration: 4320 },
  };
  expect({ status, body }).toMatchObject({ status: 201, body: { ...expected, member: { user_id: discord.application.id } } });
  expect(await session.next('THREAD_CREATE')).toMatchObject({ ...expected, newly_created: true });
  expect(await seen).toMatchObject(expected);
  expect(await session.next('MESSAGE_UPDATE')).toMatchObject({ id, flags: 32, thread: { id, name: 'On topic' } });
  expect((await call('GET', `/channels/${id}/messages`)).body).toMatchObject([
    { type: 21, message_reference: { message_id: id, channel_id }, referenced_message: { id } },
  ]);
  expect(await call('POST', `/channels/${channel_id}/messages/${id}/threads`, { name: 'x' })).toMatchObject({ body: { code: 160004 } });
  expect((await call('GET', `/channels/${id}`)).body).toMatchObject(expected);
});

test('a public thread is announced in its channel, and a private one is seen by its members only', async () => {
  const { discord, robin, sam, ada, channel_id, create, call } = await setUp();
  const open = await create({ name: 'Open', type: ChannelType.PublicThread });
  expect((await sam.call('messages', { channel_id })).at(-1)).toMatchObject({
    ...{ type: 18, content: 'Open', message_reference: { channel_id: open.id } },
  });
  const secret = await create({ name: 'Secret' });
  const threadsOf = async (member: typeof sam) => (await member.call('hello', {})).guilds[0]?.threads.map(({ name }) => name);
  expect(await threadsOf(sam)).toEqual(['Open']);
  const added = sam.next('THREAD_CREATE');
  expect((await call('PUT', `/channels/${secret.id}/thread-members/${sam.userId}`)).status).toBe(204);
  expect(await added).toMatchObject({ id: secret.id, type: 12 });
  expect(await threadsOf(sam)).toEqual(['Open', 'Secret']);
  expect(await threadsOf(ada)).toEqual(['Open']);
  // The owner of the guild may manage every thread.
  expect(await threadsOf(robin)).toEqual(['Open', 'Secret']);
  await expect(ada.call('send_message', { channel_id: secret.id, content: 'x' })).rejects.toThrow(/no such channel/);
  expect(discord.world.firstGuild.threads.size).toBe(2);
});

test('members who write in a thread join it, and its messages are counted', async () => {
  const { discord, sam, create, call } = await setUp(GatewayIntentBits.GuildMembers);
  const intents = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.GuildMembers;
  const session = await openRawGatewaySession(discord, intents);
  const { id } = await create({ name: 'Open', type: ChannelType.PublicThread });
  await sam.call('send_message', { channel_id: id, content: 'here' });
  expect(await session.next('MESSAGE_CREATE', (d) => d.channel_id === id)).toMatchObject({ guild_id: discord.guildId, channel_type: 11 });
  expect(await session.next('THREAD_MEMBERS_UPDATE')).toMatchObject({ id, member_count: 2, added_members: [{ user_id: sam.userId }] });
  expect((await call('GET', `/channels/${id}`)).body).toMatchObject({ message_count: 1, total_message_sent: 1, member_count: 2 });
  const { body } = await call('GET', `/channels/${id}/thread-members`);
  for (const member of body as never as object[]) checkMember(member);
  expect(body).toMatchObject(
    [{ user_id: sam.userId }, { user_id: discord.application.id }].sort((a, b) => (a.user_id < b.user_id ? -1 : 1)),
  );
  const one = `/channels/${id}/thread-members/${sam.userId}`;
  expect((await call('GET', `${one}?with_member=true`)).body).toMatchObject({ user_id: sam.userId, member: { user: { id: sam.userId } } });
  expect(await call('DELETE', one)).toMatchObject({ status: 403, body: { code: 50013 } });
  expect((await call('DELETE', `/channels/${id}/thread-members/@me`)).status).toBe(204);
  expect(await call('GET', `/channels/${id}/thread-members/@me`)).toMatchObject({ status: 404, body: { code: 10007 } });
});

test('an archived thread is listed apart, takes no changes, and comes back with the next message', async () => {
  const { sam, channel_id, create, call } = await setUp();
  const { id } = await create({ name: 'Open', type: ChannelType.PublicThread });
  const { body: sent } = await call('POST', `/channels/${id}/messages`, { content: 'x' });
  const seen = sam.next('THREAD_UPDATE', ({ thread_metadata }) => thread_metadata?.archived === true);
  expect((await call('PATCH', `/channels/${id}`, { archived: true, name: 'Done' })).body).toMatchObject({ name: 'Done' });
  expect(await seen).toMatchObject({ id, name: 'Done' });
  const active = async () => (await call('GET', `/guilds/${(await sam.call('hello', {})).guilds[0]?.id}/threads/active`)).body.threads;
  expect(await active()).toEqual([]);
  expect((await call('GET', `/channels/${channel_id}/threads/archived/public`)).body).toMatchObject({ threads: [{ id }], has_more: false });
  for (const [method, path] of [
    ['PATCH', `/messages/${sent.id}`],
    ['DELETE', `/messages/${sent.id}`],
    ['PATCH', ''],
    ['PUT', `/thread-members/${sam.userId}`],
  ] as const)
    expect(await call(method, `/channels/${id}${path}`, { content: 'y' }), path).toMatchObject({ status: 400, body: { code: 50083 } });
  await sam.call('send_message', { channel_id: id, content: 'again' });
  expect(await active()).toMatchObject([{ id, thread_metadata: { archived: false } }]);
});

test('threads need permissions, names and a text channel', async () => {
  const { discord, sam, channel_id, own, permit, write, call, create } = await setUp();
  const path = `/channels/${channel_id}/threads`;
  for (const wrong of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'x', type: 15 }, { name: 'x', auto_archive_duration: 5 }])
    expect(await call('POST', path, wrong), JSON.stringify(wrong)).toMatchObject({ status: 400, body: { code: 50035 } });
  const lounge = `/channels/${discord.channelId('Lounge')}/threads`;
  expect(await call('POST', lounge, { name: 'x' })).toMatchObject({ status: 400, body: { code: 50024 } });
  const { id } = await sam.call('create_thread', { channel_id, name: 'Mine' });
  expect(await call('PATCH', `/channels/${id}`, { locked: true })).toMatchObject({ status: 403, body: { code: 50013 } });
  expect(await call('DELETE', `/channels/${id}`)).toMatchObject({ status: 403, body: { code: 50013 } });
  permit(P.ManageThreads);
  expect((await call('PATCH', `/channels/${id}`, { locked: true })).body).toMatchObject({ thread_metadata: { locked: true } });
  permit(0n);
  expect(await call('POST', `/channels/${id}/messages`, { content: 'x' })).toMatchObject({ status: 400, body: { code: 160005 } });
  await expect(write('x', id)).rejects.toThrow(/locked/);
  discord.setPermissions(channel_id, own, { deny: P.CreatePublicThreads | P.CreatePrivateThreads | P.SendMessagesInThreads });
  expect(await call('POST', path, { name: 'x' })).toMatchObject({ status: 403, body: { code: 50013 } });
  const { id: other } = await sam.call('create_thread', { channel_id, name: 'Other' });
  expect(await call('POST', `/channels/${other}/messages`, { content: 'x' })).toMatchObject({ status: 403, body: { code: 50013 } });
  expect(await create({ name: 'x' })).not.toHaveProperty('id');
});

test('an application that gains access to a channel hears of its threads', async () => {
  const { discord, sam, channel_id, own } = await setUp();
  discord.setPermissions(channel_id, own, { deny: P.ViewChannel });
  const { id } = await sam.call('create_thread', { channel_id, name: 'Hidden' });
  const session = await openRawGatewaySession(discord, GatewayIntentBits.Guilds);
  expect(await session.next('GUILD_CREATE')).toMatchObject({ threads: [] });
  discord.setPermissions(channel_id, own, {});
  expect(await session.next('THREAD_LIST_SYNC')).toMatchObject({ channel_ids: [channel_id], threads: [{ id }], members: [] });
  const again = await openRawGatewaySession(discord, GatewayIntentBits.Guilds);
  expect(await again.next('GUILD_CREATE')).toMatchObject({ threads: [{ id, name: 'Hidden' }] });
});

test('discord.js starts a thread, writes in it, archives and deletes it', async () => {
  const { discord, sam, channel_id, permit, write } = await setUp();
  permit(P.ManageThreads);
  const { problems } = watchRequests(discord);
  const client = await logIn(discord);
  const channel = (await client.channels.fetch(channel_id)) as TextChannel;
  const { id } = await write('topic');
  const thread = await (await channel.messages.fetch(id)).startThread({ name: 'On topic' });
  await thread.send('first');
  expect((await sam.call('messages', { channel_id: id })).at(-1)).toMatchObject({ content: 'first' });
  expect((await thread.setArchived(true)).archived).toBe(true);
  await thread.setArchived(false);
  const other = await channel.threads.create({ name: 'Secret', type: ChannelType.PrivateThread });
  expect((await channel.threads.fetchActive()).threads.map(({ name }) => name).sort()).toEqual(['On topic', 'Secret']);
  await other.members.add(sam.userId);
  const deleted = once(client, Events.ThreadDelete);
  const seen = sam.next('THREAD_DELETE');
  await other.delete();
  expect((await deleted)[0]).toMatchObject({ id: other.id });
  expect(await seen).toMatchObject({ id: other.id, parent_id: channel_id });
  expect(problems).toEqual([]);
});

test('a command in a thread arrives with the thread and the permissions there', async () => {
  const { discord, sam, channel_id, call } = await setUp();
  await call('PUT', `/applications/${discord.application.id}/commands`, [{ name: 'ping', description: 'd' }]);
  const session = await openRawGatewaySession(discord, GatewayIntentBits.Guilds);
  const { id } = await sam.call('create_thread', { channel_id, name: 'Here' });
  const [command] = await sam.call('commands', { channel_id: id });
  await sam.call('run_command', { channel_id: id, command_id: command?.id as string });
  const interaction = await session.next('INTERACTION_CREATE');
  expect(interaction).toMatchObject({ channel_id: id, channel: { id, type: 11, parent_id: channel_id }, guild_id: discord.guildId });
  const answered = sam.next('MESSAGE_CREATE', ({ content }) => content === 'pong');
  await call('POST', `/interactions/${interaction.id}/${interaction.token}/callback`, { type: 4, data: { content: 'pong' } });
  expect(await answered).toMatchObject({ channel_id: id });
});

test('deleting a channel deletes its threads', async () => {
  const { discord, sam, channel_id } = await setUp();
  const { id } = await sam.call('create_thread', { channel_id, name: 'Gone' });
  discord.deleteChannel(channel_id);
  expect(discord.world.channels.has(id)).toBe(false);
});
