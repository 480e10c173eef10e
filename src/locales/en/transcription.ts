// What /transcribe says.
import { inlineCode, TimestampStyles, time, userMention } from 'discord.js';
import { code, megabytes, percent } from './format.ts';

export const transcription = {
  noAudioInMessage: 'There is no audio attached to this message. Choose a voice message, or a message with an audio file.',
  recordingTooLong: (name: string, seconds: number, limit: number) =>
    `${code(name)} is ${Math.ceil(seconds / 60)} minutes long, and I can transcribe ${Math.floor(limit / 60)} minutes at most. Cut it into parts.`,
  tooManyJobs: (most: number) =>
    `I am transcribing ${most} recordings for you already, and that is as many as I take at a time. Try again when one of them is done.`,
  unreadable: (name: string) =>
    `The voice service could not read ${code(name)}: it is damaged, cut off, or in a format that it does not know. Save it as MP3 or WAV, and try again.`,
  unknownLanguage: (language: string) =>
    `The voice service does not know the language ${code(language)}. Choose another one, or leave ${inlineCode('language')} out.`,
  tooLargeForService: (name: string) =>
    `${code(name)} is larger than the voice service takes. Cut it into parts, or save it as MP3 or Opus.`,
  tooLongForService: (name: string) => `${code(name)} is longer than the voice service takes. Cut it into parts.`,
  noSpeech: 'No speech was found in it.',
  noSpeechInLanguage: 'No speech was found in it. If there is some, try another language below.',
  transcriptGone: 'The transcript that belongs to this message is gone. Run the command again.',
  transcriptTooLarge: (limit: number) =>
    `This file would be larger than the ${megabytes(limit)} that Discord takes here. Cut the recording into parts.`,
  readingStage: (done: number, all: number) => `Reading ${tenths(done)} of ${tenths(all)} MB`,
  transcribingStage: (since: number) => `Transcribing… (begun ${time(Math.floor(since / 1000), TimestampStyles.RelativeTime)})`,
  continuesInChannel:
    "Transcribing… This takes longer than Discord waits for an answer. I go on, and post it in this channel when it's done.",
  continuesInDirectMessage:
    "Transcribing… This takes longer than Discord waits for an answer. I go on, and send it to you as a direct message when it's done: let this server's members write to you until then.",
  interruptedByRestart: 'I was restarted before this was transcribed. Please ask me again.',
  lateReply: (userId: string) => `The transcript that ${userMention(userId)} asked for:`,
  lateFailure: (name: string) => `${code(name)} could not be transcribed. Try again later, or cut it into parts.`,
  someLeftOut: (taken: number, all: number) =>
    `This message has ${all} recordings, and where I am no member of the server I can answer only so often: I took the first ${taken}. Run ${inlineCode('/transcribe')} on the others, or ask an admin to invite me.`,
  /** @param share of the balance, 0 to 1 @param isKnown whether Discord says how long it is; else it is the most that so many bytes usually hold */
  confirm: (minutes: number, share: number, isKnown: boolean) => {
    const most = isKnown ? 'about' : 'up to';
    return `This is ${most} ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} of sound, which would take ${most} ${percent(share)} of the credit that is left. Transcribe it all the same?`;
  },
  confirmed: 'Agreed.',
  title: 'Transcript',
  confirmButton: 'Transcribe',
  retranscribeMenu: 'Again in…',
  detectLanguage: 'Find out the language',
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
  lengthOf: (clock: string) => `${clock} of sound`,
  tooLargeToAttach: 'the whole is too large to be attached here',
  fullTextByButtons: 'the buttons give the whole as a file',
};

/** A count before another one that has the unit. */
function tenths(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}
