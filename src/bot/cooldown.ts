// A cooldown per member: a burst at once, then one at a time as the allowance comes back.

export interface CooldownOptions {
  /** How many requests may come at once. */
  burst: number;
  /** Milliseconds until a whole burst is available again. */
  perMs: number;
}

/** Takes one request of the member's allowance. @returns null, or if none is left the time of the next in milliseconds since 1970 */
export type Cooldown = (userId: string) => number | null;

/** Above this many members, those with a full allowance are forgotten. */
const MAX_REMEMBERED = 1_000;

/** @param now milliseconds since 1970 */
export function createCooldown({ burst, perMs }: CooldownOptions, now: () => number = Date.now): Cooldown {
  const intervalMs = perMs / burst;
  /** When each member's allowance is full again. */
  const fullAt = new Map<string, number>();
  return (userId) => {
    const time = now();
    if (fullAt.size >= MAX_REMEMBERED) for (const [id, at] of fullAt) if (at <= time) fullAt.delete(id);
    const before = fullAt.get(userId) ?? 0;
    // Further away only if the clock was set back, which the member should not have to wait out.
    const after = (before > time + perMs ? time : Math.max(before, time)) + intervalMs;
    if (after > time + perMs) return after - perMs;
    fullAt.set(userId, after);
    return null;
  };
}
