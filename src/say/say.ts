// /say: from what a member typed to speech in their voice channel, with a public reply that follows it.
import { type ChatInputCommandInteraction, GuildMember, type VoiceBasedChannel } from 'discord.js';
import { z } from 'zod';
import { ApiError } from '../api/index.ts';
import { PACKET_MS } from '../audio/index.ts';
import type { Resuming } from '../discord/command.ts';
import { budgetSentence, UserError } from '../discord/errors.ts';
import { createPayment, type Payment } from '../discord/payment.ts';
import { playPaid } from '../discord/playback.ts';
import { findVoiceChannel, isEmptyChannel } from '../discord/voice-channels.ts';
import type { Translator } from '../locales/index.ts';
import { estimateSeconds, MOODS, type SpeechUtterance } from '../speech/index.ts';
import { readAs } from '../store/index.ts';
import { chosenVoice } from '../store/settings.ts';
import { type Playback, VoiceError } from '../voice/types.ts';
import { voiceName } from '../voices/voice-name.ts';
import { BudgetError } from '../wallet/index.ts';
import type { SayContext, SayInteraction, SayRequest } from './context.ts';
import { leftOutOf } from './left-out.ts';
import { makePlan, type Plan, spendingOf, toSpeechRequest } from './plan.ts';
import { explainRefusal } from './refusals.ts';
import { offerEditing, offeringVoice } from './refused-text.ts';
import {
  askFirst,
  beginReply,
  createReply,
  isRefusedAtOnce,
  type Live,
  outcomeStatus,
  type ReplyOptions,
  type SayReply,
  type Status,
  sayMessage,
  speakerOf,
} from './reply.ts';
import { findVoice, rememberVoice, standInTitle } from './voice-choice.ts';

export interface SpeakOptions extends ReplyOptions {
  /** Id of the voice channel that was named. */
  channelId?: string | undefined;
}

/** Speaks in a voice channel; resolves when that is over. @throws UserError, BudgetError, VoiceError, StoreError */
export async function speak(
  interaction: SayInteraction,
  context: SayContext,
  request: SayRequest,
  options: SpeakOptions = {},
): Promise<void> {
  const channel = await findVoiceChannel(interaction, context, options.channelId);
  const destination = { output: 's' as const, channelId: options.channelId };
  const plan = await offeringVoice(destination, interaction, context, request, () => makePlan(interaction, context, request, channel.id));
  if (!options.isConfirmed && (await askFirst(interaction, context, plan, { output: 's', channelId: channel.id }))) {
    plan.pin?.release();
    return;
  }
  const where = {
    channelId: options.channelId ?? null,
    note: whyUnheard(interaction, channel, context.publicT),
  };
  const reply = options.reply ?? createReply(interaction, context, { kind: 'response', isPrivate: false });
  await playAndFollow(interaction, context, { plan, channel, reply, where, keepsVoice: options.keepsVoice ?? false, ...options });
}

/** Why the member won't hear it, if there is an obvious reason. */
function whyUnheard({ member }: SayInteraction, channel: VoiceBasedChannel, t: Translator): string | null {
  if (isEmptyChannel(channel)) return t('say.nobodyThere', { channel: channel.id });
  const { serverDeaf = false, selfDeaf = false } = member instanceof GuildMember ? member.voice : {};
  if (serverDeaf) return t('status.serverDeaf');
  return selfDeaf ? t('status.selfDeaf') : null;
}

const voice = chosenVoice.nullable();

/** The voice channel, if it was named, and a note for the reply. */
const where = z.object({ channelId: z.string().nullable(), note: z.string().nullable() });
type Where = z.infer<typeof where>;

