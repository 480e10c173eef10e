// What can be said of an Opus packet by its first bytes (RFC 6716, section 3.1), and packets that hold no sound.

/** Hz in which Opus counts time, whatever the packet's bandwidth. */
export const OPUS_RATE = 48_000;
/** Samples at 48 kHz by which libopus delays the sound: 6.5 ms. */
export const LOOK_AHEAD = 312;

const SILK_MS = [10, 20, 40, 60] as const;
const HYBRID_MS = [10, 20] as const;
const CELT_MS = [2.5, 5, 10, 20] as const;
const MAX_SAMPLES = 5760;
const STEREO = 4;

/** Duration of a packet in samples at 48 kHz, or 0 if it is invalid (empty, no frames, or over 120 ms). */
export function opusSamples(packet: Uint8Array): number {
  const toc = packet[0];
  if (toc === undefined) return 0;
  const config = toc >> 3;
  const frameMs = config < 12 ? SILK_MS[config & 3] : config < 16 ? HYBRID_MS[config & 1] : CELT_MS[config & 3];
  const code = toc & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : (packet[1] ?? 0) & 0x3f;
  const samples = (frameMs ?? 0) * frames * 48;
  return samples <= MAX_SAMPLES ? samples : 0;
}

export function isStereo([toc = 0]: Uint8Array): boolean {
  return (toc & STEREO) !== 0;
}

/**
 * 20 ms of silence. Discord's clients send it when they fall silent, never end-to-end encrypted
 * (https://daveprotocol.com/#silence-packets), and expect it behind the last packet, or listeners hear interpolation
 * (https://discord.com/developers/docs/topics/voice-connections#voice-data-interpolation).
 */
export const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);
export const SILENCE_SAMPLES = 960;

/** First bytes of packets by their samples, in CELT at full bandwidth. */
const EMPTY: readonly [samples: number, toc: number][] = [
  [960, 0xf8],
  [480, 0xf0],
  [240, 0xe8],
  [120, 0xe0],
];

/** Packets without a frame, which decoders conceal as they do lost ones. @param samples at 48 kHz; what is left of 2.5 ms is dropped */
export function emptyPackets(samples: number): Uint8Array[] {
  const packets: Uint8Array[] = [];
  let left = samples;
  for (const [length, toc] of EMPTY) for (; left >= length; left -= length) packets.push(Uint8Array.of(toc));
  return packets;
}
