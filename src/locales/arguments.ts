// What an argument of a sentence is, by its name, which means the same in all sentences. What others wrote is made safe here, so neither
// whoever passes it on nor a translator has to think of it. An argument that isn't listed is shown as it is.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import { asCode, asMarkdown } from '../text/untrusted-text.ts';
import type { Format } from './format.ts';

const MAX_TITLE = 150;

/** Ids, and what somebody else wrote. */
export const texts: Readonly<Record<string, (text: string) => string>> = {
  channel: channelMention,
  textChannel: channelMention,
  voiceChannel: channelMention,
  myChannel: channelMention,
  theirChannel: channelMention,
  member: userMention,
  author: userMention,
  maker: userMention,
  owner: userMention,
  speaker: userMention,
  starter: userMention,
  file: asCode,
  typed: asCode,
  word: asCode,
  prefix: asCode,
  goneVoice: asCode,
  usedVoice: asCode,
  request: asCode,
  reference: asCode,
  command: inlineCode,
  host: inlineCode,
  title: (title) => asMarkdown(title, MAX_TITLE) || '?',
};

/** Lists of those. */
export const lists: Readonly<Record<string, (items: readonly string[], format: Format) => string>> = {
  channels: (ids, { or }) => or(ids.map(channelMention)),
  textChannels: (ids, { and }) => and(ids.map(channelMention)),
  roles: (ids, { or }) => or(ids.map(roleMention)),
  members: (ids) => ids.map(userMention).join(' '),
  permissions: (names, { and }) => and(names.map((name) => bold(name))),
  closest: (titles, { and }) => and(titles.map((title) => asCode(title))),
  amounts: (amounts, { or }) => or(amounts),
  who: (mentions, { and }) => and(mentions),
};
