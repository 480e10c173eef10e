// Speech as a file: the service's own bytes, checked and named, or cached packets.
import { readWhole } from '../async/whole.ts';
import { AudioError, detectFormat, measureWaveform, oggSeconds, packetsToOgg, pcmToWav, toOpusPackets } from '../audio/index.ts';
import { endlessSound } from './read-ahead.ts';

export interface SpeechFile {
  bytes: Uint8Array;
  /** File extension without a dot. */
  extension: string;
}

/** A file of speech as a voice message of Discord's. */
export interface SpokenMessage extends SpeechFile {
  seconds: number;
  /** Base64, see measureWaveform. */
  waveform: string;
}

/** Of a format that players may know, though none of our own decoders does. */
const OTHER_EXTENSION = 'bin';

/** The sound is larger than the caller allows. */
export class SpeechTooLargeError extends Error {
  override name = 'SpeechTooLargeError';

  constructor(maxBytes: number) {
    super(`The speech is larger than ${(maxBytes / 1024 / 1024).toFixed(1)} MiB: say less, or ask for a smaller format`);
  }
}

/**
 * Reads a whole speech. Throws SpeechTooLargeError as soon as it exceeds `maxBytes`, AudioError if it is not sound, or if it exceeds
 * `endlessBytes`, which is more than its text can be.
 */
export async function readSpeechFile(
  audio: AsyncIterable<Uint8Array>,
  options: { formatHint: string; maxBytes: number; endlessBytes: number },
): Promise<SpeechFile> {
  const { formatHint, maxBytes, endlessBytes } = options;
  const tooLong = () => (endlessBytes <= maxBytes ? endlessSound() : new SpeechTooLargeError(maxBytes));
  const bytes = await readWhole(audio, Math.min(maxBytes, endlessBytes), tooLong);
  const file = toFile(bytes, formatHint);
  if (file.extension !== OTHER_EXTENSION) await checkBeginning(bytes, formatHint);
  return file;
}

/** A header alone is a file that plays in silence. Rejects with AudioError unless a first packet can be made of the sound. */
async function checkBeginning(bytes: Uint8Array, contentType: string): Promise<void> {
  async function* source() {
    yield bytes;
  }
  for await (const _ of toOpusPackets(source(), { contentType })) return;
}

/**
 * An Ogg file of cached packets. Throws SpeechTooLargeError.
 * @param options `volume` is the factor above 0 that they were made with; in the file it is undone
 */
export function packetsToFile(packets: readonly Uint8Array[], options: { volume: number; maxBytes: number }): SpeechFile {
  const bytes = packetsToOgg(packets, -20 * Math.log10(options.volume));
  if (bytes.length > options.maxBytes) throw new SpeechTooLargeError(options.maxBytes);
  return { bytes, extension: 'ogg' };
}

/** Like packetsToFile, with what Discord requires for a voice message. Rejects with SpeechTooLargeError. */
export async function packetsToMessage(
  packets: readonly Uint8Array[],
  options: { volume: number; maxBytes: number },
): Promise<SpokenMessage> {
  const file = packetsToFile(packets, options);
  const waveform = await measureWaveform(packets);
  return { ...file, seconds: oggSeconds(packets), waveform: Buffer.from(waveform).toString('base64') };
}

function toFile(bytes: Uint8Array, formatHint: string): SpeechFile {
  if (bytes.length === 0) throw new AudioError('empty', 'Not a single byte of sound came');
  const detected = detectFormat(bytes, true, formatHint);
  switch (detected?.format) {
    case 'mp3':
      return { bytes, extension: 'mp3' };
    case 'wav':
      return { bytes, extension: 'wav' };
    case 'opus':
      return { bytes, extension: 'ogg' };
    case 'pcm':
      // No player opens bare samples.
      return { bytes: pcmToWav(bytes, { contentType: formatHint }), extension: 'wav' };
    case 'other':
      return { bytes, extension: OTHER_EXTENSION };
    default:
      throw new AudioError('not-audio', 'What came is text, not sound');
  }
}
