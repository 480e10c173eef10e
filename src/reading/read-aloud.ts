// Read this aloud: one message in the member's voice channel, with a public reply that says who has it read.
import type { Message, MessageContextMenuCommandInteraction } from 'discord.js';
import { asEdit, button, type CardMessage, card, cards, row, text } from '../bot/cards.ts';
import { customId } from '../bot/discord-limits.ts';
import { UserError } from '../bot/user-error.ts';
import type { Words } from '../locales/index.ts';
import { outcomeStatus, SEPARATOR, type Speaker, type Status, speakerOf } from '../say/message.ts';
import { findVoiceChannel } from '../say/voice-channel.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { Playback } from '../voice/types.ts';
import type { ReadingCommandContext } from './command-context.ts';

const MAX_NAME = 80;

/** Resolves when it has been read. @throws UserError, BudgetError, VoiceError, StoreError */
export async function readAloud(interaction: MessageContextMenuCommandInteraction, context: ReadingCommandContext): Promise<void> {
  if (!interaction.inCachedGuild()) throw new UserError((t) => t.reading.notInGuild);
  const { targetMessage: message, member } = interaction;
  await checkAuthor(message, member.id, context);
  const channel = await findVoiceChannel(interaction, context, member.voice.channelId ?? '');
  const playback = await context.reading.readOnce(message, member, channel);
  const speaker = speakerOf(interaction);
  const show = (status: Status, isLive: boolean) =>
    readAloudMessage(context.publicWords, {
      speaker,
      authorId: message.author.id,
      url: message.url,
      status,
      playbackId: isLive ? playback.id : null,
    });
  const t = context.publicWords.say;
  const waits = playback.position > 0;
  const { resource } = await interaction.reply({
    ...show(waits ? { accent: 'waiting', sentence: t.queued(playback.position) } : { accent: 'speaking', sentence: t.speaking }, true),
    withResponse: true,
  });
  context.noteReply(resource?.message?.id, false);
  // A failed update (the reply deleted by a moderator, or older than 15 minutes) must not stop what is queued.
  const update = (status: Status, isLive: boolean) => interaction.editReply(asEdit(show(status, isLive))).catch(() => {});
  if ((await playback.started) !== null && waits) await update({ accent: 'speaking', sentence: t.speaking }, true);
  await finish(playback, interaction, context, update);
}

async function finish(
  playback: Playback,
  interaction: MessageContextMenuCommandInteraction,
  { publicWords, reportError }: ReadingCommandContext,
  update: (status: Status, isLive: boolean) => Promise<unknown>,
): Promise<void> {
  const outcome = await playback.finished;
  await update(outcomeStatus(publicWords, outcome, { fromCache: false, characters: 0 }), false);
  if (outcome.ended === 'failed') await reportError(interaction, outcome.cause);
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
  /** Of the message. */
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
