// What is heard of a message that is read aloud, and in which language.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Attachment, type Message, MessageFlags, type MessageSnapshot, MessageType } from 'discord.js';
import { inPlace } from '../locales/in-place.ts';
import { languages, type Translator, translatorFor } from '../locales/index.ts';
import { makeSpeakable, plainLetters, type SpeakableWords, truncateSpeech } from '../synthesis/index.ts';
import { detectLanguage } from '../text/language.ts';

export interface MessageText {
  /** Speakable, without the author. */
  text: string;
  /** BCP 47, without a region; null if it isn't certain. */
  language: string | null;
  /** The author of the message it answers, speakable; null if it is no reply, or one to the author's own message. */
  replyTo: string | null;
  /** Whether the author said something: "Robin says: hello", but "Robin sends a picture", and "a link", too. */
  hasWords: boolean;
}

interface ReadingOptions {
  /** In the server's language. What Parley adds is in the language of the message, if Parley has it. */
  t: Translator;
  /** Messages that begin with it are not read; empty: all are. */
  ignorePrefix: string;
  /** Characters. A longer text ends with "and so on". */
  maxLength: number;
  /** The name of a channel, if the listeners may know it. */
  channelName: (channelId: string) => string | undefined;
  /** Whether forwarded messages are read. */
  readsForwarded: boolean;
}

/** Messages that members write. All others are Discord's notices or answers to commands. */
const WRITTEN: ReadonlySet<MessageType> = new Set([MessageType.Default, MessageType.Reply]);

