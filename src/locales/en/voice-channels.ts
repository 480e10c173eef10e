// Why the bot cannot speak in a voice channel.
import { bold, channelMention } from 'discord.js';

export const voiceChannels = {
  /** Discord's names of the permissions. */
  permissionNames: { ViewChannel: 'View Channel', Connect: 'Connect', Speak: 'Speak' },
  botNotInGuild:
    'I can only speak in a server that I am a member of. Ask an admin to invite me, or use `as_file` to get the sound as a file.',
  memberNotInVoice: 'You are not in a voice channel. Join one, or name one in `channel`.',
  botNotInVoice: 'I am in no voice channel of this server. Join one and run `/say` to bring me there.',
  stageChannel: (id: string) =>
    `${channelMention(id)} is a stage channel, and I speak in voice channels only. Join or name a voice channel.`,
  memberCannotConnect: (id: string) =>
    `You may not join ${channelMention(id)}, so I do not speak there for you. Choose a channel that you can join.`,
  memberCannotSpeak: (id: string) =>
    `You may not speak in ${channelMention(id)}, so I do not speak there for you. Choose a channel in which you may, or ask an admin to allow you ${bold('Speak')} there.`,
  memberServerMuted:
    'A moderator has muted you in the voice channels of this server, so I do not speak for you. Ask a moderator to unmute you, and try again.',
  missingPermissions: (permissions: string[], id: string) =>
    `I need ${permissions.map((name) => bold(name)).join(' and ')} in ${channelMention(id)}. Ask an admin to allow me that, or choose another channel.`,
  full: (id: string) =>
    `${channelMention(id)} is full. Wait for a free place, choose another channel, or ask an admin to allow me ${bold('Move Members')}.`,
};
