// Replies and forwards in the local Discord, edits by members, and bulk deletions.
import { ButtonStyle, ComponentType, Events, GatewayIntentBits, MessageFlags, PermissionFlagsBits as P } from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';

const checkSnapshot = createSchemaCheck('MessageSnapshotResponse');

async function setUp(privilegedIntents = 0) {
  const discord = await openLocalDiscord({ privilegedIntents });
  const [robin, sam] = [discord.member('Robin'), discord.member('Sam')];
  const [channel_id, random] = [discord.channelId('general'), discord.channelId('random')];
  const write = (content: string) => sam.call('send_message', { channel_id, content });
  const post = (channel: string, body: object) => request(discord, 'POST', `/channels/${channel}/messages`, body);
  return { discord, robin, sam, channel_id, random, write, post };
}

test('a member’s reply shows what it answers, and mentions its author unless they choose otherwise', async () => {
  const { robin, sam, channel_id, write } = await setUp();
  const { id } = await write('question');
  const seen = sam.next('MESSAGE_CREATE', ({ content }) => content === 'answer');
  await robin.call('send_message', { channel_id, content: 'answer', reply_to: { message_id: id } });
  expect(await seen).toMatchObject({
    type: 19,
    message_reference: { type: 0, message_id: id, channel_id },
    referenced_message: { id, content: 'question' },
    mentions: [{ id: sam.userId }],
  });
  const quiet = await robin.call('send_message', { channel_id, content: 'x', reply_to: { message_id: id, mention: false } });
  expect(quiet.mentions).toEqual([]);
  const own = await sam.call('send_message', { channel_id, content: 'more', reply_to: { message_id: id } });
  expect(own.mentions).toEqual([]);
  await sam.call('delete_message', { channel_id, message_id: id });
  const shown = await sam.call('messages', { channel_id });
  expect(shown.find(({ content }) => content === 'answer')).toMatchObject({ type: 19, referenced_message: null });
});

test('a member’s forward keeps the text and files as they were', async () => {
  const { discord, sam, channel_id, random, write } = await setUp(GatewayIntentBits.MessageContent);
  const session = await openRawGatewaySession(discord, GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent);
  const { id } = await write('original');
  const forward = await sam.call('forward_message', { channel_id, message_id: id, to_channel_id: random });
  await sam.call('edit_message', { channel_id, message_id: id, content: 'changed' });
  const expected = {
    ...{ type: 0, content: '', flags: MessageFlags.HasSnapshot, channel_id: random },
    message_reference: { type: 1, message_id: id, channel_id, guild_id: discord.guildId },
    message_snapshots: [{ message: { content: 'original', attachments: [], mentions: [] } }],
  };
  expect(await session.next('MESSAGE_CREATE', (d) => d.channel_id === random)).toMatchObject(expected);
  const { body } = await request(discord, 'GET', `/channels/${random}/messages/${forward.id}`);
  for (const snapshot of body.message_snapshots as object[]) checkSnapshot(snapshot);
  expect(body).toMatchObject(expected);
  const again = await sam.call('forward_message', { channel_id: random, message_id: forward.id, to_channel_id: channel_id });
  expect(again.message_snapshots).toMatchObject([{ message: { content: 'original' } }]);
});

test('the content of a forward is withheld without the intent, like that of the original', async () => {
  const { discord, sam, channel_id, random, write } = await setUp();
  const { id } = await write('secret');
  const forward = await sam.call('forward_message', { channel_id, message_id: id, to_channel_id: random });
  const { body } = await request(discord, 'GET', `/channels/${random}/messages/${forward.id}`);
  expect(body.message_snapshots).toMatchObject([{ message: { content: '', attachments: [] } }]);
});

test('discord.js forwards a message', async () => {
  const { discord, channel_id, random, write } = await setUp(GatewayIntentBits.MessageContent);
  const client = await logIn(discord);
  const { id } = await write('original');
  const [from, to] = await Promise.all([client.channels.fetch(channel_id), client.channels.fetch(random)]);
  if (!from?.isTextBased() || !to?.isSendable()) throw new Error('not text channels');
  const forward = await (await from.messages.fetch(id)).forward(to);
  expect(forward.messageSnapshots.first()?.content).toBe('original');
  expect(forward.reference).toMatchObject({ type: 1, messageId: id });
});

test('the application cannot forward what it cannot see or read, nor add to it', async () => {
  const { discord, sam, channel_id, random, write, post } = await setUp();
  const { id } = await write('secret');
  const forward = (message_reference: object, more = {}, to = random) =>
    post(to, { message_reference: { type: 1, ...message_reference }, ...more });
  expect(await forward({ channel_id, message_id: id })).toMatchObject({ status: 400, body: { code: 160014 } });
  const own = (await post(channel_id, { content: 'mine' })).body.id as string;
  expect((await forward({ channel_id, message_id: own })).body).toMatchObject({
    ...{ flags: MessageFlags.HasSnapshot, message_snapshots: [{ message: { content: 'mine' } }] },
  });
  for (const [reference, more] of [
    [{ channel_id, message_id: '1' }, {}],
    [{ channel_id: random, message_id: own }, {}],
    [{ channel_id, message_id: own }, { content: 'look' }],
  ] as const)
    expect(await forward(reference, more, channel_id), JSON.stringify([reference, more])).toMatchObject({
      status: 400,
      body: { code: 50035 },
    });
  expect(await forward({ message_id: own })).toMatchObject({ status: 400, body: { code: 50035 } });
  discord.setPermissions(channel_id, discord.guildId, { deny: P.ReadMessageHistory });
  expect(await forward({ channel_id, message_id: own })).toMatchObject({ status: 400, body: { code: 50035 } });
  await expect(sam.call('forward_message', { channel_id: '1', message_id: id, to_channel_id: random })).rejects.toThrow(/no such channel/);
});

