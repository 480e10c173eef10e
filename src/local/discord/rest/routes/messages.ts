// REST: the messages of a channel.
import { MessageFlags, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { problems } from '../../errors.ts';
import { changeMessage, fieldsOf, newMessage } from '../../messages/index.ts';
import { asRestMessage } from '../../messages/payloads.ts';
import { readReply } from '../../messages/replies.ts';
import { checkMessage } from '../../messages/validation.ts';
import { addMessage, type DmChannel, hasApplication, isDm, type Message, removeMessage, type World } from '../../world/index.ts';
import { readForm } from '../body.ts';
import type { RestPowers } from '../index.ts';
import { channelOf, messageOf } from '../lookup.ts';
import { pageOf } from '../pagination.ts';

export function messageRoutes(api: FastifyInstance, { world, uploads }: RestPowers): void {
  const me = world.application.id;
  api.get('/channels/:channel/messages', (request) => {
    const { id } = channelOf(world, request, P.ReadMessageHistory);
    const seen = (world.messages.get(id) ?? []).filter(({ onlyFor }) => onlyFor === undefined);
    return pageOf(seen, request.query as object).map((message) => asRestMessage(world, message));
  });
  api.post('/channels/:channel/messages', async (request) => {
    const channel = channelOf(world, request, P.SendMessages);
    if (isDm(channel) && !mayWriteTo(world, channel)) throw problems.cannotSend();
    const { body, files } = await readForm(request, uploads, channel.id);
    checkMessage(body, files.attachments.size);
    const needed =
      (files.attachments.size > 0 ? P.AttachFiles : 0n) |
      (body.embeds?.length ? P.EmbedLinks : 0n) |
      ((body.flags ?? 0) & MessageFlags.IsVoiceMessage ? P.SendVoiceMessages : 0n);
    channelOf(world, request, needed);
    const { fields: reply, pinged } = readReply(world, channel, body);
    const author = world.application.user;
    const message = {
      ...newMessage(channel.id, author),
      flags: (body.flags ?? 0) & ~MessageFlags.Ephemeral,
      ...fieldsOf(world, body, files, [], author, channel),
      ...reply,
      ...(body.nonce !== undefined && { nonce: body.nonce }),
    } as unknown as Message;
    if (pinged && !message.mentions.some(({ id }) => id === pinged.id)) message.mentions = [...message.mentions, pinged];
    addMessage(world, message);
    return asRestMessage(world, message);
  });
  const one = '/channels/:channel/messages/:message';
  api.get(one, (request) => {
    channelOf(world, request, P.ReadMessageHistory);
    return asRestMessage(world, messageOf(world, request));
  });
  api.patch(one, async (request) => {
    const channel = channelOf(world, request);
    const message = messageOf(world, request);
    if (message.author.id !== me) throw problems.notAuthor();
    const { body, files } = await readForm(request, uploads, channel.id);
    return asRestMessage(world, changeMessage(world, message, body, files));
  });
  api.delete(one, (request, reply) => {
    const message = messageOf(world, request);
    channelOf(world, request, message.author.id === me ? 0n : P.ManageMessages);
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
