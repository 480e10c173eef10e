// What is posted about voice messages: what a channel is told once, the reply with the words, and the reply that says why there are none.
import type { AttachmentBuilder } from 'discord.js';
import { button, type CardMessage, card, cards, customId, row, text } from '../../discord/cards.ts';
import type { Words } from '../../locales/index.ts';
import type { GuildSettings } from '../../store/settings.ts';

/** Tells a channel that its voice messages are answered, with the button to take part or to stay out. */
export function channelNotice(t: Words, { who, files }: Pick<GuildSettings['transcripts'], 'who' | 'files'>): CardMessage {
  const { notice, onButton, offButton } = t.voiceMessages;
  return cards(
    card(
      'neutral',
      text(notice[who](files)),
      text(`-# ${notice.kept}`),
      row(who === 'asked' ? button(onButton, customId('voice-messages', 'on')) : button(offButton, customId('voice-messages', 'off'))),
    ),
  );
}

/** To send a message as a reply that pings nobody. Discord refuses it if the other message is gone. */
export function asReplyTo(message: CardMessage & { files?: AttachmentBuilder[] }, messageId: string) {
  return { ...message, reply: { messageReference: messageId }, allowedMentions: { parse: [], repliedUser: false } };
}
