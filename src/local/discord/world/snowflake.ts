// Discord's ids: 64 bits, the upper 42 are milliseconds since 2015.
const EPOCH = 1_420_070_400_000n;
let last = 0n;

/** A new id; later ones are larger, also within one millisecond. */
export function snowflake(): string {
  const earliest = (BigInt(Date.now()) - EPOCH) << 22n;
  last = earliest > last ? earliest : last + 1n;
  return last.toString();
}
