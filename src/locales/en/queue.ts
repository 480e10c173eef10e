// What /queue, /skip, /stop and /leave say.
import { bold, channelMention, inlineCode, userMention } from 'discord.js';

export const queue = {
  full: (most: number) => `${most} texts are waiting already, and that is as many as I take. Try again when some have been said.`,
  tooManyWaiting: (most: number) =>
    `${most} texts of yours are waiting already. Try again when one has been said, or drop them with ${inlineCode('/stop')}.`,
  notYours: `Only the member whose text it is can do that, or a moderator (${bold('Mute Members')} or ${bold('Manage Messages')} in my voice channel). Ask one of them.`,
  empty: 'I am saying nothing in this server at the moment. Say something with `/say`.',
  nothingToStop: `Nothing of yours is being said or waiting. A moderator (${bold('Mute Members')} or ${bold('Manage Messages')} in my voice channel) can stop what others say.`,
  othersWaiting: `Others have texts in the queue, so only a moderator (${bold('Mute Members')} or ${bold('Manage Messages')} in my voice channel) can send me away. Ask one, or end your own texts with ${inlineCode('/stop')}.`,
  skipped: (id: string) => `Skipped what ${userMention(id)} had me say.`,
  stopped: (count: number) => (count === 1 ? 'Stopped: one text is dropped.' : `Stopped: ${count} texts are dropped.`),
  left: (id: string) => `I have left ${channelMention(id)}.`,
  title: (count: number) => (count === 1 ? 'One text in the queue' : `${count} texts in the queue`),
  pageOf: (page: number, pages: number) => `Page ${page} of ${pages}`,
};
