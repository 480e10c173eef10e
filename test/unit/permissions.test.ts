// What the bot asks for, and who counts as a moderator.
import { PermissionFlagsBits as P, PermissionsBitField } from 'discord.js';
import { expect, test } from 'vitest';
import { createInviteLink, isModerator } from '../../src/discord/permissions.ts';

test.each([
  ['may mute members', P.MuteMembers, true],
  ['may delete messages', P.ManageMessages, true],
  ['is an administrator', P.Administrator, true],
  ['may do what everybody may', P.SendMessages | P.Connect | P.Speak | P.UseApplicationCommands, false],
  ['may move members, but not mute them', P.MoveMembers, false],
])('who %s is a moderator or not, where there is no session', (_, bits, expected) => {
  expect(isModerator({ guild: null, member: null, memberPermissions: new PermissionsBitField(bits) }, undefined)).toBe(expected);
});

test('nobody is a moderator in direct messages', () => {
  expect(isModerator({ guild: null, member: null, memberPermissions: null }, undefined)).toBe(false);
});

test('the invite link asks to see, connect, speak, send voice messages and write captions, and for nothing else', () => {
  const { searchParams, origin } = new URL(createInviteLink('123', { readsMessages: false }));
  expect(origin).toBe('https://discord.com');
  expect(new PermissionsBitField(BigInt(searchParams.get('permissions') ?? '')).toArray().sort()).toEqual([
    ...['AttachFiles', 'Connect', 'CreatePublicThreads', 'ReadMessageHistory', 'SendMessages', 'SendMessagesInThreads'],
    ...['SendVoiceMessages', 'SetVoiceChannelStatus', 'Speak'],
    'ViewChannel',
  ]);
  expect(searchParams.get('scope')?.split(' ').sort()).toEqual(['applications.commands', 'bot']);
});
