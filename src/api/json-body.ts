// JSON response bodies: read in full, bounded, then checked against their schema.
import type { z } from 'zod';
import { ApiError } from './errors.ts';
import { type ApiResponse, readBody } from './http.ts';

export interface BodyLimits extends PayloadLimits {
  bytes: number;
}

/** A page of 100 models has about 200 KB and 10,000 values. */
export const listLimits: BodyLimits = { bytes: 4 * 1024 * 1024, depth: 32, values: 250_000 };
/** One model has about 2 KB. */
export const modelLimits: BodyLimits = { bytes: 256 * 1024, depth: 32, values: 10_000 };
/** The transcript of an hour, with one segment per word, has 1 MB and 50,000 values. */
export const transcriptLimits: BodyLimits = { bytes: 16 * 1024 * 1024, depth: 32, values: 250_000 };
/** A wallet record has seven fields. */
export const walletLimits: BodyLimits = { bytes: 64 * 1024, depth: 32, values: 1_000 };

/** Bodies up to this size aren't inspected: whatever they contain takes no more than a megabyte or two once parsed. */
const HARMLESS_BYTES = 32 * 1024;

/** @throws ApiError `protocol` for anything that doesn't match the schema; it names fields, never their values */
export async function readJson<S extends z.ZodType>(response: ApiResponse, schema: S, limits: BodyLimits): Promise<z.output<S>> {
  const { status, requestId } = response;
  const refuse = (what: string) =>
    new ApiError('protocol', `The voice service answered ${status} with ${what}. Check the base address.`, { status, requestId });
  const bytes = await readBody(response, limits.bytes);
  const problem = bytes.length > HARMLESS_BYTES ? inspectJson(bytes, limits) : null;
  if (problem === 'too-deep') throw refuse(`JSON of more than ${limits.depth} levels`);
  if (problem === 'too-many-values') throw refuse(`JSON of more than ${limits.values} values`);
  const text = new TextDecoder().decode(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse(text.trim() === '' ? 'nothing' : text.trimStart().startsWith('<') ? 'a web page' : 'something that is not JSON');
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const fields = result.error.issues.slice(0, 5).map((issue) => issue.path.join('.') || 'the body');
  throw refuse(`JSON that doesn't match the spec, at: ${fields.join(', ')}`);
}

// Limits on JSON and msgpack from outside, checked in one pass over the bytes before they are parsed: a few bytes can claim gigabytes,
// and a few megabytes of brackets become gigabytes of objects.

export interface PayloadLimits {
  /** Nesting of objects, maps and arrays. */
  depth: number;
  /** Total values, including containers and the keys of msgpack maps. */
  values: number;
}

export type PayloadProblem = 'malformed' | 'too-deep' | 'too-many-values';

/**
 * What is wrong with a msgpack body, or null. Like a decoder it accepts exactly one value that fills the bytes, but its memory doesn't
 * grow with them: https://github.com/msgpack/msgpack/blob/master/spec.md
 */
export function inspectMsgpack(bytes: Uint8Array, { depth, values }: PayloadLimits): PayloadProblem | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** For each open container, how many of its values are still to come. */
  const open: number[] = [];
  let at = 0;
  let seen = 0;
  /** How many values are still to come in total. */
  let due = 1;
  while (due > 0) {
    // Each takes at least one byte, so a larger claim is false.
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

/** Bytes of a value without its children, and how many children follow; null if the bytes end, or no value begins this way. */
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

/** For first bytes 0xc0 to 0xdf: the length in bytes of values of fixed length; 0 = varies, or not a value. */
const FIXED_LENGTHS = [1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 5, 9, 2, 3, 5, 9, 2, 3, 5, 9, 3, 4, 6, 10, 18, 0, 0, 0, 0, 0, 0, 0];

/** For the same bytes: the width of the size field of binaries, extensions, strings, arrays and maps; 0 = none. */
const SIZE_WIDTHS = [0, 0, 0, 0, 1, 2, 4, 1, 2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 2, 4, 2, 4];

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Which limit JSON in UTF-8 exceeds, or null; whether it is valid is left to the parser. Keys don't count as values; an empty container
 * counts as two.
 */
export function inspectJson(bytes: Uint8Array, { depth, values }: PayloadLimits): Exclude<PayloadProblem, 'malformed'> | null {
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
