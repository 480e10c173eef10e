// Where the application is installed, and which of its commands a member finds in a channel because of that.
// https://docs.discord.com/developers/interactions/application-commands#interaction-contexts
import { type APIApplicationCommand, InteractionContextType as Context, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { type Channel, guildOf, hasApplication, isDm, type World } from '../world/index.ts';
import { permissionsIn } from '../world/permissions.ts';
import { contextOf, type Owners } from './index.ts';

/** Who has installed the application, as far as it concerns this member in this channel. */
function installationsIn(world: World, userId: string, channel: Channel): Owners {
  const { application } = world;
  const guild = guildOf(world, channel);
  const owners: Owners = {};
  if (guild && hasApplication(world, guild)) owners[0] = guild.id;
  else if (contextOf(world, channel) === Context.BotDM) owners[0] = '0';
  if (application.installedFor.has(userId)) owners[1] = userId;
  return owners;
}

/** Those installations for which a command is meant; none: it cannot be used here. */
export function ownersOf(world: World, userId: string, channel: Channel, command: APIApplicationCommand): Owners {
  const { 0: guild, 1: user } = installationsIn(world, userId, channel);
  if (command.guild_id !== undefined) return guild === command.guild_id ? { 0: guild } : {};
  const types: number[] = command.integration_types ?? [0];
  return {
    ...(guild !== undefined && types.includes(0) ? { 0: guild } : {}),
    ...(user !== undefined && types.includes(1) ? { 1: user } : {}),
  };
}

/** What a member finds in this channel: commands that are for it, and that they have the permissions for. */
export function commandsIn(world: World, userId: string, channel: Channel): APIApplicationCommand[] {
  const context = contextOf(world, channel);
  const mine = permissionsIn(world, userId, channel);
  return world.commands.filter((command) => {
    const { contexts, default_member_permissions } = command;
    if (contexts && !contexts.includes(context)) return false;
    if (Object.keys(ownersOf(world, userId, channel, command)).length === 0) return false;
    if (default_member_permissions == null || isDm(channel)) return true;
    // `0` is nobody but administrators.
    const needed = BigInt(default_member_permissions) || P.Administrator;
    return (mine & needed) === needed;
  });
}
