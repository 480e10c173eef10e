// Recordings that are packed tightly, or lie: what somebody might send to do harm.

/** Rice-free FLAC: frames of 65,535 samples that all are 0, each in 13 bytes, at 8 kHz. An hour takes 6 KB. */
export function silentFlac(seconds: number): Uint8Array {
  const rate = 8000;
  const block = 65_535;
  const total = seconds * rate;
  const info = Buffer.alloc(34);
  info.writeUInt16BE(block, 0);
  info.writeUInt16BE(block, 2);
  // 20 bits of rate, 3 of channels less one, 5 of bits less one, 36 of samples.
  info.writeBigUInt64BE((BigInt(rate) << 44n) | (0n << 41n) | (15n << 36n) | BigInt(total), 10);
  const frames = Array.from({ length: Math.ceil(total / block) }, (_, index) => silentFrame(index, block));
  return Buffer.concat([Buffer.from('fLaC'), Buffer.of(0x80, 0, 0, 34), info, ...frames]);
}

/** https://www.rfc-editor.org/rfc/rfc9639.html#section-9 */
function silentFrame(index: number, block: number): Buffer {
  const number = index < 0x80 ? [index] : [0xc0 | (index >> 6), 0x80 | (index & 0x3f)];
  // Fixed block size, which stands in 16 bits; 8 kHz; mono; 16 bits.
  const header = Buffer.from([0xff, 0xf8, 0x74, 0x08, ...number, (block - 1) >> 8, (block - 1) & 0xff]);
  // One constant subframe of 0.
  const frame = Buffer.concat([header, Buffer.of(crc(header, 8, 0x07)), Buffer.of(0, 0, 0)]);
  const check = crc(frame, 16, 0x8005);
  return Buffer.concat([frame, Buffer.of(check >> 8, check & 0xff)]);
}

function crc(bytes: Uint8Array, bits: 8 | 16, polynomial: number): number {
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) value = value & (1 << (bits - 1)) ? (value << 1) ^ polynomial : value << 1;
    value &= (1 << bits) - 1;
  }
  return value;
}
