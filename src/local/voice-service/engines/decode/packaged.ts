// Reads MP3, FLAC and Vorbis with the decoders made for them, in slices small enough that silence packed tightly cannot fill the memory.
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { MPEGDecoder } from 'mpg123-decoder';
import type { Sink } from './sink.ts';
import { findMp3, id3Length } from './sniff.ts';

const MP3_SLICE = 8 * 1024;
/** A FLAC frame of 14 bytes may stand for 65 535 samples, so a slice of this size decodes to 50 MB at most. */
const DENSE_SLICE = 1024;

interface Decoded {
  channelData: Float32Array[];
  samplesDecoded: number;
  sampleRate: number;
}

export async function decodeMp3(file: Uint8Array, sink: Sink): Promise<void> {
  const tagless = file.subarray(id3Length(file));
  const bytes = tagless.subarray(findMp3(tagless) ?? 0);
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    for (const slice of slices(bytes, MP3_SLICE)) give(decoder.decode(slice), sink);
  } finally {
    decoder.free();
  }
}

export const decodeFlac = (bytes: Uint8Array, sink: Sink): Promise<void> => decodeDense(new FLACDecoder(), bytes, sink);

export const decodeOggVorbis = (bytes: Uint8Array, sink: Sink): Promise<void> => decodeDense(new OggVorbisDecoder(), bytes, sink);

async function decodeDense(decoder: FLACDecoder | OggVorbisDecoder, bytes: Uint8Array, sink: Sink): Promise<void> {
  await decoder.ready;
  try {
    for (const slice of slices(bytes, DENSE_SLICE)) give(await decoder.decode(slice), sink);
    give(await decoder.flush(), sink);
  } finally {
    decoder.free();
  }
}

function give({ channelData, samplesDecoded, sampleRate }: Decoded, sink: Sink): void {
  sink.showLife();
  if (samplesDecoded > 0) sink.push(channelData, sampleRate);
}

function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
