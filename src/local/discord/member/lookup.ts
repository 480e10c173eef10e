// What a member refers to: a channel they see, a message they see in it.
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import { hasPermissions } from '../world/permissions.ts';
import { type Channel, findMessage, type Message, type World } from '../world/world.ts';

export type MemberLookup = ReturnType<typeof createLookup>;

/** Both throw an Error with a sentence for the member. */
export function createLookup(world: World, userId: string) {
  return {
    requireChannel(id: string, ...permissions: bigint[]): Channel {
      const channel = world.channels.get(id);
      if (!channel || !hasPermissions(world, userId, channel, P.ViewChannel)) throw new Error('There is no such channel.');
      for (const permission of permissions)
        if (!hasPermissions(world, userId, channel, permission))
          throw new Error('You do not have the permission for that in this channel.');
      return channel;
    },
    requireMessage(channelId: string, messageId: string): Message {
      const message = findMessage(world, channelId, messageId, userId);
      if (!message) throw new Error('The message is gone.');
      return message;
    },
  };
}
