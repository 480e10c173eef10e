// The local Discord's messages as bots of any library receive and fetch them.
import { once } from 'node:events';
import { Events, GatewayIntentBits, type Message, PermissionFlagsBits as P, type TextChannel } from 'discord.js';
import { expect, test } from 'vitest';
import type { LocalDiscordOptions } from '../../src/local/discord/index.ts';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';

const READS = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.DirectMessages;

async function setUp(options: LocalDiscordOptions = {}) {
  const discord = await openLocalDiscord(options);
  const channel_id = discord.channelId('general');
  const messages = `/channels/${channel_id}/messages`;
  const member = discord.member();
  const write = (content: string) => member.call('send_message', { channel_id, content });
  const get = async (path: string) => (await request(discord, 'GET', path)).body as never as Record<string, unknown>[];
  return { discord, channel_id, messages, member, write, get };
}

test('a guild message arrives with the author’s member and the channel type, a direct message without the member', async () => {
  const { discord, member, write } = await setUp();
  const session = await openRawGatewaySession(discord, READS);
  const { id } = await write(`hi <@${discord.application.id}>`);
  const received = await session.next('MESSAGE_CREATE', (d) => d.id === id);
  expect(received).toMatchObject({ guild_id: discord.guildId, channel_type: 0, member: { roles: [], mute: false, deaf: false } });
  expect(received.member).not.toHaveProperty('user');
  expect(received.mentions).toMatchObject([{ id: discord.application.id, member: { roles: [expect.any(String)] } }]);

  const dm = await member.call('open_dm', { user_id: discord.application.id });
  await member.call('send_message', { channel_id: dm.id, content: 'secret' });
  const direct = await session.next('MESSAGE_CREATE', (d) => d.channel_id === dm.id);
  expect(direct).toMatchObject({ channel_type: 1, content: 'secret' });
  expect(direct).not.toHaveProperty('member');
});

test('without the intent, REST withholds the content of messages that are not the application’s own, direct, or mention it', async () => {
  const { discord, messages, member, write, get, channel_id } = await setUp();
  const upload = member.upload('a.txt', 'text/plain', new Uint8Array(1));
  const file = await member.call('send_message', { channel_id, content: 'with a file', uploads: [upload.id] });
  const mention = await write(`<@${discord.application.id}> hello`);
  await request(discord, 'POST', messages, { content: 'mine' });
  const withheld = { content: '', attachments: [], embeds: [], components: [] };
  expect(await get(messages)).toMatchObject([{ content: 'mine' }, { content: mention.content }, withheld]);
  expect(await get(`${messages}/${file.id}`)).toMatchObject(withheld);
  const dm = await member.call('open_dm', { user_id: discord.application.id });
  await member.call('send_message', { channel_id: dm.id, content: 'secret' });
  expect(await get(`/channels/${dm.id}/messages`)).toMatchObject([{ content: 'secret' }]);

  const reading = await setUp({ privilegedIntents: GatewayIntentBits.MessageContent });
  await reading.write('read me');
  expect(await reading.get(reading.messages)).toMatchObject([{ content: 'read me' }]);
  const application = await request(reading.discord, 'GET', '/applications/@me');
  expect(application.body.flags).toBe(1 << 19);
});

test('a reply carries the message it replies to, with content withheld likewise, and null once that is deleted', async () => {
  const { discord, messages, write, get, member, channel_id } = await setUp();
  const session = await openRawGatewaySession(discord, READS);
  const { id, author } = await write('question');
  const { body } = await request(discord, 'POST', messages, { content: 'answer', message_reference: { message_id: id } });
  const reply = { type: 19, message_reference: { type: 0, message_id: id, channel_id, guild_id: discord.guildId } };
  expect(body).toMatchObject({ ...reply, mentions: [{ id: author.id }], referenced_message: { id, content: '' } });
  const received = await session.next('MESSAGE_CREATE', (d) => d.id === body.id);
  expect(received).toMatchObject({ ...reply, referenced_message: { id, content: '' } });
  await member.call('delete_message', { channel_id, message_id: id });
  expect(await get(`${messages}/${body.id}`)).toMatchObject({ ...reply, referenced_message: null });

  const own = await request(discord, 'POST', messages, { content: 'mine' });
  const quiet = { allowed_mentions: { parse: [], replied_user: false }, message_reference: { message_id: own.body.id } };
  const second = await request(discord, 'POST', messages, { content: 'again', ...quiet });
  expect(second.body).toMatchObject({ mentions: [], referenced_message: { content: 'mine' } });
});

test('discord.js replies, and fetches the message that a reply refers to', async () => {
  const { discord, write } = await setUp({ privilegedIntents: GatewayIntentBits.MessageContent });
  const client = await logIn(discord, { intents: [READS, GatewayIntentBits.MessageContent] });
  const created = once(client, Events.MessageCreate);
  await write('question');
  const [question] = (await created) as [Message<true>];
  expect([question.content, question.member?.displayName]).toEqual(['question', 'Robin']);
  const answer = await question.reply('answer');
  expect((await answer.fetchReference()).content).toBe('question');
});

