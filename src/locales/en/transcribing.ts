// What is said around /transcribe.
import { inlineCode, TimestampStyles, time, userMention } from 'discord.js';
import { code, megabytes, percent } from './words.ts';

export const transcribing = {
  noAudioInMessage: 'There is no audio attached to this message. Choose a voice message, or a message with an audio file.',
  foreignAddress: (name: string) =>
    `${code(name)} does not come from Discord, and I read attachments from there alone. Upload the file itself.`,
  emptyFile: (name: string) => `${code(name)} is empty (0 bytes). Upload it again.`,
  fileOverLimit: (name: string, bytes: number, limit: number) =>
    `${code(name)} has ${megabytes(bytes)}, and I can transcribe ${megabytes(limit)} at most. Cut it into parts, or save it as MP3 or Opus.`,
  soundOverLimit: (name: string, seconds: number, limit: number) =>
    `${code(name)} is ${Math.ceil(seconds / 60)} minutes long, and I can transcribe ${Math.floor(limit / 60)} minutes at most. Cut it into parts.`,
  notAudio: (name: string) => `${code(name)} is not audio that I can read. Use MP3, WAV, Ogg, Opus, FLAC, M4A or WebM.`,
  downloadFailed: (name: string) => `${code(name)} could not be read from Discord. Try again, or upload it again.`,
  downloadGone: (name: string) =>
    `${code(name)} is not there any more: it was deleted, or its link has expired, for Discord's links live about a day. Upload it again, or use ${inlineCode('Transcribe')} on its message.`,
  downloadCutOff: (name: string) => `${code(name)} broke off while I was reading it. Try again, or upload it again.`,
  downloadChanged: (name: string) => `${code(name)} is longer than Discord says, so I stopped reading it. Upload it again.`,
  downloadSlow: (name: string) => `Discord gives ${code(name)} too slowly at the moment. Try again later.`,
  tooManyTranscriptions: (most: number) =>
    `I am transcribing ${most} recordings for you already, and that is as many as I take at a time. Try again when one of them is done.`,
  unreadable: (name: string) =>
    `The voice service could not read ${code(name)}: it is damaged, cut off, or in a format that it does not know. Save it as MP3 or WAV, and try again.`,
  languageNotKnown: (language: string) =>
    `The voice service does not know the language ${code(language)}. Choose another one, or leave ${inlineCode('language')} out.`,
  tooLargeForService: (name: string) =>
    `${code(name)} is larger than the voice service takes. Cut it into parts, or save it as MP3 or Opus.`,
  tooLongForService: (name: string) => `${code(name)} is longer than the voice service takes. Cut it into parts.`,
  noSpeech: 'No speech was found in it.',
  noSpeechInLanguage: 'No speech was found in it. If there is some, try another language below.',
  pageGone: 'The transcript that belongs to this message is gone. Run the command again.',
  transcriptTooLarge: (limit: number) =>
    `This file would be larger than the ${megabytes(limit)} that Discord takes here. Cut the recording into parts.`,

  readingStage: (done: number, all: number) => `Reading ${tenths(done)} of ${tenths(all)} MB`,
  transcribingStage: (since: number) => `Transcribing… (begun ${time(Math.floor(since / 1000), TimestampStyles.RelativeTime)})`,
  takesLongerHere: "Transcribing… This takes longer than Discord waits for an answer. I go on, and post it in this channel when it's done.",
  takesLongerInDm:
    "Transcribing… This takes longer than Discord waits for an answer. I go on, and send it to you as a direct message when it's done: let this server's members write to you until then.",
  transcriptLostByRestart: 'I was restarted before this was transcribed. Please ask me again.',
  lateAnswer: (userId: string) => `The transcript that ${userMention(userId)} asked for:`,
  lateFailure: (name: string) => `${code(name)} could not be transcribed. Try again later, or cut it into parts.`,
  leftOut: (taken: number, all: number) =>
    `This message has ${all} recordings, and where I am no member of the server I can answer only so often: I took the first ${taken}. Run ${inlineCode('/transcribe')} on the others, or ask an admin to invite me.`,

  /** @param share of the balance, 0 to 1 @param isKnown whether Discord says how long it is; else it is the most that so many bytes usually hold */
  confirmTranscription: (minutes: number, share: number, isKnown: boolean) => {
    const most = isKnown ? 'about' : 'up to';
    return `This is ${most} ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} of sound, which would take ${most} ${percent(share)} of the credit that is left. Transcribe it all the same?`;
  },
  confirmed: 'Agreed.',

  transcriptTitle: 'Transcript',
  transcribeButton: 'Transcribe',
  againMenu: 'Again in…',
  detectLanguage: 'Find out the language',
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  lengthOf: (clock: string) => `${clock} of sound`,
  tooLargeToAttach: 'the whole is too large to be attached here',
  wholeByButtons: 'the buttons give the whole as a file',
} as const;

/** A count that stands before one with its unit. */
function tenths(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
