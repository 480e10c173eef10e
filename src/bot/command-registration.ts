// Registers the commands with Discord: everywhere, or in one guild only. Writes only what has changed, because a bot can create 200
// commands a day, and deletes what an earlier DISCORD_GUILD_ID left behind, because that guild would show every command twice.
import { createHash } from 'node:crypto';
import {
  type APIApplicationCommand,
  ApplicationIntegrationType,
  DiscordAPIError,
  type REST,
  RESTJSONErrorCodes,
  type RouteLike,
  Routes,
} from 'discord.js';
import type { CommandData } from '../discord/command.ts';
import { describeError } from '../discord/errors.ts';
import { inEveryLanguage } from '../locales/command-texts.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';

export interface RegistrationOptions {
  rest: REST;
  applicationId: string;
  /** Shown in the log if the bot hasn't been invited yet. */
  inviteUrl: string;
  /** The guild to register in; null = everywhere. */
  guildId: string | null;
  commands: { data: CommandData }[];
  /** Remembers the guilds the commands were registered in. */
  store: Store;
  log: Log;
  signal: AbortSignal;
}

/**
 * Registers the commands and deletes those of guilds that are no longer configured. Failures are logged; never rejects.
 * @returns whether the commands are registered
 */
export async function keepRegistered(options: RegistrationOptions): Promise<boolean> {
  const { guildId, log, signal } = options;
  let isRegistered = false;
  try {
    if (guildId !== null) await options.store.set(keyPrefix(options) + guildId, true);
    const changed = await registerCommands(options);
    log.info({ guild: guildId, commands: options.commands.length, changed }, 'the commands are registered');
    isRegistered = true;
  } catch (error) {
    if (signal.aborted) return false;
    const reason = isNotInGuild(error)
      ? `DISCORD_GUILD_ID: I am not in that guild (yet). Invite me with ${options.inviteUrl}`
      : 'the commands could not be registered';
    log.error(describeError(error), reason);
  }
  try {
    for (const id of await listRegisteredGuilds(options)) if (id !== guildId) await deleteFromGuild(options, id);
    if (guildId !== null) await warnOfDuplicates(options);
  } catch (error) {
    if (!signal.aborted) log.warn(describeError(error), 'earlier registrations could not be checked; the next start tries again');
  }
  return isRegistered;
}

/** A name that is the same for commands that Discord would show alike. @param guildId where; null = everywhere */
export function nameCommands(commands: readonly { data: CommandData }[], guildId: string | null): string {
  const described = [fingerprint(inEveryLanguage(commands.map(({ data }) => data))), guildId ?? ''].join('\n');
  return createHash('sha256').update(described).digest('base64url');
}

/** @returns whether anything had changed @throws DiscordAPIError */
export async function registerCommands({
  rest,
  applicationId,
  guildId,
  commands,
  signal,
}: Pick<RegistrationOptions, 'rest' | 'applicationId' | 'guildId' | 'commands' | 'signal'>): Promise<boolean> {
  const route = routeFor(applicationId, guildId);
  // Without being asked, Discord returns no localizations, and every start would seem to change them.
  const query = new URLSearchParams({ with_localizations: 'true' });
  const present = (await rest.get(route, { query, signal })) as APIApplicationCommand[];
  // Not before the request is under way: this takes milliseconds, and a bot that is starting would be ready so much later.
  const wanted = inEveryLanguage(commands.map(({ data }) => (guildId === null ? { ...DEFAULTS, ...data } : withoutContexts(data))));
  if (fingerprint(present) === fingerprint(wanted)) return false;
  await rest.put(route, { signal, body: wanted });
  return true;
}

/** The guilds that the commands were registered in and haven't been deleted from since. @throws StoreError */
export async function listRegisteredGuilds(options: Pick<RegistrationOptions, 'store' | 'applicationId'>): Promise<string[]> {
  const prefix = keyPrefix(options);
  return (await options.store.list(prefix)).map(([key]) => key.slice(prefix.length));
}

async function deleteFromGuild(options: RegistrationOptions, guildId: string): Promise<void> {
  const { rest, applicationId, store, log, signal } = options;
  try {
    await rest.put(routeFor(applicationId, guildId), { body: [], signal });
    log.info({ guild: guildId }, 'deleted the commands that were registered in this guild only');
  } catch (error) {
    // The guild has removed the bot. The commands will be back if the bot returns, and be deleted then.
    if (isNotInGuild(error)) return;
    throw error;
  }
  await store.delete(keyPrefix(options) + guildId);
}

/** Only warns about duplicates: other guilds may be using the global commands. */
async function warnOfDuplicates({ rest, applicationId, guildId, log, signal }: RegistrationOptions): Promise<void> {
  const global = (await rest.get(routeFor(applicationId, null), { signal })) as unknown[];
  if (global.length > 0)
    log.warn(
      { guild: guildId },
      'DISCORD_GUILD_ID: the commands are also registered everywhere, so they show twice in that guild. Unset it, or use a separate application for trials.',
    );
}

function routeFor(applicationId: string, guildId: string | null): RouteLike {
  return guildId === null ? Routes.applicationCommands(applicationId) : Routes.applicationGuildCommands(applicationId, guildId);
}

function keyPrefix({ applicationId }: Pick<RegistrationOptions, 'applicationId'>): string {
  return `registered:${applicationId}:`;
}

function isNotInGuild(error: unknown): boolean {
  const codes: unknown[] = [RESTJSONErrorCodes.MissingAccess, RESTJSONErrorCodes.UnknownGuild];
  return error instanceof DiscordAPIError && codes.includes(error.code);
}

/** Discord would use the application's own setting otherwise. */
const DEFAULTS = { integration_types: [ApplicationIntegrationType.GuildInstall] };

/** Discord ignores these for guild commands and never returns them, so the commands would look changed at every start. */
function withoutContexts(data: CommandData): CommandData {
  const { contexts: _, integration_types: __, ...rest } = data;
  return rest as CommandData;
}

/** Fields that map locales to texts. */
const LOCALIZATIONS = new Set(['name_localizations', 'description_localizations']);

/** The fields that we send; Discord adds ids and versions, and fills in what was left out. */
const COMPARED = new Set([
  'type',
  'name',
  'description',
  'options',
  'required',
  'autocomplete',
  'choices',
  'value',
  'contexts',
  'integration_types',
  'min_value',
  'max_value',
  'min_length',
  'max_length',
  'channel_types',
  'file_types',
  'default_member_permissions',
  ...LOCALIZATIONS,
  'nsfw',
]);

/** Equal for commands that mean the same, whatever the order and however empty fields are written. */
function fingerprint(commands: readonly object[]): string {
  return commands
    .map((command) => JSON.stringify(normalize(command)))
    .sort()
    .join('\n');
}

function normalize(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(normalize);
    return items.every((item) => typeof item === 'number') ? items.sort((a, b) => a - b) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([key, inner]) => COMPARED.has(key) && !isEmpty(inner));
  return sortedFields(fields.map(([key, inner]) => [key, LOCALIZATIONS.has(key) ? sortedFields(Object.entries(inner)) : normalize(inner)]));
}

function sortedFields(fields: [string, unknown][]): object {
  return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0);
}
