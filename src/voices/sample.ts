// Samples of voices: recordings that the service links to, to be played or attached. They cost no credit.
import type { VoiceModel } from '../api/index.ts';
import { createVoiceLoudness, detectFormat, PACKET_MS, toOpusPackets } from '../audio/index.ts';
import { looksLikeAudio } from '../bot/audio-signature.ts';
import { UserError } from '../bot/user-error.ts';
import type { Utterance } from '../voice/types.ts';
import { titleOf } from './catalogue.ts';
import { FetchError, type SafeFetch } from './safe-fetch.ts';

/** Three minutes of MP3 at 192 kbit/s. */
const MAX_BYTES = 4 * 1024 * 1024;
/** One minute. */
const MAX_PACKETS = 60_000 / PACKET_MS;

export interface Sample {
  bytes: Uint8Array;
  contentType: string;
  /** Named by its format. */
  fileName: string;
}

/** @throws UserError if there is none (any more), or it cannot be played */
export async function readSample(safeFetch: SafeFetch, voice: VoiceModel, index: number, signal: AbortSignal): Promise<Sample> {
  const title = titleOf(voice);
  const address = voice.samples[index]?.audio.trim();
  if (!address) throw new UserError((t) => t.voices.noSample(title));
  const { bytes, contentType } = await safeFetch.read(address, { maxBytes: MAX_BYTES, signal }).catch((error: unknown) => {
    if (!(error instanceof FetchError)) throw error;
    const topic = error.kind === 'too-large' ? 'sampleTooLarge' : 'sampleUnreadable';
    throw new UserError((t) => t.voices[topic](title), { cause: error });
  });
  if (!looksLikeAudio(bytes)) throw new UserError((t) => t.voices.sampleNotAudio(title));
  return { bytes, contentType, fileName: `sample-${index + 1}.${extensionOf(bytes)}` };
}

function extensionOf(bytes: Uint8Array): string {
  const detected = detectFormat(bytes, true);
  if (detected?.format === 'mp3' || detected?.format === 'wav') return detected.format;
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (start.startsWith('OggS')) return 'ogg';
  if (start.startsWith('fLaC')) return 'flac';
  if (start.startsWith('\x1aE')) return 'webm';
  return start.slice(4) === 'ftyp' ? 'm4a' : 'bin';
}

/** The recording at the common loudness, at most a minute of it. @param volume factor, 0 to 2 */
export function sampleUtterance({ bytes, contentType }: Sample, volume: number): Utterance {
  async function* open(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let left = MAX_PACKETS;
    for await (const packet of toOpusPackets(whole(bytes), { contentType, signal, volume, loudness: createVoiceLoudness() })) {
      yield packet;
      if (--left <= 0) return;
    }
  }
  // The bytes are in memory: there is nothing to prepare or release.
  return { prepare() {}, ready: Promise.resolve(), open, cancel() {} };
}

async function* whole(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
