// /leave: makes the bot leave the voice channel.
import { ApplicationCommandType, type ChatInputCommandInteraction, InteractionContextType } from 'discord.js';
import type { Captions, OpenCaptions } from '../src/captions/context.ts';
import { findStopRefusal } from '../src/captions/start-rules.ts';
import { card, cards, text } from '../src/discord/cards.ts';
import type { InteractionContext, SlashCommand } from '../src/discord/command.ts';
import { UserError } from '../src/discord/errors.ts';
import { isModerator } from '../src/discord/permissions.ts';
import type { FindSpeaking, Speaking } from '../src/discord/speaking.ts';
import { listenersIn } from '../src/discord/voice-channels.ts';
import { described } from '../src/locales/command-texts.ts';
import { joinSentences } from '../src/locales/format.ts';
import { findStoppable } from '../src/reading/start-rules.ts';
import type { Reading } from '../src/reading/types.ts';
import type { Settings } from '../src/store/settings.ts';

interface LeaveContext extends InteractionContext {
  speakingIn: FindSpeaking;
  reading: Reading;
  captions: Pick<Captions, 'in'>;
  settings: Settings;
}

export const leave = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'leave',
    ...described('commands.leave.description'),
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  whileDraining: true,
  async run(interaction, { speakingIn, reading, captions, settings, publicT: t }) {
    const guildId = interaction.guildId ?? '';
    const speaking = await speakingIn(guildId);
    const channelId = speaking?.channelId;
    if (!speaking || !channelId) throw new UserError((t) => t('voiceChannels.botNotInVoice'), { isEmptyState: true });
    const { channels, pausedBy } = reading.status(guildId);
    const read = pausedBy === null ? channels.filter(({ voiceChannelId }) => voiceChannelId === channelId) : [];
    if (read.length > 0) {
      const { stoppable, refusal } = await findStoppable(interaction, { settings }, read, speaking);
      const texts = read.map(({ textChannelId }) => textChannelId);
      if (stoppable.length < read.length)
        throw new UserError((t) => joinSentences(t, t('reading.leaveStops', { textChannels: texts }), refusal(t)));
    }
    const captioned = captions.in(guildId);
    if (captioned?.voiceChannelId === channelId) checkLeave(interaction, captioned);
    if (!isModerator(interaction, speaking) && disturbs(interaction, speaking)) throw new UserError((t) => t('queue.othersWaiting'));
    if (captioned?.voiceChannelId === channelId) await captioned.prepareLeaving();
    // Otherwise the next message would bring the bot back.
    await reading.pause(guildId);
    await speaking.leave();
    const comesBack = channels.length > 0 ? t('reading.pausedReading') : null;
    await interaction.reply(
      cards(card('neutral', text(t('queue.left', { channel: channelId })), comesBack === null ? null : text(`-# ${comesBack}`))),
    );
  },
} satisfies SlashCommand<LeaveContext>;

/** Leaving ends the captions, which not everybody may do. @throws UserError */
function checkLeave(interaction: ChatInputCommandInteraction, captioned: OpenCaptions): void {
  const refusal = findStopRefusal(interaction, captioned);
  if (refusal) throw new UserError((t) => joinSentences(t, t('captions.leaveStops'), refusal(t)));
}

/**
 * Would others lose texts of theirs? Not if the member is the only listener. Messages that are read don't count: this member may stop them.
 */
function disturbs({ guild, user }: ChatInputCommandInteraction, { items, channelId }: Speaking): boolean {
  if (items.every(({ memberId, background }) => background || memberId === user.id)) return false;
  const listeners = guild && channelId ? listenersIn(guild, channelId) : [];
  return !(listeners.length === 1 && listeners[0] === user.id);
}
