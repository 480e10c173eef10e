// Stores and deletes messages, and emits their events.
import { GatewayIntentBits } from 'discord-api-types/v10';
import { isDm, type Message, type World } from './index.ts';
import { serializeMessage } from './serialize.ts';

export function addMessage(world: World, message: Message): void {
  const messages = world.messages.get(message.channel_id) ?? [];
  world.messages.set(message.channel_id, messages);
  messages.push(message);
  if (messages.length > world.maxMessagesPerChannel) messages.shift();
  emitMessage(world, 'MESSAGE_CREATE', message);
}

/** @returns false if there is no such message */
export function removeMessage(world: World, channelId: string, messageId: string): boolean {
  const messages = world.messages.get(channelId) ?? [];
  const index = messages.findIndex(({ id }) => id === messageId);
  const message = messages[index];
  if (!message) return false;
  messages.splice(index, 1);
  emitInChannel(world, 'MESSAGE_DELETE', { id: messageId, channel_id: channelId }, message.visibleTo);
  return true;
}

/** An ephemeral message goes to its reader only. */
export function emitMessage(world: World, t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
  emitInChannel(world, t, serializeMessage(message), message.visibleTo);
}

function emitInChannel(world: World, t: string, payload: { channel_id: string; id: string }, visibleTo: string | undefined): void {
  const channel = world.channels.get(payload.channel_id);
  if (!channel) return;
  const intent = isDm(channel) ? GatewayIntentBits.DirectMessages : GatewayIntentBits.GuildMessages;
  world.emit({
    t,
    d: isDm(channel) ? payload : { ...payload, guild_id: channel.guild_id },
    channel,
    ...(!isDm(channel) && { guildId: channel.guild_id }),
    ...(visibleTo === undefined ? { intent } : { to: { member: visibleTo } }),
  });
}
