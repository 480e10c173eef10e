// Writes WAV.

/** The size of samples whose number isn't known yet: players read on until the end. */
const UNKNOWN_BYTES = 0xffff_ffff;

/** The 44 bytes before 16-bit mono samples. @param rate Hz @param bytes of all samples; null = unknown */
export function wavHeader(rate: number, bytes: number | null): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(44);
  const view = new DataView(header.buffer);
  const ascii = (at: number, text: string) => header.set(new TextEncoder().encode(text), at);
  ascii(0, 'RIFF');
  view.setUint32(4, bytes === null ? UNKNOWN_BYTES : 36 + bytes, true);
  ascii(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  ascii(36, 'data');
  view.setUint32(40, bytes ?? UNKNOWN_BYTES, true);
  return header;
}
