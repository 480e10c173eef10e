// What is said around /say.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import { code, count, megabytes, percent } from './words.ts';

export const speaking = {
  noText: 'There is no text to speak. Write some words in `text`.',
  noLetters: 'There is nothing in this text that can be spoken. Write at least one word or number.',
  /** Spoken, at the end of a text that was cut. */
  andSoOn: 'and so on',
  notInVoice: 'You are not in a voice channel. Join one, or name one in `channel`.',
  stageChannel: (id: string) =>
    `${channelMention(id)} is a stage channel, and I speak in voice channels only. Join or name a voice channel.`,
  memberMayNotConnect: (id: string) =>
    `You may not join ${channelMention(id)}, so I do not speak there for you. Choose a channel that you can join.`,
  memberMayNotSpeak: (id: string) =>
    `You may not speak in ${channelMention(id)}, so I do not speak there for you. Choose a channel in which you may, or ask an admin to allow you ${bold('Speak')} there.`,
  memberServerMuted:
    'A moderator has muted you in the voice channels of this server, so I do not speak for you. Ask a moderator to unmute you, and try again.',
  missingInChannel: (permissions: string[], id: string) =>
    `I need ${permissions.map((name) => bold(name)).join(' and ')} in ${channelMention(id)}. Ask an admin to allow me that, or choose another channel.`,
  channelFull: (id: string) =>
    `${channelMention(id)} is full. Wait for a free place, choose another channel, or ask an admin to allow me ${bold('Move Members')}.`,
  unknownVoice: (voice: string) =>
    `The voice service has no voice ${code(voice)} (any more). Choose one from the list that opens while you type in ${inlineCode('voice')}, or find one with ${inlineCode('/voices')}.`,
  defaultVoiceGone: (gone: string, used: string) =>
    `The voice service has no voice ${code(gone)} any more, so I used ${code(used)}. Choose another one with ${inlineCode('/voices')}, or ask an admin to choose one for the server with ${inlineCode('/settings')}.`,
  noSpeed: 'The voice service speaks at its own speed only. Run the command again with `speed` 1, which is then kept for you.',
  queueFull: (most: number) => `${most} texts are waiting already, and that is as many as I take. Try again when some have been said.`,
  tooManyWaiting: (most: number) =>
    `${most} texts of yours are waiting already. Try again when one has been said, or drop them with ${inlineCode('/stop')}.`,
  notYourSpeech: `Only the member whose text it is can do that, or a moderator (${bold('Mute Members')} or ${bold('Manage Messages')} in my voice channel). Ask one of them.`,

  textGone: `The text that belongs to this button is gone. Run ${inlineCode('/say')} again.`,
  /** @param share of the balance, 0 to 1 */
  reallySay: (characters: number, share: number) =>
    `This is ${count(characters, 'character')} of speech, which would take about ${percent(share)} of the credit that is left. Say it all the same?`,
  tooExpensive: (characters: number, share: number) =>
    `This is ${count(characters, 'character')} of speech, which would take about ${percent(share)} of the credit that is left. Say it in parts, or ask whoever runs me to top up the credit.`,
  yesSayIt: 'Say it',
  stop: 'Stop',
  skip: 'Skip',
  replay: 'Replay',
  saveAsFile: 'Save as file',
  sayMore: 'Say more',
  sayMoreIn: (voice: string) => `Say more: ${voice}`,
  textToSay: 'What to say',
  textLeftOut: '-# The text is not shown, as an admin has chosen for this server.',
  recentVoice: 'recent',
  favouriteVoice: 'favourite',
  nothingSaid: 'I am saying nothing in this server at the moment. Say something with `/say`.',
  notInVoiceHere: 'I am in no voice channel of this server. Join one and run `/say` to bring me there.',
  nothingOfYours: `Nothing of yours is being said or waiting. A moderator (${bold('Mute Members')} or ${bold('Manage Messages')} in my voice channel) can stop what others say.`,
  notYourChannel: `Others have texts in the queue, so only a moderator (${bold('Mute Members')} or ${bold('Manage Messages')} in my voice channel) can send me away. Ask one, or end your own texts with ${inlineCode('/stop')}.`,
  skippedOne: (id: string) => `Skipped what ${userMention(id)} had me say.`,
  stoppedSome: (count: number) => (count === 1 ? 'Stopped: one text is dropped.' : `Stopped: ${count} texts are dropped.`),
  left: (id: string) => `I have left ${channelMention(id)}.`,
  queueTitle: (count: number) => (count === 1 ? 'One text in the queue' : `${count} texts in the queue`),
  queuePage: (page: number, pages: number) => `Page ${page} of ${pages}`,
  fileTooLarge: (limit: number) => `The sound file would be larger than the ${megabytes(limit)} that Discord takes here. Shorten the text.`,
  badSound:
    'The voice service sent something that is no sound. Try again, or choose another voice; if it goes on, whoever runs me must look into it.',
  endlessSound:
    'The voice service did not stop making sound for this text, so I ended it. Try again, or choose another voice; if it goes on, whoever runs me must look into it.',
  soundBroke: 'The sound from the voice service broke off. Try again, or choose another voice.',
  speaking: 'Speaking now',
  waitingTurn: (before: number) => (before === 1 ? 'In the queue: one before it' : `In the queue: ${before} before it`),
  brokenOff: (seconds: number) => `Broken off after ${seconds.toFixed(1)} s`,
  brokenOffByRestart: 'I was restarted; this wasn’t spoken to the end',
  notSpoken: 'Not spoken',
  spoken: (seconds: number) => `Spoken: ${seconds.toFixed(1)} s`,
  shortened: 'shortened to the longest text allowed here',
  characters: (count: number) => `${count} characters`,
  fromCache: 'from cache, no credit used',
  /** @param budget why it cannot be spoken anew */
  keptSoundGone: (budget: string) => `The kept sound of this text was deleted while it waited, so it is not free any more. ${budget}`,
  skipped: 'Skipped',
  stopped: 'Stopped',
  stoppedUnheard: (count: number) =>
    `Stopped before any sound; ${count} characters count all the same, for the voice service had been asked for them`,
  countsUnheard: (count: number) =>
    `It counts as used all the same (${count} characters), since the voice service had already been asked for it.`,
  defaultVoice: 'Default voice',
} as const;
