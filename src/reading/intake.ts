// From a message to what is going to be read: whether it is read at all, its words, its author's name, voice and speed.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Message, PermissionFlagsBits, type VoiceBasedChannel } from 'discord.js';
import type { ReplaceWords } from '../dictionary/index.ts';
import { publicWordsFor, type Words } from '../locales/index.ts';
import { channelNameFor, listenersIn } from '../say/voice-channel.ts';
import type { Voice } from '../say/voices.ts';
import { LONGEST_TEXT } from '../settings/index.ts';
import type { ReadingContext } from './context.ts';
import { type MessageText, readMessage } from './message-text.ts';
import { speakableName } from './speakable-name.ts';
import { isRead } from './read-rules.ts';

/** Milliseconds that a forwarded message may be looked up: it is to be heard soon. */
const FETCH_MS = 1_000;

/** A message that is going to be read. */
export interface ReadableMessage {
  messageId: string;
  textChannelId: string;
  memberId: string;
  /** Name of its author, speakable. */
  name: string;
  text: MessageText;
  voices: [Voice, ...Voice[]];
  /** The author's own speed. */
  speed: number;
  volume: number;
  /** Applies the dictionaries of the server and of its author. */
  replaceWords: ReplaceWords;
  /** The words of the server's language. */
  words: Words;
  /** Settings of the server, as they were when it was written. */
  saysNames: boolean;
  marksUnheard: boolean;
  maxDelay: number;
}

/** A message that was looked up. */
export interface Lookup {
  readable: ReadableMessage;
  /** Whether its author may be heard now as well: looking up takes a while. */
  isStillRead(): boolean;
}

/** Null if it is not read, by the server's rules or its author's wish, or if nothing in it can be spoken. @throws StoreError */
export async function lookUp(message: Message<true>, channel: VoiceBasedChannel, context: ReadingContext): Promise<Lookup | null> {
  const { settings, isServerMuted } = context;
  const [guild, member] = await Promise.all([settings.guild(message.guildId), settings.member(message.author.id)]);
  const isStillRead = () => isRead(message, channel, { guild, member, isServerMuted });
  const readable = isStillRead() ? await toReadableMessage(message, channel, context, guild.reading) : null;
  return readable && { readable, isStillRead };
}

/** Whoever's message it is. @param channel in which it is heard @param rules of the server @throws StoreError */
export async function toReadableMessage(
  message: Message<true>,
  channel: VoiceBasedChannel,
  context: ReadingContext,
  rules: { ignorePrefix: string; names: boolean; reactions: boolean; maxDelay: number },
): Promise<ReadableMessage | null> {
  const { guild, author } = message;
  const [{ language, lengthCap, volume, muted }, member] = await Promise.all([
    context.settings.guild(guild.id),
    context.settings.member(author.id),
  ]);
  const words = publicWordsFor(language, guild.preferredLocale, guild.preferredLocale);
  const listeners = listenersIn(guild, channel.id);
  const text = readMessage(message, {
    words,
    ignorePrefix: rules.ignorePrefix,
    maxLength: lengthCap ?? LONGEST_TEXT,
    channelName: (id) => channelNameFor(guild, id, listeners),
    readsForwarded: message.messageSnapshots.size > 0 && (await mayReadForwarded(message, muted, context)),
  });
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

/**
 * Whoever doesn't want to be read isn't read through a forward either. Discord only tells where the original is, so one that can't be
 * looked up isn't read: its author may be anybody. @throws StoreError
 */
async function mayReadForwarded(message: Message<true>, muted: readonly string[], { settings }: ReadingContext): Promise<boolean> {
  const { client, reference, author } = message;
  const channel = client.channels.cache.get(reference?.channelId ?? '');
  if (!channel || channel.isDMBased()) return false;
  const mine = channel.permissionsFor(client.user);
  if (!mine?.has(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory)) return false;
  const fetching = message.fetchReference().catch(() => null);
  const original = await Promise.race([fetching, sleep(FETCH_MS, null, { ref: false })]);
  if (!original || muted.includes(original.author.id)) return false;
  return original.author.id === author.id || (await settings.member(original.author.id)).readAloud;
}
