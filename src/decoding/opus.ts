// Decodes Opus in Ogg and WebM, straight to one channel at the recognition rate.
import { createDecoder } from 'libopus-wasm';
import { createWebmReader, type WebmTrack } from '../audio/containers/webm.ts';
import { createOggDemuxer, parseOpusHead } from '../audio/ogg/demuxer.ts';
import { LOOK_AHEAD, OPUS_RATE, opusSamples } from '../audio/opus.ts';
import { tooSmallPackets } from './errors.ts';
import { RATE } from './limits.ts';
import type { Sink } from './sink.ts';

/** Opus counts at 48 kHz, whatever the rate of decoding. */
const CLOCK_PER_SAMPLE = OPUS_RATE / RATE;
const CLOCK_PER_MS = OPUS_RATE / 1000;
/** Bytes taken at a time. */
const SLICE = 16 * 1024;
/** Silence may take a byte for 20 ms, and short packets about 20 bytes; no recorder makes packets that are both small and short. */
const TINY_PACKETS = { count: 10_000, bytesEach: 3, msEach: 10 };
/** Type of a WebM track. */
const SOUND = 2;

/** @returns false if it has more than two channels, which this does not decode */
export async function decodeOggOpus(bytes: Uint8Array, sink: Sink): Promise<boolean> {
  const demuxer = createOggDemuxer();
  const decoder = await openDecoder(sink);
  try {
    for (let at = 0; at < bytes.length; at += SLICE) {
      sink.reportProgress();
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

/** @returns false if the first sound track is not Opus in one or two channels */
export async function decodeWebm(bytes: Uint8Array, sink: Sink): Promise<boolean> {
  const decoder = await openDecoder(sink);
  try {
    for (const item of demuxWebm(bytes)) {
      sink.reportProgress();
      if (item.kind === 'packet') {
        decoder.packet(item.data, 0);
        continue;
      }
      const { codec, channels, head, encoded } = item.track;
      if (codec !== 'A_OPUS' || channels > 2 || encoded) return false;
      decoder.begin(parseOpusHead(head)?.preSkip ?? LOOK_AHEAD);
    }
    return true;
  } finally {
    decoder.free();
  }
}

type WebmItem = { kind: 'track'; track: WebmTrack } | { kind: 'packet'; data: Uint8Array };

/** Yields the first sound track, then its packets; nothing for a file without one. Skips what is damaged. */
export function* demuxWebm(file: Uint8Array): Generator<WebmItem> {
  const tracks: WebmTrack[] = [];
  const items: WebmItem[] = [];
  let chosen: WebmTrack | null = null;
  const reader = createWebmReader({
    onTrack(track) {
      if (!chosen) tracks.push(track);
    },
    onBlock({ track, state, frames }) {
      const sound = chosen ?? tracks.find(({ type }) => type === SOUND);
      if (!sound) return;
      // A copy: what follows may be damage that describes it again.
      if (!chosen) {
        chosen = { ...sound };
        items.push({ kind: 'track', track: chosen });
      }
      if (state === 'whole' && track === chosen.number) for (const data of frames) items.push({ kind: 'packet', data });
    },
  });
  for (let at = 0; at < file.length; at += SLICE) {
    reader.push(file.subarray(at, at + SLICE));
    yield* items.splice(0);
  }
  reader.end();
  yield* items.splice(0);
}

async function openDecoder(sink: Sink) {
  const decoder = await createDecoder({ sampleRate: RATE, channels: 1 });
  let skip = 0;
  let packets = 0;
  let bytes = 0;
  let ms = 0;
  return {
    /** @param preSkip samples at 48 kHz to drop at the beginning */
    begin(preSkip: number) {
      skip = Math.round(preSkip / CLOCK_PER_SAMPLE);
    },
    /** @param drop samples at 48 kHz to drop at the end */
    packet(data: Uint8Array, drop: number) {
      packets++;
      bytes += data.length;
      ms += opusSamples(data) / CLOCK_PER_MS;
      if (packets >= TINY_PACKETS.count && bytes < TINY_PACKETS.bytesEach * packets && ms < TINY_PACKETS.msEach * packets) {
        throw tooSmallPackets(bytes / packets);
      }
      const samples = decodePacket(data);
      const end = Math.max(0, samples.length - Math.round(drop / CLOCK_PER_SAMPLE));
      const start = Math.min(skip, end);
      skip -= start;
      if (end > start) sink.push([samples.subarray(start, end)], RATE);
    },
    free: () => decoder.free(),
  };

  /** A damaged packet is skipped. */
  function decodePacket(data: Uint8Array): Float32Array {
    try {
      return data.length > 0 ? decoder.decodeFloat(data) : new Float32Array(0);
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) throw error;
      return new Float32Array(0);
    }
  }
}
