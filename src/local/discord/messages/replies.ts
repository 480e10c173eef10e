// A message's reference to the message it replies to.
// https://docs.discord.com/developers/resources/message#message-reference-structure
import { type APIUser, MessageReferenceType, MessageType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { discordErrors } from '../errors.ts';
import { createValidator, type JsonObject } from '../validator.ts';
import { type Channel, findMessage, isDm, type World } from '../world/index.ts';
import { hasPermissions } from '../world/permissions.ts';
import type { MessageBody } from './validation.ts';

export interface Reply {
  /** What the reply has beyond an ordinary message. */
  fields: { type?: MessageType; message_reference?: object };
  /** The author who is pinged by the reply. */
  pinged: APIUser | null;
}

const NO_REPLY: Reply = { fields: {}, pinged: null };

/**
 * Resolves the body's `message_reference`. With `fail_if_not_exists: false`, a reference to an unknown message is ignored.
 * @throws DiscordError 50035, 160002
 */
export function resolveReply(world: World, channel: Channel, body: MessageBody): Reply {
  const reference = body.message_reference as JsonObject | null | undefined;
  if (reference == null) return NO_REPLY;
  validateReference(reference);
  if (!hasPermissions(world, world.application.id, channel, P.ReadMessageHistory)) throw discordErrors.cannotReply();
  const guildId = isDm(channel) ? undefined : channel.guild_id;
  const isHere = (reference.channel_id ?? channel.id) === channel.id && (reference.guild_id ?? guildId) === guildId;
  const replied = isHere ? findMessage(world, channel.id, String(reference.message_id)) : undefined;
  if (!replied || replied.visibleTo !== undefined) {
    if (reference.fail_if_not_exists === false) return NO_REPLY;
    const validator = createValidator();
    validator.addError('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
    throw validator.toError();
  }
  const pings = !body.allowed_mentions || body.allowed_mentions.replied_user === true;
  return {
    fields: {
      type: MessageType.Reply,
      message_reference: {
        type: MessageReferenceType.Default,
        channel_id: channel.id,
        message_id: replied.id,
        ...(guildId !== undefined && { guild_id: guildId }),
      },
    },
    pinged: pings ? replied.author : null,
  };
}

function validateReference(reference: JsonObject): void {
  const validator = createValidator();
  if (typeof reference !== 'object')
    validator.addError('message_reference', 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType');
  else if (reference.message_id == null) validator.addError('message_reference.message_id', 'BASE_TYPE_REQUIRED', 'This field is required');
  // Forwarding is not supported.
  else if ((reference.type ?? 0) !== MessageReferenceType.Default)
    validator.addError('message_reference.type', 'BASE_TYPE_CHOICES', 'Value must be one of {0}.');
  validator.throwIfInvalid();
}
