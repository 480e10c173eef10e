// What is shown in the channel that is read: which messages are not heard, and that the day's budget is nearly used up.

import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type GuildTextBasedChannel, PermissionFlagsBits } from 'discord.js';
import { describeError } from '../discord/errors.ts';
import type { Notices } from '../discord/notices.ts';
import type { Words } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { CreditService } from '../wallet/index.ts';

// Marks messages that are not heard, so their authors know.

const MARK = '🔇';
/** Milliseconds after each mark in a channel: Discord's headers have allowed one reaction a second, and each takes up to four seconds. */
const PAUSE_MS = 1_000;
/** Messages in a channel that may wait to be marked; then each is marked within 30 seconds. Of those beyond, only the newest is marked. */
const MOST_WAITING = 20;

export type MarkUnheard = (channelId: string, messageId: string) => void;

/** Runs in the background; without the permissions nothing is marked. */
export function createMarkUnheard(
  client: Client,
  log: Log,
  sleep: (ms: number) => Promise<unknown> = (ms) => delay(ms, undefined, { ref: false }),
): MarkUnheard {
  /** Messages still to be marked, by channel; absent = nothing has been marked there lately. */
  const waiting = new Map<string, string[]>();

  async function markAll(channel: GuildTextBasedChannel, messageIds: string[]): Promise<void> {
    for (let id = messageIds.shift(); id !== undefined; id = messageIds.shift()) {
      // Usually because the message is gone.
      await channel.messages
        .react(id, MARK)
        .catch((error: unknown) => log.debug(describeError(error), 'could not react to a skipped message'));
      await sleep(PAUSE_MS);
    }
    waiting.delete(channel.id);
  }

  return (channelId, messageId) => {
    const channel = client.channels.cache.get(channelId);
    if (!channel?.isTextBased() || channel.isDMBased()) return;
    const mine = client.user && channel.permissionsFor(client.user);
    if (!mine?.has(PermissionFlagsBits.AddReactions | PermissionFlagsBits.ReadMessageHistory)) return;
    const others = waiting.get(channelId);
    if (others) {
      others[Math.min(others.length, MOST_WAITING)] = messageId;
      return;
    }
    const first = [messageId];
    waiting.set(channelId, first);
    void markAll(channel, first);
  };
}

// Tells the channel that is read, and so its admins, when most of the server's budget for speech is used up.

/** Call after a message was read. Never rejects. */
export type WatchBudget = (read: { guildId: string; memberId: string; textChannelId: string; words: Words }) => Promise<void>;

/** Share of the day's budget at which members are told. */
const SHARE = 0.8;

export function createBudgetWatch({ credit, notices, log }: { credit: CreditService; notices: Notices; log: Log }): WatchBudget {
  return async ({ guildId, memberId, textChannelId, words }) => {
    try {
      const { guild } = await credit.todaysBudgets('speech', { guildId, memberId });
      if (!guild || guild.used < SHARE * guild.cap || guild.used >= guild.cap) return;
      if (!(await notices.isFirstToday(`most-used:${guildId}`))) return;
      await notices.post(textChannelId, words.readingNotices.mostUsed(SHARE, guild.cap - guild.used), 'waiting');
    } catch (error) {
      log.warn(describeError(error), 'could not check the speech budget of a guild');
    }
  };
}
