// What /queue, /skip, /stop and /leave say.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';
import { format } from './format.ts';

export const queue = {
  /** @param most that I take */
  full: (most: number) =>
    format.plural(most, {
      one: 'The queue is full: it holds # text. Try again soon.',
      other: 'The queue is full: it holds # texts. Try again soon.',
    }),
  /** @param most that each member may have */
  tooManyWaiting: (most: number) =>
    format.plural(most, {
      one: `You already have # text in the queue. Wait for it to finish, or drop it with ${inlineCode('/stop')}.`,
      other: `You already have # texts in the queue. Wait for one to finish, or drop them with ${inlineCode('/stop')}.`,
    }),
  /** @param ownerId of the member whose text it is */
  onlyOwnerCanSkip: (ownerId: string) => `Only ${userMention(ownerId)} or a moderator can skip this.`,
  onlyOwnerCanStop: (ownerId: string) => `Only ${userMention(ownerId)} or a moderator can stop this.`,
  onlyOwnerCanUse: (ownerId: string) => `Only ${userMention(ownerId)} or a moderator can do this.`,
  /** Whose text it is isn't known. */
  onlyModerators: 'Only a moderator can do this.',
  empty: 'Nothing is playing.',
  nothingToStop: 'None of your texts are playing or waiting.',
  othersWaiting: `Others still have texts in the queue, so only a moderator can make me leave. Moderators have ${bold('Mute Members')} or ${bold('Manage Messages')} in my voice channel.`,
  /** @param ownerId of the member whose text was playing */
  skipped: (ownerId: string) => `Skipped ${userMention(ownerId)}’s text.`,
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