/** Code, custom emoji and links are sent rather than said. */
const SENT = /```[\s\S]*?(?:```|$)|`[^`\n]*`|<a?:\w+:\d+>|https?:\/\/\S+/g;

/** What is read of a message; null if nothing in it can be spoken, or should be. Never rejects. */
export async function readMessage(message: Message<true>, options: ReadingOptions): Promise<MessageText | null> {
  const { t: serverT, ignorePrefix, maxLength, channelName, readsForwarded } = options;
  if (!WRITTEN.has(message.type)) return null;
  if (ignorePrefix !== '' && message.content.trimStart().startsWith(ignorePrefix)) return null;
  const snapshot = message.messageSnapshots.first();
  const language = await detectLanguage((readsForwarded && snapshot?.content) || message.content, serverT.locale);
  const t = translatorIn(language) ?? serverT;
  const sayText = textSayer(message, t, language, channelName);

  const own = sayText(message.content);
  const extras = describeExtras(message, t, sayText);
  const forwarded = snapshot && readsForwarded ? sayWhole(snapshot, t, sayText) : null;
  if (forwarded !== null) extras.push(t('heard.forwarded', { text: forwarded }));
  else if (snapshot && !readsForwarded) extras.push(t('heard.forwardedUnread'));
  const text = joinExtras(own, extras, t);
  if (text === null) return null;
  return {
    text: truncateSpeech(text, maxLength, t('say.andSoOn')),
    language,
    replyTo: replyTarget(message, t),
    hasWords: own !== null && /[\p{L}\p{N}]/u.test(message.content.replace(SENT, '')),
  };
}

/**
 * Says who wrote a text.
 * @param name speakable; null if the listeners know who is speaking: then only the recipient of a reply is named
 * @param t in the server's language
 */
export function introduce(name: string | null, { text, language, replyTo, hasWords }: MessageText, t: Translator): string {
  const spoken = translatorIn(language) ?? t;
  if (name === null) return replyTo === null ? text : spoken('heard.to', { to: replyTo, text });
  if (replyTo !== null) return spoken('heard.saysTo', { name, to: replyTo, text });
  return hasWords ? spoken('heard.says', { name, text }) : spoken('heard.sends', { name, what: text });
}

/** What Parley adds is said in the language of the message, because the same voice says both. */
function translatorIn(language: string | null): Translator | undefined {
  const translated = languages.find(({ locale }) => locale.split('-')[0] === language);
  return translated && translatorFor(translated.locale);
}

function sayWhole(message: MessageSnapshot, t: Translator, sayText: (text: string) => string | null): string | null {
  return joinExtras(sayText(message.content ?? ''), describeExtras(message, t, sayText), t);
}

function joinExtras(text: string | null, extras: readonly string[], t: Translator): string | null {
  if (extras.length === 0) return text;
  const extrasText = t.format.and(extras);
  return text === null ? extrasText : joinSpoken(text, t('heard.with', { what: extrasText }));
}

function textSayer(
  { guild, client }: Message<true>,
  t: Translator,
  language: string | null,
  channelName: (channelId: string) => string | undefined,
): (text: string) => string | null {
  const emojiLocale = language ?? t.locale;
  const spoken: SpeakableWords = {
    ...inPlace(t),
    code: t('heard.code'),
    sites: { linkTo: (site) => t('heard.linkTo', { site }), messageLink: t('heard.messageLink'), gif: t('heard.gif') },
    emoji: {
      name: (emoji) => emojiName(emoji, emojiLocale) ?? emojiName(emoji, t.locale),
      repeated: (emoji, count) => (count === 2 ? t('heard.twice', { emoji }) : t('heard.repeated', { emoji, count })),
    },
  };
  const spokenName = (name: string | undefined) => (name === undefined ? undefined : (plainName(name) ?? undefined));
  const names = {
    user: (id: string) => spokenName(guild.members.cache.get(id)?.displayName ?? client.users.cache.get(id)?.displayName),
    role: (id: string) => spokenName(guild.roles.cache.get(id)?.name),
    channel: (id: string) => spokenName(channelName(id)),
  };
  return (text) => makeSpeakable(text, spoken, names);
}

function replyTarget({ type, mentions: { repliedUser }, guild, author }: Message<true>, t: Translator): string | null {
  if (type !== MessageType.Reply || !repliedUser || repliedUser.id === author.id) return null;
  return speakableName(guild.members.cache.get(repliedUser.id)?.displayName ?? repliedUser.displayName, t);
}

// Says what comes with a message: attachments, stickers, a poll.

/** Answers of a poll that are read; Discord allows 10. */
const MAX_ANSWERS = 10;
/** Discord allows 3. */
const MAX_STICKERS = 3;

/** Kinds of attachments. Those of one kind are counted, not told apart. */
const KINDS = ['pictures', 'gifs', 'videos', 'sounds', 'files'] as const;
type Kind = (typeof KINDS)[number];

/** "a picture", "2 files", "the sticker Wave". @param sayText makes what somebody wrote speakable */
function describeExtras(message: Message | MessageSnapshot, t: Translator, sayText: (text: string) => string | null): string[] {
  return [
    ...describeAttachments(message, t),
    ...[...message.stickers.values()]
      .slice(0, MAX_STICKERS)
      .flatMap(({ name }) => sayText(name) ?? [])
      .map((name) => t('heard.sticker', { name })),
    ...describePoll(message, t, sayText),
  ];
}

function describeAttachments({ attachments, flags }: Message | MessageSnapshot, t: Translator): string[] {
  const first = attachments.first();
  if (first && flags.has(MessageFlags.IsVoiceMessage))
    return [first.duration === null ? t('heard.voiceMessage') : t('heard.voiceMessageOf', { seconds: first.duration })];
  const kinds = attachments.map(kindOf);
  return KINDS.flatMap((kind) => {
    const { length } = kinds.filter((other) => other === kind);
    return length === 0 ? [] : t(`heard.${kind}`, { count: length });
  });
}

function kindOf({ contentType, height, name }: Attachment): Kind {
  const [type, subtype] = (contentType ?? '').split(/[/;]/);
  if (subtype === 'gif' || /\.gif$/i.test(name)) return 'gifs';
  if (type === 'video') return 'videos';
  if (type === 'audio') return 'sounds';
  // Discord only measures what it can show.
  return type === 'image' || (contentType === null && height !== null) ? 'pictures' : 'files';
}

function describePoll({ poll }: Message | MessageSnapshot, t: Translator, sayText: (text: string) => string | null): string[] {
  const question = sayText(poll?.question.text ?? '');
  if (!poll || question === null) return [];
  const answers = [...poll.answers.values()].slice(0, MAX_ANSWERS).flatMap(({ text }) => sayText(text ?? '') ?? []);
  return [t('heard.poll', { question: joinSpoken(question, t.format.or(answers)) })];
}

/** Joins spoken parts with a short pause: a comma, unless the first part ends with punctuation. Either may be empty. */
function joinSpoken(first: string, second: string): string {
  if (first === '' || second === '') return first + second;
  return /[\p{L}\p{M}\p{N}]$/u.test(first) ? `${first}, ${second}` : `${first} ${second}`;
}

// Makes the names of members, channels and stickers speakable.

/** Characters. Display names have 32, channels and roles 100. */
const MAX_READ = 100;
/** Reading a longer number would take longer than the message. */
const MAX_DIGITS = 4;

/** A display name that a voice can say: 𝓡𝓸𝓫𝓲𝓷 is Robin, and 🦊 a fox; "someone" if nothing in it can be spoken. */
export function speakableName(name: string, t: Translator): string {
  return plainName(name) ?? emojiIn(name, t.locale) ?? t('heard.inPlace.someone');
}

/** The letters and digits of a name as words; null if there are none. */
export function plainName(name: string): string | null {
  const plain = plainLetters(name.slice(0, MAX_READ))
    .replace(/[^\p{L}\p{M}\p{N}\s'’.&+-]+/gu, ' ')
    .replace(/(\p{L})\1{3,}/gu, '$1$1')
    .replace(new RegExp(`(\\p{N}{${MAX_DIGITS}})\\p{N}+`, 'gu'), '$1')
    .replace(/(?<![\p{L}\p{N}])[\p{M}'’.&+-]+|['’.&+-]+(?![\p{L}\p{N}])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(plain) ? plain : null;
}

function emojiIn(name: string, locale: string): string | undefined {
  for (const [emoji] of name.slice(0, MAX_READ).matchAll(/\p{RI}{2}|\p{Extended_Pictographic}/gu)) {
    const spoken = emojiName(emoji, locale);
    if (spoken !== undefined) return spoken;
  }
  return undefined;
}

// What Unicode emoji are called in each language: the short names of Unicode's CLDR, in 25 languages. test/tools/emoji-names.ts makes the files.

/** Variants of the same picture: text or emoji style, and skin tones. */
const VARIANTS = /[\ufe0e\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;

/** Picture to name, by language; null if there is no file for it. Loaded at first use: a language takes 1 ms and 0.3 MB. */
const loaded = new Map<string, ReadonlyMap<string, string> | null>();

/**
 * The name without the skin tone; undefined if it is no emoji or newer than the files, or the language has no file. @param locale BCP 47
 */
export function emojiName(emoji: string, locale: string): string | undefined {
  const names = namesIn(locale.split('-')[0] ?? locale);
  const plain = withoutVariants(emoji);
  // A joined emoji without a name of its own gets that of its first part.
  return names?.get(plain) ?? names?.get(plain.split('\u200d')[0] ?? '');
}

/** The emoji without its variants: names are listed for that. */
export function withoutVariants(emoji: string): string {
  return emoji.replace(VARIANTS, '');
}

function namesIn(language: string): ReadonlyMap<string, string> | null {
  const loadedNames = loaded.get(language);
  if (loadedNames !== undefined) return loadedNames;
  const names = load(language);
  loaded.set(language, names);
  return names;
}

function load(language: string): ReadonlyMap<string, string> | null {
  try {
    const names: Record<string, string> = JSON.parse(readFileSync(join(import.meta.dirname, 'emoji-names', `${language}.json`), 'utf8'));
    return new Map(Object.entries(names));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      process.emitWarning(`Emoji have no names in "${language}" until the next start, because they could not be read: ${error}`);
    }
    return null;
  }
}
