// /say: from what a member typed to speech in their voice channel, with a public reply that follows it.
import { type ChatInputCommandInteraction, GuildMember, type VoiceBasedChannel } from 'discord.js';
import { ApiError } from '../api/index.ts';
import { createInTurn } from '../async/waiting.ts';
import { PACKET_MS } from '../audio/index.ts';
import type { CardMessage } from '../discord/cards.ts';
import type { Resuming } from '../discord/command.ts';
import { UserError } from '../discord/errors.ts';
import type { Payment } from '../discord/payment.ts';
import { playPaid } from '../discord/playback.ts';
import { findVoiceChannel, isEmptyChannel } from '../discord/voice-channels.ts';
import type { Translator } from '../locales/index.ts';
import { readAs } from '../store/index.ts';
import { estimateSeconds, type SpeechUtterance } from '../synthesis/index.ts';
import { voiceName } from '../voice-catalogue/voice-name.ts';
import type { Playback } from '../voice-session/types.ts';
import type { SayContext, SayInteraction, SayRequest } from './context.ts';
import { type Failed, handedOver, handOver, type Where } from './hand-over.ts';
import { leftOutOf } from './left-out.ts';
import { type Live, outcomeStatus, type Status, sayMessage, speakerOf } from './message.ts';
import { createPaidSpeech } from './paid-speech.ts';
import { makePlan, type Plan } from './plan.ts';
import { askFirst } from './question.ts';
import { explainRefusal } from './refusals.ts';
import { offerEditing } from './refused-text.ts';
import { beginReply, createReply, isRefusedAtOnce, type ReplyOptions, type SayReply } from './reply.ts';
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
  const destination = { output: 's', channelId: options.channelId } as const;
  const plan = await makePlan(interaction, context, request, channel.id, destination);
  if (!options.isConfirmed && (await askFirst(interaction, context, plan, { output: 's', channelId: channel.id }))) {
    plan.pin?.release();
    return;
  }
  const where = {
    channelId: options.channelId ?? null,
    note: whyUnheard(interaction, channel, context.publicT),
  };
  const reply = options.reply ?? createReply(interaction, context, { kind: 'response', isPrivate: false });
  const { keepsVoice = false, onStart } = options;
  await playAndFollow(interaction, context, { plan, channel, reply, where, keepsVoice, onStart });
}

/** Why the member won't hear it, if there is an obvious reason. */
function whyUnheard({ member }: SayInteraction, channel: VoiceBasedChannel, t: Translator): string | null {
  if (isEmptyChannel(channel)) return t('say.nobodyThere', { channel: channel.id });
  const { serverDeaf = false, selfDeaf = false } = member instanceof GuildMember ? member.voice : {};
  if (serverDeaf) return t('status.serverDeaf');
  return selfDeaf ? t('status.selfDeaf') : null;
}

interface ToPlay {
  plan: Plan;
  channel: VoiceBasedChannel;
  reply: SayReply;
  where: Where;
  keepsVoice: boolean;
  onStart?: (() => void) | undefined;
  /**
   * Characters that another process has reserved, if one accepted the request: it has begun the reply and stored the text for the reply's
   * buttons.
   */
  reserved?: number;
}

