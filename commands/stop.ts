// /stop: ends the member's own utterances, waiting ones included; for moderators everybody's.
import { ApplicationCommandType, InteractionContextType } from 'discord.js';
import type { SlashCommand } from '../src/bot/command.ts';
import { isModerator } from '../src/bot/permissions.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { removeAllOf } from '../src/say/queue.ts';
import type { Sessions } from '../src/voice/types.ts';

export const stop = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'stop',
    description: 'End and drop all of your texts; as a moderator, everybody’s',
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  whileDraining: true,
  async run(interaction, { sessions }) {
    const session = sessions.get(interaction.guildId ?? '');
    if (!session?.length) throw new UserError((t) => t.queue.empty);
    const stopped = isModerator(interaction, session) ? session.stop() : removeAllOf(session, interaction.user.id);
    if (stopped === 0) throw new UserError((t) => t.queue.nothingToStop);
    await interaction.reply(en.queue.stopped(stopped));
  },
} satisfies SlashCommand<{ sessions: Sessions }>;
