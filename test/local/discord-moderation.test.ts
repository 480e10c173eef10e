// Voice states and timeouts in the local Discord, as moderators on the page set them and members and the application see them.
import { once } from 'node:events';
import { Events, PermissionFlagsBits as P } from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';

async function setUp() {
  const discord = await openLocalDiscord({ members: 3 });
  const [robin, sam, ada] = [discord.member('Robin'), discord.member('Sam'), discord.member('Ada')];
  const guild_id = discord.guildId;
  const edit = (by: typeof robin, changes: object, user_id = ada.userId) => by.call('edit_member', { guild_id, user_id, ...changes });
  const join = (name: string, flags = {}) => ada.call('join_voice', { channel_id: discord.channelId(name), ...flags });
  const permit = (permissions: bigint) => {
    const role = discord.addRole('Moderator', permissions);
    discord.setRoles(sam.userId, [role]);
  };
  const state = () => discord.world.firstGuild.voiceStates.get(ada.userId);
  return { discord, robin, sam, ada, edit, join, permit, state };
}

test('a member’s own mute and deafen reach the application and other members', async () => {
  const { discord, sam, ada, join } = await setUp();
  const client = await logIn(discord);
  const seen = sam.next('VOICE_STATE_UPDATE', ({ self_mute }) => self_mute);
  const told = once(client, Events.VoiceStateUpdate);
  await join('Lounge', { self_mute: true });
  expect(await seen).toMatchObject({ user_id: ada.userId, self_mute: true, self_deaf: false });
  expect((await told)[1]).toMatchObject({ selfMute: true, selfDeaf: false });
  const deafened = once(client, Events.VoiceStateUpdate);
  await ada.call('set_voice', { self_deaf: true });
  expect((await deafened)[1]).toMatchObject({ selfMute: true, selfDeaf: true, channelId: discord.channelId('Lounge') });
});

test('a moderator mutes, deafens, moves and disconnects a member', async () => {
  const { discord, sam, ada, edit, join, permit, state } = await setUp();
  permit(P.MuteMembers | P.DeafenMembers | P.MoveMembers);
  await expect(edit(sam, { mute: true })).rejects.toThrow("They aren't in a voice channel.");
  await join('Lounge');
  const heard = ada.next('VOICE_STATE_UPDATE', ({ mute, deaf }) => mute && deaf);
  await edit(sam, { mute: true, deaf: true });
  expect(await heard).toMatchObject({ self_mute: false, self_deaf: false });
  await edit(sam, { channel_id: discord.channelId('Workshop') });
  expect(state()).toMatchObject({ channel_id: discord.channelId('Workshop'), mute: true, deaf: true });
  await edit(sam, { channel_id: null });
  expect(state()).toBeUndefined();
});

test('a moderator’s timeout takes a member out of voice, and ends when lifted', async () => {
  const { discord, sam, ada, edit, join, permit, state } = await setUp();
  permit(P.ModerateMembers);
  await join('Lounge');
  const seen = ada.next('GUILD_MEMBER_UPDATE');
  const communication_disabled_until = new Date(Date.now() + 60_000).toISOString();
  await edit(sam, { communication_disabled_until });
  expect(await seen).toMatchObject({ user: { id: ada.userId }, communication_disabled_until });
  expect(state()).toBeUndefined();
  const message = { channel_id: discord.channelId('general'), content: 'x' };
  await expect(ada.call('send_message', message)).rejects.toThrow(/permission/);
  await edit(sam, { communication_disabled_until: null });
  await expect(ada.call('send_message', message)).resolves.toMatchObject({ content: 'x' });
});

test('a member without the permission changes nobody, and no moderator times out the owner', async () => {
  const { robin, sam, ada, edit, join, permit, state } = await setUp();
  await join('Lounge');
  const timeout = { communication_disabled_until: new Date(Date.now() + 60_000).toISOString() };
  for (const changes of [{ mute: true }, { deaf: true }, { channel_id: null }, timeout])
    await expect(edit(sam, changes), JSON.stringify(changes)).rejects.toThrow("You don't have the permission for that.");
  expect(state()).toMatchObject({ mute: false, deaf: false });
  permit(P.ModerateMembers);
  await expect(edit(sam, timeout, robin.userId)).rejects.toThrow(/permission/);
  await expect(edit(ada, { mute: true }, '1')).rejects.toThrow(/gone/);
  await edit(robin, { mute: true });
  expect(state()).toMatchObject({ mute: true });
});

test('a member learns what they may do in the guild, and when that changes', async () => {
  const { sam, permit } = await setUp();
  const has = (permissions: string | undefined) => (BigInt(permissions ?? 0) & P.MuteMembers) !== 0n;
  expect(has((await sam.call('hello', {})).guilds[0]?.permissions)).toBe(false);
  const changed = sam.next('GUILD_UPDATE', ({ permissions }) => has(permissions));
  permit(P.MuteMembers);
  await changed;
});
