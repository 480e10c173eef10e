// Marks messages that are not heard, so that whoever wrote them knows.
import { type Client, PermissionFlagsBits } from 'discord.js';
import { describeError } from '../bot/error-boundary.ts';
import type { Log } from '../log.ts';

const MARK = '🔇';
/** Milliseconds between two marks in a channel. Others are left out: Discord takes few, and marks that come late help nobody. */
const PAUSE_MS = 1_000;

export type MarkUnheard = (channelId: string, messageId: string) => void;

/** Runs in the background; without the permissions nothing is marked. */
export function createMarkUnheard(client: Client, log: Log): MarkUnheard {
  /** By channel, when the last one was marked (`performance.now()`). */
  const marked = new Map<string, number>();
  return (channelId, messageId) => {
    const at = performance.now();
    if (at - (marked.get(channelId) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
    const channel = client.channels.cache.get(channelId);
    if (!channel?.isTextBased() || channel.isDMBased()) return;
    const mine = client.user && channel.permissionsFor(client.user);
    if (!mine?.has(PermissionFlagsBits.AddReactions | PermissionFlagsBits.ReadMessageHistory)) return;
    for (const [id, before] of marked) if (at - before > PAUSE_MS) marked.delete(id);
    marked.set(channelId, at);
    // Usually because the message is gone.
    channel.messages.react(messageId, MARK).catch((error: unknown) => log.debug(describeError(error), 'a message could not be marked'));
  };
}
