// Where transcripts are posted: in replies to the interaction while Discord accepts them, later in the channel or as a direct message.
import {
  type AttachmentBuilder,
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  DiscordAPIError,
  type MessageContextMenuCommandInteraction,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  type SendableChannels,
  type StringSelectMenuInteraction,
} from 'discord.js';
import { asEdit, asPrivate, type CardMessage, notice, text } from '../discord/cards.ts';
import { describeError, explainError, isExpected, mentionMember } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import { createProgress } from '../discord/progress.ts';
import type { Sentence } from '../locales/index.ts';
import type { TranscriptionContext } from './context.ts';
import { progressMessage } from './message.ts';
import type { Recording } from './recording.ts';

export type TranscriptionInteraction =
  | ChatInputCommandInteraction
  | MessageContextMenuCommandInteraction
  | ButtonInteraction
  | StringSelectMenuInteraction;

/**
 * Milliseconds from when the interaction has arrived. Discord accepts replies for 15 minutes; the last one is left for saying where the
 * transcript will be posted.
 */
const REPLY_WINDOW_MS = 14 * 60_000;

/** What the bot needs to post a transcript in a channel. */
const POST_PERMISSIONS =
  PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages | PermissionFlagsBits.EmbedLinks | PermissionFlagsBits.AttachFiles;
const POST_IN_THREAD_PERMISSIONS = (POST_PERMISSIONS & ~PermissionFlagsBits.SendMessages) | PermissionFlagsBits.SendMessagesInThreads;

/** The reply for one recording: its progress, then its transcript. */
interface TranscriptReply {
  /** @param stage asked again whenever it may be shown, so that it can tell the time */
  showProgress(stage: Sentence): void;
  /** @throws DiscordAPIError if it couldn't be posted anywhere */
  finish(message: TranscriptMessage): Promise<void>;
  /** Shows nothing more: the button that cancelled the job changes the reply. Never rejects. */
  leave(): Promise<void>;
  /** Removes the reply, and tells only the member why. Never rejects. @param question to ask them instead, as long as Discord takes replies */
  fail(error: unknown, question: CardMessage | null): Promise<void>;
}

type TranscriptMessage = CardMessage & { files: AttachmentBuilder[] };

interface TranscriptReplies {
  /** The reply for the next recording. @param tag for its Cancel button */
  open(recording: Recording, tag: string): Promise<TranscriptReply>;
  /** No more replies; stops the clock. */
  close(): void;
}

/** The first reply replaces a command's own deferred reply; the others, and those to components, are follow-ups. */
export function createReplies(interaction: TranscriptionInteraction, context: TranscriptionContext, isPrivate: boolean): TranscriptReplies {
  const t = isPrivate ? context.t : context.publicT;
  const addressed = <M extends CardMessage>(message: M) => (isPrivate ? asPrivate(message) : message);
  let isOriginalFree = interaction.isCommand();
  let isLate = false;
  let announceDelay: (() => Promise<void>) | null = null;
  const timer = setTimeout(() => {
    isLate = true;
    void announceDelay?.();
  }, REPLY_WINDOW_MS);

  /** Replaces the earlier reply `id`, or follows up, or, if it is too late for either, posts a message of its own. */
  async function post(id: string | null, message: TranscriptMessage): Promise<void> {
    if (isLate) return postAfterExpiry(message);
    if (id === null) {
      await interaction.followUp(addressed(message));
      return;
    }
    await interaction.editReply({ message: id, ...asEdit(message) }).catch((error: unknown) => {
      // A moderator who deletes the reply doesn't want it here, so only the member gets it.
      if (!(error instanceof DiscordAPIError) || error.code !== RESTJSONErrorCodes.UnknownMessage) throw error;
      return interaction.followUp(asPrivate(message));
    });
  }

  async function postAfterExpiry({ components, ...message }: TranscriptMessage): Promise<void> {
    const lateMessage = { ...message, components: [text(t('transcription.lateReply', { member: interaction.user.id })), ...components] };
    const channel = isPrivate ? null : postableChannel(interaction);
    await (channel ? channel.send(lateMessage).catch(() => interaction.user.send(lateMessage)) : interaction.user.send(lateMessage));
  }

  /** Tells only the member; in the channel, mentioning them, if they accept no direct messages. */
  async function tellLate(sentence: Sentence): Promise<void> {
    const channel = isPrivate ? null : postableChannel(interaction);
    try {
      await interaction.user.send(notice(sentence(context.t)));
    } catch (error) {
      if (!channel) throw error;
      await channel.send(mentionMember(interaction, sentence));
    }
  }

  async function open({ name, size }: Recording, tag: string): Promise<TranscriptReply> {
    const firstStage: Sentence = (t) => t('transcription.reading', { done: 0, all: size });
    const progressOf = (stage: string) => progressMessage(name, stage, { tag, owner: interaction.user.id }, t);
    let id: string | null = null;
    // A command's own reply, unless it was begun in private.
    const isOriginal = isOriginalFree && !interaction.replied;
    if (isOriginal) id = '@original';
    // Discord limits the follow-ups of guests, so none is spent on progress.
    else if (!isLate && !isGuest(interaction)) id = (await interaction.followUp(addressed(progressOf(firstStage(t))))).id;
    // The command itself notes its deferred reply.
    const note = context.noteReply('transcript', isOriginal ? null : id, isPrivate);
    isOriginalFree = false;
    const progress = createProgress(async (stage) => {
      if (id !== null) await interaction.editReply({ message: id, ...asEdit(progressOf(stage)) });
    });
    progress.set(() => firstStage(t));
    announceDelay = async () => {
      await progress.end();
      const isInChannel = !isPrivate && postableChannel(interaction);
      const sentence = isInChannel ? t('transcription.continuesInChannel') : t('transcription.continuesInDirectMessage');
      const message = progressOf(sentence);
      const announcement =
        id === null ? interaction.followUp(addressed(message)) : interaction.editReply({ message: id, ...asEdit(message) });
      await announcement.catch(() => {});
    };

    const endProgress = () => {
      announceDelay = null;
      return progress.end();
    };

    return {
      showProgress: (stage) => progress.set(() => stage(t)),
      async finish(message) {
        await endProgress();
        await post(id, message);
        await note.forget();
      },
      leave: endProgress,
      async fail(error, question) {
        await endProgress();
        if (!isLate) {
          // The error of a private reply that is still empty takes its place.
          const isReplaced = interaction.ephemeral === true && !interaction.replied;
          if (id !== null && !isReplaced) await interaction.deleteReply(id).catch(() => {});
          if (!question) return context.reportError(interaction, error);
          const asking = isReplaced ? interaction.editReply(asEdit(question)) : interaction.followUp(asPrivate(question));
          await asking.catch((failure: unknown) => context.reportError(interaction, failure));
          return;
        }
        if (!isExpected(error)) context.log.warn({ interaction: interaction.id, ...describeError(error) }, 'a long transcription failed');
        const sentence = explainError(error) ?? ((t) => t('transcription.lateFailure', { file: name }));
        await tellLate(sentence).catch((failure: unknown) =>
          context.log.warn(describeError(failure), 'could not tell a member about a failure'),
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
