// Where transcripts are posted: in replies to the interaction while Discord accepts them, later in the channel or as a direct message.
import {
  type BaseMessageOptions,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  DiscordAPIError,
  type MessageContextMenuCommandInteraction,
  MessageFlags,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  type SendableChannels,
  type StringSelectMenuInteraction,
  type User,
} from 'discord.js';
import { notice } from '../bot/cards.ts';
import { describeError, explainError, isExpected, mentionMember } from '../bot/error-boundary.ts';
import { isGuest } from '../bot/permissions.ts';
import { en } from '../locales/en/index.ts';
import type { Sentence } from '../locales/index.ts';
import type { TranscriptionContext } from './context.ts';
import { progressMessage } from './message.ts';
import { createProgress } from './progress.ts';

export type TranscriptionInteraction =
  | ChatInputCommandInteraction
  | MessageContextMenuCommandInteraction
  | ButtonInteraction
  | StringSelectMenuInteraction;

/** Discord accepts replies for 15 minutes; the last one is left for saying where the transcript will be posted. */
const REPLY_WINDOW_MS = 14 * 60_000;

/** What the bot needs to post a transcript in a channel. */
const POST_PERMISSIONS =
  PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages | PermissionFlagsBits.EmbedLinks | PermissionFlagsBits.AttachFiles;
const POST_IN_THREAD_PERMISSIONS = (POST_PERMISSIONS & ~PermissionFlagsBits.SendMessages) | PermissionFlagsBits.SendMessagesInThreads;

/** The reply for one recording: its progress, then its transcript. */
export interface TranscriptReply {
  showProgress(text: string): void;
  /** @throws DiscordAPIError if it couldn't be posted anywhere */
  finish(message: BaseMessageOptions): Promise<void>;
  /** Removes the reply, and tells only the member why. Never rejects. */
  fail(error: unknown): Promise<void>;
}

export interface TranscriptReplies {
  /** The reply for the next recording, and its first progress text. */
  open(name: string, progress: string): Promise<TranscriptReply>;
  /** No more replies; stops the clock. */
  close(): void;
}

/** The first reply replaces a command's own deferred reply; the others, and those to components, are follow-ups. */
export function createReplies(interaction: TranscriptionInteraction, context: TranscriptionContext, isPrivate: boolean): TranscriptReplies {
  const flags = isPrivate ? { flags: MessageFlags.Ephemeral as const } : {};
  let isOriginalFree = interaction.isCommand();
  let isLate = false;
  let announceDelay: (() => Promise<void>) | null = null;
  const timer = setTimeout(
    () => {
      isLate = true;
      void announceDelay?.();
    },
    Math.max(0, interaction.createdTimestamp + REPLY_WINDOW_MS - Date.now()),
  );

  /** Replaces the earlier reply `id`, or follows up, or, if it is too late for either, posts a message of its own. */
  async function post(id: string | null, message: BaseMessageOptions): Promise<void> {
    if (isLate) return postLate({ content: en.transcription.lateReply(interaction.user.id), ...message });
    if (id === null) {
      await interaction.followUp({ ...message, ...flags });
      return;
    }
    await interaction.editReply({ message: id, ...message }).catch((error: unknown) => {
      // A moderator has deleted it, and doesn't want it here: only the member gets it.
      if (!(error instanceof DiscordAPIError) || error.code !== RESTJSONErrorCodes.UnknownMessage) throw error;
      return interaction.followUp({ ...message, flags: MessageFlags.Ephemeral });
    });
  }

  async function postLate(message: BaseMessageOptions): Promise<void> {
    const channel = isPrivate ? null : postableChannel(interaction);
    const send = async (to: SendableChannels | User): Promise<unknown> => to.send({ ...message, allowedMentions: { parse: [] } });
    await (channel ? send(channel).catch(() => send(interaction.user)) : send(interaction.user));
  }

  /** Tells only the member; in the channel, mentioning them, if they accept no direct messages. */
  async function tellLate(sentence: Sentence): Promise<void> {
    const channel = isPrivate ? null : postableChannel(interaction);
    try {
      await interaction.user.send(notice(sentence(context.words)));
    } catch (error) {
      if (!channel) throw error;
      await channel.send(mentionMember(interaction, sentence));
    }
  }

  async function open(name: string, firstProgress: string): Promise<TranscriptReply> {
    let id: string | null = null;
    if (isOriginalFree) id = '@original';
    // Discord limits the follow-ups of guests, so none is spent on progress.
    else if (!isLate && !isGuest(interaction)) id = (await interaction.followUp({ ...progressMessage(name, firstProgress), ...flags })).id;
    // The command itself notes its deferred reply.
    const forgetReply = context.noteReply(isOriginalFree ? null : id, isPrivate);
    isOriginalFree = false;
    const progress = createProgress(async (text) => {
      if (id !== null) await interaction.editReply({ message: id, ...progressMessage(name, text) });
    });
    progress.set(firstProgress);
    announceDelay = async () => {
      await progress.end();
      const isInChannel = !isPrivate && postableChannel(interaction);
      const message = progressMessage(name, isInChannel ? en.transcription.continuesInChannel : en.transcription.continuesInDirectMessage);
      const announcement =
        id === null ? interaction.followUp({ ...message, ...flags }) : interaction.editReply({ message: id, ...message });
      await announcement.catch(() => {});
    };

    return {
      showProgress: progress.set,
      async finish(message) {
        announceDelay = null;
        await progress.end();
        await post(id, message);
        await forgetReply();
      },
      async fail(error) {
        announceDelay = null;
        await progress.end();
        if (!isLate) {
          // The error of a private reply that is still empty takes its place.
          const isReplaced = interaction.ephemeral === true && !interaction.replied;
          if (id !== null && !isReplaced) await interaction.deleteReply(id).catch(() => {});
          await context.reportError(interaction, error);
          return;
        }
        if (!isExpected(error)) context.log.warn({ interaction: interaction.id, ...describeError(error) }, 'a long transcription failed');
        const sentence = explainError(error) ?? ((t) => t.transcription.lateFailure(name));
        await tellLate(sentence).catch((failure: unknown) =>
          context.log.warn(describeError(failure), 'a member could not be told of a failure'),
        );
      },
    };
  }

  return { open, close: () => clearTimeout(timer) };
}

/** The channel, if the bot may post in it on its own. */
function postableChannel(interaction: TranscriptionInteraction): SendableChannels | null {
  const { channel, appPermissions } = interaction;
  if (!interaction.inCachedGuild() || !channel?.isSendable() || isGuest(interaction)) return null;
  return appPermissions.has(channel.isThread() ? POST_IN_THREAD_PERMISSIONS : POST_PERMISSIONS) ? channel : null;
}
