// How the application changes and finds members in the local Discord.
import { once } from 'node:events';
import { Events, GatewayIntentBits, PermissionFlagsBits as P } from 'discord.js';
import { expect, test } from 'vitest';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';

/** Sets the permissions of the application's own role. */
function permit(discord: LocalDiscord, permissions: bigint): void {
  const own = discord.world.firstGuild.roles.find(({ managed }) => managed);
  discord.setRolePermissions(own?.id as string, permissions);
}

async function setUp(permissions = 0n) {
  const discord = await openLocalDiscord();
  permit(discord, permissions);
  const sam = discord.member('Sam');
  const path = `/guilds/${discord.guildId}/members/${sam.userId}`;
  const patch = (form: object) => request(discord, 'PATCH', path, form);
  const state = () => discord.world.firstGuild.voiceStates.get(sam.userId);
  return { discord, sam, path, patch, state };
}

test('a member whom the application mutes stays muted after rejoining, until unmuted', async () => {
  const { discord, sam, patch, state } = await setUp(P.MuteMembers);
  const client = await logIn(discord);
  const joined = once(client, Events.VoiceStateUpdate);
  await sam.call('join_voice', { channel_id: discord.channelId('Lounge') });
  await joined;
  const told = once(client, Events.VoiceStateUpdate);
  expect(await patch({ mute: true })).toMatchObject({ status: 200, body: { mute: true, deaf: false } });
  expect((await told)[1]).toMatchObject({ id: sam.userId, serverMute: true });
  await sam.call('join_voice', { channel_id: null });
  await sam.call('join_voice', { channel_id: discord.channelId('Workshop') });
  expect(state()).toMatchObject({ mute: true });
  await client.guilds.cache.get(discord.guildId)?.members.cache.get(sam.userId)?.voice.setMute(false);
  expect(state()).toMatchObject({ mute: false });
});

test('the application can move a member to another voice channel, or out of voice', async () => {
  const { discord, sam, patch, state } = await setUp(P.MoveMembers);
  expect(await patch({ channel_id: discord.channelId('Lounge') })).toMatchObject({ status: 400, body: { code: 40032 } });
  await sam.call('join_voice', { channel_id: discord.channelId('Lounge') });
  expect((await patch({ channel_id: discord.channelId('Workshop') })).status).toBe(200);
  expect(state()).toMatchObject({ channel_id: discord.channelId('Workshop') });
  expect(await patch({ channel_id: discord.channelId('general') })).toMatchObject({ status: 400, body: { code: 50024 } });
  expect(await patch({ channel_id: discord.channelId('No bots') })).toMatchObject({ status: 403, body: { code: 50013 } });
  expect(await patch({ channel_id: '1' })).toMatchObject({ status: 404, body: { code: 10003 } });
  expect((await patch({ channel_id: null })).status).toBe(200);
  expect(state()).toBeUndefined();
});

test('a new nickname and roles take effect, and the application receives the event', async () => {
  const { discord, sam, path, patch } = await setUp(P.ManageNicknames | P.ManageRoles);
  const role = discord.addRole('Reader', 0n);
  const client = await logIn(discord);
  const seen = sam.next('GUILD_MEMBER_UPDATE');
  expect((await patch({ nick: 'Sammy', roles: [role] })).body).toMatchObject({ nick: 'Sammy', roles: [role] });
  expect(await seen).toMatchObject({ nick: 'Sammy', roles: [role] });
  expect((await request(discord, 'DELETE', `${path}/roles/${role}`)).status).toBe(204);
  expect((await request(discord, 'GET', path)).body).toMatchObject({ roles: [] });
  expect((await request(discord, 'PUT', `${path}/roles/${role}`)).status).toBe(204);
  expect((await request(discord, 'GET', path)).body).toMatchObject({ roles: [role] });
  expect((await patch({ nick: null })).body).toMatchObject({ nick: null });

  permit(discord, P.ChangeNickname);
  const self = await client.guilds.cache.get(discord.guildId)?.members.fetchMe();
  expect((await self?.setNickname('Bot'))?.nickname).toBe('Bot');
  expect((await request(discord, 'PATCH', `/guilds/${discord.guildId}/members/@me/nick`, { nick: 'B' })).body).toEqual({ nick: 'B' });
});

