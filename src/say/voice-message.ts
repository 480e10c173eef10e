// /say as a voice message: Ogg/Opus with its waveform. It follows the reply, because a reply can't be turned into a voice message.
import { DiscordAPIError, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { UserError } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import type { Sentence } from '../locales/index.ts';
import { packetsToMessage, SpeechTooLargeError, type SpokenMessage } from '../synthesis/index.ts';
import type { SayContext, SayInteraction, SayRequest } from './context.ts';
import { fileName, sendFile } from './file.ts';
import { leftOutOf } from './left-out.ts';
import { sayMessage, speakerOf } from './message.ts';
import { createPaidSpeech } from './paid-speech.ts';
import { MIN_FILE_VOLUME, makePlan, type Plan } from './plan.ts';
import { askFirst } from './question.ts';
import { explainRefusal, sayIfCharged } from './refusals.ts';
import { offerEditing } from './refused-text.ts';
import { beginReply, createReply, isRefusedAtOnce, type ReplyOptions } from './reply.ts';
import { findVoice, rememberVoice, standInTitle } from './voice-choice.ts';

/** Minutes: Discord's own apps record no more. */
const MAX_MINUTES = 20;

export interface VoiceMessageOptions extends ReplyOptions {
  /** The member asked for a voice channel, and there is none. */
  isInstead?: boolean;
  /** Whether to ask the member before anything is spent. */
  asksFirst?: boolean;
}

/**
 * Replies with a card, followed by the voice message; or with a file and the reason, if a voice message isn't possible.
 * @throws UserError, BudgetError, ApiError, AudioError, StoreError
 */
export async function sendVoiceMessage(
  interaction: SayInteraction,
  context: SayContext,
  request: SayRequest,
  options: VoiceMessageOptions = {},
): Promise<void> {
  if (!maySendVoiceMessages(interaction)) {
    const question = { output: 'm' as const, always: options.asksFirst ?? false };
    await sendFile(interaction, context, request, { ...options, question, note: (t) => t('say.voiceMessageForbidden') });
    return;
  }
  const planned = await makePlan(interaction, context, request, null, { output: 'm' });
  const plan: Plan = { ...planned, volume: planned.volume < MIN_FILE_VOLUME ? 1 : planned.volume };
  if (!options.isConfirmed && (await askFirst(interaction, context, plan, { output: 'm', always: options.asksFirst ?? false }))) {
    plan.pin?.release();
    return;
  }
  const { utterance, payment } = createPaidSpeech(interaction, context, plan, { isDownload: true });
  const isPrivate = isGuest(interaction);
  const reply = options.reply ?? createReply(interaction, context, { kind: 'response', isPrivate });
  const t = isPrivate ? context.t : context.publicT;
  const usedVoice = () => findVoice(plan.voices, utterance.referenceId);
  try {
    await payment.reserve();
    options.onStart?.();
    utterance.prepare();
    if (!(await isRefusedAtOnce(reply, utterance.ready))) await beginReply(reply, interaction, context, plan);
    const message = await toMessage(await Array.fromAsync(utterance.open(context.signal)), interaction, plan);
    const sentence = utterance.isFromCache ? t('say.fromCache') : t('say.characters', { count: await utterance.charged() });
    const view = {
      speaker: speakerOf(interaction),
      plan,
      voice: usedVoice(),
      standIn: standInTitle(utterance.standIn, context),
      leftOut: leftOutOf(plan, context),
      status: { accent: 'done' as const, sentence },
      hasVoiceChannel: interaction.inCachedGuild(),
    };
    const showFile = async (note: Sentence) => {
      const name = fileName(plan.showText ? request.text : '', view.voice?.title ?? '', message.extension);
      const shown = sayMessage(t, { ...view, note: note(t), file: name }, null);
      await reply.show({ ...shown, files: [{ name, attachment: Buffer.from(message.bytes) }] });
    };
    if (message.seconds > MAX_MINUTES * 60) await showFile((t) => t('say.voiceMessageTooLong', { minutes: MAX_MINUTES }));
    else {
      // The card goes first, because a follow-up would take the place of a reply that is still "thinking".
      await reply.show(sayMessage(t, { ...view, note: options.isInstead ? t('say.voiceMessageInstead') : null }, null));
      try {
        await follow(interaction, message, isPrivate);
      } catch (error) {
        if (!(error instanceof DiscordAPIError)) throw error;
        context.log.warn({ code: error.code, status: error.status }, 'Discord refused a voice message');
        await showFile((t) => t('say.voiceMessageRefused'));
      }
    }
    await rememberVoice(interaction, context, { wanted: plan.wanted, used: view.voice, isKept: options.keepsVoice ?? false });
  } catch (error) {
    const cause = explainRefusal(error, usedVoice(), context);
    sayIfCharged(cause, await utterance.charged());
    await offerEditing(cause, interaction, context, request, { output: 'm' });
    throw cause;
  } finally {
    utterance.cancel();
    await payment.settle(await utterance.charged(), await utterance.billed());
  }
}

/** Direct messages have no permissions to check. */
function maySendVoiceMessages({ guildId, appPermissions }: SayInteraction): boolean {
  return guildId === null || appPermissions.has(PermissionFlagsBits.SendVoiceMessages);
}

/** @throws UserError if it is larger than a file may be */
async function toMessage(
  packets: Uint8Array[],
  { attachmentSizeLimit: maxBytes }: SayInteraction,
  { volume }: Plan,
): Promise<SpokenMessage> {
  try {
    return await packetsToMessage(packets, { volume, maxBytes });
  } catch (error) {
    throw error instanceof SpeechTooLargeError ? new UserError((t) => t('say.fileTooLarge', { limit: maxBytes }), { cause: error }) : error;
  }
}

async function follow(
  interaction: SayInteraction,
  { bytes, extension, seconds, waveform }: SpokenMessage,
  isPrivate: boolean,
): Promise<void> {
  await interaction.followUp({
    flags: isPrivate ? [MessageFlags.IsVoiceMessage, MessageFlags.Ephemeral] : [MessageFlags.IsVoiceMessage],
    files: [{ name: `voice-message.${extension}`, attachment: Buffer.from(bytes), duration: seconds, waveform }],
  });
}
