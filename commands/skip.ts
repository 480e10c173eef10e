// /skip: ends what is being said, and the next one begins.
import { ApplicationCommandType, InteractionContextType } from 'discord.js';
import { type SlashCommand, UserError } from '../src/bot/command.ts';
import { sentences } from '../src/locales/en/index.ts';
import { checkOwner } from '../src/say/queue.ts';

export const skip = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'skip',
    description: 'End what is being said: your own, or, as a moderator, anybody’s',
    contexts: [InteractionContextType.Guild],
  },
  bound: true,
  whileDraining: true,
  async run(interaction, { sessions }) {
    const session = sessions.get(interaction.guildId ?? '');
    const current = session?.items()[0];
    if (!session || !current) throw new UserError(sentences.nothingSaid);
    checkOwner(interaction, { sessions }, current.memberId);
    session.skip(current.id);
    await interaction.reply(sentences.skippedOne(current.memberId));
  },
} satisfies SlashCommand;
