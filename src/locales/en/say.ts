// What /say and the buttons of its replies say.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import { code, format } from './format.ts';

const characters = (count: number) => format.plural(count, { one: '# character', other: '# characters' });

export const say = {
  noText: `There’s nothing to say. Write some words in ${inlineCode('text')}.`,
  nothingSpeakable: 'There’s nothing to say out loud in this text. Write at least one word or number.',
  /** Spoken at the end of a text that was cut. */
  andSoOn: 'and so on',
  /** @param voice as it was typed @param closest titles of voices that are spelt alike; may be empty */
  unknownVoice: (voice: string, closest: readonly string[]) =>
    closest.length === 0
      ? `I can’t find a voice called ${code(voice)}. Pick one from the list or browse ${inlineCode('/voices')}.`
      : `I can’t find a voice called ${code(voice)}. Pick one from the list or browse ${inlineCode('/voices')}. The closest ones are ${format.and(closest.map((title) => code(title)))}.`,
  /**
   * The voice was deleted, isn't shared any more, or is unknown to the service.
   * @param gone the voice that was chosen @param used the one that spoke instead
   */
  voiceReplaced: (gone: string, used: string) =>
    `I can’t use the voice ${code(gone)} here, so I used ${code(used)}. Pick another one in ${inlineCode('/voices')}.`,
  /** For its owner, after `voiceReplaced`. */
  voiceIsYours: `It’s yours: ${inlineCode('/voice mine')} shows what’s wrong with it.`,
  /** A button was for a voice that only somebody else may use. */
  voiceNotHere: `I can’t use this voice here. Pick another one in ${inlineCode('/voices')}.`,
  speedUnsupported: `This voice service can’t change the speed. Try again with ${inlineCode('speed')} 1; I’ll remember it.`,
  /** For a voice that takes longer to make than to hear. @param count of characters that would do */
  tooSlow: (count: number) =>
    `That’s too long for this voice on this computer. Shorten it to about ${characters(count)}, or choose a faster voice.`,
  textGone: `I no longer have this text. Type it again with ${inlineCode('/say')}.`,
  /** @param count characters @param share of the balance, 0 to 1 */
  confirm: (count: number, share: number) =>
    `This would use about ${format.percent(share)} of the remaining credit (${characters(count)}). Say it anyway?`,
  /** Used where the member can't be asked. @param count characters @param share of the balance, 0 to 1 */
  tooExpensive: (count: number, share: number) =>
    `This would use about ${format.percent(share)} of the remaining credit (${characters(count)}). Say it in shorter parts.`,
  /** Asks before a voice message is made of a text that was still cached a moment ago. @param count characters */
  confirmMaking: (count: number) => `This is no longer cached, so making it again would use ${characters(count)} of the credit. Make it?`,
  confirmButton: 'Say it',
  makeButton: 'Make it',
  stopButton: 'Stop',
  skipButton: 'Skip',
  /** Takes a text out of the queue. */
  cancelButton: 'Cancel',
  /** Placeholder of the menu below a text that has ended. */
  moreMenu: 'What next?',
  replay: 'Replay',
  saveAsFile: 'Save as file',
  sendAsVoiceMessage: 'Send as voice message',
  sayMore: 'Say more',
  /** Label of the button that shows the full text if the reply cuts it. */
  showText: 'Show the whole text',
  /** Title of a form, at most 45 characters. @param voice its title */
  sayMoreTitle: (voice: string) => `Say more: ${voice}`,
  sayMoreLabel: 'What should I say?',
  /** Stands in for the text if an admin has chosen to hide texts. */
  textHidden: 'This server hides what is said.',
  /** Beside the title of a voice in a list. */
  recentVoice: 'recent',
  favouriteVoice: 'favorite',
  /** @param limit in bytes */
  fileTooLarge: (limit: number) => `The file would be over ${format.megabytes(limit)}, Discord’s limit here. Try a shorter text.`,
  /** Below the text, in a place where there is no voice channel that the bot can join. */
  voiceMessageInstead: 'I can only speak in servers I’ve been added to, so here’s a voice message.',
  /** Below the text, in place of a voice message. */
  voiceMessageForbidden: 'I’m not allowed to send voice messages here (Send Voice Messages), so here’s the sound as a file.',
  /** Below the text, in place of a voice message. */
  voiceMessageRefused: 'Discord didn’t take this as a voice message, so here’s the sound as a file.',
  /** Below the text, in place of a voice message. @param minutes that one may last */
  voiceMessageTooLong: (minutes: number) =>
    `Voice messages can last ${format.plural(minutes, { one: '# minute', other: '# minutes' })} at most, so here’s the sound as a file.`,
  /** Below the text. @param channelId of a voice channel */
  nobodyThere: (channelId: string) => `Nobody is in ${channelMention(channelId)} right now.`,
  /** In the line of facts. @param factor of the speed */
  speed: (factor: number) => `${format.number(factor, 2)}×`,
  /** In the line of facts. @param channelId of the voice channel that was named */
  inChannel: (channelId: string) => channelMention(channelId),
  speaking: 'Speaking now',
  /** @param before how many texts play first, at least 1 */
  queued: (before: number) => (before === 1 ? 'Up next' : format.plural(before, { one: '# text ahead', other: '# texts ahead' })),
  /** @param seconds that were heard */
  interrupted: (seconds: number) => `Cut off after ${format.duration(seconds)}`,
  interruptedByRestart: 'I restarted before this was finished',
  notSpoken: 'Not spoken',
  /** @param seconds of sound */
  spoken: (seconds: number) => `Spoken (${format.duration(seconds)})`,
  shortened: 'shortened to this server’s limit',
  characters,
  fromCache: 'cached, so it was free',
  /** @param budget a sentence that says why it can't be spoken again */
  cachedSoundGone: (budget: string) => `The cached sound was deleted while this text waited, so it’s no longer free. ${budget}`,
  skipped: 'Skipped',
  stopped: 'Stopped',
  cancelled: 'Cancelled',
  /** It was cancelled before anybody heard it, but costs something. @param count characters */
  cancelledCharged: (count: number) => `Cancelled. The voice service had already made it, so ${characters(count)} still count`,
  /** Follows the sentence that says why nothing was heard. @param count characters */
  chargedUnheard: (count: number) => `The voice service had already made it, so ${characters(count)} still count.`,
  defaultVoice: 'Default voice',
};

