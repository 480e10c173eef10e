// /help: the first steps, and every command with a link to it.
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  type ChatInputCommandInteraction,
  InteractionContextType,
  MessageFlags,
} from 'discord.js';
import { isAdmin } from '../src/bot/access.ts';
import { asEdit } from '../src/bot/cards.ts';
import type { InteractionContext, SlashCommand } from '../src/bot/command.ts';
import { describeError } from '../src/bot/error-boundary.ts';
import type { MessageAccess } from '../src/bot/message-access.ts';
import type { IsOperator } from '../src/bot/operators.ts';
import { helpMessage, type KnownCommand, listCommandNames, type Place } from '../src/help/view.ts';
import { described } from '../src/locales/index.ts';
import { findMakerRefusal, makerOf, type VoiceMakers } from '../src/own-voices/permission.ts';
import type { Settings } from '../src/settings/index.ts';

interface HelpContext extends InteractionContext {
  settings: Settings;
  voiceMakers: VoiceMakers;
  messageAccess: () => MessageAccess;
  isOperator: IsOperator;
}

export const help = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'help',
    ...described((t) => t.commands.help.description),
    integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
  },

  async run(interaction, context) {
    const { words, log } = context;
    const readsMessages = context.messageAccess() !== 'off';
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const [commands, refusal] = await Promise.all([
      fetchCommands(interaction).catch((error: unknown) => {
        log.warn(describeError(error), 'the ids of the commands could not be fetched');
        return listCommandNames();
      }),
      findMakerRefusal(makerOf(interaction), context),
    ]);
    await interaction.editReply(
      asEdit(helpMessage(words, commands, { ...placeOf(interaction), makesVoices: refusal === null, readsMessages })),
    );
  },
} satisfies SlashCommand<HelpContext>;

function placeOf(interaction: ChatInputCommandInteraction): Omit<Place, 'makesVoices' | 'readsMessages'> {
  const { guildId, userId } = interaction.authorizingIntegrationOwners;
  return {
    inGuild: interaction.inCachedGuild(),
    isAdmin: interaction.inCachedGuild() && isAdmin(interaction.memberPermissions),
    context: interaction.context ?? (interaction.inGuild() ? InteractionContextType.Guild : InteractionContextType.BotDM),
    installs: [
      ...(guildId === null ? [] : [ApplicationIntegrationType.GuildInstall]),
      ...(userId === null ? [] : [ApplicationIntegrationType.UserInstall]),
    ],
  };
}

/** The commands registered where this one is: in the guild, or globally. @throws DiscordAPIError */
async function fetchCommands({ client, commandGuildId }: ChatInputCommandInteraction): Promise<KnownCommand[]> {
  const manager = client.application.commands;
  const known = manager.cache.filter(({ guildId }) => guildId === commandGuildId);
  if (known.size > 0) return [...known.values()];
  return [...(await manager.fetch(commandGuildId === null ? {} : { guildId: commandGuildId })).values()];
}
