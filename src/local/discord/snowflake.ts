// Discord's ids: 64 bits, the upper 42 are milliseconds since 2015.
const EPOCH = 1_420_070_400_000n;
let counter = 0n;

/** A new id; later ones are larger, also within one millisecond. */
export function snowflake(at = Date.now()): string {
  counter = (counter + 1n) & 0xfffn;
  return (((BigInt(at) - EPOCH) << 22n) | counter).toString();
}

/** When an id was made, in ms since 1970. */
export function madeAt(id: string): number {
  return Number((BigInt(id) >> 22n) + EPOCH);
}
