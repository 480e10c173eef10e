// Read this aloud, on a message: speaks it in the member's voice channel, with a public reply that says who has it read. Needs no privileged
// intent: Discord sends the message along.
import { ApplicationCommandType, InteractionContextType, type Message, type MessageContextMenuCommandInteraction } from 'discord.js';
import { ApiError } from '../src/api/index.ts';
import { asEdit, button, type CardMessage, card, cards, row, text } from '../src/discord/cards.ts';
import type { MessageCommand } from '../src/discord/command.ts';
import { UserError } from '../src/discord/errors.ts';
import { findVoiceChannel } from '../src/discord/voice-channels.ts';
import type { Translator } from '../src/locales/index.ts';
import type { MessageSettings, ReadingCommandContext, ReadOnce } from '../src/reading/types.ts';
import { cancelId } from '../src/say/custom-ids.ts';
import { outcomeStatus, SEPARATOR, type Speaker, type Status, speakerLine, speakerOf } from '../src/say/message.ts';

export const readAloud = {
  data: { type: ApplicationCommandType.Message, name: 'Read this aloud', contexts: [InteractionContextType.Guild] },
  spends: 'speech',
  run,
} satisfies MessageCommand<ReadingCommandContext>;

/** Resolves when the message has been read. @throws UserError, BudgetError, VoiceError, StoreError */
async function run(interaction: MessageContextMenuCommandInteraction, context: ReadingCommandContext): Promise<void> {
  if (!interaction.inCachedGuild()) throw new UserError((t) => t('reading.notInGuild'));
  const { targetMessage: message, member } = interaction;
  const settings = await settingsFor(message, member.id, context);
  const channel = await findVoiceChannel(interaction, context, member.voice.channelId ?? '');
  const reading = await context.reading.readOnce(message, member, channel, settings);
  try {
    const { interaction: callback } = await interaction.deferReply({ withResponse: true });
    context.noteReply('say', callback.responseMessageId, false);
  } catch (error) {
    // The member is told that it failed and may ask again, so it must not be heard as well.
    context.sessions.get(channel.guildId)?.remove(reading.playback.id);
    throw error;
  }
  await followPlayback(interaction, context, reading);
}

/** Keeps the reply up to date until the playback has ended. */
async function followPlayback(
  interaction: MessageContextMenuCommandInteraction<'cached'>,
  { publicT: t, reportError }: ReadingCommandContext,
  { playback, used }: ReadOnce,
): Promise<void> {
  const { author, url } = interaction.targetMessage;
  const speaker = speakerOf(interaction);
  /** A failed update (the reply deleted by a moderator, or older than 15 minutes) must not stop what is queued. */
  const update = (status: Status, playbackId: string | null) =>
    interaction.editReply(asEdit(readAloudMessage(t, { speaker, authorId: author.id, url, status, playbackId }))).catch(() => {});
  if (playback.position > 0) await update({ accent: 'waiting', sentence: t('say.queued', { before: playback.position }) }, playback.id);
  if ((await playback.started) !== null) await update({ accent: 'speaking', sentence: t('say.speaking') }, playback.id);
  const outcome = await playback.finished;
  // Doesn't happen: these utterances can't be moved.
  if (outcome.ended === 'handed-over') return;
  const cost = await used();
  await update(outcomeStatus(t, outcome, cost), null);
  if (outcome.ended !== 'failed') return;
  // The sentence for an ApiError already says what was charged.
  const isCharged = outcome.seconds === 0 && cost.characters > 0 && !(outcome.cause instanceof ApiError);
  await reportError(interaction, outcome.cause, {
    addition: isCharged ? (t) => t('say.chargedUnheard', { count: cost.characters }) : undefined,
  });
}

/** The settings for reading the message. Members who don't want to be read aren't read for others either. @throws UserError, StoreError */
async function settingsFor(
  { author, guildId }: Message<true>,
  memberId: string,
  { settings }: ReadingCommandContext,
): Promise<MessageSettings> {
  const { id } = author;
  const [member, guild] = await Promise.all([settings.member(id), settings.guild(guildId)]);
  if (!member.readAloud && id !== memberId) throw new UserError((t) => t('reading.authorOptedOut', { member: id }));
  if (guild.muted.includes(id)) throw new UserError((t) => t('reading.authorMuted', { member: id }));
  return { member, guild };
}

interface View {
  speaker: Speaker;
  authorId: string;
  /** Link to the message. */
  url: string;
  status: Status;
  /** Null once it has ended. */
  playbackId: string | null;
}

/** Who has whose message read, and how it is going. It looks like a reply of /say, and has its button. */
export function readAloudMessage(t: Translator, { speaker, authorId, url, status, playbackId }: View): CardMessage {
  const facts = [t('reading.readsMessage', { author: authorId, link: url }), status.sentence];
  return cards(
    card(
      status.accent,
      speakerLine(speaker),
      text(`-# ${facts.join(SEPARATOR)}`),
      playbackId === null ? null : row(button(t('say.stopButton'), cancelId.write({ utterance: playbackId, ownerId: speaker.id }))),
    ),
  );
}
