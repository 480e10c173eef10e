// Stores and deletes messages, and emits their events.
import { GatewayIntentBits } from 'discord-api-types/v10';
import { isDm, type Message, type World } from './index.ts';

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
  emitInChannel(world, 'MESSAGE_DELETE', { id: messageId, channel_id: channelId }, { visibleTo: message.visibleTo });
  return true;
}

/** With one event for all. Ignores ids of messages that don't exist. */
export function removeMessages(world: World, channelId: string, ids: string[]): void {
  const messages = world.messages.get(channelId) ?? [];
  const removed = messages.filter(({ id }) => ids.includes(id)).map(({ id }) => id);
  if (removed.length === 0) return;
  world.messages.set(
    channelId,
    messages.filter(({ id }) => !ids.includes(id)),
  );
  emitInChannel(world, 'MESSAGE_DELETE_BULK', { ids: removed, channel_id: channelId });
}

/** The event has the world's message: each receiver serializes it as they may see it. An ephemeral one goes to its reader only. */
export function emitMessage(world: World, t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
  emitInChannel(world, t, message, { visibleTo: message.visibleTo });
}

const MESSAGE_INTENTS = { guild: GatewayIntentBits.GuildMessages, dm: GatewayIntentBits.DirectMessages };

/** Emits an event to whoever sees the channel and has the intent, or to one member only. */
export function emitInChannel<T extends { channel_id: string }>(
  world: World,
  t: string,
  payload: T,
  { intents = MESSAGE_INTENTS, visibleTo }: { intents?: { guild: number; dm: number }; visibleTo?: string | undefined } = {},
): void {
  const channel = world.channels.get(payload.channel_id);
  if (!channel) return;
  const intent = isDm(channel) ? intents.dm : intents.guild;
  world.emit({
    t,
    d: isDm(channel) ? payload : { ...payload, guild_id: channel.guild_id },
    channel,
    ...(!isDm(channel) && { guildId: channel.guild_id }),
    ...(visibleTo === undefined ? { intent } : { to: { member: visibleTo } }),
  });
}