test('a reply to an unknown message is refused, or becomes an ordinary message with fail_if_not_exists: false', async () => {
  const { discord, messages, write, channel_id } = await setUp();
  const send = (reference: unknown, path = messages) => request(discord, 'POST', path, { content: 'x', message_reference: reference });
  expect(await send({ message_id: '1' })).toMatchObject({
    status: 400,
    body: { code: 50035, errors: { message_reference: { _errors: [{ code: 'REPLIES_UNKNOWN_MESSAGE' }] } } },
  });
  const lenient = await send({ message_id: '1', fail_if_not_exists: false });
  expect(lenient.body).toMatchObject({ type: 0, content: 'x' });
  expect(lenient.body).not.toHaveProperty('message_reference');
  const { id } = await write('here');
  const random = `/channels/${discord.channelId('random')}/messages`;
  for (const reference of [{ message_id: id, channel_id }, { message_id: id }, { message_id: id, type: 1 }, {}, 'x'])
    expect(await send(reference, random), JSON.stringify(reference)).toMatchObject({ status: 400, body: { code: 50035 } });
  discord.setPermissions(channel_id, discord.application.id, { deny: P.ReadMessageHistory });
  expect(await send({ message_id: id })).toMatchObject({ status: 400, body: { code: 160002 } });
});

test('pages of messages are those right before, after or around a message, newest first', async () => {
  const { discord, messages, write, get } = await setUp({ privilegedIntents: GatewayIntentBits.MessageContent });
  const ids: string[] = [];
  for (let number = 0; number < 10; number++) ids.push((await write(String(number))).id);
  const page = async (query: string) => (await get(`${messages}?${query}`)).map(({ content }) => content).join('');
  expect(await page('limit=3')).toBe('987');
  expect(await page(`limit=3&before=${ids[5]}`)).toBe('432');
  expect(await page(`limit=3&after=${ids[5]}`)).toBe('876');
  expect(await page(`limit=3&after=${ids[8]}`)).toBe('9');
  expect(await page(`limit=5&around=${ids[5]}`)).toBe('76543');
  expect(await page(`limit=4&around=${ids[0]}`)).toBe('10');
  expect(await page(`after=${ids[9]}`)).toBe('');
  for (const query of ['before=x', 'limit=0', 'limit=101', 'limit=x'])
    expect(await request(discord, 'GET', `${messages}?${query}`), query).toMatchObject({ status: 400, body: { code: 50035 } });
});

test('messages can be pinned and listed under the current path and the deprecated one', async () => {
  const { discord, channel_id, messages, write, get } = await setUp({ privilegedIntents: GatewayIntentBits.MessageContent });
  const own = discord.world.firstGuild.roles.find(({ managed }) => managed);
  const [one, two] = [await write('one'), await write('two')];
  expect(await request(discord, 'PUT', `${messages}/pins/${one.id}`)).toMatchObject({ status: 403, body: { code: 50013 } });
  discord.setRolePermissions(own?.id as string, P.PinMessages);
  const session = await openRawGatewaySession(discord, READS);
  expect((await request(discord, 'PUT', `${messages}/pins/${one.id}`)).status).toBe(204);
  expect(await session.next('CHANNEL_PINS_UPDATE')).toMatchObject({ channel_id, last_pin_timestamp: expect.any(String) });
  expect((await request(discord, 'PUT', `/channels/${channel_id}/pins/${two.id}`)).status).toBe(204);
  expect((await request(discord, 'GET', `${messages}/pins?limit=1`)).body).toMatchObject({ has_more: true, items: [{ message: {} }] });
  const pinned = (await get(`/channels/${channel_id}/pins`)).map(({ content, pinned }) => [content, pinned]);
  expect(pinned.sort()).toEqual([
    ['one', true],
    ['two', true],
  ]);
  expect(pinned.flat()).not.toHaveProperty('pinnedAt');
  const client = await logIn(discord);
  const channel = client.channels.cache.get(channel_id) as TextChannel;
  const { items } = await channel.messages.fetchPins();
  expect(items.map(({ message }) => message.content).sort()).toEqual(['one', 'two']);
  await channel.messages.unpin(one.id);
  expect((await request(discord, 'GET', `${messages}/pins`)).body).toMatchObject({
    has_more: false,
    items: [{ message: { content: 'two' } }],
  });
});

test('what AutoMod blocks is neither sent nor edited into a message, and everything else is', async () => {
  const discord = await openLocalDiscord();
  const path = `/channels/${discord.channelId('general')}/messages`;
  discord.blockedWords.push('darn');
  const blocked = { status: 400, body: { code: 200000 } };
  expect(await request(discord, 'POST', path, { content: 'oh darn' })).toMatchObject(blocked);
  const { body: sent } = await request(discord, 'POST', path, { content: 'oh well' });
  expect(await request(discord, 'PATCH', `${path}/${sent.id}`, { content: 'darn it' })).toMatchObject(blocked);
  expect((await request(discord, 'PATCH', `${path}/${sent.id}`, { content: 'well' })).body).toMatchObject({ content: 'well' });
});
