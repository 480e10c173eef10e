// Finds what a request's path names, and checks that the application may use it.
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyRequest } from 'fastify';
import { discordErrors } from '../errors.ts';
import { hasPermissions } from '../world/permissions.ts';
import { type Channel, findMessage, type Guild, hasApplication, isThread, type Message, type Thread, type World } from '../world/world.ts';
import type { Params } from './types.ts';

/** A guild that the application is a member of. @throws DiscordError 10004, 50001 */
export function requireGuild(world: World, request: FastifyRequest): Guild {
  const guild = world.guilds.get((request.params as Params).guild ?? '');
  if (!guild) throw discordErrors.unknownGuild();
  if (!hasApplication(world, guild)) throw discordErrors.missingAccess();
  return guild;
}

/** A channel in which the application has these permissions. @throws DiscordError 10003, 50001, 50013 */
export function requireChannel(world: World, request: FastifyRequest, permissions = 0n): Channel {
  const channel = world.channels.get((request.params as Params).channel ?? '');
  if (!channel) throw discordErrors.unknownChannel();
  const { id: applicationId } = world.application;
  if (!hasPermissions(world, applicationId, channel, P.ViewChannel)) throw discordErrors.missingAccess();
  if (!hasPermissions(world, applicationId, channel, permissions)) throw discordErrors.missingPermissions();
  return channel;
}

/** A thread that the application sees. @throws DiscordError 10003, 50001, 50024 */
export function requireThread(world: World, request: FastifyRequest): Thread {
  const channel = requireChannel(world, request);
  if (!isThread(channel)) throw discordErrors.wrongChannelType();
  return channel;
}

/** Any message but an ephemeral one. @throws DiscordError 10008 */
export function requireMessage(world: World, request: FastifyRequest): Message {
  const { channel = '', message: messageId = '' } = request.params as Params;
  const message = findMessage(world, channel, messageId);
  if (!message || message.visibleTo !== undefined) throw discordErrors.unknownMessage();
  return message;
}
