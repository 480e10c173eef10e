// REST: the messages of a channel. https://docs.discord.com/developers/resources/message
import { type APIStickerItem, MessageFlags, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { buildMessageFields, createBlankMessage, editMessage } from '../../messages/messages.ts';
import { resolveReference } from '../../messages/references.ts';
import { serializeRestMessage } from '../../messages/serialize.ts';
import { createValidator } from '../../validator.ts';
import { addMessage, removeMessage, removeMessages } from '../../world/messages.ts';
import { hasPermissions } from '../../world/permissions.ts';
import { snowflakeTime } from '../../world/snowflake.ts';
import { listStickerItems } from '../../world/stickers.ts';
import { type Channel, type DmChannel, isDm, isThread, type Message, type World } from '../../world/world.ts';
import { readBody } from '../body.ts';
import { requireChannel, requireMessage } from '../lookup.ts';
import { paginate } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

/** 14 days. */
const MAX_BULK_DELETED_AGE_MS = 14 * 24 * 60 * 60_000;
const MAX_STICKERS = 3;
/** An hour: edits of older messages have a limit of their own. */
const OLD_MESSAGE_MS = 60 * 60_000;

export function messageRoutes(api: FastifyInstance, { world, attachments, blockedWords, rateLimits }: RestDependencies): void {
  const { application } = world;
  /** @throws DiscordError 200000 */
  const checkNotBlocked = (body: unknown) => {
    const written = JSON.stringify(body);
    if (blockedWords.some((word) => written.includes(word))) throw discordErrors.blockedByAutoMod();
  };
  api.get('/channels/:channel/messages', (request) => {
    const { id } = requireChannel(world, request, P.ReadMessageHistory);
    const visible = (world.messages.get(id) ?? []).filter(({ visibleTo }) => visibleTo === undefined);
    return paginate(visible, request.query as Params).map((message) => serializeRestMessage(world, message));
  });
  api.post('/channels/:channel/messages', async (request) => {
    const channel = requireChannel(world, request, P.SendMessages);
    if (isDm(channel) && !acceptsDms(world, channel)) throw discordErrors.cannotSend();
    checkNotLocked(world, channel);
    const { body, files } = await readBody(request, attachments, channel.id);
    checkNotBlocked(body);
    const { fields: referenceFields, pinged } = resolveReference(world, channel, body, files.size);
    const { nonce } = body;
    const isSame = (one: Message) => (one as { nonce?: unknown }).nonce === nonce && one.author.id === application.id;
    // https://docs.discord.com/developers/resources/message#create-message
    const sentBefore = nonce !== undefined && body.enforce_nonce ? world.messages.get(channel.id)?.findLast(isSame) : undefined;
    if (sentBefore) return serializeRestMessage(world, sentBefore);
    const flags = body.flags ?? 0;
    const needed =
      (files.size > 0 ? P.AttachFiles : 0n) |
      (body.embeds?.length ? P.EmbedLinks : 0n) |
      (flags & MessageFlags.IsVoiceMessage ? P.SendVoiceMessages : 0n) |
      (body.poll ? P.SendPolls : 0n);
    requireChannel(world, request, needed);
    const stickers = readStickers(body.sticker_ids ?? []);
    const message = {
      ...createBlankMessage(channel.id, application.user),
      flags: flags & ~MessageFlags.Ephemeral,
      ...buildMessageFields(world, body, files, null, application.user, channel),
      ...(stickers.length > 0 && { sticker_items: stickers }),
      ...referenceFields,
      ...(body.nonce !== undefined && { nonce: body.nonce }),
    } as unknown as Message;
    if (pinged && !message.mentions.some(({ id }) => id === pinged.id)) message.mentions = [...message.mentions, pinged];
    addMessage(world, message);
    return serializeRestMessage(world, message);
  });

  api.post('/channels/:channel/messages/bulk-delete', (request, reply) => {
    const { id } = requireChannel(world, request, P.ManageMessages);
    removeMessages(world, id, readIds(request.body));
    return reply.code(204).send();
  });

  const messagePath = '/channels/:channel/messages/:message';
  api.get(messagePath, (request) => {
    requireChannel(world, request, P.ReadMessageHistory);
    return serializeRestMessage(world, requireMessage(world, request));
  });
  api.patch(messagePath, async (request, reply) => {
    const channel = requireChannel(world, request);
    const message = requireMessage(world, request);
    if (message.author.id !== application.id) throw discordErrors.notAuthor();
    if (message.poll) throw discordErrors.pollUnchangeable();
    checkNotArchived(channel);
    if (Date.now() - Date.parse(message.timestamp) > OLD_MESSAGE_MS) {
      const { headers, refusal } = rateLimits.consumeOldEdit(channel.id);
      if (refusal) return reply.headers(headers).code(429).send(refusal);
    }
    const { body, files } = await readBody(request, attachments, channel.id);
    checkNotBlocked(body);
    return serializeRestMessage(world, editMessage(world, message, body, files));
  });
  api.delete(messagePath, (request, reply) => {
    const message = requireMessage(world, request);
    checkNotArchived(requireChannel(world, request, message.author.id === application.id ? 0n : P.ManageMessages));
    removeMessage(world, message.channel_id, message.id);
    return reply.code(204).send();
  });
}

/** @throws DiscordError 50035, 10060 */
function readStickers(ids: unknown[]): APIStickerItem[] {
  const validator = createValidator();
  if (ids.length > MAX_STICKERS) validator.addError('sticker_ids', 'BASE_TYPE_MAX_LENGTH', `Must be ${MAX_STICKERS} or fewer in length.`);
  validator.throwIfInvalid();
  const items = listStickerItems(ids);
  if (!items) throw discordErrors.unknownSticker();
  return items;
}

/** @throws DiscordError 50083 */
function checkNotArchived(channel: Channel): void {
  if (isThread(channel) && channel.thread_metadata.archived) throw discordErrors.threadArchived();
}

/** @throws DiscordError 160005 */
function checkNotLocked(world: World, channel: Channel): void {
  const isLocked = isThread(channel) && channel.thread_metadata.locked;
  if (isLocked && !hasPermissions(world, world.application.id, channel, P.ManageThreads)) throw discordErrors.threadLocked();
}

/** The ids of a bulk deletion. @throws DiscordError 50035, 50034 */
function readIds(body: unknown): string[] {
  const ids = (body as { messages?: unknown } | null)?.messages;
  const validator = createValidator();
  if (!Array.isArray(ids) || !ids.every((id) => /^\d{1,20}$/.test(String(id))))
    validator.addError('messages', 'LIST_TYPE_CONVERT', 'Only a list of message ids may be used here.');
  else if (ids.length < 2 || ids.length > 100)
    validator.addError('messages', 'BASE_TYPE_BAD_LENGTH', 'Must be between 2 and 100 in length.');
  validator.throwIfInvalid();
  const messageIds = (ids as unknown[]).map(String);
  if (messageIds.some((id) => snowflakeTime(id) < Date.now() - MAX_BULK_DELETED_AGE_MS)) throw discordErrors.tooOldToDelete();
  return messageIds;
}

/** Whether the user has not refused direct messages, and shares a guild with the application or has installed it. */
function acceptsDms({ application, guilds, refusingDms }: World, { userIds }: DmChannel): boolean {
  const userId = userIds.find((id) => id !== application.id) ?? '';
  const sharesGuild = [...guilds.values()].some((guild) => guild.members.has(userId) && guild.members.has(application.id));
  return !refusingDms.has(userId) && (sharesGuild || application.userInstalls.has(userId));
}
