// "Hear…": plays a sample in the member's voice channel, or attaches it if the member is in none.
import { AttachmentBuilder, MessageFlags, type VoiceBasedChannel } from 'discord.js';
import type { VoiceModel } from '../api/index.ts';
import { checkVoiceRules } from '../bot/access.ts';
import { asEdit, card, cards, file, notice, text } from '../bot/cards.ts';
import type { ComponentInteraction } from '../bot/command.ts';
import { checkVoiceChannel } from '../bot/permissions.ts';
import { checkQueueLimits } from '../bot/queue-limits.ts';
import { titleOf } from './catalogue.ts';
import type { VoicesContext } from './context.ts';
import { readSample, type Sample, sampleUtterance } from './sample.ts';

/**
 * Replies privately.
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
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const voice = await find();
  const sample = await readSample(context.safeFetch, voice, choose(voice), context.signal);
  if (channel) {
    await play(interaction, context, channel, titleOf(voice), sample);
  } else {
    const reply = cards(card('done', text(context.words.voices.sampleAttached(titleOf(voice))), file(sample.fileName)));
    const files = [new AttachmentBuilder(Buffer.from(sample.bytes), { name: sample.fileName })];
    await interaction.editReply({ ...asEdit(reply), files });
  }
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
  channel: VoiceBasedChannel,
  title: string,
  sample: Sample,
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
  await interaction.editReply(asEdit(notice(words.voices.samplePlays(title, channel.id, playback.position), 'speaking')));
  const outcome = await playback.finished;
  if (outcome.ended === 'failed') throw outcome.cause;
}
