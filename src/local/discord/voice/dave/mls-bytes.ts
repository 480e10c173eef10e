// Reads and writes the TLS presentation language of MLS (RFC 9420, section 2.1): big-endian integers, and vectors of variable length.

/** A cursor over bytes. Reading past the end throws a RangeError. */
export interface Reader {
  readonly bytes: Buffer;
  offset: number;
}

export function createReader(bytes: Buffer): Reader {
  return { bytes, offset: 0 };
}

export function isAtEnd(reader: Reader): boolean {
  return reader.offset === reader.bytes.length;
}

export function readUint8(reader: Reader): number {
  const value = reader.bytes.readUInt8(reader.offset);
  reader.offset += 1;
  return value;
}

export function readUint16(reader: Reader): number {
  const value = reader.bytes.readUInt16BE(reader.offset);
  reader.offset += 2;
  return value;
}

export function readUint32(reader: Reader): number {
  const value = reader.bytes.readUInt32BE(reader.offset);
  reader.offset += 4;
  return value;
}

export function readUint64(reader: Reader): bigint {
  const value = reader.bytes.readBigUInt64BE(reader.offset);
  reader.offset += 8;
  return value;
}

/** The content of a vector: a view, not a copy. */
export function readVector(reader: Reader): Buffer {
  const length = readVectorLength(reader);
  const end = reader.offset + length;
  if (end > reader.bytes.length) throw new RangeError('vector reaches past the end');
  const content = reader.bytes.subarray(reader.offset, end);
  reader.offset = end;
  return content;
}

/** Lengths take 1, 2 or 4 bytes, according to the two highest bits of the first byte (section 2.1.2). */
function readVectorLength(reader: Reader): number {
  const prefix = reader.bytes.readUInt8(reader.offset) >> 6;
  if (prefix === 0) return readUint8(reader);
  if (prefix === 1) return readUint16(reader) & 0x3fff;
  if (prefix === 2) return readUint32(reader) & 0x3fffffff;
  throw new RangeError('invalid vector length');
}

export function uint8(value: number): Buffer {
  return Buffer.of(value);
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function uint64(value: bigint): Buffer {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
}

/** The parts as one vector, preceded by its length. */
export function vector(...parts: Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([vectorLength(length), ...parts]);
}

function vectorLength(length: number): Buffer {
  if (length < 0x40) return uint8(length);
  if (length < 0x4000) return uint16(0x4000 | length);
  return uint32((0x80000000 | length) >>> 0);
}
