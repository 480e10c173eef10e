// Messages as their receivers may see them: with the message they reply to, and without content that an application has no intent for.
import { type APIMessage, GatewayIntentBits, MessageFlags, MessageType } from 'discord-api-types/v10';
import { serializeMessage, serializeThread } from '../world/serialize.ts';
import { type Channel, findMessage, guildOf, isDm, isThread, type Message, type World } from '../world/world.ts';

/** Messages that come with the one they refer to. */
const REFERRING_TYPES = [MessageType.Reply, MessageType.ThreadStarterMessage];

/** For a member's client. */
export function serializeMemberMessage(world: World, message: Message, userId: string): APIMessage {
  return addReply(world, message, (shown) => serializeFully(world, shown, userId));
}

/** For REST, where the application's settings decide, not a session's intents. */
export function serializeRestMessage(world: World, message: Message): APIMessage {
  return serializeForApplication(world, message, world.application.privilegedIntents);
}

/** For the gateway events MESSAGE_CREATE and MESSAGE_UPDATE. */
export function serializeGatewayMessage(world: World, message: Message, channel: Channel, intents: number): object {
  const serialized = serializeForApplication(world, message, intents);
  // Webhooks are no members.
  const { user, ...member } = guildOf(world, channel)?.members.get(message.author.id) ?? {};
  return {
    ...serialized,
    channel_type: channel.type,
    ...(!isDm(channel) && { mentions: serialized.mentions.map((mentioned) => addMember(world, channel, mentioned)) }),
    ...(user && { member }),
  };
}

/** Without the intent, the application reads only its own messages, direct messages, and those that mention it. */
export function canReadContent({ application: { id }, channels }: World, message: Message, intents: number): boolean {
  const channel = channels.get(message.channel_id);
  const isAddressed =
    message.author.id === id || message.mentions.some((user) => user.id === id) || (channel !== undefined && isDm(channel));
  return isAddressed || (intents & GatewayIntentBits.MessageContent) !== 0;
}

function addMember(world: World, channel: Channel, mentioned: APIMessage['mentions'][number]) {
  const { user, ...member } = guildOf(world, channel)?.members.get(mentioned.id) ?? {};
  return user ? { ...mentioned, member } : mentioned;
}

function serializeForApplication(world: World, message: Message, intents: number): APIMessage {
  return addReply(world, message, (shown) => {
    const full = serializeFully(world, shown, world.application.id);
    return canReadContent(world, shown, intents) ? full : withoutContent(full);
  });
}

function withoutContent({ message_snapshots: snapshots, poll: _, ...message }: APIMessage): APIMessage {
  const nothing = { content: '', embeds: [], attachments: [], components: [] };
  return {
    ...message,
    ...nothing,
    ...(snapshots && { message_snapshots: snapshots.map((snapshot) => ({ message: { ...snapshot.message, ...nothing } })) }),
  };
}

/** With the thread that began with it. */
function serializeFully(world: World, message: Message, viewerId: string): APIMessage {
  const thread = (message.flags ?? 0) & MessageFlags.HasThread ? world.channels.get(message.id) : undefined;
  const serialized = serializeMessage(message, viewerId);
  return thread && isThread(thread) ? { ...serialized, thread: serializeThread(world, thread, viewerId) } : serialized;
}

function addReply(world: World, message: Message, serialize: (message: Message) => APIMessage): APIMessage {
  const serialized = serialize(message);
  if (!REFERRING_TYPES.includes(message.type) || !message.message_reference?.message_id) return serialized;
  const { channel_id, message_id } = message.message_reference;
  const replied = findMessage(world, channel_id, message_id);
  const isVisible = replied && (replied.visibleTo === undefined || replied.visibleTo === message.visibleTo);
  return { ...serialized, referenced_message: isVisible ? serialize(replied) : null };
}
