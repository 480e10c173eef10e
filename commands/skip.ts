// /skip: ends what is playing, so that the next utterance starts.
import { ApplicationCommandType, InteractionContextType } from 'discord.js';
import type { SlashCommand } from '../src/bot/command.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { checkOwnerOrModerator } from '../src/say/queue.ts';
import type { Sessions } from '../src/voice/types.ts';

export const skip = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'skip',
    description: 'End what is being said: your own, or, as a moderator, anybody’s',
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  whileDraining: true,
  async run(interaction, { sessions }) {
    const session = sessions.get(interaction.guildId ?? '');
    const current = session?.items()[0];
    if (!session || !current) throw new UserError((t) => t.queue.empty);
    checkOwnerOrModerator(interaction, { sessions }, current.memberId);
    session.skip(current.id);
    await interaction.reply(en.queue.skipped(current.memberId));
  },
} satisfies SlashCommand<{ sessions: Sessions }>;
