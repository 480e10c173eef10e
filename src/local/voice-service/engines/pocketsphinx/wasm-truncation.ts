// Rewrites a WebAssembly module so that its float-to-integer conversions saturate instead of trapping.
//
// pocketsphinx.wasm was compiled in 2018 from C that casts out-of-range floats, and traps on that ("float unrepresentable in integer
// range"): test/long/pocketsphinx.test.ts shows it. The saturating opcodes are a byte longer, so function sizes are encoded again.

const CODE_SECTION = 10;
/** The one-byte trapping conversions, and the second byte (after 0xFC) of their saturating counterparts. */
const SATURATING = new Map([
  [0xa8, 0x00],
  [0xa9, 0x01],
  [0xaa, 0x02],
  [0xab, 0x03],
  [0xae, 0x04],
  [0xaf, 0x05],
  [0xb0, 0x06],
  [0xb1, 0x07],
]);

/**
 * @param binary a WebAssembly 1.0 module, without later proposals
 * @returns a copy in which every trapping truncation saturates
 * @throws Error on an opcode that 1.0 does not have, or if the module is cut off
 */
export function saturateTruncations(binary: Uint8Array): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [binary.subarray(0, 8)];
  let at = 8;
  while (at < binary.length) {
    const start = at;
    const id = byteAt(binary, at++);
    const size = readUnsigned(binary, at);
    const end = size.next + size.value;
    if (end > binary.length) throw new Error('The WebAssembly module is cut off.');
    if (id === CODE_SECTION) {
      const body = rewriteCode(binary.subarray(size.next, end));
      parts.push(Uint8Array.of(id), encodeUnsigned(body.length), body);
    } else {
      parts.push(binary.subarray(start, end));
    }
    at = end;
  }
  return Buffer.concat(parts);
}

function rewriteCode(section: Uint8Array): Uint8Array {
  const count = readUnsigned(section, 0);
  const parts = [section.subarray(0, count.next)];
  let at = count.next;
  for (let i = 0; i < count.value; i++) {
    const size = readUnsigned(section, at);
    const body = rewriteFunction(section.subarray(size.next, size.next + size.value));
    parts.push(encodeUnsigned(body.length), body);
    at = size.next + size.value;
  }
  return Buffer.concat(parts);
}

function rewriteFunction(body: Uint8Array): Uint8Array {
  const groups = readUnsigned(body, 0);
  let at = groups.next;
  for (let i = 0; i < groups.value; i++) at = skipNumber(body, at) + 1;

  const parts: Uint8Array[] = [];
  let copied = 0;
  while (at < body.length) {
    const opcode = byteAt(body, at);
    const saturating = SATURATING.get(opcode);
    if (saturating !== undefined) {
      parts.push(body.subarray(copied, at), Uint8Array.of(0xfc, saturating));
      copied = at + 1;
    }
    at = skipImmediates(body, at + 1, opcode);
  }
  parts.push(body.subarray(copied));
  return Buffer.concat(parts);
}

/** Returns the position after an opcode's immediates (WebAssembly Core Specification 1.0, section 5.4). */
function skipImmediates(code: Uint8Array, at: number, opcode: number): number {
  if (opcode === 0x0e) {
    const targets = readUnsigned(code, at);
    let next = targets.next;
    for (let i = 0; i <= targets.value; i++) next = skipNumber(code, next);
    return next;
  }
  if (opcode === 0x11) return skipNumber(code, at) + 1;
  if (opcode >= 0x28 && opcode <= 0x3e) return skipNumber(code, skipNumber(code, at));
  if (opcode >= 0x02 && opcode <= 0x04) return at + 1;
  if (opcode === 0x3f || opcode === 0x40) return at + 1;
  if (opcode === 0x43) return at + 4;
  if (opcode === 0x44) return at + 8;
  const takesNumber = opcode === 0x0c || opcode === 0x0d || opcode === 0x10 || (opcode >= 0x20 && opcode <= 0x24);
  if (takesNumber || opcode === 0x41 || opcode === 0x42) return skipNumber(code, at);
  const plain = opcode <= 0x01 || opcode === 0x05 || opcode === 0x0b || opcode === 0x0f || opcode === 0x1a || opcode === 0x1b;
  if (plain || (opcode >= 0x45 && opcode <= 0xbf)) return at;
  throw new Error(`Unknown WebAssembly opcode 0x${opcode.toString(16)}. The module is newer than this rewrite supports.`);
}

/** Returns the position after a LEB128 number, signed or not. */
function skipNumber(bytes: Uint8Array, at: number): number {
  let next = at;
  while (byteAt(bytes, next++) & 0x80);
  return next;
}

function readUnsigned(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let shift = 0, next = at; ; shift += 7) {
    const byte = byteAt(bytes, next++);
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next };
  }
}

function encodeUnsigned(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  do {
    bytes.push(rest >= 0x80 ? (rest & 0x7f) | 0x80 : rest);
    rest >>>= 7;
  } while (rest > 0);
  return Uint8Array.from(bytes);
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new Error('The WebAssembly module is cut off.');
  return byte;
}
