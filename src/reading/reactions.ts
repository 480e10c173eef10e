// Marks messages that are not heard, so that whoever wrote them knows.
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type GuildTextBasedChannel, PermissionFlagsBits } from 'discord.js';
import { describeError } from '../bot/error-boundary.ts';
import type { Log } from '../log.ts';

const MARK = '🔇';
/** Milliseconds after each mark in a channel: Discord's headers have announced one reaction a second, and it takes up to four. */
const PAUSE_MS = 1_000;
/** Messages of a channel that wait to be marked, so that each is within 30 seconds. Of those beyond, the newest is marked as well. */
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
