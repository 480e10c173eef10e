// What /say and the buttons of its replies say.
import { inlineCode } from 'discord.js';
import { code, count, megabytes, percent } from './format.ts';

export const say = {
  noText: 'There is no text to speak. Write some words in `text`.',
  nothingSpeakable: 'There is nothing in this text that can be spoken. Write at least one word or number.',
  /** Spoken, at the end of a text that was cut. */
  andSoOn: 'and so on',
  unknownVoice: (voice: string) =>
    `The voice service has no voice ${code(voice)} (any more). Choose one from the list that opens while you type in ${inlineCode('voice')}, or find one with ${inlineCode('/voices')}.`,
  voiceReplaced: (gone: string, used: string) =>
    `The voice service has no voice ${code(gone)} any more, so I used ${code(used)}. Choose another one with ${inlineCode('/voices')}, or ask an admin to choose one for the server with ${inlineCode('/settings')}.`,
  speedUnsupported: 'The voice service speaks at its own speed only. Run the command again with `speed` 1, which is then kept for you.',
  textGone: `The text that belongs to this button is gone. Run ${inlineCode('/say')} again.`,
  /** @param share of the balance, 0 to 1 */
  confirm: (characters: number, share: number) =>
    `This is ${count(characters, 'character')} of speech, which would take about ${percent(share)} of the credit that is left. Say it all the same?`,
  tooExpensive: (characters: number, share: number) =>
    `This is ${count(characters, 'character')} of speech, which would take about ${percent(share)} of the credit that is left. Say it in parts, or ask whoever runs me to top up the credit.`,
  confirmButton: 'Say it',
  stopButton: 'Stop',
  skipButton: 'Skip',
  replayButton: 'Replay',
  saveButton: 'Save as file',
  sayMoreButton: 'Say more',
  sayMoreTitle: (voice: string) => `Say more: ${voice}`,
  sayMoreLabel: 'What to say',
  textHidden: '-# The text is not shown, as an admin has chosen for this server.',
  recentVoice: 'recent',
  favouriteVoice: 'favourite',
  fileTooLarge: (limit: number) => `The sound file would be larger than the ${megabytes(limit)} that Discord takes here. Shorten the text.`,
  speaking: 'Speaking now',
  queued: (before: number) => (before === 1 ? 'In the queue: one before it' : `In the queue: ${before} before it`),
  interrupted: (seconds: number) => `Broken off after ${seconds.toFixed(1)} s`,
  interruptedByRestart: 'I was restarted; this wasn’t spoken to the end',
  notSpoken: 'Not spoken',
  spoken: (seconds: number) => `Spoken: ${seconds.toFixed(1)} s`,
  shortened: 'shortened to the longest text allowed here',
  characters: (count: number) => `${count} characters`,
  fromCache: 'from cache, no credit used',
  /** @param budget why it cannot be spoken again */
  cachedSoundGone: (budget: string) => `The kept sound of this text was deleted while it waited, so it is not free any more. ${budget}`,
  skipped: 'Skipped',
  stopped: 'Stopped',
  stoppedUnheard: (count: number) =>
    `Stopped before any sound; ${count} characters count all the same, for the voice service had been asked for them`,
  chargedUnheard: (count: number) =>
    `It counts as used all the same (${count} characters), since the voice service had already been asked for it.`,
  defaultVoice: 'Default voice',
};
