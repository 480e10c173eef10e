// mpg123 instances for one sound after the other: each is a WebAssembly memory of 17 MB (hardly any of it touched), and making one
// for every sound would drive the garbage collector into pauses that are heard in all guilds.
import { MPEGDecoder } from 'mpg123-decoder';
import { hold } from './gauge.ts';

export interface PooledMp3Decoder {
  decoder: MPEGDecoder;
  /** Gives it back. One that has met damage is not used again. */
  release(damaged: boolean): void;
}

/** As many as are kept when nothing plays: half a megabyte each. */
const MAX_IDLE = 24;
/** MPEG 1, layer III, 64 kbit/s, 44.1 kHz, mono, nothing but zeros: a frame of silence. */
export const SILENT_FRAME = Uint8Array.from({ length: 208 }, (_, index) => [0xff, 0xfb, 0x50, 0xc4][index] ?? 0);
/** After these nothing of the sound before is left in the filters, nor in the store of bits that frames borrow from. */
const SILENT_FRAMES = 4;

const idle: MPEGDecoder[] = [];

export async function takeMp3Decoder(): Promise<PooledMp3Decoder> {
  const release = hold('mp3 decoder');
  let decoder = idle.pop();
  if (!decoder) {
    // Trimming would outlast the sound whose information frame asked for it: it is done outside.
    decoder = new MPEGDecoder({ enableGapless: false });
    await decoder.ready;
  }
  const taken = decoder;
  return {
    decoder: taken,
    release(damaged) {
      release();
      if (damaged || idle.length >= MAX_IDLE) {
        taken.free();
        return;
      }
      for (let count = 0; count < SILENT_FRAMES; count++) taken.decode(SILENT_FRAME);
      idle.push(taken);
    },
  };
}
