// Amounts of credit as exact decimals: the service returns the balance as a decimal string of unknown unit, and a float would change it.

/** Decimal places kept; no currency has more. */
const PLACES = 18;

/** The amount in units of 10^-18 credit, further digits dropped; null if the text isn't a decimal number. */
export function parseDecimal(text: string): bigint | null {
  const match = /^([+-]?)(\d{1,60})(?:\.(\d{0,200}))?$/.exec(text.trim());
  if (!match) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const units = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return sign === '-' ? -units : units;
}

/** The reverse of `parseDecimal`, without trailing zeros. */
export function formatDecimal(units: bigint): string {
  const digits = `${units < 0n ? -units : units}`.padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/(?<!0)0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -PLACES)}${fraction && `.${fraction}`}`;
}
