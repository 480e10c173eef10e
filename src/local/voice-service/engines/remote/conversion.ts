// Makes another format, rate or loudness of the sound that an engine sends, and one sound of several.
import { createMp3Decoder } from '../../../../audio/decode/mp3.ts';
import { createOggOpusDecoder } from '../../../../audio/decode/ogg-opus.ts';
import { createWavDecoder } from '../../../../audio/decode/pcm.ts';
import type { Decoder, Piece, Sound } from '../../../../audio/types.ts';
import { createSpeechEncoder, type EncoderSettings, type SpeechEncoder } from '../encode.ts';

export interface EngineSound {
  format: 'mp3' | 'wav' | 'opus';
  bytes: AsyncIterable<Uint8Array>;
}

export interface Converter {
  /** Yields the sound, converted as it comes. Throws what `bytes` throws, and AudioError for damaged sound. */
  convert(sound: EngineSound): AsyncGenerator<Uint8Array>;
  /** The last bytes of all sounds; empty if there was none. */
  finish(): Uint8Array;
  free(): void;
}

export function createConverter(settings: EncoderSettings): Converter {
  let encoder: SpeechEncoder | null = null;
  return {
    async *convert(sound) {
      for await (const { mono, rate } of decode(sound)) {
        // The sounds of one voice have one rate.
        encoder ??= await createSpeechEncoder(settings, rate);
        const encoded = encoder.push(mono);
        if (encoded.length > 0) yield encoded;
      }
    },
    finish: () => encoder?.finish() ?? new Uint8Array(0),
    free: () => encoder?.free(),
  };
}

async function* decode({ bytes, format }: EngineSound): AsyncGenerator<Sound> {
  const decoder = await createDecoder(format);
  try {
    for await (const chunk of bytes) yield* soundsIn(decoder.push(chunk));
    yield* soundsIn(decoder.end());
  } finally {
    decoder.free();
  }
}

/** Packets are passed through by no decoder here. */
function* soundsIn(pieces: Iterable<Piece>): Generator<Sound> {
  for (const piece of pieces) if ('mono' in piece) yield piece;
}

function createDecoder(format: EngineSound['format']): Decoder | Promise<Decoder> {
  if (format === 'mp3') return createMp3Decoder();
  return format === 'opus' ? createOggOpusDecoder({ decodeAll: true }) : createWavDecoder();
}
