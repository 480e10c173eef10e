// Polls, stickers and custom emoji in the local Discord, as members make them and as applications receive, fetch and create them.
import { once } from 'node:events';
import { Events, GatewayIntentBits, PollLayoutType } from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createMember, type Member } from '../helpers/member.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';

const checkPoll = createSchemaCheck('PollResponse');
const checkStickerItem = createSchemaCheck('MessageStickerItemResponse');
const checkSticker = createSchemaCheck('StandardStickerResponse');
const checkPack = createSchemaCheck('StickerPackCollectionResponse');
const checkEmoji = createSchemaCheck('EmojiResponse');

const BLIND = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages | GatewayIntentBits.GuildMessagePolls;
const READING = BLIND | GatewayIntentBits.MessageContent;
const TEA = { question: { text: 'Tea or coffee?' }, answers: [{ poll_media: { text: 'Tea' } }, { poll_media: { text: 'Coffee' } }] };

async function setUp(privilegedIntents: number = GatewayIntentBits.MessageContent) {
  const discord = await openLocalDiscord({ privilegedIntents });
  const general = discord.channelId('general');
  const [robin, sam] = ['Robin', 'Sam'].map((name) => createMember(discord.member(name), general, discord.channelId('Lounge'))) as [
    Member,
    Member,
  ];
  const messages = `/channels/${general}/messages`;
  return { discord, general, robin, sam, messages };
}

test('a member’s poll reaches a session that reads, with its votes, and one that doesn’t without the poll', async () => {
  const { discord, general, robin, sam, messages } = await setUp();
  const [reading, blind] = await Promise.all([READING, BLIND].map((intents) => openRawGatewaySession(discord, intents)));
  const { id, poll } = await sam.sendPoll(TEA);
  checkPoll(poll);
  const open = { question: { text: 'Tea or coffee?' }, allow_multiselect: false, layout_type: 1, results: { is_finalized: false } };
  const received = await reading?.next('MESSAGE_CREATE');
  expect(received).toMatchObject({ id, content: '', poll: { ...open, answers: [{ answer_id: 1 }, { answer_id: 2 }] } });
  expect(Date.parse(received.poll.expiry) - Date.parse(received.timestamp)).toBeCloseTo(24 * 3_600_000, -5);
  expect(await blind?.next('MESSAGE_CREATE')).not.toHaveProperty('poll');

  const vote = (member: Member, ...answer_ids: number[]) => member.client.call('vote', { channel_id: general, message_id: id, answer_ids });
  await vote(robin, 1);
  const where = { channel_id: general, guild_id: discord.guildId, message_id: id };
  const added = await reading?.next('MESSAGE_POLL_VOTE_ADD');
  expect(added).toEqual({ ...where, user_id: robin.client.userId, answer_id: 1 });
  await vote(robin, 2);
  expect(await reading?.next('MESSAGE_POLL_VOTE_REMOVE')).toEqual(added);
  await vote(sam, 2);
  const fetched = (await request(discord, 'GET', `${messages}/${id}`)).body;
  checkPoll(fetched.poll);
  expect(fetched.poll).toMatchObject({ results: { answer_counts: [{ id: 2, count: 2, me_voted: false }] } });
  const [seen] = await robin.client.call('messages', { channel_id: general, limit: 1 });
  expect(seen?.poll?.results?.answer_counts).toEqual([{ id: 2, count: 2, me_voted: true }]);
  const voters = await request(discord, 'GET', `/channels/${general}/polls/${id}/answers/2`);
  expect(voters.body.users).toMatchObject([{ id: robin.client.userId }, { id: sam.client.userId }]);
  await expect(vote(sam, 1, 2)).rejects.toThrow('This poll takes one answer.');
  await expect(vote(sam, 3)).rejects.toThrow('no such answer');
});