test('a member in timeout leaves voice, and cannot write, use commands or join until it ends', async () => {
  const { discord, sam, patch, state } = await setUp(P.ModerateMembers);
  await sam.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const until = new Date(Date.now() + 60_000).toISOString();
  expect((await patch({ communication_disabled_until: until })).body).toMatchObject({ communication_disabled_until: until });
  expect(state()).toBeUndefined();
  const write = () => sam.call('send_message', { channel_id: discord.channelId('general'), content: 'x' });
  await expect(write()).rejects.toThrow(/permission/);
  await expect(sam.call('join_voice', { channel_id: discord.channelId('Lounge') })).rejects.toThrow(/permission/);
  await patch({ communication_disabled_until: new Date(Date.now() - 1000).toISOString() });
  await expect(write()).resolves.toMatchObject({ content: 'x' });
});

test('if one change of a member is not permitted, none is applied', async () => {
  const all = P.MuteMembers | P.DeafenMembers | P.MoveMembers | P.ManageNicknames | P.ManageRoles | P.ModerateMembers | P.ManageGuild;
  const { discord, sam, patch, state } = await setUp();
  await sam.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const timeout = { communication_disabled_until: new Date(Date.now() + 60_000).toISOString() };
  const forms = [{ mute: true }, { deaf: true }, { channel_id: null }, { nick: 'x' }, { roles: [] }, { flags: 4 }, timeout];
  for (const form of forms) expect(await patch(form), JSON.stringify(form)).toMatchObject({ status: 403, body: { code: 50013 } });

  permit(discord, all & ~P.DeafenMembers);
  expect(await patch({ mute: true, nick: 'x', deaf: true })).toMatchObject({ status: 403, body: { code: 50013 } });
  expect(state()).toMatchObject({ mute: false });
  expect(discord.world.firstGuild.members.get(sam.userId)?.nick).toBeNull();

  permit(discord, all);
  const wrong: object[] = [
    ...[{ nick: 'x'.repeat(33) }, { mute: 'yes' }, { roles: ['x'] }, { channel_id: 'x' }, { flags: 'x' }],
    ...[{ communication_disabled_until: 'soon' }, { communication_disabled_until: new Date(Date.now() + 29 * 86_400_000).toISOString() }],
    { avatar: null },
  ];
  for (const form of wrong) expect(await patch(form), JSON.stringify(form)).toMatchObject({ status: 400, body: { code: 50035 } });
  expect(await patch({ roles: ['1'] })).toMatchObject({ status: 404, body: { code: 10011 } });
});

test('the application cannot change the owner, or members and roles above its own role', async () => {
  const { discord, sam, patch } = await setUp(P.ManageNicknames | P.ManageRoles | P.ModerateMembers);
  const owner = `/guilds/${discord.guildId}/members/${discord.member('Robin').userId}`;
  expect(await request(discord, 'PATCH', owner, { nick: 'x' })).toMatchObject({ status: 403, body: { code: 50013 } });
  const boss = discord.addRole('Boss', 0n);
  const roles = discord.world.firstGuild.roles;
  for (const role of roles) if (role.id === boss) role.position = 5;
  expect(await patch({ roles: [boss] })).toMatchObject({ status: 403, body: { code: 50013 } });
  discord.setRoles(sam.userId, [boss]);
  expect(await patch({ nick: 'x' })).toMatchObject({ status: 403, body: { code: 50013 } });
  const managed = roles.find((role) => role.managed)?.id as string;
  expect(await patch({ roles: [boss, managed] })).toMatchObject({ status: 400, body: { code: 50028 } });
});

test('members can be searched by the start of a name, and listed only with the intent', async () => {
  const { discord, sam } = await setUp();
  const search = (query: string) => request(discord, 'GET', `/guilds/${discord.guildId}/members/search?${query}`);
  expect((await search('query=SA')).body).toMatchObject([{ user: { id: sam.userId } }]);
  expect((await search('query=nobody')).body).toEqual([]);
  expect(await search('limit=5')).toMatchObject({ status: 400, body: { code: 50035 } });
  const list = (of: LocalDiscord, query: string) => request(of, 'GET', `/guilds/${of.guildId}/members?${query}`);
  expect(await list(discord, '')).toMatchObject({ status: 403, body: { code: 50001 } });
  const open = await openLocalDiscord({ privilegedIntents: GatewayIntentBits.GuildMembers });
  const ids = [...open.world.firstGuild.members.keys()].sort((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1));
  const idsOf = async (query: string) => ((await list(open, query)).body as never as { user: { id: string } }[]).map(({ user }) => user.id);
  expect(await idsOf('limit=1000')).toEqual(ids);
  expect(await idsOf(`after=${ids[0]}`)).toEqual([ids[1]]);
});
