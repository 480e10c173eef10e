// Gathers what /read status shows.
import { type Guild, PermissionFlagsBits, type RepliableInteraction } from 'discord.js';
import { READING_PERMISSIONS } from '../bot/permissions.ts';
import type { ReadingCommandContext } from './command-context.ts';
import type { Lacking, StatusFacts } from './views.ts';

const DAY_MS = 24 * 3600_000;

/** @param now milliseconds since 1970 @throws StoreError */
export async function gatherStatus(
  { guild, user }: RepliableInteraction<'cached'>,
  { reading, settings, credit, messageAccess }: ReadingCommandContext,
  now: number = Date.now(),
): Promise<StatusFacts> {
  const status = reading.status(guild.id);
  const [{ readAloud }, { muted }, budgets] = await Promise.all([
    settings.member(user.id),
    settings.guild(guild.id),
    credit.todaysBudgets('speech', { guildId: guild.id, memberId: user.id }),
  ]);
  const { used, cap } = budgets.guild ?? { used: 0, cap: Number.POSITIVE_INFINITY };
  return {
    status,
    isRefused: messageAccess() === 'refused',
    lacking: [...new Set(status.channels.map(({ textChannelId }) => textChannelId))].flatMap((id) => findLacking(guild, id) ?? []),
    left: Number.isFinite(cap) ? Math.max(0, Math.floor(cap - used)) : null,
    // Days are in UTC.
    resetsAt: (Math.floor(now / DAY_MS) + 1) * DAY_MS,
    member: { readAloud, isMuted: muted.includes(user.id) },
  };
}

/** Null if nothing is missing. */
function findLacking(guild: Guild, channelId: string): Lacking | null {
  const { me } = guild.members;
  const mine = me && guild.channels.cache.get(channelId)?.permissionsFor(me);
  const isHidden = !mine?.has(PermissionFlagsBits.ViewChannel);
  const permissions = READING_PERMISSIONS.filter((name) => !mine?.has(PermissionFlagsBits[name]));
  return isHidden || permissions.length > 0 ? { channelId, isHidden, permissions: [...permissions] } : null;
}
