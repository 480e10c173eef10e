// The compared ways from a service's bytes to Opus packets: Parley's, and those of most bots.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline, Readable } from 'node:stream';
import { createAudioResource, StreamType } from '@discordjs/voice';
import prism from 'prism-media';
import { createVoiceLoudness, toOpusPackets } from '../../src/audio/index.ts';
import { openSpeechCache } from '../../src/synthesis/index.ts';

/** What @discordjs/voice does by default, and what it does if a volume is set. */
export const USUAL_WAYS = ['createAudioResource', 'ffmpeg + opusscript'] as const;
export type UsualWay = (typeof USUAL_WAYS)[number];
/** `parley` decodes MP3; `even` also normalises loudness; `opus` passes Ogg/Opus through; `cached` plays from the cache. */
export type WayName = 'parley' | 'even' | 'opus' | 'cached' | UsualWay;

export interface Way {
  /** 20 ms packets; leaving the loop frees everything. */
  open(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** As @discordjs/voice starts it if a volume is set. */
const FFMPEG_ARGUMENTS = ['-analyzeduration', '0', '-loglevel', '0', '-f', 's16le', '-ar', '48000', '-ac', '2'];

/** @param sound what `cached` has in its cache */
export async function openWay(name: WayName, sound: Uint8Array): Promise<Way> {
  if (name === 'cached') return openCached(sound);
  const voice = name === 'even' ? createVoiceLoudness() : null;
  const ways: Record<Exclude<WayName, 'cached'>, Way['open']> = {
    parley: (source) => toOpusPackets(source, { contentType: 'audio/mpeg' }),
    even: (source) => toOpusPackets(source, { contentType: 'audio/mpeg', ...(voice ? { loudness: voice } : {}) }),
    opus: (source) => toOpusPackets(source, { contentType: 'audio/ogg' }),
    createAudioResource: (source) => createAudioResource(streamOf(source), { inputType: StreamType.Arbitrary }).playStream,
    'ffmpeg + opusscript': (source) => {
      const ffmpeg = new prism.FFmpeg({ args: [...FFMPEG_ARGUMENTS] });
      const encoder = new prism.opus.Encoder({ rate: 48_000, channels: 2, frameSize: 960 });
      // A measurement ends by closing the pipeline early.
      pipeline(streamOf(source), ffmpeg, encoder, () => {});
      return encoder;
    },
  };
  return { open: ways[name], close: async () => {} };
}

function streamOf(source: AsyncIterable<Uint8Array>): Readable {
  return Readable.from(source, { objectMode: false, highWaterMark: 64 * 1024 });
}

async function openCached(sound: Uint8Array): Promise<Way> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-cache-'));
  const cache = await openSpeechCache({ directory, maxBytes: 100_000_000, service: 'bench' });
  const key = cache.keyOf('the sound');
  const recording = cache.record(key);
  for await (const packet of toOpusPackets(Readable.from([sound]))) recording.add(packet);
  recording.save();
  await cache.close();
  return {
    async *open() {
      const packets = await cache.get(key);
      if (!packets) throw new Error('The sound was not cached.');
      yield* packets;
    },
    close: () => rm(directory, { recursive: true, force: true }),
  };
}
