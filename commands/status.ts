// /status: answers "why do I hear nothing?" with the most probable cause, then the state of everything involved.
import { ApplicationCommandType, ApplicationIntegrationType, InteractionContextType, MessageFlags, PermissionFlagsBits } from 'discord.js';
import type { SlashCommand } from '../src/bot/command.ts';
import { diagnose } from '../src/status/diagnosis.ts';
import { checkService, fetchBalance, gatherFacts, type StatusContext } from '../src/status/facts.ts';
import { statusEmbed } from '../src/status/view.ts';

export const status = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'status',
    description: 'Why do I hear nothing? Shows what is wrong, and what to do',
    integration_types: [ApplicationIntegrationType.GuildInstall],
    contexts: [InteractionContextType.Guild],
  },

  browses: true,

  async run(interaction, context) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const [service, balance, facts] = await Promise.all([
      checkService(context),
      fetchBalance(interaction, context),
      gatherFacts(interaction, context),
    ]);
    const all = { ...facts, service };
    const here = {
      viewChannel: interaction.appPermissions.has(PermissionFlagsBits.ViewChannel),
      sendMessages: interaction.appPermissions.has(PermissionFlagsBits.SendMessages),
    };
    await interaction.editReply({ embeds: [statusEmbed(all, diagnose(all), { here, balance })] });
  },
} satisfies SlashCommand<StatusContext>;
