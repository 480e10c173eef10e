// /queue: what is playing in this server, and what is waiting.
import { ApplicationCommandType, InteractionContextType, MessageFlags } from 'discord.js';
import { asEdit, notice } from '../src/bot/cards.ts';
import type { ComponentInteraction, InteractionContext, SlashCommand } from '../src/bot/command.ts';
import { isModerator } from '../src/bot/permissions.ts';
import { UserError } from '../src/bot/user-error.ts';
import { described } from '../src/locales/index.ts';
import { checkOwnerOrModerator } from '../src/say/queue.ts';
import { queueMessage } from '../src/say/queue-view.ts';
import type { QueueItem, Sessions } from '../src/voice/types.ts';

interface QueueContext extends InteractionContext {
  sessions: Sessions;
}

export const queue = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'queue',
    ...described((t) => t.commands.queue.description),
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  async run(interaction, { sessions, words: t }) {
    const session = sessions.get(interaction.guildId ?? '');
    if (!session?.length) throw new UserError((words) => words.queue.empty);
    const message = queueMessage(t, session.items(), 1, removable(interaction, sessions));
    await interaction.reply({ ...message, flags: [message.flags, MessageFlags.Ephemeral] });
  },
  components: {
    /** `queue:button:page`, and `queue:remove:page:utterance`; the queue as it is now. */
    queue: {
      whileDraining: true,
      async run(interaction, { sessions, words: t }, [name, page, id = '']) {
        const session = sessions.get(interaction.guildId ?? '');
        if (name === 'remove') {
          const item = session?.items().find((one) => one.id === id);
          if (!item) throw new UserError((words) => words.queue.alreadyGone);
          checkOwnerOrModerator(interaction, { sessions }, item.memberId, 'stop');
          session?.remove(id);
        }
        // What was playing leaves the list only once it has ended.
        const items = (session?.items() ?? []).filter((item) => item.id !== id);
        const message =
          items.length > 0 ? queueMessage(t, items, Number(page), removable(interaction, sessions)) : notice(t.queue.empty, 'neutral');
        await interaction.update(asEdit(message));
      },
    },
  },
} satisfies SlashCommand<QueueContext>;

type Removing = Pick<ComponentInteraction, 'user' | 'guild' | 'guildId' | 'member' | 'memberPermissions'>;

/** Members remove their own texts, moderators all. */
function removable(interaction: Removing, sessions: Sessions): (item: QueueItem) => boolean {
  const isAllowed = isModerator(interaction, sessions.get(interaction.guildId ?? ''));
  return ({ memberId }) => isAllowed || memberId === interaction.user.id;
}
