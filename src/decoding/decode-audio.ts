// Any upload to samples: identifies the container, picks the decoder, and turns failures into errors that help.
import { createWavReader } from '../audio/containers/chunks.ts';
import { createSampleReader } from '../audio/decode/pcm.ts';
import { type Container, detectContainer } from './container.ts';
import { DecodingError } from './errors.ts';
import { decodeWithFfmpeg } from './ffmpeg.ts';
import { decodeFlac, decodeMp3, decodeOggVorbis } from './mp3-flac-vorbis.ts';
import { decodeOggOpus, decodeWebm } from './opus.ts';
import { createSink, type Sink, type SinkOptions } from './sink.ts';

const READABLE = 'Send a recording as wav, mp3, ogg, flac or webm.';

interface DecodeOptions extends SinkOptions {
  /** A folder that does not exist: created if a decoder needs a file; the caller removes it. */
  scratch: string;
  /** Called if a decoder's WebAssembly trapped: its memory can no longer be trusted. */
  onTrap(): void;
}

/**
 * Passes on the samples as they are decoded. Of a file that is damaged further on, the part before the damage counts.
 * @throws DecodingError `not-audio`, `unsupported-format` or `too-long`
 */
export async function decodeAudio(bytes: Uint8Array, options: DecodeOptions): Promise<void> {
  const container = detectContainer(bytes);
  if (!container) throw new DecodingError('not-audio', `This file is no sound recording, or is damaged at its beginning. ${READABLE}`);
  const sink = createSink(options);
  try {
    await decodeContainer(bytes, container, sink, options.scratch);
  } catch (cause) {
    if (cause instanceof WebAssembly.RuntimeError) options.onTrap();
    if (cause instanceof DecodingError) throw cause;
    // The decoders throw all sorts of errors on broken files.
    if (sink.finish() > 0) return;
    throw new DecodingError('not-audio', `The file begins like ${container.name} but is damaged. Export it again, then send it.`, {
      cause,
    });
  }
  if (sink.finish() === 0)
    throw new DecodingError('not-audio', `There is no sound in this file (it begins like ${container.name}). ${READABLE}`);
}

async function decodeContainer(bytes: Uint8Array, container: Container, sink: Sink, scratch: string): Promise<void> {
  const withFfmpeg = (name: string, demuxer: string) => decodeWithFfmpeg({ bytes, name, demuxer, sink, scratch });
  switch (container.kind) {
    case 'wav':
      if (!decodeWav(bytes, sink)) await withFfmpeg('WAV with compressed sound', 'wav');
      return;
    case 'mp3':
      return decodeMp3(bytes, sink);
    case 'flac':
      return decodeFlac(bytes, sink);
    case 'ogg-opus':
      if (!(await decodeOggOpus(bytes, sink))) await withFfmpeg('Opus with many channels', 'ogg');
      return;
    case 'ogg-vorbis':
      return decodeOggVorbis(bytes, sink);
    case 'webm':
      if (!(await decodeWebm(bytes, sink))) await withFfmpeg('WebM without Opus', 'matroska');
      return;
    case 'ffmpeg':
      return withFfmpeg(container.name, container.demuxer);
  }
}

const MAX_CHANNELS = 32;

/** Sizes in its headers are only hints. @returns false if the sound is compressed */
function decodeWav(bytes: Uint8Array, sink: Sink): boolean {
  const wav = createWavReader();
  const first = wav.push(bytes);
  const samples = first.length > 0 ? first : wav.end();
  const { format, statedBytes } = wav;
  if (statedBytes === null) return true;
  if (!format) throw new DecodingError('not-audio', 'The WAV file does not say how it is encoded. Export it again.');
  if (format.channels < 1 || format.channels > MAX_CHANNELS) {
    throw new DecodingError('not-audio', `The WAV file says it has ${format.channels} channels. Export it again.`);
  }
  const read = createSampleReader(format);
  if (!read) return false;
  // 0 and 0xFFFFFFFF mean that the length was unknown when the header was written.
  const isKnown = statedBytes > 0 && statedBytes <= samples.length;
  for (const { mono, rate } of read(isKnown ? samples.subarray(0, statedBytes) : samples)) sink.push([mono], rate);
  return true;
}
