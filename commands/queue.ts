// /queue: what is playing in this server, and what is waiting.
import { ApplicationCommandType, InteractionContextType } from 'discord.js';
import { asEdit, asPrivate, notice } from '../src/discord/cards.ts';
import type { ComponentInteraction, InteractionContext, SlashCommand } from '../src/discord/command.ts';
import { on } from '../src/discord/custom-ids.ts';
import { UserError } from '../src/discord/errors.ts';
import { isModerator } from '../src/discord/permissions.ts';
import { checkOwnerOrModerator, type FindSpeaking, type Speaking } from '../src/discord/speaking.ts';
import { described } from '../src/locales/command-texts.ts';
import { queueId, queueMessage } from '../src/say/queue-view.ts';
import type { QueueItem } from '../src/voice-session/types.ts';

interface QueueContext extends InteractionContext {
  speakingIn: FindSpeaking;
}

export const queue = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'queue',
    ...described('commands.queue.description'),
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  async run(interaction, { speakingIn, t }) {
    const speaking = await speakingIn(interaction.guildId);
    if (!speaking?.items.length) throw new UserError((t) => t('queue.empty'), { isEmptyState: true });
    await interaction.reply(asPrivate(queueMessage(t, speaking.items, 1, removable(interaction, speaking))));
  },
  components: [
    on(queueId, {
      whileDraining: true,
      async run(interaction, { speakingIn, t }, { name, page, utterance: id = '' }) {
        let speaking = await speakingIn(interaction.guildId);
        if (name === 'remove') {
          const item = speaking?.items.find((queued) => queued.id === id);
          if (!item) throw new UserError((t) => t('queue.alreadyGone'));
          checkOwnerOrModerator(interaction, speaking, item.memberId, 'stop');
          await speaking?.end([id]);
          speaking = await speakingIn(interaction.guildId);
        }
        // What was playing stays in the list until it has ended.
        const items = (speaking?.items ?? []).filter((item) => item.id !== id);
        const message =
          items.length > 0 ? queueMessage(t, items, page, removable(interaction, speaking)) : notice(t('queue.empty'), 'neutral');
        await interaction.update(asEdit(message));
      },
    }),
  ],
} satisfies SlashCommand<QueueContext>;

type Removing = Pick<ComponentInteraction, 'user' | 'guild' | 'guildId' | 'member' | 'memberPermissions'>;

/** Members can remove their own texts, moderators can remove all. */
function removable(interaction: Removing, speaking: Speaking | null): (item: QueueItem) => boolean {
  const isAllowed = isModerator(interaction, speaking);
  return ({ memberId }) => isAllowed || memberId === interaction.user.id;
}
