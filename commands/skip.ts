// /skip: ends what is playing, and the next utterance starts.
import { ApplicationCommandType, InteractionContextType } from 'discord.js';
import { notice } from '../src/discord/cards.ts';
import type { InteractionContext, SlashCommand } from '../src/discord/command.ts';
import { UserError } from '../src/discord/errors.ts';
import { checkOwnerOrModerator, type FindSpeaking } from '../src/discord/speaking.ts';
import { described } from '../src/locales/command-texts.ts';

interface SkipContext extends InteractionContext {
  speakingIn: FindSpeaking;
}

export const skip = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'skip',
    ...described('commands.skip.description'),
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  whileDraining: true,
  async run(interaction, { speakingIn, publicT: t }) {
    const speaking = await speakingIn(interaction.guildId);
    const current = speaking?.items[0];
    if (!speaking || !current) throw new UserError((t) => t('queue.empty'), { isEmptyState: true });
    checkOwnerOrModerator(interaction, speaking, current.memberId, 'skip');
    await speaking.end([current.id], 'skipped');
    const isOwn = current.memberId === interaction.user.id;
    await interaction.reply(notice(isOwn ? t('queue.skippedOwn') : t('queue.skipped', { owner: current.memberId }), 'neutral'));
  },
} satisfies SlashCommand<SkipContext>;
