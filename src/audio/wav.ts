// Writes WAV.
import { concat } from './bytes.ts';
import { WAV_ENCODING } from './containers/chunks.ts';
import type { SampleLayout } from './decode/pcm.ts';

/** The size of samples whose number isn't known yet: players read on until the end. */
const UNKNOWN_BYTES = 0xffff_ffff;
const TEXT = new TextEncoder();

/** Integers of 16 bits in one channel, unless it says otherwise. */
export type WavLayout = Partial<SampleLayout> & Pick<SampleLayout, 'rate'>;

/** Puts a WAV header before samples, so that players open them. */
export function wrapInWav(samples: Uint8Array, layout: WavLayout): Uint8Array<ArrayBuffer> {
  return concat([wavHeader(samples.length, layout), samples]);
}

/** The 44 bytes before the samples of a WAV file. @param dataBytes null = not known yet */
export function wavHeader(dataBytes: number | null, layout: WavLayout): Uint8Array<ArrayBuffer> {
  const { encoding = WAV_ENCODING.pcm, bits = 16, channels = 1, rate } = layout;
  const header = new Uint8Array(44);
  const view = new DataView(header.buffer);
  TEXT.encodeInto('RIFF', header);
  view.setUint32(4, dataBytes === null ? UNKNOWN_BYTES : 36 + dataBytes, true);
  TEXT.encodeInto('WAVEfmt ', header.subarray(8));
  view.setUint32(16, 16, true);
  view.setUint16(20, encoding, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, (rate * channels * bits) / 8, true);
  view.setUint16(32, (channels * bits) / 8, true);
  view.setUint16(34, bits, true);
  TEXT.encodeInto('data', header.subarray(36));
  view.setUint32(40, dataBytes ?? UNKNOWN_BYTES, true);
  return header;
}
