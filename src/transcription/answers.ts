// Where transcripts are answered: in the interaction while Discord takes its answers, afterwards in the channel or in a direct message.
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
import { limits } from '../bot/discord-limits.ts';
import { describeError, explainError, isExpected, mentionMember } from '../bot/error-boundary.ts';
import { isGuest } from '../bot/permissions.ts';
import { en } from '../locales/en/index.ts';
import { truncate } from '../text/truncate.ts';
import type { TranscriptionContext } from './context.ts';
import { createStages } from './stages.ts';
import { stageMessage } from './view.ts';

export type Asked = ChatInputCommandInteraction | MessageContextMenuCommandInteraction | ButtonInteraction | StringSelectMenuInteraction;

/** Discord takes answers for 15 minutes; the last one is left for saying where the answer will be. */
const ANSWERABLE_MS = 14 * 60_000;

/** What a bot needs to post a transcript by itself. */
const TO_POST =
  PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages | PermissionFlagsBits.EmbedLinks | PermissionFlagsBits.AttachFiles;
const TO_POST_IN_THREAD = (TO_POST & ~PermissionFlagsBits.SendMessages) | PermissionFlagsBits.SendMessagesInThreads;

/** One recording's answer: stages, and in their place the end. */
export interface Answer {
  /** Shows how far it is. */
  stage(text: string): void;
  /** @throws DiscordAPIError where it could not be put anywhere */
  finish(message: BaseMessageOptions): Promise<void>;
  /** Takes it back, and tells the member alone why. Never rejects. */
  fail(error: unknown): Promise<void>;
}

export interface Answers {
  /** The answer for the next recording, of this name, and its first stage. */
  open(name: string, stage: string): Promise<Answer>;
  /** Tells the member alone. Never rejects. */
  note(error: unknown): Promise<void>;
  /** No more answers; the clock is stopped. */
  close(): void;
}

/** @param options `isDeferred`: the interaction has an answer that is still empty, which the first recording takes */
export function createAnswers(
  interaction: Asked,
  context: TranscriptionContext,
  options: { isPrivate: boolean; isDeferred: boolean },
): Answers {
  const flags = options.isPrivate ? { flags: MessageFlags.Ephemeral as const } : {};
  let isFree = options.isDeferred;
  let isLate = false;
  let announce: (() => Promise<void>) | null = null;
  const timer = setTimeout(
    () => {
      isLate = true;
      void announce?.();
    },
    Math.max(0, interaction.createdTimestamp + ANSWERABLE_MS - Date.now()),
  );

  /** Puts a message where it can be: in place of an earlier one, beside it, or, too late for both, where the bot may write by itself. */
  async function put(id: string | null, message: BaseMessageOptions): Promise<void> {
    if (isLate) await postLate({ content: en.transcription.lateReply(interaction.user.id), ...message });
    else if (id === null) await interaction.followUp({ ...message, ...flags });
    else
      await interaction.editReply({ message: id, ...message }).catch((error: unknown) => {
        // Deleted by a moderator meanwhile, who does not want it here: so for the member alone.
        if (!(error instanceof DiscordAPIError) || error.code !== RESTJSONErrorCodes.UnknownMessage) throw error;
        return interaction.followUp({ ...message, flags: MessageFlags.Ephemeral });
      });
  }

  async function postLate(message: BaseMessageOptions): Promise<void> {
    const channel = options.isPrivate ? null : openChannel(interaction);
    const post = async (to: SendableChannels | User): Promise<unknown> => to.send({ ...message, allowedMentions: { parse: [] } });
    await (channel ? post(channel).catch(() => post(interaction.user)) : post(interaction.user));
  }

  /** For the member alone; in the channel only if they take no direct messages, and then with their name. */
  async function tellLate(sentence: string): Promise<void> {
    const channel = options.isPrivate ? null : openChannel(interaction);
    try {
      await interaction.user.send({ content: truncate(sentence, limits.content), allowedMentions: { parse: [] } });
    } catch (error) {
      if (!channel) throw error;
      await channel.send({ content: mentionMember(interaction, sentence), allowedMentions: { parse: [] } });
    }
  }

  async function open(name: string, first: string): Promise<Answer> {
    let id: string | null = null;
    if (isFree) id = '@original';
    // A guest's follow-ups are counted: what stands there only for a while would cost one.
    else if (!isLate && !isGuest(interaction)) id = (await interaction.followUp({ ...stageMessage(name, first), ...flags })).id;
    // The deferred one is noted where it is deferred.
    const done = context.noteReply(isFree ? null : id, options.isPrivate);
    isFree = false;
    const stages = createStages(async (stage) => {
      if (id !== null) await interaction.editReply({ message: id, ...stageMessage(name, stage) });
    });
    stages.set(first);
    announce = async () => {
      await stages.end();
      const sentence =
        !options.isPrivate && openChannel(interaction) ? en.transcription.continuesInChannel : en.transcription.continuesInDirectMessage;
      const message = stageMessage(name, sentence);
      await (id === null ? interaction.followUp({ ...message, ...flags }) : interaction.editReply({ message: id, ...message })).catch(
        () => {},
      );
    };

    return {
      stage: stages.set,
      async finish(message) {
        announce = null;
        await stages.end();
        await put(id, message);
        await done();
      },
      async fail(error) {
        announce = null;
        await stages.end();
        if (!isLate) {
          // What is private and still empty is told in its own place.
          const isTold = interaction.ephemeral === true && !interaction.replied;
          if (id !== null && !isTold) await interaction.deleteReply(id).catch(() => {});
          await context.reportError(interaction, error);
          return;
        }
        if (!isExpected(error))
          context.log.warn({ interaction: interaction.id, ...describeError(error) }, 'a transcript that took long failed');
        const sentence = explainError(error) ?? en.transcription.lateFailure(name);
        await tellLate(sentence).catch((failure: unknown) =>
          context.log.warn(describeError(failure), 'a member could not be told of a failure'),
        );
      },
    };
  }

  return { open, note: (error) => context.reportError(interaction, error), close: () => clearTimeout(timer) };
}

/** The channel, where the bot may post in it by itself. */
function openChannel(interaction: Asked): SendableChannels | null {
  const { channel, appPermissions } = interaction;
  if (!interaction.inCachedGuild() || !channel?.isSendable() || isGuest(interaction)) return null;
  return appPermissions.has(channel.isThread() ? TO_POST_IN_THREAD : TO_POST) ? channel : null;
}
