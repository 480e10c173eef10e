// Reactions in the local Discord: by members and by the application, over REST and the gateway.
import { once } from 'node:events';
import { Events, GatewayIntentBits, PermissionFlagsBits as P, Partials } from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createSchemaCheck, watchRequests } from '../helpers/openapi.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';

const checkReaction = createSchemaCheck('MessageReactionResponse');
const HEART = encodeURIComponent('❤');

async function setUp() {
  const discord = await openLocalDiscord();
  const sam = discord.member('Sam');
  const channel_id = discord.channelId('general');
  const { id: message_id } = await sam.call('send_message', { channel_id, content: 'hello' });
  const path = `/channels/${channel_id}/messages/${message_id}`;
  const call = async (method: string, rest = '') => request(discord, method, `${path}${rest}`);
  const react = (emoji: string) => sam.call('add_reaction', { channel_id, message_id, emoji });
  return { discord, sam, place: { channel_id, message_id }, path, call, react };
}

test('reactions are counted, and each viewer learns which are theirs', async () => {
  const { discord, sam, place, call, react } = await setUp();
  await react('👍');
  await react('👍');
  await discord.member('Robin').call('add_reaction', { ...place, emoji: '👍' });
  expect((await call('PUT', `/reactions/${HEART}/@me`)).status).toBe(204);
  const { body } = await call('GET');
  for (const reaction of body.reactions as object[]) checkReaction(reaction);
  expect(body.reactions).toMatchObject([
    { emoji: { id: null, name: '👍' }, count: 2, me: false },
    { emoji: { name: '❤️' }, count: 1, me: true },
  ]);
  const [seen] = await sam.call('messages', { channel_id: place.channel_id });
  expect(seen?.reactions).toMatchObject([{ me: true }, { me: false }]);
  expect((await call('GET', `/reactions/${encodeURIComponent('👍')}`)).body).toMatchObject([{ username: 'robin' }, { username: 'sam' }]);
  expect((await call('GET', `/reactions/${encodeURIComponent('👍')}?limit=1&after=${discord.member('Robin').userId}`)).body).toMatchObject([
    { username: 'sam' },
  ]);
  await sam.call('remove_reaction', { ...place, emoji: '👍' });
  expect((await call('DELETE', `/reactions/${HEART}/@me`)).status).toBe(204);
  expect((await call('GET')).body.reactions).toMatchObject([{ emoji: { name: '👍' }, count: 1 }]);
});

test('the application hears of reactions if it has the intent, and members do', async () => {
  const { discord, sam, place, call, react } = await setUp();
  const own = discord.world.firstGuild.roles.find(({ managed }) => managed);
  discord.setRolePermissions(own?.id as string, P.ManageMessages);
  const without = await openRawGatewaySession(discord, GatewayIntentBits.GuildMessages);
  const session = await openRawGatewaySession(discord, GatewayIntentBits.GuildMessageReactions);
  const base = { ...place, guild_id: discord.guildId };
  const added = session.next('MESSAGE_REACTION_ADD');
  await react('👍');
  const author = { message_author_id: sam.userId, member: { user: { id: sam.userId } } };
  expect(await added).toMatchObject({ ...base, ...author, user_id: sam.userId, emoji: { id: null, name: '👍' }, burst: false });
  const removed = session.next('MESSAGE_REACTION_REMOVE');
  const seen = sam.next('MESSAGE_REACTION_REMOVE');
  await call('DELETE', `/reactions/${encodeURIComponent('👍')}/${sam.userId}`);
  expect(await removed).toMatchObject({ ...base, user_id: sam.userId });
  expect(await seen).toMatchObject({ ...place, user_id: sam.userId });
  await react('👍');
  await react('🎉');
  const ofEmoji = session.next('MESSAGE_REACTION_REMOVE_EMOJI');
  await call('DELETE', `/reactions/${encodeURIComponent('👍')}`);
  expect(await ofEmoji).toEqual({ ...base, emoji: { id: null, name: '👍' } });
  const all = session.next('MESSAGE_REACTION_REMOVE_ALL');
  await call('DELETE', '/reactions');
  expect(await all).toEqual(base);
  expect((await call('GET')).body).not.toHaveProperty('reactions');
  await sam.call('send_message', { channel_id: place.channel_id, content: 'last' });
  await without.next('MESSAGE_CREATE', ({ content, author: { id } }) => content === '' && id === sam.userId);
  expect(without.received().filter((t) => t?.includes('REACTION'))).toEqual([]);
});

