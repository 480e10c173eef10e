// Amounts of credit as exact decimals. The service gives the balance as a decimal string of unknown unit: a float would change it.

/** Decimals that are kept: beyond what any money has. */
const PLACES = 18;

/** The amount in units of 10^-18 credit, without what lies beyond; null for what is no decimal number. */
export function parseDecimal(text: string): bigint | null {
  const match = /^([+-]?)(\d{1,60})(?:\.(\d{0,200}))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', rest = ''] = match;
  const units = BigInt(whole + rest.slice(0, PLACES).padEnd(PLACES, '0'));
  return sign === '-' ? -units : units;
}

/** The same as a decimal without needless zeros. */
export function formatDecimal(units: bigint): string {
  const digits = `${units < 0n ? -units : units}`.padStart(PLACES + 1, '0');
  const rest = digits.slice(-PLACES).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${rest && `.${rest}`}`;
}
