// /status: answers "why don't I hear anything?" with the most probable cause, then the state of everything involved.
import { ApplicationCommandType, ApplicationIntegrationType, InteractionContextType, MessageFlags, PermissionFlagsBits } from 'discord.js';
import { asEdit } from '../src/discord/cards.ts';
import type { SlashCommand } from '../src/discord/command.ts';
import { described } from '../src/locales/command-texts.ts';
import { checkService, diagnose, gatherFacts, gatherOperatorFacts, type StatusContext } from '../src/status/facts.ts';
import { statusMessage } from '../src/status/view.ts';

export const status = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'status',
    ...described('commands.status.description'),
    integration_types: [ApplicationIntegrationType.GuildInstall],
    contexts: [InteractionContextType.Guild],
  },

  browses: true,

  async run(interaction, context) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const [service, operator, facts] = await Promise.all([
      checkService(context),
      gatherOperatorFacts(interaction, context),
      gatherFacts(interaction, context),
    ]);
    const { t } = context;
    const statusFacts = { ...facts, service };
    const here = {
      viewChannel: interaction.appPermissions.has(PermissionFlagsBits.ViewChannel),
      sendMessages: interaction.appPermissions.has(PermissionFlagsBits.SendMessages),
    };
    const shardId = interaction.guild?.shardId ?? 0;
    await interaction.editReply(asEdit(statusMessage(t, statusFacts, diagnose(t, statusFacts), { here, operator, shardId })));
  },
} satisfies SlashCommand<StatusContext>;
