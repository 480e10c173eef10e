// What /voices says.
import { bold, channelMention, inlineCode } from 'discord.js';
import { asMarkdown } from '../../text/untrusted-text.ts';
import { format } from './format.ts';

const { number, plural } = format;

/** The title of a voice, which somebody else has written. */
const titled = (title: string) => bold(asMarkdown(title, 150) || '?');

const hearWithSay = `Hear the voice itself with ${inlineCode('/say')}.`;

export const voices = {
  /** @param code BCP 47 */
  languageName: format.language,

  heading: 'Voices',
  /** @param pages how many there are */
  found: (total: number, page: number, pages: number) => {
    const voices = plural(total, { one: '# voice', other: '# voices' });
    return pages > 1 ? `${voices} · page ${number(page)} of ${number(pages)}` : voices;
  },
  noneFound: 'No voices match. Try fewer filters.',
  /** Shown on a page if all of its voices were left out. */
  nothingOnPage: `None of the voices on this page can speak. Try the next page, or see them all with ${inlineCode('/voices all:True')}.`,
  pageOutOfRange: (page: number, pages: number) =>
    pages === 1
      ? `There’s no page ${number(page)}, only one page.`
      : `There’s no page ${number(page)}. The last one is page ${number(pages)}.`,
  ownVoicesForOperators: `Only the bot’s owner can list the voices of the bot’s account. Leave out ${inlineCode('mine')} to see the public ones.`,
  ownVoicesStayPrivate: 'These voices belong to the bot’s owner and stay private.',
  /** The value of a filter that is on. */
  yes: 'yes',

  /** @param author safe to show */
  by: (author: string) => `by ${author}`,
  /** Alt text. */
  coverOf: (title: string) => `Cover of ${title}`,
  likes: (count: number) => `♥ ${number(count)}`,
  uses: (count: number) => plural(count, { one: 'used once', other: 'used # times' }),
  sings: 'Changes a singer’s voice. It can’t speak text.',
  /** @param state as the service names it */
  notReady: (state: string) =>
    state === 'failed' ? 'Its training failed, so it can’t speak.' : 'Still in training, so it can’t speak yet.',
  /** Before the id of a voice. */
  id: 'ID',
  sample: (place: number) => `Sample ${number(place)}`,
  furtherSamples: (count: number) => plural(count, { one: '… and # more sample', other: '… and # more samples' }),

  /** Menus of the voices on a page. */
  hearOne: 'Hear…',
  useOne: 'Use…',
  open: 'Details…',
  share: 'Share',
  back: '‹ Back',
  hear: 'Hear it',
  hearAnother: 'Hear a sample…',

  /** What a voice can be chosen as: the two labels of the button, and what is said after each press. */
  choices: {
    mine: {
      off: 'Use as my voice',
      on: '✓ My voice',
      chosen: (title: string) => `${titled(title)} is your voice now, for everything you ${inlineCode('/say')} in any server.`,
      givenUp: (title: string) => `${titled(title)} isn’t your voice anymore. Your texts get the channel’s or server’s voice.`,
    },
    favourite: {
      off: 'Favorite',
      on: '★ Favorite',
      chosen: (title: string) =>
        `${titled(title)} is one of your favorites now, at the top of the list when you pick a voice in ${inlineCode('/say')}.`,
      givenUp: (title: string) => `${titled(title)} isn’t one of your favorites anymore.`,
    },
    server: {
      off: 'Use for this server',
      on: '✓ This server’s voice',
      chosen: (title: string) => `${titled(title)} is this server’s voice now, for everyone who hasn’t picked their own.`,
      givenUp: (title: string) =>
        `${titled(title)} isn’t this server’s voice anymore. Members who haven’t picked one get the default voice.`,
    },
  },

  /** It was deleted, or isn’t shared anymore. */
  gone: (title: string) => `${titled(title)} isn’t available anymore. Pick another voice in ${inlineCode('/voices')}.`,
  cannotSpeak: (title: string) => `${titled(title)} can’t speak text. Pick another voice.`,
  serverVoiceForAdmins: 'Only server admins (with **Manage Server**) can choose the server’s voice. You can still use this one yourself.',

  noSample: (title: string) => `There’s no sample of ${titled(title)} anymore. ${hearWithSay}`,
  sampleUnreadable: (title: string) => `I couldn’t load the sample of ${titled(title)}. Try again in a moment.`,
  sampleTooLarge: (title: string) => `The sample of ${titled(title)} is too large to play. ${hearWithSay}`,
  sampleNotAudio: (title: string) => `The sample of ${titled(title)} isn’t audio I can play. ${hearWithSay}`,
  /** @param before how many texts in the queue play first */
  samplePlays: (title: string, channelId: string, before: number) =>
    before === 0
      ? `Playing a sample of ${titled(title)} in ${channelMention(channelId)}.`
      : `A sample of ${titled(title)} will play in ${channelMention(channelId)} after ${plural(before, { one: 'the one that’s playing', other: '# others' })}.`,
  sampleAttached: (title: string) => `Here’s a sample of ${titled(title)}. Join a voice channel and I’ll play it there.`,
};
