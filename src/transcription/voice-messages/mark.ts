// The reaction on a voice message that is being transcribed.
import { type Client, type GuildTextBasedChannel, PermissionFlagsBits, Routes } from 'discord.js';
import { describeError } from '../../discord/errors.ts';
import type { Log } from '../../log.ts';

export interface Mark {
  /** Resolves with whether the message has it: without the permission, nothing shows it. Never rejects. */
  add(channel: GuildTextBasedChannel, messageId: string): Promise<boolean>;
  /** Never rejects. */
  remove(channelId: string, messageId: string): Promise<void>;
}

const MARK = '✍️';

export function createMark({ client, log }: { client: Client<true>; log: Log }): Mark {
  const routeOf = (channelId: string, messageId: string) =>
    Routes.channelMessageOwnReaction(channelId, messageId, encodeURIComponent(MARK));

  return {
    async add(channel, messageId) {
      if (!channel.permissionsFor(client.user)?.has(PermissionFlagsBits.AddReactions | PermissionFlagsBits.ReadMessageHistory))
        return false;
      return client.rest.put(routeOf(channel.id, messageId)).then(
        () => true,
        () => false,
      );
    },
    async remove(channelId, messageId) {
      // This usually fails because the message is gone.
      await client.rest
        .delete(routeOf(channelId, messageId))
        .catch((error: unknown) => log.debug(describeError(error), 'could not take a reaction off a voice message'));
    },
  };
}
