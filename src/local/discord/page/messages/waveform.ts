// The waveform of a voice message: encoded from samples, and decoded for drawing.

/** Discord's limit; each point is one byte. */
const MAX_POINTS = 256;
const POINTS_PER_SECOND = 10;

/** Encodes mono samples (−1…1) as base64, with one byte per tenth of a second; long recordings are scaled down to 256 bytes. */
export function encodeWaveform(samples: Float32Array, sampleRate: number): string {
  const count = Math.max(1, Math.min(MAX_POINTS, Math.ceil((samples.length / sampleRate) * POINTS_PER_SECOND)));
  const step = samples.length / count;
  let bytes = '';
  for (let at = 0; at < count; at++) {
    let sum = 0;
    const from = Math.floor(at * step);
    const to = Math.max(from + 1, Math.floor((at + 1) * step));
    for (let i = from; i < to; i++) sum += (samples[i] ?? 0) ** 2;
    // The mean level of speech is low; its square root makes better use of the height.
    const level = Math.sqrt(Math.sqrt(sum / (to - from)));
    bytes += String.fromCharCode(Math.min(255, Math.round(level * 255)));
  }
  return btoa(bytes);
}

/** Heights of `count` bars, 0…1, without steps if there are fewer values; an unreadable waveform is flat. */
export function decodeWaveform(base64: string, count: number): number[] {
  let bytes = '';
  try {
    bytes = atob(base64);
  } catch {
    // Flat, see below.
  }
  return Array.from({ length: count }, (_, at) => {
    if (bytes.length === 0) return 0;
    if (bytes.length < count) {
      const middle = Math.max(0, Math.min(bytes.length - 1, ((at + 0.5) * bytes.length) / count - 0.5));
      const [before, after] = [bytes.charCodeAt(Math.floor(middle)), bytes.charCodeAt(Math.ceil(middle))];
      return (before + (after - before) * (middle % 1)) / 255;
    }
    const from = Math.floor((at * bytes.length) / count);
    const to = Math.max(from + 1, Math.floor(((at + 1) * bytes.length) / count));
    let highest = 0;
    for (let i = from; i < to; i++) highest = Math.max(highest, bytes.charCodeAt(i));
    return highest / 255;
  });
}
