// A message's reference to another message: the one it replies to, or the one it forwards.
// https://docs.discord.com/developers/resources/message#message-reference-structure
import {
  type APIMessageReference,
  type APIMessageSnapshot,
  type APIUser,
  MessageFlags,
  MessageReferenceType,
  MessageType,
  PermissionFlagsBits as P,
} from 'discord-api-types/v10';
import { discordErrors } from '../errors.ts';
import { createValidator, fieldError, type JsonObject } from '../validator.ts';
import { hasPermissions } from '../world/permissions.ts';
import { type Channel, findMessage, isDm, type Message, type World } from '../world/world.ts';
import { canReadContent } from './serialize.ts';
import { type MessageBody, validateMessage } from './validation.ts';

/** What the message has beyond an ordinary one. */
type ReferenceFields = Pick<Partial<Message>, 'type' | 'message_reference' | 'message_snapshots' | 'flags'>;

/** Messages that members and applications wrote. Only these can be forwarded, unless they are polls. */
const WRITTEN_TYPES = [MessageType.Default, MessageType.Reply, MessageType.ChatInputCommand, MessageType.ContextMenuCommand];

/**
 * Validates a message of the application, and resolves its `message_reference`. With `fail_if_not_exists: false`, a reply to an unknown
 * message is an ordinary message. `pinged`: the author who is pinged by the reply.
 * @throws DiscordError 50035, 50006, 50160–50162, 160002, 160014
 */
export function resolveReference(
  world: World,
  channel: Channel,
  body: MessageBody,
  fileCount: number,
): { fields: ReferenceFields; pinged: APIUser | null } {
  const reference = body.message_reference as JsonObject | null | undefined;
  if (reference?.type === MessageReferenceType.Forward) return { fields: resolveForward(world, reference, body, fileCount), pinged: null };
  validateMessage(body, fileCount);
  if (reference == null) return { fields: {}, pinged: null };
  validateReference(reference);
  if (!hasPermissions(world, world.application.id, channel, P.ReadMessageHistory)) throw discordErrors.cannotReply();
  const guildId = isDm(channel) ? undefined : channel.guild_id;
  const isHere = (reference.channel_id ?? channel.id) === channel.id && (reference.guild_id ?? guildId) === guildId;
  const replied = isHere ? findMessage(world, channel.id, String(reference.message_id)) : undefined;
  if (!replied || replied.visibleTo !== undefined) {
    if (reference.fail_if_not_exists === false) return { fields: {}, pinged: null };
    throw unknownMessage();
  }
  const pings = !body.allowed_mentions || body.allowed_mentions.replied_user === true;
  return { fields: buildReply(channel, replied.id), pinged: pings ? replied.author : null };
}

export function buildReply(channel: Channel, messageId: string): ReferenceFields {
  return { type: MessageType.Reply, message_reference: buildReference(channel, messageId, MessageReferenceType.Default) };
}

/** A forwarded message is shown as it is now, whatever becomes of it. */
export function buildForward(channel: Channel, message: Message): ReferenceFields {
  const { type, content, embeds, attachments, timestamp, edited_timestamp, flags, mentions, mention_roles, components } = message;
  const { sticker_items } = message;
  const snapshot = {
    type,
    content,
    embeds,
    attachments,
    timestamp,
    edited_timestamp,
    flags,
    mentions,
    mention_roles,
    components,
    ...(sticker_items && { sticker_items }),
  };
  return {
    flags: MessageFlags.HasSnapshot,
    message_reference: buildReference(channel, message.id, MessageReferenceType.Forward),
    message_snapshots: message.message_snapshots ?? [{ message: structuredClone(snapshot) as APIMessageSnapshot['message'] }],
  };
}

export function isForwardable({ type, visibleTo, poll }: Message): boolean {
  return WRITTEN_TYPES.includes(type) && visibleTo === undefined && !poll;
}

function buildReference(channel: Channel, messageId: string, type: MessageReferenceType): APIMessageReference {
  return { type, channel_id: channel.id, message_id: messageId, ...(!isDm(channel) && { guild_id: channel.guild_id }) };
}

function resolveForward(world: World, reference: JsonObject, body: MessageBody, fileCount: number): ReferenceFields {
  validateReference(reference);
  const hasMore = [body.content, body.embeds, body.components, body.attachments].some((part) => part != null && part.length > 0);
  if (hasMore || fileCount > 0)
    throw fieldError('message_reference', 'MESSAGE_FORWARD_HAS_CONTENT', 'A forward cannot have content of its own.');
  const channel = world.channels.get(String(reference.channel_id));
  const isReadable = channel && hasPermissions(world, world.application.id, channel, P.ReadMessageHistory);
  const message = isReadable ? findMessage(world, channel.id, String(reference.message_id)) : undefined;
  if (!channel || !message || !isForwardable(message)) throw unknownMessage();
  if (!canReadContent(world, message, world.application.privilegedIntents)) throw discordErrors.unreadableForward();
  return buildForward(channel, message);
}

function unknownMessage(): Error {
  return fieldError('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
}

function validateReference(reference: JsonObject): void {
  const validator = createValidator();
  const isForward = reference.type === MessageReferenceType.Forward;
  if (typeof reference !== 'object')
    validator.addError('message_reference', 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType');
  else if (reference.message_id == null) validator.addError('message_reference.message_id', 'BASE_TYPE_REQUIRED', 'This field is required');
  else if (isForward && reference.channel_id == null)
    validator.addError('message_reference.channel_id', 'BASE_TYPE_REQUIRED', 'This field is required');
  else if ((reference.type ?? 0) !== MessageReferenceType.Default && !isForward)
    validator.addError('message_reference.type', 'BASE_TYPE_CHOICES', 'Value must be one of {0, 1}.');
  validator.throwIfInvalid();
}
