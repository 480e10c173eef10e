// "Hear…": plays a sample in the member's voice channel, or attaches it if the member is in none.
import { AttachmentBuilder, MessageFlags, type VoiceBasedChannel } from 'discord.js';
import { LRUCache } from 'lru-cache';
import type { VoiceModel } from '../api/index.ts';
import { checkVoiceRules } from '../bot/access.ts';
import { asEdit, asPrivate, type CardMessage, card, cards, file, notice, text } from '../bot/cards.ts';
import type { ComponentInteraction } from '../bot/command.ts';
import { checkVoiceChannel } from '../bot/permissions.ts';
import { checkQueueLimits } from '../bot/queue-limits.ts';
import { titleOf } from './catalogue.ts';
import type { VoicesContext } from './context.ts';
import { readSample, type Sample, sampleUtterance } from './sample.ts';

/** Milliseconds: Discord takes changes of a reply for 15 minutes. */
const EDITABLE_MS = 14 * 60_000;

type Reply = CardMessage & { files?: AttachmentBuilder[] };

/** Changes the reply in which a member heard the last sample below a message, by both their ids: the next sample takes its place. */
const lastReplies = new LRUCache<string, (reply: Reply) => Promise<unknown>>({ max: 1_000, ttl: EDITABLE_MS });

/**
 * Replies privately, in place of the sample before.
 * @param find returns the voice as it is now
 * @param choose returns the index of the sample
 * @throws UserError, VoiceError, AudioError, StoreError, whatever `find` throws
 */
export async function playSample(
  interaction: ComponentInteraction,
  context: VoicesContext,
  find: () => Promise<VoiceModel>,
  choose: (voice: VoiceModel) => number,
): Promise<void> {
  const channel = await channelOf(interaction, context);
  const show = await beginReply(interaction);
  const voice = await find();
  const sample = await readSample(context.safeFetch, voice, choose(voice), context.signal);
  if (channel) {
    await play(interaction, context, { channel, title: titleOf(voice), sample, show });
  } else {
    const reply = cards(card('done', text(context.words.voices.sampleAttached(titleOf(voice))), file(sample.fileName)));
    const files = [new AttachmentBuilder(Buffer.from(sample.bytes), { name: sample.fileName })];
    await show({ ...reply, files });
  }
}

const withoutLastFile = (reply: Reply) => ({ ...asEdit(reply), attachments: [] });

/** Returns what shows the reply. */
async function beginReply(interaction: ComponentInteraction): Promise<(reply: Reply) => Promise<void>> {
  const key = `${interaction.message.id}:${interaction.user.id}`;
  const editLast = lastReplies.get(key);
  if (!editLast) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    lastReplies.set(key, (reply) => interaction.editReply(withoutLastFile(reply)));
    return async (reply) => void (await interaction.editReply(asEdit(reply)));
  }
  await interaction.deferUpdate();
  return async (reply) => {
    try {
      await editLast(reply);
    } catch {
      // The member has dismissed it.
      const { id } = await interaction.followUp({ ...reply, ...asPrivate(reply) });
      lastReplies.set(key, (next) => interaction.webhook.editMessage(id, withoutLastFile(next)));
    }
  };
}

/** The member's voice channel; null if they are in none. @throws UserError if the member or the bot may not speak there */
async function channelOf(interaction: ComponentInteraction, { settings, isServerMuted }: VoicesContext): Promise<VoiceBasedChannel | null> {
  if (!interaction.inCachedGuild()) return null;
  const { channel } = interaction.member.voice;
  if (!channel) return null;
  checkVoiceRules(channel, interaction.member, await settings.guild(interaction.guildId));
  checkVoiceChannel(channel, interaction.member, isServerMuted(interaction.member));
  return channel;
}

async function play(
  interaction: ComponentInteraction,
  { sessions, settings, words }: VoicesContext,
  { channel, title, sample, show }: { channel: VoiceBasedChannel; title: string; sample: Sample; show: (reply: Reply) => Promise<void> },
): Promise<void> {
  const { volume, stay } = await settings.guild(channel.guildId);
  checkQueueLimits(sessions.get(channel.guildId), interaction.user.id);
  const session = sessions.join(channel);
  session.setStay(stay);
  const playback = session.enqueue(sampleUtterance(sample, volume), {
    id: interaction.id,
    memberId: interaction.user.id,
    label: { voice: title, text: null, seconds: null },
  });
  await show(notice(words.voices.samplePlays(title, channel.id, playback.position), 'speaking'));
  const outcome = await playback.finished;
  if (outcome.ended === 'failed') throw outcome.cause;
}
