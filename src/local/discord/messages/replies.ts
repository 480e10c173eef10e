// A message that replies to another.
// https://docs.discord.com/developers/resources/message#message-reference-object
import { type APIUser, MessageReferenceType, MessageType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { createFormCheck, type Form, problems } from '../errors.ts';
import { type Channel, findMessage, isDm, type World } from '../world/index.ts';
import { may } from '../world/permissions.ts';
import type { MessageForm } from './validation.ts';

/** What a reply is beside an ordinary message, and whom it pings. */
export interface Reply {
  fields: { type?: MessageType; message_reference?: object };
  pinged: APIUser | null;
}

const NO_REPLY: Reply = { fields: {}, pinged: null };

/**
 * What a form's `message_reference` means. If the message is unknown and `fail_if_not_exists` is false, there is no reply.
 * @throws DiscordProblem 50035, 160002
 */
export function readReply(world: World, channel: Channel, form: MessageForm): Reply {
  const reference = form.message_reference as Form | null | undefined;
  if (reference == null) return NO_REPLY;
  checkReference(reference);
  if (!may(world, world.application.id, channel, P.ReadMessageHistory)) throw problems.cannotReply();
  const guildId = isDm(channel) ? undefined : channel.guild_id;
  const isHere = (reference.channel_id ?? channel.id) === channel.id && (reference.guild_id ?? guildId) === guildId;
  const replied = isHere ? findMessage(world, channel.id, String(reference.message_id)) : undefined;
  if (!replied || replied.onlyFor !== undefined) {
    if (reference.fail_if_not_exists === false) return NO_REPLY;
    const check = createFormCheck();
    check.fault('message_reference', 'REPLIES_UNKNOWN_MESSAGE', 'Unknown message');
    throw check.problem();
  }
  const pings = form.allowed_mentions ? form.allowed_mentions.replied_user === true : true;
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

function checkReference(reference: Form): void {
  const check = createFormCheck();
  if (typeof reference !== 'object') check.fault('message_reference', 'MODEL_TYPE_CONVERT', 'Only dictionaries may be used in a ModelType');
  else if (reference.message_id == null) check.fault('message_reference.message_id', 'BASE_TYPE_REQUIRED', 'This field is required');
  // Forwarding is not here yet.
  else if ((reference.type ?? 0) !== MessageReferenceType.Default)
    check.fault('message_reference.type', 'BASE_TYPE_CHOICES', 'Value must be one of {0}.');
  check.done();
}
