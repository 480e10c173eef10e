// Read this aloud: one message in the member's voice channel, with a public reply that says who has it read.
import { ChannelType, type GuildMember, type Message, type MessageContextMenuCommandInteraction, type VoiceBasedChannel } from 'discord.js';
import { ApiError } from '../api/index.ts';
import { asEdit, button, type CardMessage, card, cards, row, text } from '../discord/cards.ts';
import { UserError } from '../discord/errors.ts';
import { createPayment } from '../discord/payment.ts';
import { playPaid } from '../discord/playback.ts';
import { findVoiceChannel } from '../discord/voice-channels.ts';
import type { Translator } from '../locales/index.ts';
import { cancelId, outcomeStatus, SEPARATOR, type Speaker, type Status, speakerOf } from '../say/reply.ts';
import { estimateSeconds } from '../speech/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { ReadingContext } from './context.ts';
import { toReadableMessage } from './intake.ts';
import { introduce } from './message-text.ts';
import type { MessageSettings, Reading, ReadingCommandContext, ReadOnce } from './types.ts';

const MAX_NAME = 80;

/** Resolves when it has been read. @throws UserError, BudgetError, VoiceError, StoreError */
export async function readAloud(interaction: MessageContextMenuCommandInteraction, context: ReadingCommandContext): Promise<void> {
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
      text(`**${asMarkdown(speaker.name, MAX_NAME) || '?'}**`),
      text(`-# ${facts.join(SEPARATOR)}`),
      playbackId === null ? null : row(button(t('say.stopButton'), cancelId.write({ utterance: playbackId, ownerId: speaker.id }))),
    ),
  );
}

// "Read this aloud": one message, as /say would speak it, in its author's voice.

export interface ReadsOnce {
  read: Reading['readOnce'];
  /** Ends messages that are gone, playing or waiting. */
  end(isGone: (message: Message<true>) => boolean): void;
}

export function createReadsOnce(context: ReadingContext): ReadsOnce {
  const { sessions, speech, credit } = context;
  const current = new Set<{ message: Message<true>; gone: AbortController }>();
  let lastNumber = 0;

  async function read(
    message: Message<true>,
    member: GuildMember,
    channel: VoiceBasedChannel,
    settings: MessageSettings,
    gone: AbortSignal,
  ): Promise<ReadOnce> {
    const { stay, reading } = settings.guild;
    // A member who asks for it wants to hear it, whatever it begins with.
    const guild = { ...settings.guild, reading: { ...reading, ignorePrefix: '' } };
    const readable = await toReadableMessage(message, channel, context, { ...settings, guild });
    if (!readable) throw new UserError((t) => t('reading.nothingToRead'));
    const { name, text: words, voices, volume, speed } = readable;
    const text = readable.replaceWords(introduce(reading.names ? name : null, words, readable.t), words.language);
    const payment = createPayment(credit, { kind: 'speech', amount: text.length, guildId: channel.guildId, memberId: member.id });
    const [voice, ...fallbacks] = voices;
    const messageId = context.canRead() && isVisible(message) ? message.id : null;
    const utterance = speech.utterance(
      { text, referenceId: voice?.id ?? null, speed, volume, scope: { guildId: channel.guildId }, messageId },
      { fallbackIds: fallbacks.map((fallback) => fallback?.id ?? null), memberId: message.author.id },
    );
    const playback = await playPaid(sessions, {
      // The same message may be read more than once.
      id: `${message.id}-${++lastNumber}`,
      memberId: member.id,
      label: { voice: voice?.title ?? null, text: null, seconds: estimateSeconds(text, speed) },
      channel,
      stay,
      utterance,
      paid: { payment, charged: utterance.charged, billed: utterance.billed },
      signal: gone,
    });
    const used = async () => ({ characters: await utterance.charged(), fromCache: utterance.facts.fromCache === true });
    return { playback, used };
  }

  return {
    async read(message, member, channel, settings) {
      const entry = { message, gone: new AbortController() };
      current.add(entry);
      const forget = () => void current.delete(entry);
      try {
        const reading = await read(message, member, channel, settings, entry.gone.signal);
        void reading.playback.finished.then(forget);
        return reading;
      } catch (error) {
        forget();
        throw error;
      }
    },
    end(isGone) {
      for (const { message, gone } of current) if (isGone(message)) gone.abort(new UserError((t) => t('reading.messageGone')));
    },
  };
}

/** Would Discord tell the bot about the message's deletion, provided that it tells it about messages at all? */
function isVisible({ channel }: Message<true>): boolean {
  // A channel that the bot can't see may be missing from the cache.
  return channel?.viewable === true && (channel.type !== ChannelType.PrivateThread || channel.joined);
}
