// Reads Ogg/Opus: passes its packets through if they fit, otherwise decodes them.
import { createDecoder, type OpusDecoderHandle } from 'libopus-wasm';
import { createOggDemuxer, type OggItem, type OpusHead } from '../ogg/demuxer.ts';
import { OPUS_RATE } from '../opus.ts';
import { AudioError, type Decoder, type Piece, trackResource } from '../types.ts';

const FRAME_SAMPLES = 960;

/** Passes 20 ms packets through unchanged, mono or stereo. From the first packet of another length, or if the header has a gain, or with `decodeAll`, it decodes. */
export async function createOggOpusDecoder(options: { decodeAll: boolean }): Promise<Decoder> {
  const demuxer = createOggDemuxer();
  // Takes 0.1 ms; any packet may turn out to need it.
  const decoder: OpusDecoderHandle = await createDecoder({ sampleRate: OPUS_RATE, channels: 1 });
  const release = trackResource('opus decoder');
  let head: OpusHead | null = null;
  let skip = 0;
  let decoding = options.decodeAll;

  function* take(item: OggItem): Generator<Piece> {
    if (item.kind === 'head') {
      head = item.head;
      skip = head.preSkip;
      // Once decoding, always decoding: going back to packets would play the overlap twice.
      decoding ||= head.gainDb !== 0;
      return;
    }
    decoding ||= item.samples !== FRAME_SAMPLES;
    if (!decoding) {
      skip = 0;
      if (item.drop < item.samples) yield { packet: item.data };
      return;
    }
    const gain = 10 ** ((head?.gainDb ?? 0) / 20);
    const decoded = decode(item.data, item.samples);
    const mono = decoded.subarray(Math.min(skip, decoded.length), Math.max(0, decoded.length - item.drop));
    skip = Math.max(0, skip - decoded.length);
    if (gain !== 1) for (let index = 0; index < mono.length; index++) mono[index] = (mono[index] ?? 0) * gain;
    if (mono.length > 0) yield { mono, rate: OPUS_RATE };
  }

  function decode(packet: Uint8Array, samples: number): Float32Array {
    try {
      return decoder.decodeFloat(packet);
    } catch {
      // Damaged: libopus conceals the loss by extrapolating, which is less audible than a gap.
      return decoder.decodePacketLossFloat(samples);
    }
  }

  return {
    *push(bytes) {
      for (const item of demuxer.push(bytes)) yield* take(item);
    },
    end() {
      if (!demuxer.atBoundary) throw new AudioError('truncated', 'The Ogg stream ends in the middle of a page');
      return [];
    },
    free() {
      decoder.free();
      release();
    },
  };
}
