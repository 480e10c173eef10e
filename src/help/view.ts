// The embed of /help.
import {
  type APIEmbed,
  ApplicationCommandType,
  type ApplicationIntegrationType,
  chatInputApplicationCommandMention,
  type InteractionContextType,
  inlineCode,
} from 'discord.js';
import { COLOR, limits } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import { truncate } from '../text/truncate.ts';

const text = en.help;

/** A command as Discord knows it; the id is null if Discord could not be asked. */
export interface KnownCommand {
  id: string | null;
  name: string;
  type: ApplicationCommandType;
  description: string;
  /** Where it can be used; null or absent = everywhere. */
  contexts?: readonly InteractionContextType[] | null;
  /** Installed to servers, users or both; null or absent = both. */
  integrationTypes?: readonly ApplicationIntegrationType[] | null;
}

/** Where /help was used. */
export interface Place {
  /** In a guild the bot is a member of? */
  inGuild: boolean;
  isAdmin: boolean;
  context: InteractionContextType;
  /** How the bot is installed here. In direct messages with the bot, any guild counts. */
  installs: readonly ApplicationIntegrationType[];
}

/** Lists the commands that can be used in this place; those for admins only to admins. */
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

/** All commands without their ids, for when Discord cannot be asked. */
export function listCommandNames(): KnownCommand[] {
  const names = Object.values(text.commands).flatMap((group) => Object.keys(group));
  const type = (name: string) => (name === 'Transcribe' ? ApplicationCommandType.Message : ApplicationCommandType.ChatInput);
  return names.map((name) => ({ id: null, name, type: type(name), description: '' }));
}
