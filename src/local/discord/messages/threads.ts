// Starts threads, with the messages that announce them. https://docs.discord.com/developers/resources/message#message-object-message-types
import { type APIUser, ChannelType, MessageReferenceType, MessageType } from 'discord-api-types/v10';
import { addMessage } from '../world/messages.ts';
import { createThread, type ThreadOptions } from '../world/threads.ts';
import type { Guild, GuildChannel, Message, Thread, World } from '../world/world.ts';
import { createBlankMessage } from './messages.ts';

/** The thread of a message begins with a reference to it; another public one is announced in its channel. */
export function startThread(world: World, guild: Guild, parent: GuildChannel, options: ThreadOptions, starter?: Message): Thread {
  const thread = createThread(world, guild, parent, options, starter);
  const owner = world.users.get(options.ownerId) as APIUser;
  if (starter)
    addMessage(world, {
      ...createBlankMessage(thread.id, owner),
      type: MessageType.ThreadStarterMessage,
      message_reference: { type: MessageReferenceType.Default, channel_id: parent.id, message_id: starter.id, guild_id: guild.id },
    } as unknown as Message);
  else if (thread.type === ChannelType.PublicThread)
    addMessage(world, {
      ...createBlankMessage(parent.id, owner),
      type: MessageType.ThreadCreated,
      content: thread.name,
      message_reference: { type: MessageReferenceType.Default, channel_id: thread.id, guild_id: guild.id },
    } as unknown as Message);
  return thread;
}
