// How often a guild's voice may be joined. Every join takes one of the main gateway's 120 sends a minute, which all guilds share,
// and the voice library alone joins again at once whenever it is thrown out.

/** Pauses in ms before the joins of a minute, over which a voice server may start again; there are no more of them. */
const PAUSES_MS = [0, 0, 1000, 4000, 10_000];
const WINDOW_MS = 60_000;

export interface JoinBudget {
  /** Takes one join: says how many ms to wait before it, or null when the minute's joins are used up. */
  take(guildId: string): number | null;
  /** The joins so far went well and ended as members wished. */
  forget(guildId: string): void;
}

/** @param now in ms, of any beginning */
export function createJoinBudget(pausesMs: readonly number[] = PAUSES_MS, now = () => performance.now()): JoinBudget {
  const joins = new Map<string, number[]>();
  return {
    take(guildId) {
      const recent = (joins.get(guildId) ?? []).filter((at) => at > now() - WINDOW_MS);
      const pause = pausesMs[recent.length];
      if (pause === undefined) return null;
      joins.set(guildId, [...recent, now() + pause]);
      return pause;
    },
    forget: (guildId) => void joins.delete(guildId),
  };
}
