// What is said around /say.
import { bold, channelMention, inlineCode } from 'discord.js';
import { code, megabytes } from './words.ts';

export const speaking = {
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
} as const;
