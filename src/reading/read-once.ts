// "Read this aloud": one message, as /say would speak it, in its author's voice.
import { ChannelType, type GuildMember, type Message, type VoiceBasedChannel } from 'discord.js';
import { checkAccepted, checkQueueLimits } from '../bot/queue-limits.ts';
import { UserError } from '../bot/user-error.ts';
import { estimateSeconds } from '../speech/index.ts';
import type { ReadingContext } from './context.ts';
import { toReadableMessage } from './intake.ts';
import { introduce } from './message-text.ts';
import type { Reading, ReadOnce } from './types.ts';

export interface ReadsOnce {
  read: Reading['readOnce'];
  /** Ends what is read, or is about to be, of messages that are gone. */
  end(isGone: (message: Message<true>) => boolean): void;
}

export function createReadsOnce(context: ReadingContext): ReadsOnce {
  const { sessions, speech, credit, settings } = context;
  const current = new Set<{ message: Message<true>; gone: AbortController }>();
  let lastNumber = 0;

  async function read(message: Message<true>, member: GuildMember, channel: VoiceBasedChannel, gone: AbortSignal): Promise<ReadOnce> {
    const { stay, reading } = await settings.guild(channel.guildId);
    // Whoever asks for it wants to hear it, whatever it begins with.
    const readable = await toReadableMessage(message, channel, context, { ...reading, ignorePrefix: '' });
    if (!readable) throw new UserError((t) => t.reading.nothingToRead);
    const { name, text: words, voices, volume, speed } = readable;
    const text = readable.replaceWords(introduce(reading.names ? name : null, words, readable.words), words.language);
    const reservation = await credit.reserve({ kind: 'speech', amount: text.length, guildId: channel.guildId, memberId: member.id });
    const [voice, ...fallbacks] = voices;
    const messageId = context.canRead() && isVisible(message) ? message.id : null;
    const utterance = speech.utterance(
      { text, referenceId: voice?.id ?? null, speed, volume, scope: { guildId: channel.guildId }, messageId },
      { fallbackIds: fallbacks.map((fallback) => fallback?.id ?? null), memberId: message.author.id },
    );
    try {
      if (gone.aborted) throw new UserError((t) => t.reading.messageGone);
      checkQueueLimits(sessions.get(channel.guildId), member.id);
      const session = sessions.join(channel);
      session.setStay(stay);
      const label = { voice: voice?.title ?? null, text: null, seconds: estimateSeconds(text, speed) };
      // The same message may be read more than once.
      const playback = session.enqueue(utterance, { id: `${message.id}-${++lastNumber}`, memberId: member.id, label });
      gone.addEventListener('abort', () => session.remove(playback.id));
      void playback.finished.then(async () => reservation.settle(await utterance.charged()));
      await checkAccepted(playback);
      const used = async () => ({ characters: await utterance.charged(), fromCache: utterance.facts.fromCache === true });
      return { playback, used };
    } catch (error) {
      utterance.cancel();
      await reservation.settle(0);
      throw error;
    }
  }

  return {
    async read(message, member, channel) {
      const one = { message, gone: new AbortController() };
      current.add(one);
      const forget = () => void current.delete(one);
      try {
        const reading = await read(message, member, channel, one.gone.signal);
        void reading.playback.finished.then(forget);
        return reading;
      } catch (error) {
        forget();
        throw error;
      }
    },
    end(isGone) {
      for (const { message, gone } of current) if (isGone(message)) gone.abort();
    },
  };
}

/** Whether Discord tells the bot when the message is deleted, if it tells it of messages at all. */
function isVisible({ channel }: Message<true>): boolean {
  // A channel that the bot may not see may not be cached.
  return channel?.viewable === true && (channel.type !== ChannelType.PrivateThread || channel.joined);
}
