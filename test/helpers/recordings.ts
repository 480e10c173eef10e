// Recordings meant to do harm, which are in fixtures/harmful, and hours of silence in a few bytes.
import { readFileSync } from 'node:fs';

export const harmfulRecording = (name: string): Buffer => readFileSync(new URL(`../fixtures/harmful/${name}`, import.meta.url));

/** FLAC with frames of 65,535 zero samples in 13 or 14 bytes each, at 8 kHz. An hour takes 6 KB. @param seconds at most 11 hours */
export function silentFlac(seconds: number): Uint8Array {
  const samples = seconds * 8000;
  const frames = Math.ceil(samples / 65_535);
  // The numbers of frames are of two bytes from the 128th on.
  const flac = harmfulRecording('hours.flac').subarray(0, 42 + 13 * frames + Math.max(0, frames - 128));
  flac.writeUInt32BE(samples, 8 + 14);
  return flac;
}

/** Silence in Opus packets of two bytes for 120 ms each, 255 to a page. An hour takes 93 KB. @param seconds at most 4,000 */
export const silentOgg = (seconds: number): Uint8Array =>
  harmfulRecording('hours.ogg').subarray(0, 97 + 792 * Math.ceil(seconds / (255 * 0.12)));

/** Silence in the smallest MP3 frames: 72 ms in 72 bytes. */
export function silentMp3(seconds: number): Uint8Array {
  // MPEG-2.5, layer III, 8 kbit/s, 8 kHz, mono; the rest of the frame is zero.
  const frame = Buffer.alloc(72);
  frame.set([0xff, 0xe3, 0x18, 0xc0]);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds / 0.072) }, () => frame));
}
