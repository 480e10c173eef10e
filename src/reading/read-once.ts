// "Read this aloud": one message, as /say would speak it, in its author's voice.
import { ChannelType, type GuildMember, type Message, type VoiceBasedChannel } from 'discord.js';
import { UserError } from '../discord/errors.ts';
import { createPayment } from '../discord/payment.ts';
import { playPaid } from '../discord/playback.ts';
import { estimateSeconds } from '../synthesis/index.ts';
import type { ReadingContext } from './context.ts';
import { toReadableMessage } from './intake.ts';
import { introduce } from './message-text.ts';
import type { MessageSettings, Reading, ReadOnce } from './types.ts';

interface ReadsOnce {
  read: Reading['readOnce'];
  /** Ends messages that are gone, playing or waiting. */
  end(isGone: (message: Message<true>) => boolean): void;
}

export function createReadsOnce(context: ReadingContext): ReadsOnce {
  const { sessions, speech, credit } = context;
  const current = new Set<{ message: Message<true>; gone: AbortController }>();
  let lastNumber = 0;

  async function read(
    message: Message<true>,
    member: GuildMember,
    channel: VoiceBasedChannel,
    settings: MessageSettings,
    gone: AbortSignal,
  ): Promise<ReadOnce> {
    const { stay, reading } = settings.guild;
    // A member who asks for it wants to hear it, whatever it begins with.
    const guild = { ...settings.guild, reading: { ...reading, ignorePrefix: '' } };
    const readable = await toReadableMessage(message, channel, context, { ...settings, guild });
    if (!readable) throw new UserError((t) => t('reading.nothingToRead'));
    const { name, text: words, voices, volume, speed } = readable;
    const text = readable.replaceWords(introduce(reading.names ? name : null, words, readable.t), words.language);
    const payment = createPayment(credit, { kind: 'speech', amount: text.length, guildId: channel.guildId, memberId: member.id });
    const [voice, ...fallbacks] = voices;
    const messageId = context.canRead() && isVisible(message) ? message.id : null;
    const utterance = speech.utterance(
      { text, referenceId: voice?.id ?? null, speed, volume, scope: { guildId: channel.guildId }, messageId },
      { fallbackIds: fallbacks.map((fallback) => fallback?.id ?? null), memberId: message.author.id },
    );
    const playback = await playPaid(sessions, {
      // The same message may be read more than once.
      id: `${message.id}-${++lastNumber}`,
      memberId: member.id,
      label: { voice: voice?.title ?? null, text: null, seconds: estimateSeconds(text, speed) },
      channel,
      stay,
      utterance,
      paid: { payment, charged: utterance.charged, billed: utterance.billed },
      signal: gone,
    });
    const used = async () => ({ characters: await utterance.charged(), fromCache: utterance.isFromCache });
    return { playback, used };
  }

  return {
    async read(message, member, channel, settings) {
      const entry = { message, gone: new AbortController() };
      current.add(entry);
      const forget = () => void current.delete(entry);
      try {
        const reading = await read(message, member, channel, settings, entry.gone.signal);
        void reading.playback.finished.then(forget);
        return reading;
      } catch (error) {
        forget();
        throw error;
      }
    },
    end(isGone) {
      for (const { message, gone } of current) if (isGone(message)) gone.abort(new UserError((t) => t('reading.messageGone')));
    },
  };
}

/** Would Discord tell the bot about the message's deletion, provided that it tells it about messages at all? */
function isVisible({ channel }: Message<true>): boolean {
  // A channel that the bot can't see may be missing from the cache.
  return channel?.viewable === true && (channel.type !== ChannelType.PrivateThread || channel.joined);
}