// What /queue, /skip, /stop and /leave say.

export const queue = {
  /** @param most how many texts the queue takes */
  full: (most: number) =>
    format.plural(most, {
      one: 'The queue is full: it holds # text. Try again soon.',
      other: 'The queue is full: it holds # texts. Try again soon.',
    }),
  /** @param most how many texts each member may have in the queue */
  tooManyWaiting: (most: number) =>
    format.plural(most, {
      one: `You already have # text in the queue. Wait for it to finish, or drop it with ${inlineCode('/stop')}.`,
      other: `You already have # texts in the queue. Wait for one to finish, or drop them with ${inlineCode('/stop')}.`,
    }),
  /** @param ownerId of the member whose text it is */
  onlyOwnerCanSkip: (ownerId: string) => `Only ${userMention(ownerId)} or a moderator can skip this.`,
  onlyOwnerCanStop: (ownerId: string) => `Only ${userMention(ownerId)} or a moderator can stop this.`,
  onlyOwnerCanUse: (ownerId: string) => `Only ${userMention(ownerId)} or a moderator can do this.`,
  /** Used if it isn't known whose text it is. */
  onlyModerators: 'Only a moderator can do this.',
  empty: 'Nothing is playing.',
  nothingToStop: 'None of your texts are playing or waiting.',
  othersWaiting: `Others still have texts in the queue, so only a moderator can make me leave. Moderators have ${bold('Mute Members')} or ${bold('Manage Messages')} in my voice channel.`,
  /** @param ownerId of the member whose text was playing */
  skipped: (ownerId: string) => `Skipped ${userMention(ownerId)}’s text.`,
  /** A member has skipped their own text. */
  skippedOwn: 'Skipped your text.',
  /** @param count texts, at least 1 */
  stopped: (count: number) => format.plural(count, { one: 'Stopped. I dropped # text.', other: 'Stopped. I dropped # texts.' }),
  /** @param channelId of the voice channel */
  left: (channelId: string) => `I’ve left ${channelMention(channelId)}.`,
  nowPlaying: 'Now playing',
  upNext: 'Up next',
  /** State of a text that is about to play. */
  starting: 'Starting…',
  /** @param seconds estimated */
  timeLeft: (seconds: number) => `About ${format.duration(seconds)} left`,
  almostDone: 'Almost done',
  /** @param seconds estimated */
  lasts: (seconds: number) => `about ${format.duration(seconds)}`,
  removeButton: 'Remove',
  /** Someone pressed Remove too late. */
  alreadyGone: 'That text is no longer in the queue.',
  pageOf: (page: number, pages: number) => `Page ${format.number(page)} of ${format.number(pages)}`,
};
