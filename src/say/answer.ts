// The public message in which members see how a speech stands.
import { type BaseMessageOptions, type Message, MessageFlags } from 'discord.js';
import type { ComponentInteraction } from '../bot/command.ts';
import { isTokenExpired } from '../bot/error-boundary.ts';
import { isGuest } from '../bot/permissions.ts';
import type { SayContext } from './context.ts';
import type { Asked } from './plan.ts';

export interface Answer {
  /** Discord waits 3 s for it. */
  begin(): Promise<unknown>;
  show(message: BaseMessageOptions): Promise<unknown>;
  takeBack(): Promise<unknown>;
}

/** How a wish is to be answered. */
interface AnswerOptions {
  /** Where it is not the reply. */
  answer?: Answer;
  /** The member knows what it costs. */
  confirmed?: boolean;
}

export interface SpeakOptions extends AnswerOptions {
  /** Of the voice channel that was named. */
  channelId?: string | undefined;
}

export interface FileOptions extends AnswerOptions {
  isPrivate?: boolean;
}

/** The reply to the interaction; public, unless it is to be private. */
export function reply(interaction: Asked, { noteReply }: Pick<SayContext, 'noteReply'>, { isPrivate = false } = {}): Answer {
  let shown: Message | null = null;
  return {
    async begin() {
      const flags = isPrivate ? { flags: MessageFlags.Ephemeral as const } : {};
      const { interaction: callback } = await interaction.deferReply({ ...flags, withResponse: true });
      noteReply(callback.responseMessageId, isPrivate);
    },
    async show(message) {
      shown = await interaction.editReply(message).catch(orAsMine(shown, message));
    },
    takeBack: () => interaction.deleteReply(),
  };
}

/** A message of its own, below the question that only the member saw, which goes away. Public, unless the bot is a guest. */
export function afterQuestion(interaction: ComponentInteraction, { noteReply }: Pick<SayContext, 'noteReply'>): Answer {
  const flags = isGuest(interaction) ? { flags: MessageFlags.Ephemeral as const } : {};
  let shown: Message | null = null;
  return {
    async begin() {
      await interaction.deferUpdate();
      await interaction.deleteReply();
    },
    async show(message) {
      if (shown) await interaction.editReply({ ...message, message: shown }).catch(orAsMine(shown, message));
      else {
        shown = await interaction.followUp({ ...message, ...flags });
        noteReply(shown.id, isGuest(interaction));
      }
    },
    takeBack: async () => shown && interaction.deleteReply(shown),
  };
}

/** Who waited for more than 15 minutes in the queue has a message all the same, which I may change as one of mine where I see the channel. */
function orAsMine(shown: Message | null, message: BaseMessageOptions): (error: unknown) => Promise<Message> {
  return async (error) => {
    if (!shown || !isTokenExpired(error)) throw error;
    return shown.edit(message);
  };
}
