// From a message to what is going to be read: whether it is read at all, its words, its author's name, voice and speed.
import type { Message, VoiceBasedChannel } from 'discord.js';
import type { ReplaceWords } from '../dictionary/index.ts';
import { publicWordsFor, type Words } from '../locales/index.ts';
import type { Voice } from '../say/voices.ts';
import { LONGEST_TEXT } from '../settings/index.ts';
import type { ReadingContext } from './context.ts';
import { type MessageText, readMessage, speakableName } from './message-text.ts';
import { isRead } from './read-rules.ts';

/** A message that is going to be read. */
export interface Readable {
  messageId: string;
  textChannelId: string;
  memberId: string;
  /** Of its author, speakable. */
  name: string;
  text: MessageText;
  voices: [Voice, ...Voice[]];
  /** The author's own speed. */
  speed: number;
  volume: number;
  /** Of the server and its author. */
  replaceWords: ReplaceWords;
  /** Of the server. */
  words: Words;
  /** Settings of the server, as they were when it was written. */
  saysNames: boolean;
  marksUnheard: boolean;
  maxDelay: number;
}

/** Null if it is not read, by the server's rules or its author's wish, or if nothing in it can be spoken. @throws StoreError */
export async function readableIn(message: Message<true>, channel: VoiceBasedChannel, context: ReadingContext): Promise<Readable | null> {
  const [guild, member] = await Promise.all([context.settings.guild(message.guildId), context.settings.member(message.author.id)]);
  if (!isRead(message, channel, { guild, member, isServerMuted: context.isServerMuted })) return null;
  return toReadable(message, context, guild.reading);
}

/** Whoever's message it is. @param rules of the server @throws StoreError */
export async function toReadable(
  message: Message<true>,
  context: ReadingContext,
  rules: { ignorePrefix: string; names: boolean; reactions: boolean; maxDelay: number },
): Promise<Readable | null> {
  const { guild, author } = message;
  const [{ language, lengthCap, volume }, member] = await Promise.all([
    context.settings.guild(guild.id),
    context.settings.member(author.id),
  ]);
  const words = publicWordsFor(language, guild.preferredLocale, guild.preferredLocale);
  const text = readMessage(message, { words, ignorePrefix: rules.ignorePrefix, maxLength: lengthCap ?? LONGEST_TEXT });
  if (text === null) return null;
  const speaker = { guild, memberId: author.id, words };
  const [voices, replaceWords] = await Promise.all([
    context.pool.voicesFor(speaker, member.voice, text.language),
    context.dictionaries.for(guild.id, author.id),
  ]);
  return {
    messageId: message.id,
    textChannelId: message.channelId,
    memberId: author.id,
    name: speakableName(message.member?.displayName ?? author.displayName, words),
    text,
    voices,
    speed: member.speed,
    volume,
    replaceWords,
    words,
    saysNames: rules.names,
    marksUnheard: rules.reactions,
    maxDelay: rules.maxDelay,
  };
}
