// What is wrong with an attached file.
import { inlineCode } from 'discord.js';
import { code, megabytes } from './format.ts';

export const attachments = {
  notFromDiscord: (name: string) =>
    `${code(name)} does not come from Discord, and I read attachments from there alone. Upload the file itself.`,
  empty: (name: string) => `${code(name)} is empty (0 bytes). Upload it again.`,
  tooLarge: (name: string, bytes: number, limit: number) =>
    `${code(name)} has ${megabytes(bytes)}, and I can transcribe ${megabytes(limit)} at most. Cut it into parts, or save it as MP3 or Opus.`,
  notAudio: (name: string) => `${code(name)} is not audio that I can read. Use MP3, WAV, Ogg, Opus, FLAC, M4A or WebM.`,
  downloadFailed: (name: string) => `${code(name)} could not be read from Discord. Try again, or upload it again.`,
  downloadGone: (name: string) =>
    `${code(name)} is not there any more: it was deleted, or its link has expired, for Discord's links live about a day. Upload it again, or use ${inlineCode('Transcribe')} on its message.`,
  downloadIncomplete: (name: string) => `${code(name)} broke off while I was reading it. Try again, or upload it again.`,
  downloadOversized: (name: string) => `${code(name)} is longer than Discord says, so I stopped reading it. Upload it again.`,
  downloadSlow: (name: string) => `Discord gives ${code(name)} too slowly at the moment. Try again later.`,
};
