// Decodes MP3, FLAC and Vorbis with packaged decoders, in slices so small that tightly packed silence cannot fill the memory.
import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { type OggVorbisDecodedAudio, OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { codecFrames, type OggPage } from 'codec-parser';
import { MPEGDecoder } from 'mpg123-decoder';
import { concat, slices } from '../audio/bytes.ts';
import { createMp3Framer, type Mp3Frame } from '../audio/containers/mpeg-frames.ts';
import { pagesIn } from '../audio/ogg/page.ts';
import { tooSmallPackets } from './errors.ts';
import type { Sink } from './sink.ts';

const MP3_SLICE = 8 * 1024;
/** A FLAC frame of 14 bytes may hold 65,535 samples, so a slice of this size decodes to 50 MB at most. */
const DENSE_SLICE = 1024;

interface Decoded {
  channelData: Float32Array[];
  samplesDecoded: number;
  sampleRate: number;
}

export async function decodeMp3(file: Uint8Array, sink: Sink): Promise<void> {
  const framer = createMp3Framer();
  const decoder = new MPEGDecoder();
  await decoder.ready;
  const decode = (frames: Mp3Frame[]) => pushTo(sink, decoder.decode(concat(frames.map(({ frame }) => frame))));
  try {
    for (const slice of slices(file, MP3_SLICE)) decode(framer.push(slice));
    decode(framer.end());
  } finally {
    decoder.free();
  }
}

export const decodeFlac = (bytes: Uint8Array, sink: Sink): Promise<void> => decodeDense(new FLACDecoder(), bytes, sink);

export async function decodeOggVorbis(bytes: Uint8Array, sink: Sink): Promise<void> {
  rejectTinyPackets(bytes);
  await decodeDense(createVorbisDecoder(), bytes, sink);
}

/**
 * Holds pages back until one has sound: before it has read the headers, the package takes the number of channels from uninitialised
 * memory and returns 35,952 empty arrays for every slice, which takes 10 ms each.
 */
function createVorbisDecoder(): OggVorbisDecoder {
  const decoder = new OggVorbisDecoder();
  const decodePages = decoder.decodeOggPages.bind(decoder);
  const nothing: OggVorbisDecodedAudio = { channelData: [], samplesDecoded: 0, sampleRate: 0, bitDepth: 16, errors: [] };
  let held: OggPage[] = [];
  decoder.decodeOggPages = async (pages) => {
    held.push(...pages);
    if (!held.some((page) => page[codecFrames].length > 0)) return nothing;
    const whole = held;
    held = [];
    return decodePages(whole);
  };
  return decoder;
}

/** Silence may take a byte per packet, but an hour of it has fewer packets. */
const TINY_PACKETS = { count: 300_000, bytesEach: 3 };

/** @throws DecodingError `not-audio` if the packets are too many and too small to be sound: the decoder would take a minute for 20 MB */
function rejectTinyPackets(file: Uint8Array): void {
  let packets = 0;
  let content = 0;
  for (const { body, end, parts } of pagesIn(file)) {
    content += end - body;
    for (const { isEnding } of parts) if (isEnding) packets++;
  }
  if (packets > TINY_PACKETS.count && content < TINY_PACKETS.bytesEach * packets) {
    throw tooSmallPackets(content / packets);
  }
}

async function decodeDense(decoder: FLACDecoder | OggVorbisDecoder, bytes: Uint8Array, sink: Sink): Promise<void> {
  await decoder.ready;
  try {
    for (const slice of slices(bytes, DENSE_SLICE)) pushTo(sink, await decoder.decode(slice));
    pushTo(sink, await decoder.flush());
  } finally {
    decoder.free();
  }
}

function pushTo(sink: Sink, { channelData, samplesDecoded, sampleRate }: Decoded): void {
  sink.reportProgress();
  if (samplesDecoded > 0) sink.push(channelData, sampleRate);
}
