// The reply of /say: where it begins, and where what it shows goes.
import { type AttachmentPayload, type Message, MessageFlags } from 'discord.js';
import { within } from '../async/waiting.ts';
import { asEdit, asPrivate, type CardMessage, notice } from '../discord/cards.ts';
import type { ComponentInteraction, InteractionContext } from '../discord/command.ts';
import { isTokenExpired } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import { KEEP_REPLY_MS } from '../store/index.ts';
import type { SayContext, SayInteraction } from './context.ts';
import { keepTextOf, type Plan } from './plan.ts';

type ReplyMessage = CardMessage & { files?: AttachmentPayload[] };

export interface SayReply {
  /** Null before it has been sent. */
  readonly messageId: string | null;
  /** Whether everybody sees it from the start. */
  readonly isPublic: boolean;
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

type ReplyContext = Pick<InteractionContext, 'noteReply' | 't'>;

/** Where a reply begins, and where what it shows goes. */
export type ReplyPolicy =
  /** The response to the interaction is the reply. */
  | { kind: 'response'; isPrivate: boolean }
  /** For requests that may well be refused: begins in private, and replies in public once the utterance is playing or queued. */
  | { kind: 'cautious' }
  /** A new message after the private question that was just answered. Public, unless the bot is a guest. */
  | { kind: 'after question'; question: ComponentInteraction }
  /** Another process has begun the reply. `messageId`: null if that process hadn't sent the message yet. */
  | { kind: 'resumed'; messageId: string | null };

/** Names the response to an interaction among its messages. */
const RESPONSE = '@original';

export function createReply(interaction: SayInteraction, { noteReply, t }: ReplyContext, policy: ReplyPolicy): SayReply {
  const isPrivate = policy.kind === 'response' ? policy.isPrivate : policy.kind === 'after question' && isGuest(interaction);
  const resumedId = policy.kind === 'resumed' ? policy.messageId : null;
  const ephemeral = { flags: MessageFlags.Ephemeral as const };
  const started = () => asEdit(notice(t('general.started'), 'done'));
  let messageId = resumedId;
  /** Which of the interaction's messages is the reply; null if it is still to be sent, as a follow-up. */
  let edited = policy.kind === 'response' ? RESPONSE : resumedId;
  let shown: Message | null = null;

  async function send(message: ReplyMessage): Promise<Message> {
    // Without this edit, the follow-up would take the place of the deferred response, and be as private.
    if (policy.kind === 'cautious' && !interaction.replied) await interaction.editReply(started());
    const sent = await interaction.followUp(isPrivate ? asPrivate(message) : message);
    edited = messageId = sent.id;
    noteReply('say', sent.id, isPrivate);
    return sent;
  }

  async function edit(message: ReplyMessage, id: string): Promise<Message> {
    try {
      return await interaction.editReply({ ...asEdit(message), message: id });
    } catch (error) {
      // After 15 minutes in the queue the token has expired, but if the bot sees the channel, it can edit the reply like any message of its own.
      if (!isTokenExpired(error)) throw error;
      const sent = shown ?? (resumedId === null ? null : await interaction.channel?.messages.fetch(resumedId));
      if (!sent) throw error;
      return sent.edit(asEdit(message));
    }
  }

  return {
    isPublic: edited !== null && !isPrivate,
    get messageId() {
      return messageId;
    },
    async begin() {
      if (policy.kind === 'cautious') await interaction.deferReply(ephemeral);
      // A follow-up to a deleted message would say that the original was deleted.
      else if (policy.kind === 'after question') await policy.question.update(started());
      else if (policy.kind === 'response') {
        const { interaction: callback } = await interaction.deferReply({ ...(isPrivate && ephemeral), withResponse: true });
        messageId = callback.responseMessageId;
        noteReply('say', messageId, isPrivate);
      } else if (resumedId !== null) await noteReply('say', resumedId, false).noted;
    },
    async show(message) {
      shown = await (edited === null ? send(message) : edit(message, edited));
    },
    delete: async () => edited !== null && interaction.deleteReply(edited),
  };
}

/**
 * Begins the reply, and keeps what its menu needs. If that fails, it rejects once the reply has begun: an error that comes before could not be
 * told in it, nor in a reply of its own. @throws DiscordAPIError, StoreError
 */
export async function beginReply(reply: SayReply, interaction: SayInteraction, context: SayContext, plan: Plan): Promise<void> {
  const keeping = plan.showText ? keepTextOf(plan, interaction, context, KEEP_REPLY_MS) : null;
  const [replyResult, keepResult] = await Promise.allSettled([reply.begin(), keeping]);
  for (const result of [replyResult, keepResult]) if (result.status === 'rejected') throw result.reason;
}

/** Milliseconds. A service refuses a text before it makes any sound; Discord waits 3 s for a reply to begin. */
const REFUSAL_MS = 500;

/**
 * Whether the text is refused before its reply has to begin. Everybody sees a public reply from the start: it would have to be deleted, and
 * the private one that follows would say that the original message was deleted.
 * @param heard settles with the first sound, or with what went wrong before it
 */
export async function isRefusedAtOnce({ isPublic }: SayReply, heard: Promise<unknown>): Promise<boolean> {
  // Observed in any case, because the caller looks at `heard` only once the reply has begun.
  const refused = heard.then(
    () => false,
    () => true,
  );
  return isPublic && within(REFUSAL_MS, refused, false);
}
