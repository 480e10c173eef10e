// Snowflakes, Discord's ids: 64 bits, of which the upper 42 are milliseconds since 2015.
// https://docs.discord.com/developers/reference#snowflakes
const DISCORD_EPOCH = 1_420_070_400_000n;
/** How far ids may be ahead of the clock: a minute. */
const MAX_AHEAD = 60_000n << 22n;
let last = 0n;

/** When an id was created, in milliseconds since 1970. */
export function snowflakeTime(id: string): number {
  return Number((BigInt(id) >> 22n) + DISCORD_EPOCH);
}

/** The id of something that was created earlier. @param at milliseconds since 1970 */
export function snowflakeOf(at: number): string {
  return ((BigInt(at) - DISCORD_EPOCH) << 22n).toString();
}

/**
 * Each is larger than the one before, even within a millisecond, unless the clock was set back by more than a minute: bots tell by its id how
 * old a message is, and would take all to be late that go on from the future.
 */
export function createSnowflake(): string {
  const earliest = (BigInt(Date.now()) - DISCORD_EPOCH) << 22n;
  last = earliest > last || last - earliest > MAX_AHEAD ? earliest : last + 1n;
  return last.toString();
}
