// What is said while a channel is read aloud: in the channel, or out loud.
import { inlineCode } from 'discord.js';
import { format } from './format.ts';

export const readingNotices = {
  /** Spoken. @param count messages, at least 1 */
  skipped: (count: number) => format.plural(count, { one: '# message skipped.', other: '# messages skipped.' }),
  /** Follows the sentence that says what is wrong with the voice service. */
  goesOn: 'I’ll carry on with new messages as soon as it works again.',
  /** @param share of the day's budget, 0 to 1 @param left characters */
  mostUsed: (share: number, left: number) =>
    format.plural(left, {
      one: `This server has used ${format.percent(share)} of its speech budget for today. # character is left for reading aloud and ${inlineCode('/say')}.`,
      other: `This server has used ${format.percent(share)} of its speech budget for today. # characters are left for reading aloud and ${inlineCode('/say')}.`,
    }),
  /** The voice channel was deleted. */
  channelGone: 'The voice channel is gone, so I’ve stopped reading this channel aloud.',
};
