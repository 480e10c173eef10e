// What transcribing says: the transcript's message, its progress, its questions, and what can go wrong.
import { inlineCode, userMention } from 'discord.js';
import { code, format } from './format.ts';

export const transcription = {
  noAudioInMessage: 'There’s no recording in this message. Pick one with a voice message or an audio file.',
  recordingTooLong: (name: string, seconds: number, limit: number) =>
    `${code(name)} is ${format.duration(seconds)} long, but I can only transcribe up to ${format.duration(limit)}. Cut it into parts.`,
  tooManyJobs: (most: number) =>
    format.plural(most, {
      one: 'I’m still transcribing a recording for you. Try again when it’s done.',
      other: 'I’m still transcribing # recordings for you. Try again when one of them is done.',
    }),
  unreadable: (name: string) =>
    `The voice service can’t read ${code(name)}. It may be damaged, cut off or in an unusual format: save it as MP3 or WAV and try again.`,
  tooLargeForService: (name: string) => `${code(name)} is too large for the voice service. Cut it into parts, or save it as MP3 or Opus.`,
  tooLongForService: (name: string) => `${code(name)} is too long for the voice service. Cut it into parts.`,
  /** @param language its name in English, or what was typed */
  languageRefused: (language: string) =>
    `The voice service can’t transcribe ${language}. Pick another language, or let it detect the language.`,
  noSpeech: 'I didn’t hear any speech.',
  noSpeechInLanguage: 'I didn’t hear any speech. If there is some, try another language.',
  transcriptGone: 'This transcript’s file is gone, so its buttons don’t work. Transcribe the recording again.',
  transcriptTooLarge: (limit: number) =>
    `This file would be over the ${format.megabytes(limit)} that Discord allows here. Cut the recording into parts.`,

  /** Progress. */
  reading: (done: number, all: number) => `Reading: ${format.megabytes(done)} of ${format.megabytes(all)}`,
  /** @param elapsed seconds, like `expected` */
  transcribing: (elapsed: number, expected: number) => `Transcribing: ${format.duration(elapsed)} of about ${format.duration(expected)}`,
  takingLonger: (elapsed: number) => `Transcribing: ${format.duration(elapsed)}, longer than usual`,
  /** @param at milliseconds since 1970 */
  transcribingSince: (at: number) => `Transcribing, started ${format.relative(at)}`,
  /** The recogniser is being loaded, as it is for the first recording in a while. */
  gettingReady: 'Getting ready to listen. The first recording takes a few seconds more.',
  continuesInChannel: 'This is taking a while. I’ll post the transcript in this channel when it’s ready.',
  continuesInDirectMessage:
    'This is taking a while. I’ll send you the transcript when it’s ready, so allow direct messages from members of this server until then.',
  cancelButton: 'Cancel',
  cancelled: 'Cancelled. It doesn’t use any of your daily budget.',
  tooLateToCancel: 'It’s too late to cancel this: the transcript is about to appear.',
  interruptedByRestart: 'I was restarted before this was done. Please try again.',
  lateReply: (userId: string) => `${userMention(userId)}, your transcript is ready.`,
  lateFailure: (name: string) => `I couldn’t transcribe ${code(name)}. Try again later, or cut it into parts.`,
  someLeftOut: (taken: number, all: number) =>
    `I transcribed the first ${format.number(taken)} of ${format.number(all)} recordings, because I can only answer a few times in a server I’m not in. Use ${inlineCode('/transcribe')} for the others.`,

  /** The question before much of the credit is spent. @param share of the balance, 0 to 1 */
  confirm: (seconds: number, share: number) =>
    `This is about ${format.duration(seconds)} of audio and would use about ${format.percent(share)} of the credit that’s left. Transcribe it?`,
  /** The same if Discord doesn't know the length. */
  confirmAtMost: (seconds: number, share: number) =>
    `This is up to ${format.duration(seconds)} of audio and would use up to ${format.percent(share)} of the credit that’s left. Transcribe it?`,
  confirmButton: 'Transcribe',
  /** A link, after the name of a recording. */
  listen: 'Listen',
  notAsked: (taken: number, all: number) =>
    `That’s for the first ${format.number(taken)} of ${format.number(all)} recordings. Ask again for the others.`,

  /** Stands in for a file name that can't be shown. */
  title: 'Transcript',
  /** A link to the message that the recording was posted in. */
  originalMessage: 'Original message',
  pageOf: (page: number, pages: number) => `Page ${format.number(page)} of ${format.number(pages)}`,
  tooLargeToAttach: 'The full transcript is too large to attach, so this is only the beginning.',
  download: 'Download…',
  otherLanguage: 'Transcribe in another language…',
  chooseLanguage: 'Choose a language…',
  detectLanguage: 'Detect the language',
};
