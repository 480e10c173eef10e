// /stop: ends the member's own utterances, including waiting ones; moderators end everybody's.
import { ApplicationCommandType, InteractionContextType } from 'discord.js';
import { card, cards, text } from '../src/discord/cards.ts';
import type { InteractionContext, SlashCommand } from '../src/discord/command.ts';
import { UserError } from '../src/discord/errors.ts';
import { isModerator } from '../src/discord/permissions.ts';
import { endAllOf, type FindSpeaking } from '../src/discord/speaking.ts';
import { described } from '../src/locales/command-texts.ts';
import type { Reading } from '../src/reading/types.ts';

interface StopContext extends InteractionContext {
  speakingIn: FindSpeaking;
  reading: Reading;
}

export const stop = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'stop',
    ...described('commands.stop.description'),
    contexts: [InteractionContextType.Guild],
  },
  restricted: true,
  whileDraining: true,
  async run(interaction, { speakingIn, reading, publicT: t }) {
    const guildId = interaction.guildId ?? '';
    const speaking = await speakingIn(guildId);
    if (!speaking?.items.length) throw new UserError((t) => t('queue.empty'), { isEmptyState: true });
    const { items, end } = speaking;
    const stopped = await (isModerator(interaction, speaking) ? end(items.map(({ id }) => id)) : endAllOf(speaking, interaction.user.id));
    if (stopped === 0) throw new UserError((t) => t('queue.nothingToStop'), { isEmptyState: true });
    const goesOn = reading.channels(guildId).length > 0 ? t('reading.stillReading') : null;
    await interaction.reply(
      cards(card('neutral', text(t('queue.stopped', { count: stopped })), goesOn === null ? null : text(`-# ${goesOn}`))),
    );
  },
} satisfies SlashCommand<StopContext>;
