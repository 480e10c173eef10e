// What is wrong with an attached file.
import { inlineCode } from 'discord.js';
import { code, format } from './format.ts';

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
