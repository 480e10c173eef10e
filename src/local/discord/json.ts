// JSON as bots send it: ids may come as numbers, and none of them may be rounded.

/** What ECMAScript tells a reviver of a value, which TypeScript doesn't know yet. */
type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Parses JSON. Integers that a double can't hold exactly, as ids sent as numbers are, become the text that stood there.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const revive: Reviver = (key, value, { source = '' }) => {
    // What is copied into other objects must not bring a prototype along.
    if (key === '__proto__') return undefined;
    const isRounded = typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source);
    return isRounded ? source : value;
  };
  try {
    return JSON.parse(text, revive as Parameters<typeof JSON.parse>[1]);
  } catch (error) {
    // The reviver walks down by recursion: thousands of levels exhaust the stack.
    throw error instanceof RangeError ? new SyntaxError('JSON is nested too deeply.') : error;
  }
}
