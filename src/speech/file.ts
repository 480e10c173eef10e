// Speech as a file: the service's own bytes, checked and named, or packets that were kept.
import { AudioError, detectFormat, packetsToOgg, pcmToWav } from '../audio/index.ts';

export interface SpeechFile {
  bytes: Uint8Array;
  contentType: string;
  /** Without a dot. */
  extension: string;
}

/** The sound is larger than was asked for; `maxBytes` is that bound. */
export class SpeechTooLargeError extends Error {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The speech is larger than ${(maxBytes / 1024 / 1024).toFixed(1)} MiB: say less, or ask for a smaller format`);
    this.name = 'SpeechTooLargeError';
    this.maxBytes = maxBytes;
  }
}

/** Reads a speech whole. Throws SpeechTooLargeError as soon as it is past `maxBytes`, AudioError when it is no sound. */
export async function readFile(audio: AsyncIterable<Uint8Array>, label: string, maxBytes: number): Promise<SpeechFile> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of audio) {
    length += chunk.length;
    if (length > maxBytes) throw new SpeechTooLargeError(maxBytes);
    chunks.push(chunk);
  }
  return nameFile(Buffer.concat(chunks), label);
}

/**
 * A file of kept packets. Throws SpeechTooLargeError.
 * @param volume a factor above 0 that they were made with; in the file it is undone
 */
export function fileOfPackets(packets: readonly Uint8Array[], { volume, maxBytes }: { volume: number; maxBytes: number }): SpeechFile {
  const bytes = packetsToOgg(packets, -20 * Math.log10(volume));
  if (bytes.length > maxBytes) throw new SpeechTooLargeError(maxBytes);
  return { bytes, contentType: 'audio/ogg', extension: 'ogg' };
}

function nameFile(bytes: Uint8Array, label: string): SpeechFile {
  if (bytes.length === 0) throw new AudioError('empty', 'Not a single byte of sound came');
  const detected = detectFormat(bytes, true, label);
  switch (detected?.format) {
    case 'mp3':
      return { bytes, contentType: 'audio/mpeg', extension: 'mp3' };
    case 'wav':
      return { bytes, contentType: 'audio/wav', extension: 'wav' };
    case 'opus':
      return { bytes, contentType: 'audio/ogg', extension: 'ogg' };
    case 'pcm':
      // Bare samples are nothing that a member's player could open.
      return { bytes: pcmToWav(bytes, { contentType: label }), contentType: 'audio/wav', extension: 'wav' };
    case 'other':
      return { bytes, contentType: label.split(';')[0] || 'application/octet-stream', extension: 'bin' };
    default:
      throw new AudioError('not-audio', 'What came is text, not sound');
  }
}
