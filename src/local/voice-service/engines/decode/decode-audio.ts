// Any upload to samples: finds out what it is, picks the decoder, and turns what goes wrong into an error that helps.
import { EngineError } from '../engine.ts';
import { type Container, sniffContainer } from './container.ts';
import { decodeWithFfmpeg } from './ffmpeg.ts';
import { decodeFlac, decodeMp3, decodeOggVorbis } from './mp3-flac-vorbis.ts';
import { decodeOggOpus, decodeWebm } from './opus.ts';
import { createSink, type Sink, type SinkOptions } from './sink.ts';
import { decodeWav } from './wav.ts';

const READABLE = 'Send a recording as wav, mp3, ogg, flac or webm.';

export interface DecodeOptions extends SinkOptions {
  /** A folder that does not exist: made if a decoder needs a file, and left for the caller to remove. */
  scratch: string;
  /** Called when a decoder's WebAssembly trapped: its memory is not to be trusted any more. */
  onTrap(): void;
}

/**
 * Hands over the samples as they are decoded; those of a file that is damaged later on count.
 * @throws EngineError `not-audio`, `unsupported-format` or `too-long`
 */
export async function decodeAudio(bytes: Uint8Array, options: DecodeOptions): Promise<void> {
  const container = sniffContainer(bytes);
  if (!container) throw new EngineError('not-audio', `This file is no sound recording, or is damaged at its beginning. ${READABLE}`);
  const sink = createSink(options);
  try {
    await decodeInto(bytes, container, sink, options.scratch);
  } catch (cause) {
    if (cause instanceof WebAssembly.RuntimeError) options.onTrap();
    if (cause instanceof EngineError) throw cause;
    // The decoders throw whatever comes to them on broken files. What was heard until then is still worth reading.
    if (sink.finish() > 0) return;
    throw new EngineError('not-audio', `The file begins like ${nameOf(container)} but is damaged. Export it again, then send it.`, {
      cause,
    });
  }
  if (sink.finish() === 0)
    throw new EngineError('not-audio', `There is no sound in this file (it begins like ${nameOf(container)}). ${READABLE}`);
}

async function decodeInto(bytes: Uint8Array, container: Container, sink: Sink, scratch: string): Promise<void> {
  switch (container.kind) {
    case 'wav':
      if (!decodeWav(bytes, sink)) await decodeWithFfmpeg(bytes, { name: 'WAV with compressed sound', demuxer: 'wav' }, { sink, scratch });
      return;
    case 'mp3':
      return decodeMp3(bytes, sink);
    case 'flac':
      return decodeFlac(bytes, sink);
    case 'ogg-opus':
      if (!(await decodeOggOpus(bytes, sink)))
        await decodeWithFfmpeg(bytes, { name: 'Opus with many channels', demuxer: 'ogg' }, { sink, scratch });
      return;
    case 'ogg-vorbis':
      return decodeOggVorbis(bytes, sink);
    case 'webm':
      if (!(await decodeWebm(bytes, sink)))
        await decodeWithFfmpeg(bytes, { name: 'WebM without Opus', demuxer: 'matroska' }, { sink, scratch });
      return;
    case 'foreign':
      return decodeWithFfmpeg(bytes, container, { sink, scratch });
  }
}

const NAMES = { wav: 'WAV', mp3: 'MP3', flac: 'FLAC', 'ogg-opus': 'Ogg/Opus', 'ogg-vorbis': 'Ogg/Vorbis', webm: 'WebM' } as const;

function nameOf(container: Container): string {
  return container.kind === 'foreign' ? container.name : NAMES[container.kind];
}
