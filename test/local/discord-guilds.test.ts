// Several guilds in one local Discord: their separation, roles and visibility.
import { once } from 'node:events';
import { type Client, Events, type Guild, PermissionFlagsBits as P, type TextChannel } from 'discord.js';
import { expect, test } from 'vitest';
import type { LocalDiscord, MemberClient } from '../../src/local/discord/index.ts';
import { keyOf, logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';

function guildOf(client: Client, id: string): Guild {
  return client.guilds.cache.get(id) as Guild;
}

/** Ids of the channels that a member sees in a guild. */
async function channelsOf(member: MemberClient, guildId: string): Promise<string[]> {
  const { guilds } = await member.call('hello', {});
  return guilds.find(({ id }) => id === guildId)?.channels.map(({ id }) => id) ?? [];
}

function heardBy(member: MemberClient): string[] {
  const heard: string[] = [];
  member.onDispatch(({ t, d }) => heard.push(`${t} ${(d as { channel_id?: string } | null)?.channel_id ?? ''}`));
  return heard;
}

async function setUp(options: { guilds?: number; members?: number } = { guilds: 2 }) {
  const discord = await openLocalDiscord(options);
  return { discord, client: await logIn(discord), second: discord.guildIds[1] ?? '' };
}

test('two hundred guilds start, each with its own members', async () => {
  const { discord, client } = await setUp({ guilds: 200, members: 4 });
  expect(client.guilds.cache.size).toBe(200);
  const last = discord.guildIds.at(-1) as string;
  const ids = [discord.member('Ben'), discord.member('Ben', { guildId: last })].map(({ userId }) => userId);
  expect(ids[0]).not.toBe(ids[1]);
  expect(discord.member('Robin', { guildId: last }).userId).toBe(discord.member('Robin').userId);
  expect(() => discord.member('Nobody', { guildId: last })).toThrow(/no member/);
});

test('messages in a guild reach only its members, and a command’s response stays where it was run', async () => {
  const { discord, client, second } = await setUp();
  const [one, other] = [discord.member('Sam'), discord.member('Sam', { guildId: second })];
  const heard = heardBy(one);
  const channel_id = discord.channelId('general', second);
  await expect(one.call('send_message', { channel_id, content: 'x' })).rejects.toThrow(/no such channel/);
  const [command] = (await client.application?.commands.set([{ name: 'where', description: 'd' }]))?.values() ?? [];
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void interaction.reply(`${interaction.guildId}`);
  });
  const answered = other.next('MESSAGE_CREATE');
  await other.call('run_command', { channel_id, command_id: command?.id as string });
  expect((await answered).content).toBe(second);
  expect(heard.filter((line) => line.startsWith('MESSAGE'))).toEqual([]);
});

test('a guild’s commands are available only in that guild', async () => {
  const { discord, client, second } = await setUp();
  await guildOf(client, second).commands.set([{ name: 'here', description: 'd' }]);
  const member = discord.member();
  const names = async (guildId: string) =>
    (await member.call('commands', { channel_id: discord.channelId('general', guildId) })).map(({ name }) => name);
  expect([await names(discord.guildId), await names(second)]).toEqual([[], ['here']]);
});

test('a member is in one voice channel across all guilds, and the application in one per guild', async () => {
  const { discord, client, second } = await setUp();
  const member = discord.member();
  const states = () => client.guilds.cache.map(({ voiceStates }) => voiceStates.cache.get(member.userId)?.channelId ?? null);
  const follow = async (channel_id: string | null, updates: number) => {
    const moved = new Promise<void>((resolve) => {
      let left = updates;
      client.on(Events.VoiceStateUpdate, () => --left === 0 && resolve());
    });
    await member.call('join_voice', { channel_id });
    await moved;
  };
  await follow(discord.channelId('Lounge'), 1);
  await follow(discord.channelId('Lounge', second), 2);
  expect(states()).toEqual([null, discord.channelId('Lounge', second)]);
  for (const guildId of discord.guildIds) {
    const joined = once(client, Events.VoiceStateUpdate);
    client.ws.shards.first()?.send({
      op: 4,
      d: { guild_id: guildId, channel_id: discord.channelId('Workshop', guildId), self_mute: false, self_deaf: false },
    });
    await joined;
  }
  expect(client.guilds.cache.map(({ members }) => members.me?.voice.channel?.name)).toEqual(['Workshop', 'Workshop']);
  const left = once(client, Events.GuildDelete);
  discord.removeBot(second);
  await left;
  expect(discord.world.guilds.get(second)?.voiceStates.has(discord.application.id)).toBe(false);
  expect(discord.world.firstGuild.voiceStates.has(discord.application.id)).toBe(true);
});

