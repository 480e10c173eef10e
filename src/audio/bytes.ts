// Joins byte arrays, takes them apart, and compares them with magic numbers.

/** Returns a copy with a buffer of its own, which can be transferred to another thread. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Yields `bytes` in pieces of `size`, the last one shorter, which share its memory. */
export function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Whether the bytes from `at` on are those of `magic`, one for each character (Latin-1). */
export function hasMagic(bytes: Uint8Array, magic: string, at = 0): boolean {
  for (let index = 0; index < magic.length; index++) if (bytes[at + index] !== magic.charCodeAt(index)) return false;
  return true;
}
