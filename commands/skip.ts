// /skip: ends what is playing, so that the next utterance starts.
import { ApplicationCommandType, InteractionContextType } from 'discord.js';
import { notice } from '../src/bot/cards.ts';
import type { InteractionContext, SlashCommand } from '../src/bot/command.ts';
import { UserError } from '../src/bot/user-error.ts';
import { described } from '../src/locales/index.ts';
import { checkOwnerOrModerator } from '../src/say/queue.ts';
import type { Sessions } from '../src/voice/types.ts';

interface SkipContext extends InteractionContext {
  sessions: Sessions;
}

export const skip = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'skip',
    ...described((t) => t.commands.skip.description),
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  whileDraining: true,
  async run(interaction, { sessions, publicWords: t }) {
    const session = sessions.get(interaction.guildId ?? '');
    const current = session?.items()[0];
    if (!session || !current) throw new UserError((words) => words.queue.empty);
    checkOwnerOrModerator(interaction, { sessions }, current.memberId, 'skip');
    session.skip(current.id);
    await interaction.reply(notice(t.queue.skipped(current.memberId), 'neutral'));
  },
} satisfies SlashCommand<SkipContext>;
