// What is said around /transcribe.
import { inlineCode } from 'discord.js';
import { code, megabytes } from './words.ts';

export const transcribing = {
  noAudioInMessage: 'There is no audio attached to this message. Choose a voice message, or a message with an audio file.',
  foreignAddress: (name: string) =>
    `${code(name)} does not come from Discord, and I read attachments from there alone. Upload the file itself.`,
  emptyFile: (name: string) => `${code(name)} is empty (0 bytes). Upload it again.`,
  fileOverLimit: (name: string, bytes: number, limit: number) =>
    `${code(name)} has ${megabytes(bytes)}, and I can transcribe ${megabytes(limit)} at most. Cut it into parts, or save it as MP3 or Opus.`,
  notAudio: (name: string) => `${code(name)} is not audio that I can read. Use MP3, WAV, Ogg, Opus, FLAC, M4A or WebM.`,
  downloadFailed: (name: string) => `${code(name)} could not be read from Discord. Try again, or upload it again.`,
  downloadCutOff: (name: string) => `${code(name)} broke off while I was reading it. Try again, or upload it again.`,
  unreadable: (name: string) =>
    `The voice service could not read ${code(name)}: it is damaged, cut off, or in a format or language that it does not know. Save it as MP3 or WAV, or check ${inlineCode('language')}, and try again.`,
  tooLargeForService: (name: string) =>
    `${code(name)} is larger than the voice service takes. Cut it into parts, or save it as MP3 or Opus.`,
  tookTooLong: (name: string) =>
    `The voice service had not read ${code(name)} when Discord's time for answers was nearly over. Try again later, or cut the recording into parts.`,
  noSpeech: 'No speech was found in it.',
  pageGone: 'The transcript that belongs to this message is gone. Run the command again.',
} as const;