/** Queues the utterance, and keeps the reply up to date until it has ended. @throws UserError, BudgetError, VoiceError, StoreError */
async function playAndFollow(interaction: SayInteraction, context: SayContext, toPlay: ToPlay): Promise<void> {
  const { plan, channel, reply, reserved } = toPlay;
  const { utterance, payment } = createPaidSpeech(interaction, context, plan, { reserved });

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
    wasHandedOver: reserved !== undefined,
  });
  toPlay.onStart?.();
  try {
    if (reserved === undefined) {
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

function labelOf({ voices, pin, showText, shown, spoken, speed }: Plan, t: Translator) {
  return {
    voice: voices[0] && voiceName(voices[0], t),
    text: showText ? shown : null,
    seconds: pin?.packets ? (pin.packets.length * PACKET_MS) / 1000 : estimateSeconds(spoken, speed),
  };
}

interface Followed extends ToPlay {
  utterance: SpeechUtterance;
  playback: Playback;
  payment: Payment;
}

/** Keeps the reply up to date until the playback has ended, and reports why if it failed. */
async function followPlayback(interaction: SayInteraction, context: SayContext, followed: Followed): Promise<void> {
  const { plan, utterance, playback, keepsVoice } = followed;
  const t = context.publicT;
  const updates = createUpdates(interaction, context, followed);
  await showPlace(context, followed, updates);
  if ((await playback.started) !== null) {
    await updates.show({ accent: 'speaking', sentence: t('say.speaking') }, { id: playback.id, isPlaying: true });
    await rememberVoice(interaction, context, { wanted: plan.wanted, used: voiceOf(followed), isKept: keepsVoice });
  }
  const finished = await playback.finished;
  const outcome = finished.ended === 'handed-over' ? await handOver(interaction, context, followed) : finished;
  if (outcome === null) return;
  const characters = await utterance.charged();
  const status = outcomeStatus(t, outcome, { fromCache: utterance.isFromCache, characters });
  if (outcome.ended === 'failed') return reportFailure(interaction, context, followed, updates, { ...outcome, status, characters });
  await updates.show(status, null);
  // Otherwise the reply would say "thinking" forever.
  updates.checkShown();
}

/** The voice that speaks, or is about to. */
const voiceOf = ({ plan, utterance }: Pick<Followed, 'plan' | 'utterance'>) => findVoice(plan.voices, utterance.referenceId);

interface Updates {
  message(status: Status): CardMessage;
  /** Never rejects. A failed update (reply deleted by a moderator, older than 15 minutes) must not stop what is queued. */
  show(status: Status, live: Live | null): Promise<void>;
  /** Resolves when no update is under way. */
  ended(): Promise<void>;
  /** @throws what the last update failed with, unless one has worked */
  checkShown(): void;
}

/** Updates of the reply, one after the other. */
function createUpdates(interaction: SayInteraction, context: SayContext, followed: Followed): Updates {
  const { plan, utterance, reply, where } = followed;
  const speaker = speakerOf(interaction);
  const leftOut = leftOutOf(plan, context);
  const inTurn = createInTurn();
  let isShown = false;
  let failure: unknown = null;

  function messageOf(status: Status, live: Live | null): CardMessage {
    const standIn = standInTitle(utterance.standIn, context);
    return sayMessage(context.publicT, { speaker, plan, voice: voiceOf(followed), status, ...where, standIn, leftOut }, live);
  }

  return {
    message: (status) => messageOf(status, null),
    show: (status, live) =>
      inTurn(async () => {
        try {
          await reply.show(messageOf(status, live));
          isShown = true;
        } catch (error) {
          failure = error;
        }
      }),
    ended: () => inTurn(() => {}),
    checkShown() {
      if (!isShown) throw failure;
    },
  };
}

/** Shows how many utterances play before this one, until it has started. */
async function showPlace(context: SayContext, { channel, playback }: Followed, updates: Updates): Promise<void> {
  const show = (before: number) =>
    updates.show({ accent: 'waiting', sentence: context.publicT('say.queued', { before }) }, { id: playback.id, isPlaying: false });
  let isWaiting = true;
  void playback.started.then(() => {
    isWaiting = false;
  });
  const ahead = await countAhead(context, channel.guildId, playback);
  if (ahead > 0 && isWaiting) await show(ahead);
  // The place in the queue isn't updated at every step in between: that would be one request per step for each waiting utterance.
  if (ahead > 1 && playback.position > 1) void playback.next.then((isNext) => (isNext && isWaiting ? show(1) : undefined));
}

/** How many utterances play before this one, including those of another process. */
async function countAhead({ speakingIn }: SayContext, guildId: string, { id, position }: Playback): Promise<number> {
  const items = (await speakingIn(guildId))?.items ?? [];
  const place = items.findIndex((item) => item.id === id);
  return place === -1 ? position : place;
}

/** Tells the member why the utterance failed: in place of the reply, or beside it if part of the utterance was heard. */
async function reportFailure(
  interaction: SayInteraction,
  context: SayContext,
  followed: Followed,
  updates: Updates,
  { cause: error, seconds, status, characters }: Failed & { status: Status; characters: number },
): Promise<void> {
  const { plan, reply, where } = followed;
  const wasHeard = seconds > 0;
  const cause = explainRefusal(error, voiceOf(followed), context);
  // An update that is under way would change the message that is being deleted.
  await updates.ended();
  // A reply that can no longer be deleted gets the error itself.
  if (wasHeard) await updates.show(status, null);
  else await reply.delete().catch(() => {});
  // The sentence for an ApiError already says what was charged.
  const isCharged = !wasHeard && characters > 0 && !(cause instanceof ApiError);
  if (!wasHeard) await offerEditing(cause, interaction, context, plan.request, { output: 's', channelId: where.channelId });
  await context.reportError(interaction, cause, {
    addition: isCharged ? (t) => t('say.chargedUnheard', { count: characters }) : undefined,
    inPublic: ({ components }) => {
      const shown = updates.message(status);
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
  await playAndFollow(interaction, context, { plan, channel, reply, where, keepsVoice, reserved, onStart });
}
