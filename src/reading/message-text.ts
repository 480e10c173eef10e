// What is heard of a message that is read aloud.
import { type Message, type MessageSnapshot, MessageType } from 'discord.js';
import { languages, type Words } from '../locales/index.ts';
import { makeSpeakable, type SpeakableWords, truncateSpeech } from '../speech/index.ts';
import { emojiName } from './emoji-names.ts';
import { detectLanguage } from './message-language.ts';
import { describeExtras, joinSpoken } from './message-things.ts';
import { plainName, speakableName } from './speakable-name.ts';


export interface MessageText {
  /** Speakable, without the author. */
  text: string;
  /** BCP 47, without a region; null if it isn't sure. */
  language: string | null;
  /** Whose message it answers, speakable; null if it is no reply, or one to the author's own message. */
  replyTo: string | null;
  /** Whether the author said something: "Robin says: hello", but "Robin sends a picture", and "a link", too. */
  hasWords: boolean;
}

interface ReadingOptions {
  /** The words of the server's language. What Parley adds is in the language of the message, if Parley has it. */
  words: Words;
  /** Messages that begin with it are not read; empty: all are. */
  ignorePrefix: string;
  /** Characters. A longer text ends with "and so on". */
  maxLength: number;
  /** The name of a channel, if the listeners may know it. */
  channelName: (channelId: string) => string | undefined;
  /** Whether what is forwarded is read, too. */
  readsForwarded: boolean;
}

/** What members write. Everything else is Discord's own notice, or answers a command, which says itself what it has to say. */
const WRITTEN: ReadonlySet<MessageType> = new Set([MessageType.Default, MessageType.Reply]);

/** Code, custom emoji and links: sent rather than said. */
const SENT = /```[\s\S]*?(?:```|$)|`[^`\n]*`|<a?:\w+:\d+>|https?:\/\/\S+/g;

/** What is read of a message; null if nothing in it can be spoken, or if it is not meant to be. Never throws. */
export function readMessage(message: Message<true>, options: ReadingOptions): MessageText | null {
  const { words: serverWords, ignorePrefix, maxLength, channelName, readsForwarded } = options;
  if (!WRITTEN.has(message.type)) return null;
  if (ignorePrefix !== '' && message.content.trimStart().startsWith(ignorePrefix)) return null;
  const snapshot = message.messageSnapshots.first();
  const language = detectLanguage((readsForwarded && snapshot?.content) || message.content, serverWords.locale);
  const words = wordsIn(language) ?? serverWords;
  const sayText = textSayer(message, words, language, channelName);

  const own = sayText(message.content);
  const things = describeExtras(message, words, sayText);
  const forwarded = snapshot && readsForwarded ? sayWhole(snapshot, words, sayText) : null;
  if (forwarded !== null) things.push(words.heard.forwarded(forwarded));
  else if (snapshot && !readsForwarded) things.push(words.heard.forwardedUnread);
  const text = joinThings(own, things, words);
  if (text === null) return null;
  return {
    text: truncateSpeech(text, maxLength, words.say.andSoOn),
    language,
    replyTo: replyTarget(message, words),
    hasWords: own !== null && /[\p{L}\p{N}]/u.test(message.content.replace(SENT, '')),
  };
}

/**
 * Says who wrote a text.
 * @param name speakable; null if the listeners know who speaks, so that only whom a reply is to is said
 * @param words of the server
 */
export function introduce(name: string | null, { text, language, replyTo, hasWords }: MessageText, words: Words): string {
  const { heard } = wordsIn(language) ?? words;
  if (name === null) return replyTo === null ? text : heard.to(replyTo, text);
  if (replyTo !== null) return heard.saysTo(name, replyTo, text);
  return hasWords ? heard.says(name, text) : heard.sends(name, text);
}

/** What Parley adds is said in the language of the message, because the same voice says both. */
function wordsIn(language: string | null): Words | undefined {
  return languages.find(({ locale }) => locale.split('-')[0] === language)?.load();
}

function sayWhole(message: MessageSnapshot, words: Words, sayText: (text: string) => string | null): string | null {
  return joinThings(sayText(message.content ?? ''), describeExtras(message, words, sayText), words);
}

function joinThings(text: string | null, things: readonly string[], { heard }: Words): string | null {
  if (things.length === 0) return text;
  const what = heard.and(things);
  return text === null ? what : joinSpoken(text, heard.with(what));
}

function textSayer(
  { guild, client }: Message<true>,
  words: Words,
  language: string | null,
  channelName: (channelId: string) => string | undefined,
): (text: string) => string | null {
  const { inPlace, code, linkTo, messageLink, gif, repeated } = words.heard;
  const emojiLocale = language ?? words.locale;
  const spoken: SpeakableWords = {
    ...inPlace,
    locale: words.locale,
    code,
    sites: { linkTo, messageLink, gif },
    emoji: { name: (emoji) => emojiName(emoji, emojiLocale) ?? emojiName(emoji, words.locale), repeated },
  };
  const named = (name: string | undefined) => (name === undefined ? undefined : (plainName(name) ?? undefined));
  const names = {
    user: (id: string) => named(guild.members.cache.get(id)?.displayName ?? client.users.cache.get(id)?.displayName),
    role: (id: string) => named(guild.roles.cache.get(id)?.name),
    channel: (id: string) => named(channelName(id)),
  };
  return (text) => makeSpeakable(text, spoken, names);
}

function replyTarget({ type, mentions: { repliedUser }, guild, author }: Message<true>, words: Words): string | null {
  if (type !== MessageType.Reply || !repliedUser || repliedUser.id === author.id) return null;
  return speakableName(guild.members.cache.get(repliedUser.id)?.displayName ?? repliedUser.displayName, words);
}
