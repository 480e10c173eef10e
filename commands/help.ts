// /help: the first steps, and every command with a link to it.
import {
  ApplicationCommandType,
  ApplicationIntegrationType,
  type ChatInputCommandInteraction,
  InteractionContextType,
  MessageFlags,
} from 'discord.js';
import { createTogetherByKey, within } from '../src/async/waiting.ts';
import { isAdmin } from '../src/discord/access.ts';
import { asEdit } from '../src/discord/cards.ts';
import { EVERYWHERE, type InteractionContext, type SlashCommand } from '../src/discord/command.ts';
import { describeError } from '../src/discord/errors.ts';
import type { MessageAccess } from '../src/discord/message-access.ts';
import type { IsOperator } from '../src/discord/operators.ts';
import { helpMessage, type KnownCommand, listCommandNames, type Place } from '../src/help/view.ts';
import { described } from '../src/locales/command-texts.ts';
import type { Settings } from '../src/store/settings.ts';
import { findMakerRefusal, makerOf, type VoiceMakers } from '../src/voice-catalogue/own-voice-request.ts';

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
    ...described('commands.help.description'),
    ...EVERYWHERE,
  },

  async run(interaction, context) {
    const { t, log } = context;
    const readsMessages = context.messageAccess() !== 'off';
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const [commands, refusal] = await Promise.all([
      listCommands(interaction).catch((error: unknown) => {
        log.warn(describeError(error), 'could not fetch the ids of the commands');
        return listCommandNames();
      }),
      findMakerRefusal(makerOf(interaction), context),
    ]);
    await interaction.editReply(
      asEdit(helpMessage(t, commands, { ...placeOf(interaction), makesVoices: refusal === null, readsMessages })),
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

/** Milliseconds to wait before the names are shown without links: Discord may hold the request back for minutes. */
const TIMEOUT_MS = 5_000;

type CommandManager = ChatInputCommandInteraction['client']['application']['commands'];

/** One request at a time is enough for each guild: while Discord holds it back, further ones would queue behind it. */
const requests = new WeakMap<CommandManager, ReturnType<typeof createTogetherByKey<string | null, KnownCommand[]>>>();

/** The commands registered where this one is: in the guild, or globally. @throws DiscordAPIError, Error if that takes too long */
async function listCommands({ client, commandGuildId }: ChatInputCommandInteraction): Promise<KnownCommand[]> {
  const manager = client.application.commands;
  const cachedCommands = manager.cache.filter(({ guildId }) => guildId === commandGuildId);
  if (cachedCommands.size > 0) return [...cachedCommands.values()];
  const fetched = await within(TIMEOUT_MS, fetchCommands(manager, commandGuildId));
  if (!fetched) throw new Error('Discord takes too long');
  return fetched;
}

function fetchCommands(manager: CommandManager, guildId: string | null): Promise<KnownCommand[]> {
  const together = requests.get(manager) ?? createTogetherByKey();
  requests.set(manager, together);
  return together(guildId, async () => [...(await manager.fetch(guildId === null ? {} : { guildId })).values()]);
}
