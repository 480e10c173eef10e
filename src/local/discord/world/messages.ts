// Stores and deletes messages.
import { MessageType } from 'discord-api-types/v10';
import { emitInChannel, emitMessage } from './message-events.ts';
import { noteMessageInThread } from './threads.ts';
import { isThread, type Message, type World } from './world.ts';

export function addMessage(world: World, message: Message): void {
  const messages = world.messages.get(message.channel_id) ?? [];
  world.messages.set(message.channel_id, messages);
  messages.push(message);
  if (messages.length > world.maxMessagesPerChannel) messages.shift();
  emitMessage(world, 'MESSAGE_CREATE', message);
  const channel = world.channels.get(message.channel_id);
  // What only one member sees brings no thread back.
  const isWritten = message.type !== MessageType.ThreadStarterMessage && message.visibleTo === undefined;
  if (channel && isThread(channel) && isWritten) noteMessageInThread(world, channel, message.author.id);
}

/** Does nothing if there is no such message. */
export function removeMessage(world: World, channelId: string, messageId: string): void {
  const messages = world.messages.get(channelId) ?? [];
  const index = messages.findIndex(({ id }) => id === messageId);
  const message = messages[index];
  if (!message) return;
  messages.splice(index, 1);
  emitInChannel(world, 'MESSAGE_DELETE', { id: messageId, channel_id: channelId }, { visibleTo: message.visibleTo });
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
