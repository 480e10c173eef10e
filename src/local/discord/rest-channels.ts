// REST: channels and the messages in them.
import { MessageFlags, MessageType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkMessage } from './message-form.ts';
import { changeMessage, fieldsOf, newMessage } from './messages.ts';
import { may } from './permissions.ts';
import { problems } from './problems.ts';
import type { Params, RestPowers } from './rest.ts';
import { readForm } from './rest-form.ts';
import { asDm, asMessage } from './views.ts';
import {
  addMessage,
  type Channel,
  type DmChannel,
  findMessage,
  hasApplication,
  isDm,
  type Message,
  removeMessage,
  type World,
} from './world.ts';

export function channelRoutes(api: FastifyInstance, powers: RestPowers): void {
  const { world, uploads } = powers;
  const me = world.application.id;
  const channelOf = (request: FastifyRequest, flags = 0n): Channel => {
    const channel = world.channels.get((request.params as Params).channel ?? '');
    if (!channel) throw problems.unknownChannel();
    if (!may(world, me, channel, P.ViewChannel)) throw problems.missingAccess();
    if (!may(world, me, channel, flags)) throw problems.missingPermissions();
    return channel;
  };
  const messageOf = (request: FastifyRequest) => {
    const { channel = '', message = '' } = request.params as Params;
    const found = findMessage(world, channel, message);
    if (!found || found.onlyFor !== undefined) throw problems.unknownMessage();
    return found;
  };
  api.get('/channels/:channel', (request) => {
    const channel = channelOf(request);
    return isDm(channel) ? asDm(world, channel, me) : channel;
  });
  api.post('/channels/:channel/typing', (request, reply) => {
    const channel = channelOf(request, P.SendMessages);
    world.tell({ t: 'TYPING_START', d: { user_id: me, channel_id: channel.id }, channel, to: 'members' });
    return reply.code(204).send();
  });
  api.get('/channels/:channel/messages', (request) => {
    const { id } = channelOf(request, P.ReadMessageHistory);
    const { limit = '50', before, after } = request.query as Params;
    const all = (world.messages.get(id) ?? []).filter(
      (message) =>
        message.onlyFor === undefined &&
        (before === undefined || BigInt(message.id) < BigInt(before)) &&
        (after === undefined || BigInt(message.id) > BigInt(after)),
    );
    return all
      .slice(-Math.min(100, Math.max(1, Number(limit) || 50)))
      .reverse()
      .map(asMessage);
  });
  api.post('/channels/:channel/messages', async (request) => {
    const channel = channelOf(request, P.SendMessages);
    if (isDm(channel) && !mayWriteTo(world, channel)) throw problems.cannotSend();
    const { body, files } = await readForm(request, uploads, channel.id);
    checkMessage(body, files.attachments.size);
    const needed =
      (files.attachments.size > 0 ? P.AttachFiles : 0n) |
      (body.embeds?.length ? P.EmbedLinks : 0n) |
      ((body.flags ?? 0) & MessageFlags.IsVoiceMessage ? P.SendVoiceMessages : 0n);
    channelOf(request, needed);
    const author = world.application.user;
    const reference = body.message_reference as { message_id?: string } | undefined;
    const message = {
      ...newMessage(channel.id, author),
      flags: (body.flags ?? 0) & ~MessageFlags.Ephemeral,
      ...fieldsOf(world, body, files, [], author, channel),
      ...(reference?.message_id && {
        type: MessageType.Reply,
        message_reference: {
          ...{ type: 0, channel_id: channel.id, message_id: reference.message_id },
          ...(isDm(channel) ? {} : { guild_id: channel.guild_id }),
        },
      }),
      ...(body.nonce !== undefined && { nonce: body.nonce }),
    } as unknown as Message;
    addMessage(world, message);
    return asMessage(message);
  });
  const one = '/channels/:channel/messages/:message';
  api.get(one, (request) => {
    channelOf(request);
    return asMessage(messageOf(request));
  });
  api.patch(one, async (request) => {
    const channel = channelOf(request);
    const message = messageOf(request);
    if (message.author.id !== me) throw problems.notAuthor();
    const { body, files } = await readForm(request, uploads, channel.id);
    return asMessage(changeMessage(world, message, body, files));
  });
  api.delete(one, (request, reply) => {
    const message = messageOf(request);
    channelOf(request, message.author.id === me ? 0n : P.ManageMessages);
    removeMessage(world, message.channel_id, message.id);
    return reply.code(204).send();
  });
}

/** Whoever shares a guild with the application, or has installed it, and has not closed their direct messages. */
function mayWriteTo(world: World, { userIds }: DmChannel): boolean {
  const { application, guilds, closedToDms } = world;
  const userId = userIds.find((id) => id !== application.id) ?? '';
  const isKnown =
    application.installedFor.has(userId) || [...guilds.values()].some((guild) => guild.members.has(userId) && hasApplication(world, guild));
  return isKnown && !closedToDms.has(userId);
}
