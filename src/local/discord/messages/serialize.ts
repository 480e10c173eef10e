// Messages as the application receives them: with the message they reply to, and without content it has no intent for.
import { type APIMessage, GatewayIntentBits, MessageType } from 'discord-api-types/v10';
import { type Channel, findMessage, guildOf, isDm, type Message, type World } from '../world/index.ts';
import { serializeMessage } from '../world/serialize.ts';

/** For REST, where the application's settings decide, not a session's intents. */
export function serializeRestMessage(world: World, message: Message): APIMessage {
  return serializeWithReply(world, message, (world.application.privilegedIntents & GatewayIntentBits.MessageContent) !== 0);
}

/** For the gateway events MESSAGE_CREATE and MESSAGE_UPDATE. */
export function serializeGatewayMessage(world: World, message: Message, channel: Channel, intents: number): object {
  const serialized = serializeWithReply(world, message, (intents & GatewayIntentBits.MessageContent) !== 0);
  const { user: _, ...member } = guildOf(world, channel)?.members.get(message.author.id) ?? {};
  return {
    ...serialized,
    channel_type: channel.type,
    ...(!isDm(channel) && { mentions: serialized.mentions.map((user) => addMember(world, channel, user)), member }),
  };
}

function addMember(world: World, channel: Channel, mentioned: APIMessage['mentions'][number]) {
  const { user, ...member } = guildOf(world, channel)?.members.get(mentioned.id) ?? {};
  return user ? { ...mentioned, member } : mentioned;
}

function serializeWithReply(world: World, message: Message, hasContentIntent: boolean): APIMessage {
  const serialized = withholdContent(world, message, hasContentIntent);
  if (message.type !== MessageType.Reply || !message.message_reference?.message_id) return serialized;
  const { channel_id, message_id } = message.message_reference;
  const replied = findMessage(world, channel_id, message_id);
  const isVisible = replied && replied.visibleTo === undefined;
  return { ...serialized, referenced_message: isVisible ? withholdContent(world, replied, hasContentIntent) : null };
}

/** Without the intent, the application reads only its own messages, direct messages, and those that mention it. */
function withholdContent({ application: { id }, channels }: World, message: Message, hasContentIntent: boolean): APIMessage {
  const channel = channels.get(message.channel_id);
  const isAddressed =
    message.author.id === id || message.mentions.some((user) => user.id === id) || (channel !== undefined && isDm(channel));
  const full = serializeMessage(message);
  return hasContentIntent || isAddressed ? full : { ...full, content: '', embeds: [], attachments: [], components: [] };
}
