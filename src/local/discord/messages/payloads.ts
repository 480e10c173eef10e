// Messages as the application gets them: with what they reply to, and without the content that it may not read.
import { type APIMessage, GatewayIntentBits, MessageType } from 'discord-api-types/v10';
import { type Channel, findMessage, guildOf, isDm, type Message, type World } from '../world/index.ts';
import { asMessage } from '../world/payloads.ts';

/** A message as REST returns it. What may be read there is a matter of the application's settings, not of a session's intents. */
export function asRestMessage(world: World, message: Message): APIMessage {
  return asRead(world, message, (world.application.privilegedIntents & GatewayIntentBits.MessageContent) !== 0);
}

/** A message as a gateway session is told of it. */
export function asGatewayMessage(world: World, message: Message, channel: Channel, intents: number): object {
  const read = asRead(world, message, (intents & GatewayIntentBits.MessageContent) !== 0);
  const { user: _, ...member } = guildOf(world, channel)?.members.get(message.author.id) ?? {};
  return {
    ...read,
    channel_type: channel.type,
    ...(isDm(channel) ? {} : { mentions: read.mentions.map((user) => withMember(world, channel, user)), member }),
  };
}

function withMember(world: World, channel: Channel, mentioned: APIMessage['mentions'][number]) {
  const { user, ...member } = guildOf(world, channel)?.members.get(mentioned.id) ?? {};
  return user ? { ...mentioned, member } : mentioned;
}

/** `reads`: the application may read what is neither its own nor mentions it. */
function asRead(world: World, message: Message, reads: boolean): APIMessage {
  const read = withheld(world, message, reads);
  if (message.type !== MessageType.Reply || !message.message_reference?.message_id) return read;
  const { channel_id, message_id } = message.message_reference;
  const replied = findMessage(world, channel_id, message_id);
  return { ...read, referenced_message: replied && replied.onlyFor === undefined ? withheld(world, replied, reads) : null };
}

function withheld({ application, channels }: World, message: Message, reads: boolean): APIMessage {
  const { id } = application;
  const channel = channels.get(message.channel_id);
  const isMeant = message.author.id === id || message.mentions.some((user) => user.id === id) || (channel !== undefined && isDm(channel));
  const whole = asMessage(message);
  return reads || isMeant ? whole : { ...whole, content: '', embeds: [], attachments: [], components: [] };
}