test('a response to a button replies to its message, and a follow-up to the first response', async () => {
  const { discord, sam, channel_id, post } = await setUp();
  const session = await openRawGatewaySession(discord, 1);
  const button = { type: ComponentType.Button, style: ButtonStyle.Primary, label: 'x', custom_id: 'x' };
  const components = [{ type: ComponentType.ActionRow, components: [button] }];
  const panel = (await post(channel_id, { content: 'panel', components })).body.id as string;
  await sam.call('click', { channel_id, message_id: panel, custom_id: 'x', component_type: ComponentType.Button });
  const { id, token } = await session.next('INTERACTION_CREATE');
  const replied = sam.next('MESSAGE_CREATE', ({ content }) => content === 'pressed');
  await request(discord, 'POST', `/interactions/${id}/${token}/callback`, { type: 4, data: { content: 'pressed' } });
  const answer = await replied;
  expect(answer).toMatchObject({
    type: 19,
    message_reference: { type: 0, message_id: panel },
    referenced_message: { id: panel, content: 'panel' },
    mentions: [],
  });
  const { body } = await request(discord, 'POST', `/webhooks/${discord.application.id}/${token}`, { content: 'more', flags: 64 });
  expect(body).toMatchObject({ type: 19, message_reference: { message_id: answer.id }, referenced_message: { content: 'pressed' } });
});

test('a member edits only their own text, and the application hears of it', async () => {
  const { discord, robin, sam, channel_id, write } = await setUp(GatewayIntentBits.MessageContent);
  const session = await openRawGatewaySession(discord, GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent);
  const { id: message_id } = await write('frist');
  const edited = await sam.call('edit_message', { channel_id, message_id, content: `first <@${robin.userId}>` });
  expect(edited).toMatchObject({ edited_timestamp: expect.any(String), mentions: [{ id: robin.userId }] });
  expect(await session.next('MESSAGE_UPDATE')).toMatchObject({ id: message_id, content: `first <@${robin.userId}>` });
  const edit = (member: typeof sam, content: string) => member.call('edit_message', { channel_id, message_id, content });
  await expect(edit(robin, 'x')).rejects.toThrow(/your own/);
  await expect(edit(sam, ' ')).rejects.toThrow(/empty/);
  await expect(edit(sam, 'x'.repeat(2001))).rejects.toThrow(/2000/);
  const upload = sam.upload('a.ogg', 'audio/ogg', new Uint8Array(1)).id;
  const voice = { channel_id, uploads: [upload], voice_message: { duration_secs: 1, waveform: 'AA==' } };
  const { id } = await sam.call('send_message', voice);
  await expect(sam.call('edit_message', { channel_id, message_id: id, content: 'x' })).rejects.toThrow(/can't be edited/);
});

test('several messages are deleted with one event', async () => {
  const { discord, sam, channel_id, write } = await setUp();
  const ids = await Promise.all(['a', 'b', 'c'].map(async (content) => (await write(content)).id));
  const remove = (messages: unknown) => request(discord, 'POST', `/channels/${channel_id}/messages/bulk-delete`, { messages });
  expect(await remove(ids)).toMatchObject({ status: 403, body: { code: 50013 } });
  const own = discord.world.firstGuild.roles.find(({ managed }) => managed)?.id as string;
  discord.setRolePermissions(own, P.ManageMessages);
  for (const wrong of [undefined, 'all', ['x', 'y'], ids.slice(0, 1)])
    expect(await remove(wrong), String(wrong)).toMatchObject({ status: 400, body: { code: 50035 } });
  expect(await remove(['1', '2'])).toMatchObject({ status: 400, body: { code: 50034 } });
  const client = await logIn(discord, { intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages] });
  await ((await client.channels.fetch(channel_id)) as { messages: { fetch(): unknown } }).messages.fetch();
  const told = new Promise<string[]>((resolve) => client.once(Events.MessageBulkDelete, (messages) => resolve([...messages.keys()])));
  const seen = sam.next('MESSAGE_DELETE_BULK');
  expect((await remove(ids.slice(0, 2))).status).toBe(204);
  expect((await told).sort()).toEqual(ids.slice(0, 2).sort());
  expect(await seen).toEqual({ ids: expect.arrayContaining(ids.slice(0, 2)), channel_id, guild_id: discord.guildId });
  expect((await sam.call('messages', { channel_id })).map(({ id }) => id)).toEqual(ids.slice(2));
});
