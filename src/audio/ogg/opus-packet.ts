// Reads the first bytes of an Opus packet (RFC 6716, section 3.1).

/** Hz in which Opus counts time, whatever the packet's bandwidth. */
export const OPUS_RATE = 48_000;

const SILK_MS = [10, 20, 40, 60] as const;
const HYBRID_MS = [10, 20] as const;
const CELT_MS = [2.5, 5, 10, 20] as const;

/** Duration of a packet in samples at 48 kHz, or 0 if it is invalid (empty, no frames, or over 120 ms). */
export function opusSamples(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const config = toc >> 3;
  const frameMs = config < 12 ? SILK_MS[config & 3] : config < 16 ? HYBRID_MS[config & 1] : CELT_MS[config & 3];
  const code = toc & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 0x3f;
  const samples = (frameMs ?? 0) * frames * 48;
  return samples <= 5760 ? samples : 0;
}