test('a poll ends once, for its author only, and a message says which answer has won', async () => {
  const { discord, general, robin, sam } = await setUp();
  const reading = await openRawGatewaySession(discord, READING);
  const { id } = await sam.sendPoll({ ...TEA, allow_multiselect: true });
  const where = { channel_id: general, message_id: id };
  await robin.client.call('vote', { ...where, answer_ids: [1, 2] });
  await sam.client.call('vote', { ...where, answer_ids: [2] });
  await expect(robin.client.call('end_poll', where)).rejects.toThrow('your own polls');
  await sam.client.call('end_poll', where);
  expect(await reading.next('MESSAGE_UPDATE')).toMatchObject({ id, poll: { results: { is_finalized: true, answer_counts: [{}, {}] } } });
  const result = await reading.next('MESSAGE_CREATE', (d) => d.id !== id);
  expect(result).toMatchObject({ type: 46, author: { id: sam.client.userId }, message_reference: { message_id: id } });
  const fields = Object.fromEntries(result.embeds[0].fields.map(({ name, value }: { name: string; value: string }) => [name, value]));
  expect(fields).toMatchObject({
    poll_question_text: TEA.question.text,
    victor_answer_text: 'Coffee',
    victor_answer_votes: '2',
    total_votes: '3',
  });
  await expect(sam.client.call('end_poll', where)).rejects.toThrow('The poll has ended.');
  await expect(robin.client.call('vote', { ...where, answer_ids: [1] })).rejects.toThrow('The poll has ended.');
});

test('discord.js posts a poll, counts its votes and ends it', async () => {
  const { discord, general, robin } = await setUp();
  const client = await logIn(discord, { intents: [READING] });
  const channel = await client.channels.fetch(general);
  if (!channel?.isSendable()) throw new Error('not a text channel');
  const message = await channel.send({
    poll: {
      question: { text: 'Now?' },
      answers: [{ text: 'Yes', emoji: '👍' }, { text: 'No' }],
      ...{ duration: 1, allowMultiselect: false, layoutType: PollLayoutType.Default },
    },
  });
  expect(message.poll?.answers.map(({ text, emoji }) => [text, emoji?.name])).toEqual([
    ['Yes', '👍'],
    ['No', undefined],
  ]);
  const voted = once(client, Events.MessagePollVoteAdd);
  await robin.client.call('vote', { channel_id: general, message_id: message.id, answer_ids: [1] });
  const [answer, userId] = await voted;
  expect([answer.text, userId]).toEqual(['Yes', robin.client.userId]);
  expect((await message.poll?.end())?.poll?.resultsFinalized).toBe(true);
});

test('a poll that breaks Discord’s limits is refused, and so is editing or forwarding one', async () => {
  const { discord, general, sam, messages } = await setUp();
  for (const poll of [
    { ...TEA, question: { text: '' } },
    { ...TEA, answers: [] },
    { ...TEA, answers: Array(11).fill(TEA.answers[0]) },
    { ...TEA, answers: [{ poll_media: { text: 'x'.repeat(56) } }] },
    { ...TEA, duration: 769 },
    { question: TEA.question, answers: 'x' },
  ]) {
    await expect(sam.sendPoll(poll as typeof TEA)).rejects.toThrow(/^A poll has a question/);
  }
  const wrong = { ...TEA, duration: 769, answers: [{ poll_media: { text: '' } }] };
  expect(await request(discord, 'POST', messages, { poll: wrong })).toMatchObject({
    status: 400,
    body: { code: 50035, errors: { poll: { duration: {}, answers: { 0: {} } } } },
  });
  const own = (await request(discord, 'POST', messages, { poll: TEA })).body.id as string;
  expect(await request(discord, 'PATCH', `${messages}/${own}`, { content: 'x' })).toMatchObject({ status: 400, body: { code: 520003 } });
  const { id } = await sam.sendPoll(TEA);
  await expect(sam.client.call('edit_message', { channel_id: general, message_id: id, content: 'x' })).rejects.toThrow("can't be edited");
  const forward = { channel_id: general, message_id: id, to_channel_id: discord.channelId('random') };
  await expect(sam.client.call('forward_message', forward)).rejects.toThrow("can't be forwarded");
  const notPoll = await sam.write('x');
  expect((await request(discord, 'POST', `/channels/${general}/polls/${notPoll.id}/expire`)).body.code).toBe(520006);
});

