// The public message that shows members how an utterance is doing, and the private question before it, if there is one.
import { type AttachmentPayload, type Message, MessageFlags } from 'discord.js';
import { asEdit, type CardMessage, notice } from '../discord/cards.ts';
import type { ComponentInteraction, InteractionContext } from '../discord/command.ts';
import { isTokenExpired } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import { KEEP_QUESTION_MS, KEEP_REPLY_MS } from '../store/index.ts';
import { confirmMessage, type Output } from './message.ts';
import { keepTextOf, type Plan, type SayInteraction, shareToConfirm } from './plan.ts';
import type { SayContext } from './request.ts';

type ReplyMessage = CardMessage & { files?: AttachmentPayload[] };

export interface SayReply {
  /** Null before it has been sent. */
  readonly messageId: string | null;
  /** Sends the first response. Discord waits 3 s for it. */
  begin(): Promise<unknown>;
  show(message: ReplyMessage): Promise<unknown>;
  delete(): Promise<unknown>;
}

/** How a request is replied to. */
export interface ReplyOptions {
  /** Default: the reply to the interaction. */
  reply?: SayReply;
  /** The member has agreed to the cost. */
  isConfirmed?: boolean;
  /** The voice was named in /say, which makes it the member's own. */
  keepsVoice?: boolean;
  /** Called once the request is accepted, just before the reply begins. */
  onStart?: () => void;
}

type ReplyContext = Pick<InteractionContext, 'noteReply' | 'words'>;

/** The reply to the interaction. */
export function createReply(
  interaction: SayInteraction,
  { noteReply }: Pick<ReplyContext, 'noteReply'>,
  { isPrivate = false } = {},
): SayReply {
  let shown: Message | null = null;
  let messageId: string | null = null;
  return {
    get messageId() {
      return messageId;
    },
    async begin() {
      const flags = isPrivate ? { flags: MessageFlags.Ephemeral as const } : {};
      const { interaction: callback } = await interaction.deferReply({ ...flags, withResponse: true });
      messageId = callback.responseMessageId;
      noteReply('say', messageId, isPrivate);
    },
    async show(message) {
      shown = await interaction.editReply(asEdit(message)).catch(editAsMessage(shown, message));
    },
    delete: () => interaction.deleteReply(),
  };
}

/**
 * Begins the reply, and keeps what its menu needs. If that fails, it rejects once the reply has begun: an error that comes before could not be
 * told in it, nor in a reply of its own. @throws DiscordAPIError, StoreError
 */
export async function beginReply(reply: SayReply, interaction: SayInteraction, context: SayContext, plan: Plan): Promise<void> {
  const keeping = plan.showText ? keepTextOf(plan, interaction, context, KEEP_REPLY_MS) : null;
  const [begun, kept] = await Promise.allSettled([reply.begin(), keeping]);
  for (const result of [begun, kept]) if (result.status === 'rejected') throw result.reason;
}

/** A new message after the private question that was just answered. Public, unless the bot is a guest. */
export function createReplyAfterQuestion(interaction: ComponentInteraction, context: ReplyContext): SayReply {
  // A follow-up to a deleted message would say that the original was deleted.
  const begin = () => interaction.update(asEdit(started(context)));
  return createFollowUp(interaction, context, isGuest(interaction), begin);
}

/** For requests that may well be refused: begins in private, and replies in public once the utterance is playing or queued. */
export function createCautiousReply(interaction: SayInteraction, context: ReplyContext): SayReply {
  const followUp = createFollowUp(interaction, context, false, () => interaction.deferReply({ flags: MessageFlags.Ephemeral }));
  return {
    get messageId() {
      return followUp.messageId;
    },
    begin: followUp.begin,
    async show(message) {
      // Otherwise the next message would replace this reply, and be as private.
      if (!interaction.replied) await interaction.editReply(asEdit(started(context)));
      await followUp.show(message);
    },
    delete: followUp.delete,
  };
}

const started = ({ words }: ReplyContext) => notice(words.general.started, 'done');

function createFollowUp(
  interaction: SayInteraction,
  { noteReply }: Pick<ReplyContext, 'noteReply'>,
  isPrivate: boolean,
  begin: () => Promise<unknown>,
): SayReply {
  let shown: Message | null = null;
  return {
    get messageId() {
      return shown?.id ?? null;
    },
    begin,
    async show(message) {
      if (shown) await interaction.editReply({ ...asEdit(message), message: shown }).catch(editAsMessage(shown, message));
      else {
        shown = await interaction.followUp(isPrivate ? { ...message, flags: [message.flags, MessageFlags.Ephemeral] } : message);
        noteReply('say', shown.id, isPrivate);
      }
    },
    delete: async () => shown && interaction.deleteReply(shown),
  };
}

/** A reply that another process has begun. @param messageId null if that process hadn't sent the message yet */
export function createResumedReply(
  interaction: SayInteraction,
  context: Pick<ReplyContext, 'noteReply'>,
  messageId: string | null,
): SayReply {
  if (messageId === null) return createFollowUp(interaction, context, false, async () => {});
  return {
    messageId,
    begin: () => context.noteReply('say', messageId, false).noted,
    async show(message) {
      await interaction.editReply({ ...asEdit(message), message: messageId }).catch(async (error: unknown) => {
        const sent = isTokenExpired(error) ? await interaction.channel?.messages.fetch(messageId) : null;
        if (!sent) throw error;
        await sent.edit(asEdit(message));
      });
    },
    delete: () => interaction.deleteReply(messageId),
  };
}

/**
 * After 15 minutes in the queue the token has expired, but if the bot sees the channel, it can edit the reply like any message of its own.
 */
function editAsMessage(shown: Message | null, message: ReplyMessage): (error: unknown) => Promise<Message> {
  return async (error) => {
    if (!shown || !isTokenExpired(error)) throw error;
    return shown.edit(asEdit(message));
  };
}

// The question before speaking a text that costs much, or that the member expected to be free.

export interface Question {
  output: Output;
  /** Id of the voice channel. */
  channelId?: string | null;
  /** Whether to ask even if it costs little, but something; default false. */
  always?: boolean;
}

/** Asks the member in private, if there is a reason to. @returns whether they were asked, so their press continues @throws StoreError */
export async function askFirst(
  interaction: SayInteraction,
  context: SayContext,
  plan: Plan,
  { output, channelId = null, always = false }: Question,
): Promise<boolean> {
  const share = shareToConfirm(plan, context);
  if (share === null && !(always && plan.characters > 0)) return false;
  await keepTextOf(plan, interaction, context, KEEP_QUESTION_MS);
  const question = confirmMessage(context.words, plan, share, output, channelId);
  await interaction.reply({ ...question, flags: [question.flags, MessageFlags.Ephemeral] });
  return true;
}