test('reactions need permissions, an emoji and room', async () => {
  const { discord, call, react, place, sam } = await setUp();
  const own = discord.world.firstGuild.roles.find(({ managed }) => managed)?.id as string;
  for (const rest of ['/reactions', `/reactions/${HEART}`, `/reactions/${HEART}/${sam.userId}`])
    expect(await call('DELETE', rest), rest).toMatchObject({ status: 403, body: { code: 50013 } });
  for (const emoji of ['x', 'custom:123456'])
    expect(await call('PUT', `/reactions/${emoji}/@me`), emoji).toMatchObject({ status: 400, body: { code: 10014 } });
  await expect(react('x')).rejects.toThrow(/react/);
  await react('👍');
  discord.setPermissions(place.channel_id, own, { deny: P.AddReactions });
  expect(await call('PUT', `/reactions/${HEART}/@me`)).toMatchObject({ status: 403, body: { code: 50013 } });
  expect((await call('PUT', `/reactions/${encodeURIComponent('👍')}/@me`)).status).toBe(204);
  discord.setPermissions(place.channel_id, own, {});
  for (let code = 0; code < 19; code++) await react(String.fromCodePoint(0x1f600 + code));
  expect(await call('PUT', `/reactions/${HEART}/@me`)).toMatchObject({ status: 400, body: { code: 30010 } });
  await expect(react('❤️')).rejects.toThrow(/20/);
});

test('discord.js reacts, lists and removes', async () => {
  const { discord, place, sam } = await setUp();
  const { problems } = watchRequests(discord);
  const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages, GatewayIntentBits.GuildMessageReactions];
  const client = await logIn(discord, { intents, partials: [Partials.Message, Partials.Reaction] });
  const channel = await client.channels.fetch(place.channel_id);
  if (!channel?.isSendable()) throw new Error('not a text channel');
  const message = await channel.messages.fetch(place.message_id);
  const own = once(client, Events.MessageReactionAdd);
  const reaction = await message.react('🎲');
  await own;
  const told = once(client, Events.MessageReactionAdd);
  await sam.call('add_reaction', { ...place, emoji: '🎲' });
  expect((await told)[1]).toMatchObject({ id: sam.userId });
  expect([...(await reaction.users.fetch()).keys()].sort()).toEqual([client.user.id, sam.userId].sort());
  await reaction.users.remove();
  expect((await message.fetch(true)).reactions.cache.get('🎲')).toMatchObject({ count: 1, me: false });
  expect(problems).toEqual([]);
});

test('members and the application react with a guild’s own emoji', async () => {
  const { discord, sam, place, call, react } = await setUp();
  const [emoji] = discord.world.firstGuild.emojis;
  const session = await openRawGatewaySession(discord, GatewayIntentBits.GuildMessageReactions);
  await react(`whatever:${emoji?.id}`);
  const cat = { id: emoji?.id, name: 'happy_cat' };
  expect(await session.next('MESSAGE_REACTION_ADD')).toMatchObject({ emoji: cat, user_id: sam.userId });
  const key = encodeURIComponent(`happy_cat:${emoji?.id}`);
  expect((await call('PUT', `/reactions/${key}/@me`)).status).toBe(204);
  const { body } = await call('GET');
  for (const reaction of body.reactions as object[]) checkReaction(reaction);
  expect(body.reactions).toMatchObject([{ emoji: cat, count: 2, me: true }]);
  await sam.call('remove_reaction', { ...place, emoji: `happy_cat:${emoji?.id}` });
  expect(await session.next('MESSAGE_REACTION_REMOVE')).toMatchObject({ emoji: cat });
  expect((await call('PUT', '/reactions/nobody:1/@me')).body.code).toBe(10014);
  await expect(react('nobody:1')).rejects.toThrow("You can't react to this message with that.");
});
