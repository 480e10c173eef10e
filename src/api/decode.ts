// Bounds on JSON and msgpack from outside, checked in one pass over the bytes before anything is built from them: a few bytes can
// claim gigabytes, and a few megabytes of brackets become gigabytes of objects.

export interface Bounds {
  /** Containers (objects, maps, arrays) inside one another. */
  depth: number;
  /** Values in all, containers and msgpack's map keys included. */
  values: number;
}

export type Complaint = 'malformed' | 'too-deep' | 'too-many-values';

/**
 * What is wrong with a msgpack body, or null. It accepts exactly one value that fills the bytes, as a decoder does, and its memory
 * does not grow with them: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
export function inspectMsgpack(bytes: Uint8Array, { depth, values }: Bounds): Complaint | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** For each container that is open, how many of its values are still due. */
  const open: number[] = [];
  let at = 0;
  let seen = 0;
  /** How many values are still due in all. */
  let due = 1;
  while (due > 0) {
    // Each takes a byte at least, so a claim beyond that cannot be true.
    if (due > bytes.length - at) return 'malformed';
    if (seen + due > values) return 'too-many-values';
    while (open.at(-1) === 0) open.pop();
    if (open.length > 0) open[open.length - 1] = (open.at(-1) ?? 0) - 1;
    due -= 1;
    seen += 1;

    const head = readHead(view, at);
    if (head === null) return 'malformed';
    at += head.length;
    if (at > bytes.length) return 'malformed';
    if (head.children === 0) continue;
    due += head.children;
    open.push(head.children);
    if (open.length > depth) return 'too-deep';
  }
  return at === bytes.length ? null : 'malformed';
}

/** Bytes of a value without its children, and how many children follow; null where the bytes end, or no value begins so. */
function readHead(view: DataView, at: number): { length: number; children: number } | null {
  const first = view.getUint8(at);
  if (first <= 0x7f || first >= 0xe0) return { length: 1, children: 0 };
  if (first <= 0x8f) return { length: 1, children: 2 * (first & 0x0f) };
  if (first <= 0x9f) return { length: 1, children: first & 0x0f };
  if (first <= 0xbf) return { length: 1 + (first & 0x1f), children: 0 };
  const fixed = FIXED_LENGTHS[first - 0xc0] ?? 0;
  if (fixed > 0) return { length: fixed, children: 0 };
  const width = SIZE_WIDTHS[first - 0xc0] ?? 0;
  if (width === 0 || at + 1 + width > view.byteLength) return null;
  const size = width === 1 ? view.getUint8(at + 1) : width === 2 ? view.getUint16(at + 1) : view.getUint32(at + 1);
  if (first >= 0xde) return { length: 1 + width, children: 2 * size };
  if (first >= 0xdc) return { length: 1 + width, children: size };
  const type = first >= 0xc7 && first <= 0xc9 ? 1 : 0;
  return { length: 1 + width + type + size, children: 0 };
}

/** By the first byte from 0xc0 to 0xdf: the whole length in bytes of what always has the same one; 0 = it varies, or never begins so. */
const FIXED_LENGTHS = [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 3, 4, 6, 10, 18, 0, 0, 0, 0, 0, 0, 0];

/** By the same byte: in how many bytes the size follows of binary, extensions, strings, arrays and maps; 0 = none follows. */
const SIZE_WIDTHS = [0, 0, 0, 0, 1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * What is wrong with the size of JSON in UTF-8, or null; whether it is JSON at all is left to the parser. Keys are not counted as
 * values; an empty container counts as two.
 */
export function inspectJson(bytes: Uint8Array, { depth, values }: Bounds): Exclude<Complaint, 'malformed'> | null {
  let open = 0;
  let seen = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      open += 1;
      seen += 1;
      if (open > depth) return 'too-deep';
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
      open -= 1;
    } else if (byte === COMMA) {
      seen += 1;
    }
    if (seen > values) return 'too-many-values';
  }
  return null;
}
