// Says what comes with a message: attachments, stickers, a poll.
import { type Attachment, type Message, MessageFlags, type MessageSnapshot } from 'discord.js';
import type { Words } from '../locales/index.ts';

/** Answers of a poll that are read; Discord allows 10. */
const MAX_ANSWERS = 10;
/** Discord allows 3. */
const MAX_STICKERS = 3;

/** Attachments that aren't told apart when they are spoken, each with what they are called. */
const KINDS = ['pictures', 'gifs', 'videos', 'sounds', 'files'] as const;
type Kind = (typeof KINDS)[number];

/** "a picture", "2 files", "the sticker Wave". @param sayText makes what somebody wrote speakable */
export function describeExtras(message: Message | MessageSnapshot, words: Words, sayText: (text: string) => string | null): string[] {
  const { heard } = words;
  return [
    ...describeAttachments(message, words),
    ...[...message.stickers.values()]
      .slice(0, MAX_STICKERS)
      .flatMap(({ name }) => sayText(name) ?? [])
      .map(heard.sticker),
    ...describePoll(message, words, sayText),
  ];
}

function describeAttachments({ attachments, flags }: Message | MessageSnapshot, { heard }: Words): string[] {
  const first = attachments.first();
  if (first && flags.has(MessageFlags.IsVoiceMessage)) return [heard.voiceMessage(first.duration)];
  const kinds = attachments.map(kindOf);
  return KINDS.flatMap((kind) => {
    const { length } = kinds.filter((one) => one === kind);
    return length === 0 ? [] : heard[kind](length);
  });
}

function kindOf({ contentType, height, name }: Attachment): Kind {
  const [type, subtype] = (contentType ?? '').split(/[/;]/);
  if (subtype === 'gif' || /\.gif$/i.test(name)) return 'gifs';
  if (type === 'video') return 'videos';
  if (type === 'audio') return 'sounds';
  // Discord measures what it can show.
  return type === 'image' || (contentType === null && height !== null) ? 'pictures' : 'files';
}

function describePoll({ poll }: Message | MessageSnapshot, { heard }: Words, sayText: (text: string) => string | null): string[] {
  const question = sayText(poll?.question.text ?? '');
  if (!poll || question === null) return [];
  const answers = [...poll.answers.values()].slice(0, MAX_ANSWERS).flatMap(({ text }) => sayText(text ?? '') ?? []);
  return [heard.poll(joinSpoken(question, heard.or(answers)))];
}

/** Puts spoken parts after each other with a short pause: a comma, unless the first part ends with a sign. Either may be empty. */
export function joinSpoken(first: string, second: string): string {
  if (first === '' || second === '') return first + second;
  return /[\p{L}\p{M}\p{N}]$/u.test(first) ? `${first}, ${second}` : `${first} ${second}`;
}
