// Forwarded messages: Discord doesn't say who wrote the original, only where it is.
import { type Message, PermissionFlagsBits } from 'discord.js';

/** The original of a forwarded message; null if it can't be looked up. Never rejects. */
export async function fetchOriginal(forward: Message<true>): Promise<Message | null> {
  const { client, reference } = forward;
  const channel = client.channels.cache.get(reference?.channelId ?? '');
  if (!channel || channel.isDMBased()) return null;
  const needed = PermissionFlagsBits.ViewChannel | PermissionFlagsBits.ReadMessageHistory;
  if (!channel.permissionsFor(client.user)?.has(needed)) return null;
  return forward.fetchReference().catch(() => null);
}
