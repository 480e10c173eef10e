// What any command may say.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import { code, format } from './format.ts';

export const general = {
  /** Replaces "thinking" after the process was killed. */
  interruptedByRestart: 'I restarted before this was done. Please ask me again.',
  /** Used if a reply meant for one member can only be sent where others read it, too. */
  toMember: (userId: string, sentence: string) => `${userMention(userId)}: ${sentence}`,
  restarting: 'I’m restarting. Try again in a minute.',
  unknownCommand: 'I don’t have this command anymore. Reload Discord to see what I have now.',
  unreadableInteraction: 'I didn’t understand what Discord sent me. Try again, or reload Discord.',
  started: 'On it.',
  directHint: `I only understand commands. Type ${inlineCode('/')} to see them, or use ${inlineCode('/help')}.`,
  expiredMessage: 'This message is out of date. Run the command again.',
  notYourButtons: (command: string) => `Only the member who asked can use these buttons. Run ${inlineCode(command)} to get your own.`,
  previousPage: '‹ Previous',
  nextPage: 'Next ›',
};

// Refusals: members who may not use Parley, or not here, and those who ask too fast (the cooldown).

const settings = inlineCode('/settings');

/** Nobody reads a longer list. */
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access = {
  muted: (isAdmin: boolean) =>
    isAdmin
      ? `${inlineCode('/say')} is switched off for you here. You can switch it back on in ${settings}.`
      : `A server admin has switched ${inlineCode('/say')} off for you.`,
  // Admins are exempt from the rest.
  roles: (ids: readonly string[]) =>
    isShort(ids)
      ? `Only members with ${format.or(ids.map(roleMention))} can use me here. A server admin can give you the role.`
      : 'Only members with certain roles can use me here. A server admin can give you one.',
  channels: (ids: readonly string[]) =>
    isShort(ids)
      ? `I only work in ${format.or(ids.map(channelMention))} here. Try again there.`
      : 'I only work in certain channels here. Try again in one of them.',
  voiceChannels: (ids: readonly string[]) =>
    isShort(ids)
      ? `I only speak in ${format.or(ids.map(channelMention))} here. Join and try again.`
      : 'I only speak in certain voice channels here. Join one of them and try again.',
  channelsGone: `The channels I’m limited to here are gone. Ask a server admin to pick others in ${settings}.`,
  voiceChannelsGone: `The voice channels I’m limited to here are gone. Ask a server admin to pick others in ${settings}.`,
  /** @param again milliseconds since 1970 */
  tooFast: (again: number) => `You’re a bit too fast for me. Try again ${format.relative(again)}.`,
};

// What is wrong with an attached file.

export const attachments = {
  notFromDiscord: (name: string) => `${code(name)} isn’t on Discord, and that’s the only place I read files from. Upload the file itself.`,
  empty: (name: string) => `${code(name)} is empty. Upload it again.`,
  tooLarge: (name: string, bytes: number, limit: number) =>
    `${code(name)} is ${format.megabytes(bytes)}, but I can only transcribe up to ${format.megabytes(limit)}. Cut it into parts, or save it as MP3 or Opus.`,
  notAudio: (name: string) => `I can’t read ${code(name)} as audio. Use MP3, WAV, Ogg, Opus, FLAC, M4A or WebM.`,
  downloadFailed: (name: string) => `I couldn’t download ${code(name)} from Discord. Try again, or upload it again.`,
  downloadGone: (name: string) =>
    `${code(name)} was deleted, or its link has expired, as links do after a day. Upload it again, or use ${inlineCode('Transcribe')} on its message.`,
  downloadIncomplete: (name: string) => `${code(name)} was cut off while I was downloading it. Try again, or upload it again.`,
  downloadOversized: (name: string) => `${code(name)} is longer than Discord says, so I stopped reading it. Upload it again.`,
  downloadSlow: (name: string) => `Discord is sending ${code(name)} too slowly. Try again later.`,
};

// Why the bot can't speak in a voice channel.

export const voiceChannels = {
  /** Discord's names of the permissions. */
  permissionNames: { ViewChannel: 'View Channel', Connect: 'Connect', Speak: 'Speak' },
  botNotInGuild: `I can only speak in servers I’ve been added to. Set ${inlineCode('send_as')} to “Voice message” to get the sound anyway.`,
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
