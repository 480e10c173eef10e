// The public message in which members see how a speech stands.
import { type BaseMessageOptions, DiscordAPIError, type Message, MessageFlags } from 'discord.js';
import type { ComponentInteraction } from '../command.ts';
import type { Asked } from './plan.ts';

export interface Answer {
  /** Discord waits 3 s for it. */
  begin(): Promise<unknown>;
  show(message: BaseMessageOptions): Promise<unknown>;
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

/** Invalid token and unknown webhook: how Discord answers when an interaction's 15 minutes are over. */
const TOKEN_ENDED = [401, 404];

/** The reply to the interaction; public, unless it is to be private. */
export function reply(interaction: Asked, { isPrivate = false } = {}): Answer {
  let shown: Message | null = null;
  return {
    begin: () => interaction.deferReply(isPrivate ? { flags: MessageFlags.Ephemeral } : {}),
    async show(message) {
      try {
        shown = await interaction.editReply(message);
      } catch (error) {
        // Who waited longer than that in the queue has a message all the same, which may be changed where I see the channel.
        const ended = error instanceof DiscordAPIError && TOKEN_ENDED.includes(error.status);
        if (!ended || !shown) throw error;
        await shown.edit(message);
      }
    },
  };
}

/** A message of its own, below the question that only the member saw, which goes away. */
export function afterQuestion(interaction: ComponentInteraction): Answer & { takeBack(): Promise<unknown> } {
  let shown: Message | null = null;
  return {
    async begin() {
      await interaction.deferUpdate();
      await interaction.deleteReply();
    },
    async show(message) {
      if (shown) await interaction.editReply({ ...message, message: shown });
      else shown = await interaction.followUp(message);
    },
    takeBack: async () => shown && interaction.deleteReply(shown),
  };
}
