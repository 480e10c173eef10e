// What members write, change and delete in the local Discord, as sessions with and without the message content intent receive it.
import { GatewayIntentBits, PermissionFlagsBits as P } from 'discord.js';
import { expect, test } from 'vitest';
import { createClient, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createMember } from '../helpers/member.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';

const BLIND = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages;
const READING = BLIND | GatewayIntentBits.MessageContent;

async function setUp() {
  const discord = await openLocalDiscord({ privilegedIntents: GatewayIntentBits.MessageContent | GatewayIntentBits.GuildMembers });
  const [general, lounge] = [discord.channelId('general'), discord.channelId('Lounge')];
  const [robin, sam] = [discord.member('Robin'), discord.member('Sam')].map((client) => createMember(client, general, lounge)) as [
    ReturnType<typeof createMember>,
    ReturnType<typeof createMember>,
  ];
  const [reading, blind] = await Promise.all([READING, BLIND].map((intents) => openRawGatewaySession(discord, intents)));
  if (!reading || !blind) throw new Error('no sessions');
  return { discord, general, lounge, robin, sam, reading, blind };
}

test('a message, its edit and its deletion reach a session that reads; one that doesn’t receives them without content', async () => {
  const { discord, general, sam, reading, blind } = await setUp();
  const message = await sam.write('one');
  const where = { id: message.id, channel_id: general, guild_id: discord.guildId };
  const author = { author: { id: sam.client.userId }, member: { nick: null, roles: [], communication_disabled_until: null } };
  const created = { ...where, ...author, type: 0, flags: 0, edited_timestamp: null };
  expect(await reading.next('MESSAGE_CREATE')).toMatchObject({ ...created, content: 'one' });
  expect(await blind.next('MESSAGE_CREATE')).toMatchObject({ ...created, content: '' });
  await sam.edit(message, 'two');
  const edited = { ...where, ...author, edited_timestamp: expect.any(String) };
  expect(await reading.next('MESSAGE_UPDATE')).toMatchObject({ ...edited, content: 'two' });
  expect(await blind.next('MESSAGE_UPDATE')).toMatchObject({ ...edited, content: '' });
  await sam.delete(message);
  for (const session of [reading, blind]) expect(await session.next('MESSAGE_DELETE')).toEqual(where);
});

test('a bulk deletion is one event with all ids', async () => {
  const { discord, general, sam, reading } = await setUp();
  const ids = [(await sam.write('one')).id, (await sam.write('two')).id];
  discord.setRolePermissions(discord.world.firstGuild.roles.find(({ managed }) => managed)?.id as string, P.ManageMessages);
  await request(discord, 'POST', `/channels/${general}/messages/bulk-delete`, { messages: ids });
  expect(await reading.next('MESSAGE_DELETE_BULK')).toEqual({ ids, channel_id: general, guild_id: discord.guildId });
  expect(reading.received()).not.toContain('MESSAGE_DELETE');
});

test('an edited reply still mentions whom it answers, and one that never did still doesn’t', async () => {
  const { robin, sam, reading } = await setUp();
  const question = await sam.write('question');
  const answer = await robin.write('answer', question);
  await robin.edit(answer, 'better');
  const edited = await reading.next('MESSAGE_UPDATE', ({ id }) => id === answer.id);
  expect(edited).toMatchObject({
    content: 'better',
    mentions: [{ id: sam.client.userId, member: { roles: [] } }],
    referenced_message: { id: question.id, content: 'question' },
  });
  const reply_to = { message_id: question.id, mention: false };
  const quiet = await robin.client.call('send_message', { channel_id: question.channel_id, content: 'quiet', reply_to });
  await robin.edit(quiet, 'quieter');
  expect((await reading.next('MESSAGE_UPDATE', ({ id }) => id === quiet.id)).mentions).toEqual([]);
});

test('a voice channel has messages of its own', async () => {
  const { discord, lounge, sam, reading } = await setUp();
  const message = await sam.inChannel(lounge).write('here');
  expect(await reading.next('MESSAGE_CREATE')).toMatchObject({ channel_id: lounge, channel_type: 2, content: 'here' });
  const { body } = await request(discord, 'GET', `/channels/${lounge}/messages/${message.id}`);
  expect(body).toMatchObject({ content: 'here' });
});

test('a timeout reaches a session with the members intent, and who may not speak shows in their voice state', async () => {
  const { discord, lounge, robin, sam, reading } = await setUp();
  const session = await openRawGatewaySession(discord, GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildVoiceStates);
  const { userId } = sam.client;
  discord.setPermissions(lounge, userId, { deny: P.Speak });
  await sam.listen(lounge);
  const denied = await session.next('VOICE_STATE_UPDATE', (d) => d.channel_id === lounge);
  expect(denied).toMatchObject({ user_id: userId, suppress: true, mute: false, member: { user: { id: userId }, mute: false } });
  discord.setPermissions(lounge, userId, {});
  await session.next('VOICE_STATE_UPDATE', (d) => !d.suppress);
  const member = { guild_id: discord.guildId, user_id: userId };
  await robin.client.call('edit_member', { ...member, mute: true });
  expect(await session.next('VOICE_STATE_UPDATE', (d) => d.mute)).toMatchObject({ channel_id: lounge, member: { mute: true } });
  const communication_disabled_until = new Date(Date.now() + 600_000).toISOString();
  await robin.client.call('edit_member', { ...member, communication_disabled_until });
  const timedOut = await session.next('GUILD_MEMBER_UPDATE', (d) => d.communication_disabled_until !== null);
  expect(timedOut).toMatchObject({ guild_id: discord.guildId, user: { id: userId }, communication_disabled_until });
  await session.next('VOICE_STATE_UPDATE', (d) => d.channel_id === null);
  expect(reading.received()).not.toContain('GUILD_MEMBER_UPDATE');
});

test('a client that asks for the content without the switch in the portal is turned away with 4014', async () => {
  const discord = await openLocalDiscord();
  const client = createClient(discord, { intents: [READING] });
  await expect(client.login(discord.application.token)).rejects.toThrow(/disallowed intents/i);
  const allowed = await openLocalDiscord({ privilegedIntents: GatewayIntentBits.MessageContent });
  await expect(openRawGatewaySession(allowed, READING)).resolves.toBeDefined();
});
