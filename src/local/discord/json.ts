// Parses JSON as bots send it: ids may be numbers that a double cannot hold.

/** TypeScript doesn't know the reviver's third parameter yet. */
type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Parses JSON. Integers that a double cannot hold exactly, such as ids sent as numbers, become strings of their digits.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const revive: Reviver = (key, value, { source = '' }) => {
    // Parsed objects are copied into others, and must not bring a prototype along.
    if (key === '__proto__') return undefined;
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
    return isRounded ? source : value;
  };
  try {
    return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
  } catch (error) {
    // JSON.parse calls the reviver recursively: thousands of levels exhaust the stack.
    throw error instanceof RangeError ? new SyntaxError('JSON is nested too deeply.') : error;
  }
}
