// /help: the first steps, and every command with a link to it.
import {
  type APIEmbed,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type ChatInputCommandInteraction,
  chatInputApplicationCommandMention,
  InteractionContextType,
  inlineCode,
  MessageFlags,
} from 'discord.js';
import { isAdmin } from '../src/bot/access.ts';
import type { SlashCommand } from '../src/bot/command.ts';
import { COLOR, limits } from '../src/bot/discord-limits.ts';
import { describeError } from '../src/bot/error-boundary.ts';
import { en } from '../src/locales/en/index.ts';
import { truncate } from '../src/text/truncate.ts';

const text = en.help;

/** A command as Discord has it; the id is null where Discord could not be asked. */
export interface KnownCommand {
  id: string | null;
  name: string;
  type: ApplicationCommandType;
  description: string;
  /** Where it can be used; null or absent = everywhere. */
  contexts?: readonly InteractionContextType[] | null;
  /** Whether it comes along with a server that has me, with a member who does, or both; null or absent = both. */
  integrationTypes?: readonly ApplicationIntegrationType[] | null;
}

/** Where /help was asked for. */
export interface Place {
  /** A server that I am a member of. */
  inGuild: boolean;
  isAdmin: boolean;
  context: InteractionContextType;
  /** By whom I was installed, for what is asked here: the server (of direct messages with me: any), the member, or both. */
  installs: readonly ApplicationIntegrationType[];
}

export const help = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'help',
    description: 'What I can do, and the first steps',
    integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
  },

  async run(interaction, { log }) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const commands = await commandsOf(interaction).catch((error: unknown) => {
      log.warn(describeError(error), 'the ids of the commands could not be asked for');
      return namesOnly();
    });
    await interaction.editReply({ embeds: [helpEmbed(commands, placeOf(interaction))] });
  },
} satisfies SlashCommand;

function placeOf(interaction: ChatInputCommandInteraction): Place {
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

/** Those of the place in which this one was called: registered in the server, or everywhere. Rejects with DiscordAPIError. */
async function commandsOf({ client, commandGuildId }: ChatInputCommandInteraction): Promise<KnownCommand[]> {
  const manager = client.application.commands;
  const known = manager.cache.filter(({ guildId }) => guildId === commandGuildId);
  if (known.size > 0) return [...known.values()];
  return [...(await manager.fetch(commandGuildId === null ? {} : { guildId: commandGuildId })).values()];
}

function namesOnly(): KnownCommand[] {
  const names = Object.values(text.commands).flatMap((group) => Object.keys(group));
  const type = (name: string) => (name === 'Transcribe' ? ApplicationCommandType.Message : ApplicationCommandType.ChatInput);
  return names.map((name) => ({ id: null, name, type: type(name), description: '' }));
}

/** What the commands do that can be used in this place; those for admins are shown to admins. */
export function helpEmbed(registered: readonly KnownCommand[], place: Place): APIEmbed {
  const commands = registered.filter(
    ({ contexts, integrationTypes }) =>
      (contexts?.includes(place.context) ?? true) && (integrationTypes?.some((type) => place.installs.includes(type)) ?? true),
  );
  const mention = (name: string) => {
    const found = commands.find((one) => one.name === name && one.type === ApplicationCommandType.ChatInput);
    return found?.id ? chatInputApplicationCommandMention(name, found.id) : inlineCode(`/${name}`);
  };
  const line = (name: string, what: string) => (name === 'Transcribe' ? what : `${mention(name)} ${what}`);
  const groups = Object.entries(text.commands).filter(([group]) => group !== 'admins' || place.isAdmin);
  const told = new Set(Object.values(text.commands).flatMap((group) => Object.keys(group)));
  const others = commands.filter(({ name, type }) => !told.has(name) && type === ApplicationCommandType.ChatInput);
  const fields = groups.map(([group, lines]): [keyof typeof text.fields, string[]] => [
    group as keyof typeof text.commands,
    Object.entries(lines).flatMap(([name, what]) => (commands.some((one) => one.name === name) ? [line(name, what)] : [])),
  ]);
  fields.push(['more', others.map(({ name, description }) => line(name, description))]);
  return {
    color: COLOR,
    description: text.intro,
    fields: [
      {
        name: text.fields.steps,
        value: place.inGuild ? text.steps(mention('say'), mention('voices')) : text.elsewhere(mention('say')),
      },
      ...fields.flatMap(([name, lines]) =>
        lines.length > 0 ? [{ name: text.fields[name], value: truncate(lines.join('\n'), limits.fieldValue) }] : [],
      ),
    ],
  };
}
