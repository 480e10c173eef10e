// The information frame at the start of many MP3s: a frame without sound that says how much to trim off both ends.

/** Samples to trim off both ends; 0 if the encoder does not say. */
export interface Mp3Trim {
  start: number;
  end: number;
}

/** The decoder's own delay, which the encoder's does not include (LAME's technical FAQ: 528 + 1). */
const DECODER_DELAY = 529;
/** Sizes of the optional fields after the name: number of frames, number of bytes, table of contents, quality. */
const FIELD_BYTES = [4, 4, 100, 4];

/** Parses a whole MPEG frame as an information frame (`Xing`, `Info`). Returns null if it is a frame of sound. */
export function parseInfoFrame(frame: Uint8Array): Mp3Trim | null {
  const second = frame[1] ?? 0;
  const fourth = frame[3] ?? 0;
  const isVersion1 = ((second >> 3) & 3) === 3;
  const isMono = fourth >> 6 === 3;
  const hasChecksum = (second & 1) === 0;
  const sideBytes = isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17;
  const start = 4 + (hasChecksum ? 2 : 0) + sideBytes;
  // `X` or `I`: rules out nearly all frames cheaply.
  if (frame[start] !== 0x58 && frame[start] !== 0x49) return null;
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
  const name = bytes.toString('latin1', start, start + 4);
  if (name !== 'Xing' && name !== 'Info') return null;
  const flags = bytes[start + 7] ?? 0;
  const encoder = FIELD_BYTES.reduce((at, size, bit) => at + (flags & (1 << bit) ? size : 0), start + 8);
  // LAME's part: its name in 9 bytes; at 21 the delay before and the padding after the sound, 12 bits each.
  if (encoder + 24 > bytes.length || !/^[A-Za-z]{3,4}/.test(bytes.toString('latin1', encoder, encoder + 4))) return { start: 0, end: 0 };
  const both = bytes.readUIntBE(encoder + 21, 3);
  const [delay, padding] = [both >> 12, both & 0xfff];
  if (delay === 0 && padding === 0) return { start: 0, end: 0 };
  return { start: delay + DECODER_DELAY, end: Math.max(0, padding - DECODER_DELAY) };
}
