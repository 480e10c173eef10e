// Reads Opus out of Ogg and WebM, straight to one channel at the recogniser's rate.
import { createDecoder } from 'libopus-wasm';
import { createOggDemuxer } from '../../../../audio/ogg.ts';
import { opusSamples } from '../../../../audio/opus-packet.ts';
import { EngineError } from '../engine.ts';
import type { Sink } from './sink.ts';
import { readWebm } from './webm.ts';

/** libopus decodes to this rate itself. */
const RATE = 16_000;
/** Opus counts its pre-skip at 48 kHz. */
const CLOCK_PER_SAMPLE = 3;
const CLOCK_PER_MS = 48;
/** Ogg bytes taken at a time. */
const SLICE = 16 * 1024;
/** Silence may take a byte for each 20 ms, and short packets some 20 bytes; packets that are both small and short are not made by recorders. */
const LEAST = { packets: 10_000, bytesEach: 3, msEach: 10 };

/** @returns false when it holds Opus in more than two channels, which this does not read */
export async function decodeOggOpus(bytes: Uint8Array, sink: Sink): Promise<boolean> {
  const demuxer = createOggDemuxer();
  const decoder = await openDecoder(sink);
  try {
    for (let at = 0; at < bytes.length; at += SLICE) {
      sink.showLife();
      for (const item of demuxer.push(bytes.subarray(at, at + SLICE))) {
        if (item.kind === 'head') {
          if (item.head.mappingFamily !== 0) return false;
          decoder.begin(item.head.preSkip);
        }
        if (item.kind === 'packet') decoder.packet(item.data, item.drop);
      }
    }
    return true;
  } finally {
    decoder.free();
  }
}

/** @returns false when the first sound track is not Opus in one or two channels, as it is in files for all purposes */
export async function decodeWebm(bytes: Uint8Array, sink: Sink): Promise<boolean> {
  const decoder = await openDecoder(sink);
  try {
    for (const item of readWebm(bytes)) {
      sink.showLife();
      if (item.kind === 'packet') {
        decoder.packet(item.data, 0);
        continue;
      }
      const { codec, channels, head, encoded } = item.track;
      if (codec !== 'A_OPUS' || channels > 2 || encoded) return false;
      decoder.begin(preSkipOf(head));
    }
    return true;
  } finally {
    decoder.free();
  }
}

async function openDecoder(sink: Sink) {
  const decoder = await createDecoder({ sampleRate: RATE, channels: 1 });
  let skip = 0;
  let packets = 0;
  let bytes = 0;
  let ms = 0;
  return {
    /** @param preSkip samples at 48 kHz that are no sound yet */
    begin(preSkip: number) {
      skip = Math.round(preSkip / CLOCK_PER_SAMPLE);
    },
    /** @param drop samples at 48 kHz that lie behind the end */
    packet(data: Uint8Array, drop: number) {
      packets++;
      bytes += data.length;
      ms += opusSamples(data) / CLOCK_PER_MS;
      if (packets >= LEAST.packets && bytes < LEAST.bytesEach * packets && ms < LEAST.msEach * packets) {
        throw new EngineError(
          'not-audio',
          `The file is made of packets of ${(bytes / packets).toFixed(1)} bytes, too small to be sound. Export it again.`,
        );
      }
      const samples = decodePacket(data);
      const end = Math.max(0, samples.length - Math.round(drop / CLOCK_PER_SAMPLE));
      const start = Math.min(skip, end);
      skip -= start;
      if (end > start) sink.push([samples.subarray(start, end)], RATE);
    },
    free: () => decoder.free(),
  };

  /** A packet that is damaged costs only itself. */
  function decodePacket(data: Uint8Array): Float32Array {
    try {
      return data.length > 0 ? decoder.decodeFloat(data) : new Float32Array(0);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      return new Float32Array(0);
    }
  }
}

/** From the OpusHead that the container carries; the usual look-ahead of libopus without one. */
function preSkipOf(head: Uint8Array): number {
  return head.length < 19 ? 312 : new DataView(head.buffer, head.byteOffset).getUint16(10, true);
}
