// Which commands a member can use in a channel: by installation, interaction context and permissions.
// https://docs.discord.com/developers/interactions/application-commands#contexts
import {
  type APIApplicationCommand,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import { computeChannelPermissions } from '../world/permissions.ts';
import { type Channel, guildOf, hasApplication, isDm, type World } from '../world/world.ts';

/**
 * Whose installation of the application an interaction uses: by guild install (`0`; the guild's id, or `0` in direct messages with the
 * application) or user install (`1`; the user's id).
 * https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object
 */
export type IntegrationOwners = { 0?: string; 1?: string };

export function findInteractionContext({ application }: World, channel: Channel): InteractionContextType {
  if (!isDm(channel)) return InteractionContextType.Guild;
  return channel.userIds.includes(application.id) ? InteractionContextType.BotDM : InteractionContextType.PrivateChannel;
}

export function listAvailableCommands(world: World, userId: string, channel: Channel): APIApplicationCommand[] {
  const context = findInteractionContext(world, channel);
  const permissions = computeChannelPermissions(world, userId, channel);
  return world.commands.filter((command) => {
    const { contexts, default_member_permissions: required } = command;
    if (contexts && !contexts.includes(context)) return false;
    if (Object.keys(findIntegrationOwners(world, userId, channel, command)).length === 0) return false;
    if (required == null || isDm(channel)) return true;
    // '0' is for administrators only.
    const needed = BigInt(required) || P.Administrator;
    return (permissions & needed) === needed;
  });
}

/** The installations that allow the command in this channel; empty if none does. */
export function findIntegrationOwners(world: World, userId: string, channel: Channel, command: APIApplicationCommand): IntegrationOwners {
  const { 0: guild, 1: user } = findInstallations(world, userId, channel);
  if (command.guild_id !== undefined) return guild === command.guild_id ? { 0: guild } : {};
  const types = command.integration_types ?? [ApplicationIntegrationType.GuildInstall];
  return {
    ...(guild !== undefined && types.includes(ApplicationIntegrationType.GuildInstall) && { 0: guild }),
    ...(user !== undefined && types.includes(ApplicationIntegrationType.UserInstall) && { 1: user }),
  };
}

function findInstallations(world: World, userId: string, channel: Channel): IntegrationOwners {
  const guild = guildOf(world, channel);
  const owners: IntegrationOwners = {};
  if (guild && hasApplication(world, guild)) owners[0] = guild.id;
  else if (findInteractionContext(world, channel) === InteractionContextType.BotDM) owners[0] = '0';
  if (world.application.userInstalls.has(userId)) owners[1] = userId;
  return owners;
}
