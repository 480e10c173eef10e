// From a message to what is going to be read: whether it is read at all, its words, and its author's name, voice and speed.
import type { GuildMember, Message, VoiceBasedChannel } from 'discord.js';
import { within } from '../async/waiting.ts';
import type { ReplaceWords } from '../dictionary/dictionaries.ts';
import { findRefusal } from '../discord/access.ts';
import { fetchOriginal } from '../discord/forwards.ts';
import { channelNameFor, findMuteReason, type IsServerMuted, listenersIn } from '../discord/voice-channels.ts';
import { type Translator, translatorFor } from '../locales/index.ts';
import { type GuildSettings, LONGEST_TEXT, type MemberSettings } from '../store/settings.ts';
import type { Voice } from '../voice-catalogue/voice-name.ts';
import type { ReadingContext } from './context.ts';
import { type MessageText, readMessage, speakableName } from './message-text.ts';
import type { MessageSettings } from './types.ts';

/** Milliseconds that looking up a forwarded message may take, because it should be heard soon. */
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
  /** In the server's language. */
  t: Translator;
  /** Settings of the server, as they were when it was written. */
  saysNames: boolean;
  marksUnheard: boolean;
  maxDelay: number;
}

/** A message that was looked up. */
export interface Lookup {
  readable: ReadableMessage;
  /** Whether its author may still be heard, because looking up takes a while. */
  isStillRead(): boolean;
}

/** Null if it is not read, by the server's rules or its author's wish, or if nothing in it can be spoken. @throws StoreError */
export async function lookUp(message: Message<true>, channel: VoiceBasedChannel, context: ReadingContext): Promise<Lookup | null> {
  const { settings, isServerMuted } = context;
  const [guild, member] = await Promise.all([settings.guild(message.guildId), settings.member(message.author.id)]);
  const isStillRead = () => isRead(message, channel, { guild, member, isServerMuted });
  const readable = isStillRead() ? await toReadableMessage(message, channel, context, { guild, member }) : null;
  return readable && { readable, isStillRead };
}

/** The same without checking whether its author is read. @param channel in which it is heard @throws StoreError */
export async function toReadableMessage(
  message: Message<true>,
  channel: VoiceBasedChannel,
  context: ReadingContext,
  { guild: { language, lengthCap, volume, muted, reading: rules }, member }: MessageSettings,
): Promise<ReadableMessage | null> {
  const { guild, author } = message;
  const t = translatorFor(language ?? guild.preferredLocale);
  const listeners = listenersIn(guild, channel.id);
  const text = await readMessage(message, {
    t,
    ignorePrefix: rules.ignorePrefix,
    maxLength: lengthCap ?? LONGEST_TEXT,
    channelName: (id) => channelNameFor(guild, id, listeners),
    readsForwarded: message.messageSnapshots.size > 0 && (await mayReadForwarded(message, muted, context)),
  });
  if (text === null) return null;
  const speaker = { guild, memberId: author.id, t };
  const [[voice, ...otherVoices], replaceWords] = await Promise.all([
    context.pool.voicesFor(speaker, member.voice, text.language),
    context.dictionaries.for(guild.id, author.id),
  ]);
  // No voice speaks the language of the message.
  if (voice === undefined) return null;
  return {
    messageId: message.id,
    textChannelId: message.channelId,
    memberId: author.id,
    name: speakableName(message.member?.displayName ?? author.displayName, t),
    text,
    voices: [voice, ...otherVoices],
    speed: member.speed,
    volume,
    replaceWords,
    t,
    saysNames: rules.names,
    marksUnheard: rules.reactions,
    maxDelay: rules.maxDelay,
  };
}

/**
 * Members who don't want to be read aren't read through a forward either. One whose original can't be looked up isn't read: its author may be
 * anybody. @throws StoreError
 */
async function mayReadForwarded(message: Message<true>, muted: readonly string[], { settings }: ReadingContext): Promise<boolean> {
  const original = await within(FETCH_MS, fetchOriginal(message));
  if (!original || muted.includes(original.author.id)) return false;
  return original.author.id === message.author.id || (await settings.member(original.author.id)).readAloud;
}

// Whose messages are read. Members who may not be heard in the voice channel aren't heard through the bot either.

interface Rules {
  guild: GuildSettings;
  member: MemberSettings;
  isServerMuted: IsServerMuted;
}

/** Whether this message may be read in the voice channel. */
function isRead(message: Message<true>, channel: VoiceBasedChannel, { guild, member, isServerMuted }: Rules): boolean {
  const { author } = message;
  // Without this check, our own notices would be read wherever bots are.
  if (author.id === message.client.user.id || message.system) return false;
  if (guild.muted.includes(author.id)) return false;
  if (author.bot) return guild.reading.bots;
  if (!member.readAloud || !message.member) return false;
  return isHeard(message.member, channel, guild, isServerMuted);
}

function isHeard(member: GuildMember, channel: VoiceBasedChannel, guild: GuildSettings, isServerMuted: IsServerMuted): boolean {
  const { roles, who } = guild.reading;
  if (roles.length > 0 && !roles.some((id) => member.roles.cache.has(id))) return false;
  if (who === 'listeners' && member.voice.channelId !== channel.id) return false;
  if (member.isCommunicationDisabled() || findMuteReason(channel, member, isServerMuted(member)) !== null) return false;
  // The choice of channels to read decides where the bot is used, so only the rules about members count.
  const requester = { userId: member.id, roleIds: [...member.roles.cache.keys()], isAdmin: false, channelIds: [] };
  return findRefusal(requester, { ...guild, channels: [], voiceChannels: [] }, 'speech', () => null) === null;
}
