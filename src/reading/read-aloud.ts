// Read this aloud: one message in the member's voice channel, with a public reply that says who has it read.
import type { Message, MessageContextMenuCommandInteraction } from 'discord.js';
import { ApiError } from '../api/index.ts';
import { asEdit, button, type CardMessage, card, cards, row, text } from '../bot/cards.ts';
import { customId } from '../bot/discord-limits.ts';
import { UserError } from '../bot/user-error.ts';
import type { Words } from '../locales/index.ts';
import { outcomeStatus, SEPARATOR, type Speaker, type Status, speakerOf } from '../say/message.ts';
import { findVoiceChannel } from '../say/voice-channel.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { ReadingCommandContext } from './command-context.ts';
import type { ReadOnce } from './types.ts';

const MAX_NAME = 80;

/** Resolves when it has been read. @throws UserError, BudgetError, VoiceError, StoreError */
export async function readAloud(interaction: MessageContextMenuCommandInteraction, context: ReadingCommandContext): Promise<void> {
  if (!interaction.inCachedGuild()) throw new UserError((t) => t.reading.notInGuild);
  const { targetMessage: message, member } = interaction;
  await checkAuthor(message, member.id, context);
  const channel = await findVoiceChannel(interaction, context, member.voice.channelId ?? '');
  const reading = await context.reading.readOnce(message, member, channel);
  try {
    const { interaction: callback } = await interaction.deferReply({ withResponse: true });
    context.noteReply(callback.responseMessageId, false);
  } catch (error) {
    // The member is told that it failed and may ask again: it must not be heard as well.
    context.sessions.get(channel.guildId)?.remove(reading.playback.id);
    throw error;
  }
  await followPlayback(interaction, context, reading);
}

/** Keeps the reply up to date until the playback has ended. */
async function followPlayback(
  interaction: MessageContextMenuCommandInteraction<'cached'>,
  { publicWords: t, reportError }: ReadingCommandContext,
  { playback, used }: ReadOnce,
): Promise<void> {
  const { author, url } = interaction.targetMessage;
  const speaker = speakerOf(interaction);
  /** A failed update (the reply deleted by a moderator, or older than 15 minutes) must not stop what is queued. */
  const update = (status: Status, playbackId: string | null) =>
    interaction.editReply(asEdit(readAloudMessage(t, { speaker, authorId: author.id, url, status, playbackId }))).catch(() => {});
  if (playback.position > 0) await update({ accent: 'waiting', sentence: t.say.queued(playback.position) }, playback.id);
  if ((await playback.started) !== null) await update({ accent: 'speaking', sentence: t.say.speaking }, playback.id);
  const outcome = await playback.finished;
  // Never, since it can't be moved.
  if (outcome.ended === 'handed-over') return;
  const cost = await used();
  await update(outcomeStatus(t, outcome, cost), null);
  if (outcome.ended !== 'failed') return;
  // The sentence for an ApiError says by itself what was charged.
  const isCharged = outcome.seconds === 0 && cost.characters > 0 && !(outcome.cause instanceof ApiError);
  await reportError(interaction, outcome.cause, { addition: isCharged ? (t) => t.say.chargedUnheard(cost.characters) : undefined });
}

/** Whoever doesn't want to be read isn't read for others either. @throws UserError, StoreError */
async function checkAuthor({ author, guildId }: Message<true>, memberId: string, { settings }: ReadingCommandContext): Promise<void> {
  const { id } = author;
  const [{ readAloud: mayBeRead }, { muted }] = await Promise.all([settings.member(id), settings.guild(guildId)]);
  if (!mayBeRead && id !== memberId) throw new UserError((t) => t.reading.authorOptedOut(id));
  if (muted.includes(id)) throw new UserError((t) => t.reading.authorMuted(id));
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

/** Who has whose message read, and how it is going: as a reply of /say, whose button it has. */
export function readAloudMessage(t: Words, { speaker, authorId, url, status, playbackId }: View): CardMessage {
  const facts = [t.reading.readsMessage(authorId, url), status.sentence];
  return cards(
    card(
      status.accent,
      text(`**${asMarkdown(speaker.name, MAX_NAME) || '?'}**`),
      text(`-# ${facts.join(SEPARATOR)}`),
      playbackId === null ? null : row(button(t.say.stopButton, customId('say-cancel', playbackId, speaker.id))),
    ),
  );
}
