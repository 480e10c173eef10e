// How old a message is when it arrives. After an outage of the gateway, Discord sends what was written meanwhile, and none of that is news.
import { type Client, Events, SnowflakeUtil } from 'discord.js';

export interface MessageClock {
  /** Seconds since the message was written, 0 at least. Call it when the message arrives. */
  ageOf(messageId: string): number;
  close(): void;
}

/** Milliseconds: the clock of this machine is compared with Discord's over as long. */
const WINDOW_MS = 10 * 60_000;

/**
 * Ids tell when a message was written by Discord's clock, and this machine's may be wrong. So the quickest of the latest messages counts as
 * just written, unless it came while the gateway caught up.
 * @param now milliseconds since 1970
 */
export function createMessageClock(client: Client, now: () => number = Date.now): MessageClock {
  const catchingUp = new Set<number>();
  const onLost = (shardId: number) => void catchingUp.add(shardId);
  const onBack = (shardId: number) => void catchingUp.delete(shardId);
  const onGone = (_: unknown, shardId: number) => onBack(shardId);
  client.on(Events.ShardReconnecting, onLost);
  client.on(Events.ShardResume, onBack);
  client.on(Events.ShardReady, onBack);
  client.on(Events.ShardDisconnect, onGone);
  let since = now();
  /** The least differences between the clocks in this window and the one before. */
  let current = Number.POSITIVE_INFINITY;
  let previous = Number.POSITIVE_INFINITY;

  function note(difference: number): void {
    if (now() - since > WINDOW_MS) {
      previous = current;
      current = Number.POSITIVE_INFINITY;
      since = now();
    }
    current = Math.min(current, difference);
  }

  return {
    ageOf(messageId) {
      const difference = now() - SnowflakeUtil.timestampFrom(messageId);
      const least = Math.min(current, previous);
      const usual = Number.isFinite(least) ? least : 0;
      if (catchingUp.size === 0) note(difference);
      return Math.max(0, difference - usual) / 1000;
    },
    close() {
      client.off(Events.ShardReconnecting, onLost);
      client.off(Events.ShardResume, onBack);
      client.off(Events.ShardReady, onBack);
      client.off(Events.ShardDisconnect, onGone);
    },
  };
}
