// Tells Discord which commands there are, and only when that has changed: creations are limited to 200 a day.
import { type APIApplicationCommand, ApplicationIntegrationType, type REST, Routes } from 'discord.js';
import type { CommandData } from './command.ts';

/** For one guild (instant), or everywhere when `guildId` is null. Says whether anything had changed. Rejects with DiscordAPIError. */
export async function registerCommands(
  rest: REST,
  applicationId: string,
  guildId: string | null,
  commands: { data: CommandData }[],
  signal?: AbortSignal,
): Promise<boolean> {
  const options = signal ? { signal } : {};
  const route = guildId === null ? Routes.applicationCommands(applicationId) : Routes.applicationGuildCommands(applicationId, guildId);
  const wanted = commands.map(({ data }) => (guildId === null ? { ...FOR_GUILDS, ...data } : withoutContexts(data)));
  const present = (await rest.get(route, options)) as APIApplicationCommand[];
  if (fingerprint(present) === fingerprint(wanted)) return false;
  await rest.put(route, { ...options, body: wanted });
  return true;
}

/** What is meant where a command does not name who may install it; Discord would take the application's own setting. */
const FOR_GUILDS = { integration_types: [ApplicationIntegrationType.GuildInstall] };

/** Of a guild's own commands Discord ignores and never returns these, so what is registered would look changed at each start. */
function withoutContexts(data: CommandData): CommandData {
  const { contexts: _, integration_types: __, ...rest } = data;
  return rest as CommandData;
}

/** What both sides say of a command; Discord adds ids and versions, and fills in what was left out. */
const COMPARED = new Set([
  ...['type', 'name', 'description', 'options', 'required', 'autocomplete', 'choices', 'value', 'contexts', 'integration_types'],
  ...['min_value', 'max_value', 'min_length', 'max_length', 'channel_types', 'default_member_permissions', 'nsfw'],
]);

function fingerprint(commands: readonly object[]): string {
  return commands
    .map((command) => JSON.stringify(comparable(command)))
    .sort()
    .join('\n');
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(comparable);
    return items.every((item) => typeof item === 'number') ? items.sort((a, b) => a - b) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const said = Object.entries(value).filter(([key, inner]) => COMPARED.has(key) && !isLeftOut(inner));
  return Object.fromEntries(said.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, comparable(inner)]));
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);
}
