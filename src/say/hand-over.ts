// A /say that is left to another process of the bot: what that process is given to speak it and to continue its reply.
import type { VoiceBasedChannel } from 'discord.js';
import { z } from 'zod';
import type { Payment } from '../discord/payment.ts';
import { chosenVoice } from '../store/settings.ts';
import { MOODS, type SpeechUtterance } from '../synthesis/index.ts';
import { type Outcome, VoiceError } from '../voice-session/types.ts';
import type { SayContext, SayInteraction } from './context.ts';
import type { Plan } from './plan.ts';
import type { SayReply } from './reply.ts';

const voice = chosenVoice.nullable();

/** The voice channel, if it was named, and a note for the reply. */
const where = z.object({ channelId: z.string().nullable(), note: z.string().nullable() });
export type Where = z.infer<typeof where>;

/** Everything another process needs to speak an utterance and continue its reply, as JSON. That process may be of another version. */
export const handedOver = z.object({
  plan: z.object({
    request: z.object({
      text: z.string(),
      voice: z.string().nullable(),
      speed: z.number().nullable(),
      mood: z.enum(MOODS).nullable().exactOptional(),
      language: z.string().exactOptional(),
      anyway: z.boolean().exactOptional(),
    }),
    shown: z.string(),
    textKey: z.string().nullable(),
    spoken: z.string(),
    characters: z.number(),
    scope: z.union([z.object({ guildId: z.string() }), z.object({ userId: z.string() }), z.literal('shared')]),
    isCut: z.boolean(),
    // Earlier versions hand over no language.
    language: z.string().nullable().default(null),
    speed: z.number(),
    volume: z.number(),
    showText: z.boolean(),
    stay: z.boolean(),
    voices: z.tuple([voice], voice),
    wanted: voice,
    hidden: z.array(z.string()).exactOptional(),
  }) satisfies z.ZodType<Omit<Plan, 'pin'>>,
  voiceChannelId: z.string(),
  where,
  keepsVoice: z.boolean(),
  /** Id of the reply; null if it has not been sent. */
  messageId: z.string().nullable(),
  /** Characters reserved from the budgets. */
  reserved: z.number(),
});
type HandedOver = z.infer<typeof handedOver>;

/** An utterance in the queue, and its reply. */
interface Queued {
  plan: Plan;
  channel: VoiceBasedChannel;
  reply: SayReply;
  where: Where;
  keepsVoice: boolean;
  utterance: SpeechUtterance;
  payment: Payment;
}

export type Failed = Extract<Outcome, { ended: 'failed' }>;

/** Leaves the utterance and its reply to another process. @returns null if one continues with them, else why none does */
export async function handOver(interaction: SayInteraction, context: SayContext, queued: Queued): Promise<Failed | null> {
  const { plan, channel, utterance, payment, reply, where, keepsVoice } = queued;
  const { pin: _, ...planWithoutPin } = plan;
  const { messageId } = reply;
  const handed: HandedOver = {
    plan: planWithoutPin,
    voiceChannelId: channel.id,
    where,
    keepsVoice,
    messageId,
    reserved: payment.pass(),
  };
  let cause: unknown = new VoiceError('closing', 'no other process has taken it over');
  let isTaken = false;
  try {
    isTaken = (await context.handOver?.(interaction, 'say', handed, context.signal)) ?? false;
  } catch (error) {
    cause = error;
  }
  const characters = await utterance.charged();
  if (!isTaken) {
    await payment.settle(characters, await utterance.billed());
    return { ended: 'failed', seconds: 0, cause };
  }
  if (characters > 0) context.log.info({ characters }, 'a text that was being synthesised here is synthesised again by another process');
  return null;
}