/** Everything another process needs to speak an utterance and continue its reply, as JSON. That process may be of another version. */
const handedOver = z.object({
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

interface ToPlay {
  plan: Plan;
  channel: VoiceBasedChannel;
  reply: SayReply;
  where: Where;
  keepsVoice: boolean;
  onStart?: () => void;
  /** Another process accepted the request: it has begun the reply and stored the text for the reply's buttons. */
  isResumed?: boolean;
  /** Characters that the other process has reserved. */
  reserved?: number;
}

/** Queues the utterance, and keeps the reply up to date until it has ended. @throws UserError, BudgetError, VoiceError, StoreError */
async function playAndFollow(interaction: SayInteraction, context: SayContext, toPlay: ToPlay): Promise<void> {
  const { plan, channel, reply, isResumed = false, reserved } = toPlay;
  const payment = createPayment(context.credit, spendingOf(interaction, plan), plan.spoken.length, reserved);
  const [voice, ...fallbacks] = plan.voices;
  const utterance = context.speech.utterance(toSpeechRequest(plan, voice), {
    signal: context.signal,
    fallbackIds: fallbacks.map((fallback) => fallback?.id ?? null),
    memberId: interaction.user.id,
    pin: plan.pin,
    // Without a pin, everything that the utterance can cost is reserved from the start.
    ...(plan.pin && { permit: () => payment.reserveAll().catch(explainBudget) }),
  });

  // Joining, synthesis (started by the queue as soon as it is useful) and the reply run at the same time.
  const playback = await playPaid(context.sessions, {
    id: interaction.id,
    memberId: interaction.user.id,
    label: labelOf(plan, context.publicT),
    channel,
    stay: plan.stay,
    utterance,
    paid: { payment, charged: utterance.charged, billed: utterance.billed },
    isMovable: true,
    wasHandedOver: isResumed,
  });
  toPlay.onStart?.();
  try {
    if (!isResumed) {
      // An utterance that was refused may still wait for its turn, and fails only then.
      const heard = utterance.ready.catch(async (error: unknown) => {
        if ((await playback.finished).ended === 'failed') throw error;
      });
      if (!(await isRefusedAtOnce(reply, heard))) await beginReply(reply, interaction, context, plan);
    }
  } catch (error) {
    // The member is told that this text failed and may send it again, so it must not be heard as well.
    context.sessions.get(channel.guildId)?.remove(playback.id);
    throw error;
  }
  await followPlayback(interaction, context, { ...toPlay, utterance, playback, payment });
}

/** For the case that the sound was cached when the member asked, but has been deleted since. */
export function explainBudget(error: unknown): never {
  throw error instanceof BudgetError
    ? new UserError((t) => t('say.cachedSoundGone', { budget: budgetSentence(t, error) }), { cause: error })
    : error;
}

function labelOf({ voices, pin, showText, shown, spoken, speed }: Plan, t: Translator) {
  return {
    voice: voices[0] && voiceName(voices[0], t),
    text: showText ? shown : null,
    seconds: pin?.packets ? (pin.packets.length * PACKET_MS) / 1000 : estimateSeconds(spoken, speed),
  };
}

/** How many utterances play before this one, including those of another process. */
async function countAhead({ speakingIn }: SayContext, guildId: string, { id, position }: Playback): Promise<number> {
  const items = (await speakingIn(guildId))?.items ?? [];
  const place = items.findIndex((item) => item.id === id);
  return place === -1 ? position : place;
}

/** @returns why no other process will speak it; null if one will */
async function handOver(interaction: SayInteraction, { handOver: offer, signal }: SayContext, handed: HandedOver): Promise<unknown> {
  try {
    const isTaken = await offer?.(interaction, 'say', handed, signal);
    return isTaken ? null : new VoiceError('closing', 'no other process has taken it over');
  } catch (error) {
    return error;
  }
}

interface Followed extends ToPlay {
  utterance: SpeechUtterance;
  playback: Playback;
  payment: Payment;
}

/** Keeps the reply up to date until the playback has ended, and reports why if it failed. */
async function followPlayback(
  interaction: SayInteraction,
  context: SayContext,
  { plan, channel, utterance, playback, payment, reply, where, keepsVoice }: Followed,
): Promise<void> {
  const t = context.publicT;
  const speaker = speakerOf(interaction);
  const currentVoice = () => findVoice(plan.voices, utterance.referenceId);
  const leftOut = leftOutOf(plan, context);
  const messageOf = (status: Status, live: Live | null) =>
    sayMessage(
      t,
      { speaker, plan, voice: currentVoice(), status, ...where, standIn: standInTitle(utterance.standIn, context), leftOut },
      live,
    );
  let isShown = false;
  let updateError: unknown = null;
  let updated = Promise.resolve();
  /** Updates run one after the other. One that fails (reply deleted by a moderator, older than 15 minutes) must not stop what is queued. */
  const update = (status: Status, live: Live | null): Promise<void> => {
    updated = updated
      .then(() => reply.show(messageOf(status, live)))
      .then(
        () => {
          isShown = true;
        },
        (error: unknown) => {
          updateError = error;
        },
      );
    return updated;
  };

  const showWaiting = (before: number) =>
    update({ accent: 'waiting', sentence: t('say.queued', { before }) }, { id: playback.id, isPlaying: false });
  let isWaiting = true;
  void playback.started.then(() => {
    isWaiting = false;
  });
  const ahead = await countAhead(context, channel.guildId, playback);
  if (ahead > 0 && isWaiting) await showWaiting(ahead);
  // The place in the queue isn't updated at every step in between: that would be one request per step for each waiting utterance.
  if (ahead > 1 && playback.position > 1) void playback.next.then((isNext) => (isNext && isWaiting ? showWaiting(1) : undefined));
  if ((await playback.started) !== null) {
    await update({ accent: 'speaking', sentence: t('say.speaking') }, { id: playback.id, isPlaying: true });
    await rememberVoice(interaction, context, { wanted: plan.wanted, used: currentVoice(), isKept: keepsVoice });
  }

  let outcome = await playback.finished;
  if (outcome.ended === 'handed-over') {
    const { pin: _, ...planWithoutPin } = plan;
    const { messageId } = reply;
    const handed = { plan: planWithoutPin, voiceChannelId: channel.id, where, keepsVoice, messageId, reserved: payment.pass() };
    const refusal = await handOver(interaction, context, handed);
    const characters = await utterance.charged();
    if (refusal === null) {
      if (characters > 0)
        context.log.info({ characters }, 'a text that was being synthesised here is synthesised again by another process');
      return;
    }
    outcome = { ended: 'failed', seconds: 0, cause: refusal };
    await payment.settle(characters, await utterance.billed());
  }
  const characters = await utterance.charged();
  const status = outcomeStatus(t, outcome, { fromCache: utterance.facts.fromCache === true, characters });
  if (outcome.ended !== 'failed') {
    await update(status, null);
    // Otherwise the reply would say "thinking" forever.
    if (!isShown) throw updateError;
    return;
  }
  const wasHeard = outcome.seconds > 0;
  const cause = explainRefusal(outcome.cause, currentVoice(), context);
  // An update that is under way would change the message that is being deleted.
  await updated;
  // A reply that can no longer be deleted gets the error itself.
  if (wasHeard) await update(status, null);
  else await reply.delete().catch(() => {});
  // The sentence for an ApiError already says what was charged.
  const isCharged = !wasHeard && characters > 0 && !(cause instanceof ApiError);
  if (!wasHeard) await offerEditing(cause, interaction, context, plan.request, { output: 's', channelId: where.channelId });
  await context.reportError(interaction, cause, {
    addition: isCharged ? (t) => t('say.chargedUnheard', { count: characters }) : undefined,
    inPublic: ({ components }) => {
      const shown = messageOf(status, null);
      return reply.show({ ...shown, components: [...shown.components, ...components] });
    },
  });
}

/**
 * Speaks a text that was queued in the process that had the server before. Resolves when it has been spoken, or at once if yet another
 * process speaks it.
 * @param utterance as the other process has stored it @param claim whether this process speaks it @param onStart called once it is queued @throws UserError, BudgetError, VoiceError, StoreError
 */
export async function resumeSpeaking(
  interaction: ChatInputCommandInteraction,
  context: SayContext,
  utterance: object,
  { claim, onStart }: Resuming,
): Promise<void> {
  const handed = readAs(handedOver, utterance, context.log, 'text to speak');
  // Not claimed, so the process that handed the text over tells the member.
  if (!handed) return;
  const { voiceChannelId, where, keepsVoice, messageId, reserved } = handed;
  const reply = createReply(interaction, context, { kind: 'resumed', messageId });
  // Begun first, so the reply is corrected however this process ends.
  await reply.begin();
  if (!(await claim())) return;
  const channel = interaction.guild?.channels.cache.get(voiceChannelId);
  if (!channel?.isVoiceBased()) throw new UserError((t) => t('voiceChannels.memberNotInVoice'));
  const { voices, wanted } = handed.plan;
  const plan: Plan = {
    ...handed.plan,
    // The sound may be in the other process's cache, but isn't in this one's.
    pin: null,
    characters: handed.plan.spoken.length,
    wanted: voices.find((voice) => voice?.id === wanted?.id) ?? wanted,
  };
  await playAndFollow(interaction, context, { plan, channel, reply, where, keepsVoice, isResumed: true, reserved, onStart });
}
