// Any upload to samples: finds out what it is, picks the decoder, and turns what goes wrong into an error that helps.
import { EngineError } from '../types.ts';
import { decodeWithFfmpeg } from './ffmpeg.ts';
import { decodeOggOpus, decodeWebm } from './opus.ts';
import { decodeFlac, decodeMp3, decodeOggVorbis } from './packaged.ts';
import { createSink, type Sink } from './sink.ts';
import { type Container, sniffContainer } from './sniff.ts';
import { decodeWav } from './wav.ts';

const READABLE = 'Send a recording as wav, mp3, ogg, flac or webm.';

/**
 * @param rate samples per second of the result, which has one channel
 * @param tick called with every block that is decoded, to show life or to stop by throwing
 * @throws EngineError `not-audio`, `unsupported-format` or `too-long`
 */
export async function decodeAudio(bytes: Uint8Array, rate: number, tick: () => void): Promise<Int16Array> {
  const container = sniffContainer(bytes);
  if (!container) throw new EngineError('not-audio', `This file is no sound recording, or is damaged at its beginning. ${READABLE}`);
  const sink = createSink(rate, tick);
  try {
    await decodeInto(bytes, container, sink);
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    // The decoders throw whatever comes to them on broken files. What was heard until then is still worth reading.
    const heard = sink.finish();
    if (heard.length > 0) return heard;
    throw new EngineError('not-audio', `The file begins like ${nameOf(container)} but is damaged. Export it again, then send it.`, {
      cause,
    });
  }
  const samples = sink.finish();
  if (samples.length === 0)
    throw new EngineError('not-audio', `There is no sound in this file (it begins like ${nameOf(container)}). ${READABLE}`);
  return samples;
}

async function decodeInto(bytes: Uint8Array, container: Container, sink: Sink): Promise<void> {
  switch (container.kind) {
    case 'wav':
      if (!decodeWav(bytes, sink)) await decodeWithFfmpeg(bytes, { name: 'WAV with compressed sound', demuxer: 'wav' }, sink);
      return;
    case 'mp3':
      return decodeMp3(bytes, sink);
    case 'flac':
      return decodeFlac(bytes, sink);
    case 'ogg-opus':
      if (!(await decodeOggOpus(bytes, sink))) await decodeWithFfmpeg(bytes, { name: 'Opus with many channels', demuxer: 'ogg' }, sink);
      return;
    case 'ogg-vorbis':
      return decodeOggVorbis(bytes, sink);
    case 'webm':
      if (!(await decodeWebm(bytes, sink))) await decodeWithFfmpeg(bytes, { name: 'WebM without Opus', demuxer: 'matroska' }, sink);
      return;
    case 'foreign':
      return decodeWithFfmpeg(bytes, container, sink);
  }
}

const NAMES = { wav: 'WAV', mp3: 'MP3', flac: 'FLAC', 'ogg-opus': 'Ogg/Opus', 'ogg-vorbis': 'Ogg/Vorbis', webm: 'WebM' } as const;

function nameOf(container: Container): string {
  return container.kind === 'foreign' ? container.name : NAMES[container.kind];
}
