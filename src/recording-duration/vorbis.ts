// Durations of Vorbis packets, which depend only on the two block sizes and one bit of each mode: https://xiph.org/vorbis/doc/Vorbis_I_spec.html#x1-590004

export interface VorbisStream {
  /** The samples in an audio packet, by its first byte. */
  samplesOf(first: number): number;
  rate: number;
}

/** Bytes at the end of the setup header that contain its modes: at most 64 of 41 bits. */
export const SETUP_TAIL = 400;

/** @param ident the first header @param setupTail the end of the third one @returns null if there is no Vorbis in it */
export function readVorbis(ident: Buffer, setupTail: Buffer): VorbisStream | null {
  if (ident.length < 29 || ident.toString('latin1', 0, 7) !== '\x01vorbis') return null;
  const rate = ident.readUInt32LE(12);
  const sizes = ident[28] ?? 0;
  const [short, long] = [1 << (sizes & 15), 1 << (sizes >> 4)];
  if (rate === 0 || short > long) return null;
  const isLong = readModes(setupTail);
  if (!isLong) return { rate, samplesOf: () => long / 2 };
  // The first bit tells headers from audio; the next ones are the mode number.
  const modeBits = isLong.length > 1 ? 32 - Math.clz32(isLong.length - 1) : 0;
  let before = 0;
  return {
    rate,
    samplesOf(first) {
      if (first & 1) return 0;
      const size = isLong[(first >> 1) & ((1 << modeBits) - 1)] ? long : short;
      const samples = before === 0 ? size / 2 : (before + size) / 4;
      before = size;
      return samples;
    },
  };
}

/**
 * Which modes have long blocks. Read backwards, to avoid parsing the codebooks before them: a framing bit, then for each mode from last to
 * first its mapping (8 bits), transform and window type (16 each, both 0) and block flag, and before them the count. Null if the header
 * doesn't end this way; every packet then counts as long.
 */
function readModes(tail: Buffer): boolean[] | null {
  const bits = tail.length * 8;
  // Bits are numbered from the end; a byte's last bit is its highest.
  const bit = (index: number) => {
    const place = bits - 1 - index;
    return place < 0 ? 0 : ((tail[place >> 3] ?? 0) >> (place & 7)) & 1;
  };
  const number = (index: number, width: number) => {
    let value = 0;
    for (let offset = 0; offset < width; offset++) value = value * 2 + bit(index + offset);
    return value;
  };
  let start = 0;
  while (start < bits && bit(start) === 0) start += 1;
  start += 1;
  let modes: boolean[] | null = null;
  const flags: boolean[] = [];
  for (let at = start; at + 41 <= bits && flags.length < 64; at += 41) {
    if (number(at, 8) > 63 || number(at + 8, 16) !== 0 || number(at + 24, 16) !== 0) break;
    flags.unshift(bit(at + 40) === 1);
    if (number(at + 41, 6) + 1 === flags.length) modes = [...flags];
  }
  return modes;
}
