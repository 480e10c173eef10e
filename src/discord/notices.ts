// What is said once in a channel, of its own accord: why something doesn't work, or that a day's budget is used up.
import { type Client, PermissionFlagsBits } from 'discord.js';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import { type Accent, type CardMessage, notice } from './cards.ts';
import { describeError } from './errors.ts';

export interface Notices {
  /** Returns false if the bot may not write there. Never rejects. */
  post(channelId: string, sentence: string, accent?: Accent): Promise<boolean>;
  /** The same with a whole message. Returns its id; null if the bot may not write there. */
  postMessage(channelId: string, message: CardMessage): Promise<string | null>;
  /** Whether this is the first time today, in any process, that this topic comes up. @throws StoreError */
  isFirstToday(topic: string): Promise<boolean>;
}

const DAY_MS = 24 * 3600_000;

/** @param now milliseconds since 1970; days are UTC */
export function createNotices({ client, store, log, now }: { client: Client; store: Store; log: Log; now: () => number }): Notices {
  async function postMessage(channelId: string, message: CardMessage): Promise<string | null> {
    const channel = client.channels.cache.get(channelId);
    if (!channel?.isSendable() || channel.isDMBased()) return null;
    const ownPermissions = client.user && channel.permissionsFor(client.user);
    const needed = channel.isThread() ? PermissionFlagsBits.SendMessagesInThreads : PermissionFlagsBits.SendMessages;
    if (!ownPermissions?.has(PermissionFlagsBits.ViewChannel | needed)) return null;
    try {
      return (await channel.send(message)).id;
    } catch (error) {
      log.warn(describeError(error), 'could not post a notice in a channel');
      return null;
    }
  }

  return {
    postMessage,
    post: async (channelId, sentence, accent = 'failed') => (await postMessage(channelId, notice(sentence, accent))) !== null,
    async isFirstToday(topic) {
      const day = Math.floor(now() / DAY_MS);
      // The key is named as it was when only reading aloud posted notices.
      return (await store.increment(`reading-told:${day}:${topic}`, 1, { expiresInMs: 2 * DAY_MS })) === 1;
    },
  };
}
