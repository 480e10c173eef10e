// What a member does with threads: start them, archive them and bring them back.
import { type APIThreadChannel, ChannelType, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { startThread } from '../messages/threads.ts';
import type { Methods } from '../page/protocol.ts';
import { hasPermissions } from '../world/permissions.ts';
import { serializeThread } from '../world/serialize.ts';
import { editThread } from '../world/threads.ts';
import { findGuildChannel, isThread, type World } from '../world/world.ts';
import type { MemberLookup } from './lookup.ts';

const MAX_NAME_LENGTH = 100;

/** Both throw an Error with a sentence for the member. */
export function createThreading(world: World, userId: string, { requireChannel, requireMessage }: MemberLookup) {
  return {
    create_thread({ channel_id, message_id, name }: Methods['create_thread']['params']): APIThreadChannel {
      requireChannel(channel_id, P.CreatePublicThreads);
      const parent = findGuildChannel(world, channel_id);
      const guild = parent && world.guilds.get(parent.guild_id);
      if (!guild || parent.type !== ChannelType.GuildText) throw new Error("This channel can't have threads.");
      const starter = message_id === undefined ? undefined : requireMessage(channel_id, message_id);
      if (starter && (guild.threads.has(starter.id) || starter.visibleTo !== undefined))
        throw new Error("This message can't have a thread, or has one already.");
      const title = name.trim().slice(0, MAX_NAME_LENGTH);
      if (title === '') throw new Error('The thread needs a name.');
      return serializeThread(world, startThread(world, guild, parent, { name: title, ownerId: userId }, starter), userId);
    },
    archive_thread({ channel_id, archived }: Methods['archive_thread']['params']): null {
      const thread = requireChannel(channel_id);
      if (!isThread(thread)) throw new Error('This is no thread.');
      const { locked } = thread.thread_metadata;
      const manages = hasPermissions(world, userId, thread, P.ManageThreads);
      const isAllowed = !locked && (thread.owner_id === userId || (!archived && hasPermissions(world, userId, thread, P.SendMessages)));
      if (!manages && !isAllowed) throw new Error("You don't have the permission for that.");
      editThread(world, thread, { archived });
      return null;
    },
  };
}
