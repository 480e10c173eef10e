// What is said once in the channel that is read: why nothing is heard, and that the day's budget is nearly used up.
import { type Client, PermissionFlagsBits } from 'discord.js';
import { type Accent, notice } from '../bot/cards.ts';
import { describeError } from '../bot/error-boundary.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';

export interface Notices {
  /** Returns false if the bot may not write there. Never rejects. */
  post(channelId: string, sentence: string, accent?: Accent): Promise<boolean>;
  /** Whether this is the first time today that it is to be said, in any process. @throws StoreError */
  isFirstToday(topic: string): Promise<boolean>;
}

const DAY_MS = 24 * 3600_000;

export function createNotices({ client, store, log, now }: { client: Client; store: Store; log: Log; now: () => number }): Notices {
  return {
    async post(channelId, sentence, accent = 'failed') {
      const channel = client.channels.cache.get(channelId);
      if (!channel?.isSendable() || channel.isDMBased()) return false;
      const mine = client.user && channel.permissionsFor(client.user);
      const needed = channel.isThread() ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
      if (!mine?.has(PermissionFlagsBits.ViewChannel | needed)) return false;
      try {
        await channel.send(notice(sentence, accent));
        return true;
      } catch (error) {
        log.warn(describeError(error), 'could not post a notice in a channel that is read aloud');
        return false;
      }
    },
    async isFirstToday(topic) {
      const day = Math.floor(now() / DAY_MS);
      return (await store.increment(`reading-told:${day}:${topic}`, 1, { expiresInMs: 2 * DAY_MS })) === 1;
    },
  };
}
