// The header of an Ogg page (RFC 3533, section 6).

/** "OggS" */
export const CAPTURE_PATTERN = [0x4f, 0x67, 0x67, 0x53] as const;
/** Size of a page's header without the lacing table. */
export const HEADER_BYTES = 27;

// Header type flags.
export const CONTINUED_PACKET = 1;
export const FIRST_PAGE = 2;
export const LAST_PAGE = 4;

// CRC-32 with polynomial 0x04c11db7, not reflected, starting at 0 (RFC 3533, section 6).
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte << 24;
  for (let bit = 0; bit < 8; bit++) remainder = remainder & 0x8000_0000 ? (remainder << 1) ^ 0x04c1_1db7 : remainder << 1;
  return remainder;
});

/** Checksum of a page whose own checksum field is 0. */
export function checksum(page: Uint8Array): number {
  let crc = 0;
  for (const byte of page) crc = ((crc << 8) ^ (CRC_TABLE[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
}
