// The outline of a voice message's sound: made from samples, and read back for drawing.

/** Discord takes up to 256 values, of one byte each. */
const MAX_POINTS = 256;
const POINTS_PER_SECOND = 10;

/** Outline of mono samples (−1…1), as base64 of one byte per tenth of a second; long recordings are squeezed into 256. */
export function encodeWaveform(samples: Float32Array, sampleRate: number): string {
  const count = Math.max(1, Math.min(MAX_POINTS, Math.ceil((samples.length / sampleRate) * POINTS_PER_SECOND)));
  const step = samples.length / count;
  let bytes = '';
  for (let at = 0; at < count; at++) {
    let sum = 0;
    const from = Math.floor(at * step);
    const to = Math.max(from + 1, Math.floor((at + 1) * step));
    for (let i = from; i < to; i++) sum += (samples[i] ?? 0) ** 2;
    // Speech is quiet in the mean: the root of the level fills the height better.
    const level = Math.sqrt(Math.sqrt(sum / (to - from)));
    bytes += String.fromCharCode(Math.min(255, Math.round(level * 255)));
  }
  return btoa(bytes);
}

/** Heights of `count` bars, 0…1, from a message's outline; what cannot be read is drawn flat. */
export function decodeWaveform(base64: string, count: number): number[] {
  let bytes = '';
  try {
    bytes = atob(base64);
  } catch {
    // Flat, below.
  }
  return Array.from({ length: count }, (_, at) => {
    if (bytes.length === 0) return 0;
    const from = Math.floor((at * bytes.length) / count);
    const to = Math.max(from + 1, Math.floor(((at + 1) * bytes.length) / count));
    let highest = 0;
    for (let i = from; i < to; i++) highest = Math.max(highest, bytes.charCodeAt(i));
    return highest / 255;
  });
}
