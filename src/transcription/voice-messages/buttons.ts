// The buttons about voice messages: below a channel's notice, and below the words of one.
import { MessageFlags } from 'discord.js';
import { asPrivate, notice } from '../../discord/cards.ts';
import type { SlashCommand } from '../../discord/command.ts';
import { on } from '../../discord/custom-ids.ts';
import { leftSentence } from '../../posted-words/removals.ts';
import type { Settings } from '../../store/settings.ts';
import type { TranscriptionContext } from '../context.ts';
import { stayOutId } from '../message.ts';
import { takePartId } from './channel-notices.ts';
import type { VoiceMessages } from './types.ts';

export const voiceMessageButtons = [
  on(takePartId, {
    whileDraining: true,
    async run(interaction, { t, settings, voiceMessages }, { action }) {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await chooseTranscribed(interaction.user.id, action === 'on', { settings, voiceMessages });
      await interaction.editReply(notice(action === 'on' ? t('voiceMessages.isOn') : t('voiceMessages.isOff'), 'done'));
    },
  }),

  on(stayOutId, {
    whileDraining: true,
    async run(interaction, { t, settings, voiceMessages }, { owner, speakerId }) {
      const { user, message } = interaction;
      // Only their own words are theirs to delete.
      const isTheirs = user.id === owner || user.id === speakerId;
      if (isTheirs) await interaction.deferUpdate();
      else await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await chooseTranscribed(user.id, false, { settings, voiceMessages });
      if (isTheirs) {
        const left = await voiceMessages.deleteReply(message, [owner, speakerId]);
        const done = left.length > 0 ? notice(leftSentence(t, left), 'waiting') : notice(t('voiceMessages.isOffAndDeleted'), 'done');
        await interaction.followUp(asPrivate(done));
      } else await interaction.editReply(notice(t('voiceMessages.isOff'), 'done'));
    },
  }),
] satisfies Partial<SlashCommand<TranscriptionContext>>['components'];

/** Whether a member's voice messages are transcribed applies at once, in every server. @throws StoreError */
export async function chooseTranscribed(
  memberId: string,
  transcribed: boolean,
  { settings, voiceMessages }: { settings: Settings; voiceMessages: Pick<VoiceMessages, 'cancel'> },
): Promise<void> {
  await settings.changeMember(memberId, (before) => ({ ...before, transcribed }));
  if (!transcribed) await voiceMessages.cancel(memberId);
}
