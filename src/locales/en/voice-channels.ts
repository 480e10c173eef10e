// Why the bot can't speak in a voice channel.
import { bold, channelMention, inlineCode } from 'discord.js';
import { format } from './format.ts';

export const voiceChannels = {
  /** Discord's names of the permissions. */
  permissionNames: { ViewChannel: 'View Channel', Connect: 'Connect', Speak: 'Speak' },
  botNotInGuild: `I can only speak in servers I’ve been added to. Use ${inlineCode('as_file')} to get the sound as a file.`,
  memberNotInVoice: `You’re not in a voice channel. Join one, or pick one in ${inlineCode('channel')}.`,
  botNotInVoice: `I’m not in a voice channel. Join one and use ${inlineCode('/say')} to bring me in.`,
  stageChannel: (id: string) => `${channelMention(id)} is a stage, and I only speak in voice channels. Pick a voice channel.`,
  memberCannotConnect: (id: string) => `You can’t join ${channelMention(id)}, so I can’t speak there for you. Pick another channel.`,
  memberCannotSpeak: (id: string) =>
    `You need the ${bold('Speak')} permission in ${channelMention(id)} for me to speak there. Pick another channel.`,
  memberServerMuted: 'A moderator muted you in this server’s voice channels. I can speak for you again once you’re unmuted.',
  /** @param permissions their names, at least one */
  missingPermissions: (permissions: string[], id: string) =>
    `I need ${format.and(permissions.map((name) => bold(name)))} in ${channelMention(id)}. Server admins can allow that in the channel’s settings.`,
  full: (id: string) => `${channelMention(id)} is full. Wait for a free spot or pick another channel.`,
};