test('a member who cannot see a channel sees neither its messages nor who is in voice there', async () => {
  const { discord } = await setUp({ guilds: 1 });
  const [owner, member] = [discord.member('Robin'), discord.member('Sam')];
  const [general, lounge] = [discord.channelId('general'), discord.channelId('Lounge')];
  const heard = heardBy(member);
  const hidden = member.next('CHANNEL_DELETE');
  discord.setPermissions(general, member.userId, { deny: P.ViewChannel });
  expect((await hidden).id).toBe(general);
  discord.setPermissions(lounge, member.userId, { deny: P.ViewChannel });
  expect(await channelsOf(member, discord.guildId)).not.toContain(general);
  await owner.call('send_message', { channel_id: general, content: 'secret' });
  await owner.call('join_voice', { channel_id: lounge });
  expect(heard.some((line) => line.startsWith('MESSAGE') || line === `VOICE_STATE_UPDATE ${lounge}`)).toBe(false);
  const shown = member.next('CHANNEL_UPDATE');
  discord.setPermissions(general, member.userId, {});
  expect((await shown).id).toBe(general);
  const states = (await member.call('hello', {})).guilds[0]?.voice_states;
  expect(states?.every(({ channel_id }) => channel_id === null)).toBe(true);
});

test('a change of a role’s permissions applies to its members at once', async () => {
  const { discord, client } = await setUp({ guilds: 1 });
  const { userId } = discord.member('Sam');
  const guild = guildOf(client, discord.guildId);
  const made = once(client, Events.GuildRoleCreate);
  const role = discord.addRole('Moderator', P.ManageMessages);
  expect((await made)[0]).toMatchObject({ id: role, name: 'Moderator' });
  const channel_id = discord.channelId('general');
  const { id: message_id } = await discord.member().call('send_message', { channel_id, content: 'x' });
  const remove = () => discord.member('Sam').call('delete_message', { channel_id, message_id });
  await expect(remove()).rejects.toThrow(/may not delete/);
  discord.setRoles(userId, [role]);
  await expect(remove()).resolves.toBeNull();

  const mine = once(client, Events.GuildMemberUpdate);
  discord.setRoles(discord.application.id, [role]);
  await mine;
  expect(guild.members.me?.permissions.has(P.ManageMessages)).toBe(true);
  discord.setPermissions(channel_id, role, { deny: P.AttachFiles });
  const { id: upload } = discord.member('Sam').upload('a.txt', 'text/plain', new Uint8Array(1));
  discord.setRoles(userId, [role]);
  await expect(discord.member('Sam').call('send_message', { channel_id, uploads: [upload] })).rejects.toThrow(/permission/);
  const changed = once(client, Events.GuildRoleUpdate);
  discord.setRolePermissions(discord.guildId, P.ViewChannel);
  await changed;
  expect(guild.members.me?.permissionsIn(guild.channels.cache.get(channel_id) as TextChannel).has(P.SendMessages)).toBe(false);
  const send = await request(discord, 'POST', `/channels/${channel_id}/messages`, { content: 'x' });
  expect(send).toMatchObject({ status: 403, body: { code: 50013 } });
});

test('an upload that has not been sent can be used only by its owner', async () => {
  const { discord } = await setUp({ guilds: 1 });
  const [one, other] = [discord.member('Robin'), discord.member('Sam')];
  const { id } = one.upload('a.txt', 'text/plain', new Uint8Array(3));
  const send = (member: MemberClient) => member.call('send_message', { channel_id: discord.channelId('general'), uploads: [id] });
  await expect(send(other)).rejects.toThrow(/upload it again/);
  expect((await send(one)).attachments).toHaveLength(1);
  const posted = (discord: LocalDiscord, user: string) =>
    fetch(`${discord.url}/member/uploads?filename=a.txt&user=${user}&key=${keyOf(discord)}`, {
      method: 'POST',
      body: 'abc',
      headers: { 'content-type': 'text/plain' },
    });
  const upload = (await (await posted(discord, 'Sam')).json()) as { id: string };
  expect((await other.call('send_message', { channel_id: discord.channelId('general'), uploads: [upload.id] })).attachments).toHaveLength(
    1,
  );
  expect((await posted(discord, 'Nobody')).status).toBe(404);
});
