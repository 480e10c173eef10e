// Every sentence that a member reads: the cause, then the next step. In one place, ready for other languages.
import { bold, channelMention, inlineCode, TimestampStyles, time } from 'discord.js';
import type { ApiError } from './api/index.ts';
import { truncate } from './embed.ts';
import type { VoiceError } from './voice/types.ts';

export const sentences = {
  // Anywhere
  closing: 'I am being restarted. Please try again in a minute.',
  unexpected: (reference: string) =>
    `Something went wrong on my side, and it has been noted. Please try again; if it goes on, tell whoever runs me this reference: ${code(reference)}.`,
  unknownCommand: 'I do not know this command (any more). Reload Discord to see what there is.',
  noPermission: 'Discord did not let me do that here. Ask an admin to give me the permissions of my invite link in this channel.',
  expiredMessage: 'The message this belongs to is gone. Run the command again.',
  notYours: (command: string) => `Only the member who asked can use these buttons. Run ${inlineCode(command)} yourself to get your own.`,
  notInGuild: 'I can only speak in a server that I am a member of. Ask an admin to invite me, or use `as_file` to get the sound as a file.',

  // Speaking
  noText: 'There is no text to speak. Write some words in `text`.',
  noLetters: 'There is nothing in this text that can be spoken. Write at least one word or number.',
  textTooLong: (length: number, limit: number) =>
    `The text has ${length} characters, and I speak ${limit} at most. Shorten it, or say it in parts.`,
  notInVoice: 'You are not in a voice channel. Join one, or name one in `channel`.',
  stageChannel: (id: string) =>
    `${channelMention(id)} is a stage channel, and I speak in voice channels only. Join or name a voice channel.`,
  memberMayNotConnect: (id: string) =>
    `You may not join ${channelMention(id)}, so I do not speak there for you. Choose a channel that you can join.`,
  missingInChannel: (permissions: string[], id: string) =>
    `I need ${permissions.map((name) => bold(name)).join(' and ')} in ${channelMention(id)}. Ask an admin to allow me that, or choose another channel.`,
  channelFull: (id: string) =>
    `${channelMention(id)} is full. Wait for a free place, choose another channel, or ask an admin to allow me ${bold('Move Members')}.`,
  serverMuted: 'A moderator has muted me in this server, so nobody would hear me. Ask them to unmute me.',
  unknownVoice: (voice: string) =>
    `The voice service has no voice ${code(voice)} (any more). Choose one from the list that opens while you type in ${inlineCode('voice')}, or find one with ${inlineCode('/voices')}.`,
  fileTooLarge: (limit: number) => `The sound file would be larger than the ${megabytes(limit)} that Discord takes here. Shorten the text.`,
  badSound:
    'The voice service sent something that is no sound. Try again, or choose another voice; if it goes on, whoever runs me must look into it.',
  soundBroke: 'The sound from the voice service broke off. Try again, or choose another voice.',
  speaking: 'Speaking now',
  waitingTurn: (before: number) => (before === 1 ? 'In the queue: one before it' : `In the queue: ${before} before it`),
  brokenOff: (seconds: number) => `Broken off after ${seconds.toFixed(1)} s`,
  spoken: (seconds: number) => `Spoken: ${seconds.toFixed(1)} s`,
  skipped: 'Skipped',
  stopped: 'Stopped',
  defaultVoice: 'the default voice',

  // Transcribing
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

  // The catalogue
  noVoices: 'No voice fits these filters. Leave one of them out, or write it differently.',
  pastTheEnd: (page: number, pages: number) =>
    `There is no page ${page}: ${pages === 1 ? 'there is only one page' : `the last one is page ${pages}`}. Choose a page from 1 to ${pages}.`,
  mineForOperators:
    'The own voices belong to the account of whoever runs me, so only they can list them. Leave `mine` out to see the public ones.',

  // Credit
  creditForOperators:
    'The balance is the money of whoever runs me, so only they see it, not the admins of a server. If that is you, put your Discord id into `OPERATOR_IDS`.',
} as const;

/** A failed call to the voice service. `now` in milliseconds since 1970. */
export function apiSentence(error: ApiError, now = Date.now()): string {
  const again =
    error.retryAfterMs === null ? 'in a minute' : time(Math.ceil((now + error.retryAfterMs) / 1000), TimestampStyles.RelativeTime);
  const status = error.status === null ? '' : ` (${error.status})`;
  const sentence = {
    auth: `The voice service refuses my key${status}. Whoever runs me must check \`VOICE_API_KEY\`; trying again does not help.`,
    credit: `The credit at the voice service is used up${status}. Whoever runs me must top it up; nothing was said or read.`,
    validation: `The voice service does not accept this${status}${offending(error)}. Change it and try again.`,
    'not-found': `The voice service does not know what I asked it for${status}. Check the ids you gave; if they are right, whoever runs me must check \`VOICE_API_URL\`.`,
    'rate-limited': `The voice service has too much to do for me${status}. Try again ${again}.`,
    server: `The voice service has a problem of its own${status || ', or cannot be reached'}. Try again ${again}.`,
    timeout: `The voice service did not answer in time${status}. Try again ${again}.`,
    aborted: 'This was ended before the voice service had answered. Try again.',
    protocol: `The voice service gave an answer that I cannot use${status}. Try again; if it goes on, whoever runs me must look into it.`,
  }[error.kind];
  return error.requestId && error.kind !== 'aborted' ? `${sentence}\n-# Request ${code(error.requestId)}` : sentence;
}

/** A failed voice connection. */
export function voiceSentence(error: VoiceError): string {
  return {
    busy: 'I am speaking in another channel of this server. Join it, or try again when I am done there.',
    'join-timeout':
      'Discord did not let me into the voice channel in time. Try again; if it goes on, an admin can set another region for the channel.',
    'encryption-timeout':
      'The end-to-end encryption of the voice channel was not established, not even at a second try, so nothing was said. Try again, or let everybody leave and join once more.',
    disconnected: 'I was disconnected from the voice channel, so what was waiting there is dropped. Ask me again when I am welcome.',
    refused: `Discord refused the voice connection${error.code === null ? '' : ` (${error.code})`}. Try another channel; if it goes on, whoever runs me must look into it.`,
  }[error.kind];
}

function offending(error: ApiError): string {
  const detail = error.details[0];
  if (!detail) return '';
  return `: ${code(detail.loc.at(-1) ?? 'request')} ${detail.msg}`.slice(0, 200);
}

/** Somebody else's words, which must not end the code span or fill the message. */
function code(text: string): string {
  return inlineCode(truncate(text.replaceAll('`', "'").replaceAll('\n', ' '), 80) || ' ');
}

/** As Discord counts them: 10 MB are 10 × 1024 × 1024 bytes. */
function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;
}
