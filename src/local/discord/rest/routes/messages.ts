// REST: the messages of a channel. https://docs.discord.com/developers/resources/message
import { MessageFlags, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { buildMessageFields, createBlankMessage, editMessage } from '../../messages/index.ts';
import { resolveReply } from '../../messages/replies.ts';
import { serializeRestMessage } from '../../messages/serialize.ts';
import { validateMessage } from '../../messages/validation.ts';
import { type DmChannel, isDm, type Message, type World } from '../../world/index.ts';
import { addMessage, removeMessage } from '../../world/messages.ts';
import { readBody } from '../body.ts';
import { requireChannel, requireMessage } from '../lookup.ts';
import { paginate } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

export function messageRoutes(api: FastifyInstance, { world, attachments }: RestDependencies): void {
  const { application } = world;
  api.get('/channels/:channel/messages', (request) => {
    const { id } = requireChannel(world, request, P.ReadMessageHistory);
    const visible = (world.messages.get(id) ?? []).filter(({ visibleTo }) => visibleTo === undefined);
    return paginate(visible, request.query as Params).map((message) => serializeRestMessage(world, message));
  });
  api.post('/channels/:channel/messages', async (request) => {
    const channel = requireChannel(world, request, P.SendMessages);
    if (isDm(channel) && !acceptsDms(world, channel)) throw discordErrors.cannotSend();
    const { body, files } = await readBody(request, attachments, channel.id);
    validateMessage(body, files.size);
    const flags = body.flags ?? 0;
    const needed =
      (files.size > 0 ? P.AttachFiles : 0n) |
      (body.embeds?.length ? P.EmbedLinks : 0n) |
      (flags & MessageFlags.IsVoiceMessage ? P.SendVoiceMessages : 0n);
    requireChannel(world, request, needed);
    const { fields: replyFields, pinged } = resolveReply(world, channel, body);
    const message = {
      ...createBlankMessage(channel.id, application.user),
      flags: flags & ~MessageFlags.Ephemeral,
      ...buildMessageFields(world, body, files, null, application.user, channel),
      ...replyFields,
      ...(body.nonce !== undefined && { nonce: body.nonce }),
    } as unknown as Message;
    if (pinged && !message.mentions.some(({ id }) => id === pinged.id)) message.mentions = [...message.mentions, pinged];
    addMessage(world, message);
    return serializeRestMessage(world, message);
  });

  const messagePath = '/channels/:channel/messages/:message';
  api.get(messagePath, (request) => {
    requireChannel(world, request, P.ReadMessageHistory);
    return serializeRestMessage(world, requireMessage(world, request));
  });
  api.patch(messagePath, async (request) => {
    const channel = requireChannel(world, request);
    const message = requireMessage(world, request);
    if (message.author.id !== application.id) throw discordErrors.notAuthor();
    const { body, files } = await readBody(request, attachments, channel.id);
    return serializeRestMessage(world, editMessage(world, message, body, files));
  });
  api.delete(messagePath, (request, reply) => {
    const message = requireMessage(world, request);
    requireChannel(world, request, message.author.id === application.id ? 0n : P.ManageMessages);
    removeMessage(world, message.channel_id, message.id);
    return reply.code(204).send();
  });
}

/** Whether the user has not refused direct messages, and shares a guild with the application or has installed it. */
function acceptsDms({ application, guilds, refusingDms }: World, { userIds }: DmChannel): boolean {
  const userId = userIds.find((id) => id !== application.id) ?? '';
  const sharesGuild = [...guilds.values()].some((guild) => guild.members.has(userId) && guild.members.has(application.id));
  return !refusingDms.has(userId) && (sharesGuild || application.userInstalls.has(userId));
}