test('a sticker reaches every session, keeps its name in a forward, and its picture is served', async () => {
  const { discord, general, sam, messages } = await setUp();
  const blind = await openRawGatewaySession(discord, BLIND);
  const packs = (await request(discord, 'GET', '/sticker-packs')).body;
  checkPack(packs);
  const { stickerPacks } = await sam.client.call('hello', {});
  for (const sticker of stickerPacks[0]?.stickers ?? []) {
    checkSticker((await request(discord, 'GET', `/stickers/${sticker.id}`)).body);
    const picture = await fetch(`${discord.cdnUrl}/stickers/${sticker.id}.png`);
    expect([picture.status, picture.headers.get('content-type')], sticker.name).toEqual([200, 'image/png']);
  }
  const { id } = await sam.sendSticker('Good night');
  const received = await blind.next('MESSAGE_CREATE');
  expect(received).toMatchObject({ id, content: '', sticker_items: [{ name: 'Good night', format_type: 1 }] });
  checkStickerItem(received.sticker_items[0]);
  const forward = { channel_id: general, message_id: id, to_channel_id: discord.channelId('random') };
  expect((await sam.client.call('forward_message', forward)).message_snapshots).toMatchObject([
    { message: { sticker_items: received.sticker_items } },
  ]);
  const sticker_ids = [received.sticker_items[0].id];
  expect((await request(discord, 'POST', messages, { sticker_ids })).body).toMatchObject({ sticker_items: received.sticker_items });
  expect((await request(discord, 'POST', messages, { sticker_ids: ['1'] })).body.code).toBe(10060);
  expect((await request(discord, 'POST', messages, { sticker_ids: Array(4).fill(sticker_ids[0]) })).body.code).toBe(50035);
});

test('a guild’s emoji are in GUILD_CREATE, can be fetched, and have pictures', async () => {
  const { discord, sam } = await setUp();
  const session = await openRawGatewaySession(discord, READING);
  const { emojis } = await session.next('GUILD_CREATE');
  const list = `/guilds/${discord.guildId}/emojis`;
  expect((await request(discord, 'GET', list)).body).toEqual(emojis);
  for (const emoji of emojis) {
    checkEmoji((await request(discord, 'GET', `${list}/${emoji.id}`)).body);
    const picture = await fetch(`${discord.cdnUrl}/emojis/${emoji.id}.png`);
    expect([picture.status, picture.headers.get('content-type')], emoji.name).toEqual([200, 'image/png']);
  }
  expect((await fetch(`${discord.cdnUrl}/emojis/1.png`)).status).toBe(404);
  expect((await request(discord, 'GET', `${list}/1`)).body.code).toBe(10014);
  const content = `<:${emojis[0].name}:${emojis[0].id}> 🎉`;
  await sam.write(content);
  expect((await session.next('MESSAGE_CREATE')).content).toBe(content);
  const client = await logIn(discord);
  expect(client.guilds.cache.get(discord.guildId)?.emojis.cache.map(({ name }) => name)).toEqual(['happy_cat', 'parrot', 'hot_coffee']);
});

test('a nickname reaches the members and a session with its intent, and comes with messages', async () => {
  const { discord, robin, sam } = await setUp(GatewayIntentBits.MessageContent | GatewayIntentBits.GuildMembers);
  const [session, reading] = await Promise.all(
    [GatewayIntentBits.GuildMembers, READING].map((intents) => openRawGatewaySession(discord, intents)),
  );
  const seen = robin.client.next('GUILD_MEMBER_UPDATE');
  await sam.setNickname('Sammy');
  expect(await seen).toMatchObject({ user: { id: sam.client.userId }, nick: 'Sammy' });
  expect(await session?.next('GUILD_MEMBER_UPDATE')).toMatchObject({ user: { id: sam.client.userId }, nick: 'Sammy' });
  await robin.write(`hello <@${sam.client.userId}>`);
  expect(await reading?.next('MESSAGE_CREATE')).toMatchObject({ member: { nick: null }, mentions: [{ member: { nick: 'Sammy' } }] });
  await sam.write('hello');
  expect(await reading?.next('MESSAGE_CREATE', (d) => d.content === 'hello')).toMatchObject({ member: { nick: 'Sammy' } });
  expect(reading?.received()).not.toContain('GUILD_MEMBER_UPDATE');

  // Others' nicknames take a permission, and nicknames have a limit.
  const edit = (by: Member, user: Member, nick: string | null) =>
    by.client.call('edit_member', { guild_id: discord.guildId, user_id: user.client.userId, nick });
  await edit(robin, sam, null);
  expect(discord.world.firstGuild.members.get(sam.client.userId)?.nick).toBeNull();
  await expect(edit(sam, robin, 'Rob')).rejects.toThrow("You don't have the permission for that.");
  await expect(sam.setNickname('x'.repeat(33))).rejects.toThrow('A nickname has 32 characters at most.');
});
