// Speech from an engine behind HTTP: POST /v1/audio/speech. What it sends is passed on as it comes if it is what was asked for, and
// converted otherwise.
import { createMp3Decoder } from '../../../../audio/decode/mp3.ts';
import { createOggOpusDecoder } from '../../../../audio/decode/ogg-opus.ts';
import { createWavDecoder } from '../../../../audio/decode/pcm.ts';
import { AudioError, detectFormat } from '../../../../audio/index.ts';
import type { Decoder, Piece, Sound } from '../../../../audio/types.ts';
import { createSpeechEncoder, type SpeechEncoder } from '../encode.ts';
import { EngineError, type ListedVoice, type SpeakRequest, type SpeechFormat } from '../engine.ts';
import { toEncoderSettings } from '../limits.ts';
import {
  createConnection,
  type EngineAddress,
  type EngineConnection,
  type EngineNews,
  type EngineResponse,
  readList,
} from './connection.ts';
import { type ModelEntry, readModels, readVoices } from './lists.ts';
import { toListedVoices } from './voices.ts';

/** A large model on a slow processor takes its time for the first words. */
const WAITS = { firstMs: 60_000, nextMs: 30_000 };

interface EngineSound {
  format: 'mp3' | 'wav' | 'opus';
  bytes: AsyncIterable<Uint8Array>;
}

interface RemoteSpeechOptions {
  address: EngineAddress;
  onNews(news: EngineNews): void;
  waits?: Partial<typeof WAITS> | undefined;
}

export function createRemoteSpeech({ address, onNews, waits }: RemoteSpeechOptions) {
  const connection = createConnection({ address, setting: 'LOCAL_SPEECH', onNews, waits: { ...WAITS, ...waits } });
  let models: ModelEntry[] = [];

  return {
    /** @throws EngineError `unavailable` if the engine is down, or is none */
    async listVoices(): Promise<ListedVoice[]> {
      const [voices, listed] = await Promise.all([
        readList(connection, '/v1/audio/voices', readVoices),
        readList(connection, '/v1/models', readModels),
      ]);
      models = listed ?? [];
      // An engine without lists may still speak.
      if (!voices && !listed) await connection.requirePath({ method: 'POST', path: '/v1/audio/speech', json: {} });
      connection.works();
      return toListedVoices(models, voices);
    },

    async *speak(request: SpeakRequest): AsyncGenerator<Uint8Array> {
      const { text, format } = request;
      const settings = toEncoderSettings(request);
      const asIs = typeof text === 'string' && format !== 'pcm' && settings.volumeDb === 0 && request.sampleRate === undefined;
      /** Of all texts: the sounds of one voice have one rate. */
      let encoder: SpeechEncoder | null = null;
      try {
        for await (const one of typeof text === 'string' ? [text] : text) {
          // What says its own rate is asked for if it is to be converted.
          const sound = await ask(request, one, asIs ? format : 'wav');
          if (asIs && sound.format === format) {
            yield* sound.bytes;
            continue;
          }
          for await (const { mono, rate } of decode(sound)) {
            encoder ??= await createSpeechEncoder(settings, rate);
            const encoded = encoder.push(mono);
            if (encoded.length > 0) yield encoded;
          }
        }
        const rest = encoder?.finish();
        if (rest?.length) yield rest;
      } catch (error) {
        if (!(error instanceof AudioError)) throw error;
        throw connection.fail(`the sound from the engine at ${connection.host} is damaged (${error.message}). Look at its own log.`);
      } finally {
        encoder?.free();
      }
    },

    warmUp: async () => {},
    close: connection.close,
  };

  async function ask({ voice, model, speed = 1, signal }: SpeakRequest, text: string, format: SpeechFormat): Promise<EngineSound> {
    if (!('remote' in voice)) throw new EngineError('unsupported-format', 'This voice belongs to another engine.');
    const response = await connection.call({
      method: 'POST',
      path: '/v1/audio/speech',
      json: {
        model: models.find(({ id }) => id === model)?.id ?? voice.model,
        input: text,
        voice: voice.remote,
        response_format: format,
        ...(speed !== 1 && { speed }),
      },
      privateText: text,
      signal,
    });
    const sound = await detect(response, connection);
    connection.works();
    return sound;
  }
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

/** Reads as far as is needed to tell what it is. @throws EngineError for what is no sound, or of a kind that isn't read here */
async function detect({ bytes, contentType }: EngineResponse, { fail, host }: EngineConnection): Promise<EngineSound> {
  const chunks = bytes[Symbol.asyncIterator]();
  let start: Uint8Array = new Uint8Array(0);
  try {
    for (;;) {
      const { done, value } = await chunks.next();
      if (!done) start = start.length === 0 ? value : Buffer.concat([start, value]);
      if (done && start.length === 0) throw fail(`the engine at ${host} sends no sound at all. Look at its own log.`);
      const detected = detectFormat(start, done === true, contentType);
      if (!detected) continue;
      if (detected.format === 'mp3' || detected.format === 'wav' || detected.format === 'opus')
        return { format: detected.format, bytes: prepend(start, chunks) };
      const what = detected.format === 'text' ? 'text instead of sound' : `${detected.format === 'other' ? detected.name : 'bare PCM'}`;
      throw fail(`the engine at ${host} sends ${what}. It must send MP3, WAV or Ogg/Opus.`);
    }
  } catch (error) {
    await chunks.return?.();
    throw error;
  }
}

async function* prepend(start: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield start;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
