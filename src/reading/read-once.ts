// "Read this aloud": one message, as /say would speak it, in its author's voice.
import type { GuildMember, Message, VoiceBasedChannel } from 'discord.js';
import { checkQueueLimits } from '../bot/queue-limits.ts';
import { UserError } from '../bot/user-error.ts';
import { estimateSeconds } from '../speech/index.ts';
import type { ReadingContext } from './context.ts';
import { toReadable } from './intake.ts';
import { introduce } from './message-text.ts';
import type { ReadOnce } from './types.ts';

let lastNumber = 0;

/** @throws UserError if nothing in it can be spoken; BudgetError, VoiceError, StoreError */
export async function readOnce(
  message: Message<true>,
  member: GuildMember,
  channel: VoiceBasedChannel,
  context: ReadingContext,
): Promise<ReadOnce> {
  const { sessions, speech, credit, settings } = context;
  const { stay, reading } = await settings.guild(channel.guildId);
  // Whoever asks for it wants to hear it, whatever it begins with.
  const readable = await toReadable(message, context, { ...reading, ignorePrefix: '' });
  if (!readable) throw new UserError((t) => t.reading.nothingToRead);
  const { name, text: words, voices, volume, speed } = readable;
  const text = readable.replaceWords(introduce(reading.names ? name : null, words, readable.words), words.language);
  const reservation = await credit.reserve({ kind: 'speech', amount: text.length, guildId: channel.guildId, memberId: member.id });
  const [voice, ...fallbacks] = voices;
  const utterance = speech.utterance(
    { text, referenceId: voice?.id ?? null, speed, volume, scope: { guildId: channel.guildId }, messageId: message.id },
    { fallbackIds: fallbacks.map((fallback) => fallback?.id ?? null), memberId: message.author.id },
  );
  try {
    checkQueueLimits(sessions.get(channel.guildId), member.id);
    const session = sessions.join(channel);
    session.setStay(stay);
    const label = { voice: voice?.title ?? null, text: null, seconds: estimateSeconds(text, speed) };
    // The same message may be read more than once.
    const playback = session.enqueue(utterance, { id: `${message.id}-${++lastNumber}`, memberId: member.id, label });
    void playback.finished.then(async () => reservation.settle(await utterance.charged()));
    const used = async () => ({ characters: await utterance.charged(), fromCache: utterance.facts.fromCache === true });
    return { playback, used };
  } catch (error) {
    utterance.cancel();
    await reservation.settle(0);
    throw error;
  }
}
