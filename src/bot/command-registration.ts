// Keeps the commands registered: everywhere, or in one guild alone. Commands of one guild stay there when the setting is gone, and every
// command would then be shown twice; so the store remembers where they were registered, and they are deleted there.
import { DiscordAPIError, type REST, RESTJSONErrorCodes, Routes } from 'discord.js';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import type { CommandData } from './command.ts';
import { describeError } from './error-boundary.ts';
import { createInviteLink } from './permissions.ts';
import { registerCommands } from './register.ts';

export interface RegistrationOptions {
  rest: REST;
  applicationId: string;
  /** The guild to register in; null = everywhere. */
  guildId: string | null;
  commands: { data: CommandData }[];
  store: Store;
  log: Log;
  /** Ends whatever is under way. */
  signal: AbortSignal;
}

/** Registers the commands, and deletes those of guilds that are no longer wanted. Failures are logged; never rejects. */
export async function keepRegistered(options: RegistrationOptions): Promise<void> {
  const { applicationId, guildId, log, signal } = options;
  try {
    if (guildId !== null) await remember(options, guildId);
    const changed = await registerCommands(options.rest, applicationId, guildId, options.commands, signal);
    log.info({ guild: guildId, commands: options.commands.length, changed }, 'the commands are registered');
  } catch (error) {
    if (signal.aborted) return;
    const reason = isOutside(error)
      ? `DISCORD_GUILD_ID: I am not in that guild (yet). Invite me with ${createInviteLink(applicationId)}`
      : 'the commands could not be registered';
    log.error(describeError(error), reason);
  }
  try {
    for (const id of await rememberedGuilds(options)) if (id !== guildId) await deleteIn(options, id);
    if (guildId !== null) await warnOfDoubles(options);
  } catch (error) {
    if (!signal.aborted)
      log.warn(describeError(error), 'commands that were registered earlier could not be looked at: the next start tries again');
  }
}

type Memory = Pick<RegistrationOptions, 'store' | 'applicationId'>;

const prefixOf = ({ applicationId }: Memory) => `registered:${applicationId}:`;

const remember = (options: Memory, guildId: string) => options.store.set(prefixOf(options) + guildId, true);

/** Guilds in which the commands were registered, and not deleted since. Rejects with StoreError. */
export async function rememberedGuilds(options: Memory): Promise<string[]> {
  const prefix = prefixOf(options);
  return (await options.store.list(prefix)).map(([key]) => key.slice(prefix.length));
}

async function deleteIn(options: RegistrationOptions, guildId: string): Promise<void> {
  const { rest, applicationId, store, log, signal } = options;
  try {
    await rest.put(Routes.applicationGuildCommands(applicationId, guildId), { body: [], signal });
    log.info({ guild: guildId }, 'the commands that were registered in this guild alone are deleted there');
  } catch (error) {
    // A guild that has put me out keeps its commands for when I am invited again: they are deleted then.
    if (isOutside(error)) return;
    throw error;
  }
  await store.delete(prefixOf(options) + guildId);
}

/** I am not, or no longer, in that guild. */
function isOutside(error: unknown): boolean {
  const codes: unknown[] = [RESTJSONErrorCodes.MissingAccess, RESTJSONErrorCodes.UnknownGuild];
  return error instanceof DiscordAPIError && codes.includes(error.code);
}

/** Global commands are never deleted for one guild's sake: they may be in use in others. */
async function warnOfDoubles({ rest, applicationId, guildId, log, signal }: RegistrationOptions): Promise<void> {
  const everywhere = (await rest.get(Routes.applicationCommands(applicationId), { signal })) as unknown[];
  if (everywhere.length > 0)
    log.warn(
      { guild: guildId },
      'DISCORD_GUILD_ID: the commands are also registered everywhere, so they show twice in that guild. Unset it, or use an application of its own for trials.',
    );
}
