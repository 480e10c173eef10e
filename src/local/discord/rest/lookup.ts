// The channel, and the message in it, that a request of REST is about.
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyRequest } from 'fastify';
import { problems } from '../errors.ts';
import { type Channel, findMessage, type Message, type World } from '../world/index.ts';
import { may } from '../world/permissions.ts';
import type { Params } from './index.ts';

/** A channel in which the application may do all of this. @throws DiscordProblem 10003, 50001, 50013 */
export function channelOf(world: World, request: FastifyRequest, flags = 0n): Channel {
  const channel = world.channels.get((request.params as Params).channel ?? '');
  if (!channel) throw problems.unknownChannel();
  const me = world.application.id;
  if (!may(world, me, channel, P.ViewChannel)) throw problems.missingAccess();
  if (!may(world, me, channel, flags)) throw problems.missingPermissions();
  return channel;
}

/** Any message but an ephemeral one. @throws DiscordProblem 10008 */
export function messageOf(world: World, request: FastifyRequest): Message {
  const { channel = '', message = '' } = request.params as Params;
  const found = findMessage(world, channel, message);
  if (!found || found.onlyFor !== undefined) throw problems.unknownMessage();
  return found;
}
