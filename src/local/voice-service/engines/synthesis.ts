// The main thread's side of speech: checks a request, then asks a worker for chunk after chunk.
import type { EncoderSettings } from './encode.ts';
import { EngineError, type SpeakRequest } from './engine.ts';
import { createWorkerPool, type WorkerPool } from './engine-thread.ts';
import { compileFlite } from './flite/index.ts';
import { toSpeakablePieces } from './flite/text.ts';
import { ENGINE_VOICES, SPEECH_LIMITS } from './limits.ts';
import type { SpeechChunk, SpeechWork } from './synthesis-worker.ts';

/** A sentence takes about 0.1 s, a second on a busy machine: after this it hangs. */
const HUNG_AFTER_MS = 20_000;

export function createSpeechPool(size: number, onLost: (reason: string) => void): WorkerPool {
  return createWorkerPool({
    file: new URL('./synthesis-worker.ts', import.meta.url),
    size,
    prepare: compileFlite,
    silenceLimit: HUNG_AFTER_MS,
    onLost,
  });
}

let lastUtterance = 0;

/** @param onPiece told how many pieces of the text are synthesised each time there is one more */
export async function* speak(pool: WorkerPool, request: SpeakRequest, onPiece: (pieces: number) => void): AsyncGenerator<Uint8Array> {
  const pieces = toSpeakablePieces(request.text);
  const encoder = encoderSettings(request);
  const voice = checkedVoice(request);
  const utterance = ++lastUtterance;
  const lane = pool.pickLane();
  const ask = (work: SpeechWork) => pool.ask(lane, work, { signal: request.signal });

  let synthesised = 0;
  try {
    await ask({ type: 'begin', utterance, pieces, voice, speed: request.speed ?? 1, encoder });
    for (;;) {
      const chunk = (await ask({ type: 'next', utterance })) as SpeechChunk;
      if (chunk.pieces > synthesised) onPiece(chunk.pieces);
      synthesised = chunk.pieces;
      if (chunk.bytes.length > 0) yield chunk.bytes;
      if (chunk.last) return;
    }
  } finally {
    pool.tell(lane, { type: 'end', utterance } satisfies SpeechWork);
  }
}

function encoderSettings(request: SpeakRequest): EncoderSettings {
  const { format, mp3Bitrate = 128, opusBitrate = 32_000, volumeDb = 0 } = request;
  const sampleRate = request.sampleRate ?? (format === 'opus' ? 48_000 : 44_100);
  const rates: readonly number[] = SPEECH_LIMITS.sampleRates;
  if (!rates.includes(sampleRate)) {
    throw new EngineError('unsupported-format', `There is no speech at ${sampleRate} Hz. Ask for one of ${rates.join(', ')}.`);
  }
  mustBeWithin('opusBitrate', opusBitrate, SPEECH_LIMITS.opusBitrate);
  mustBeWithin('volumeDb', volumeDb, SPEECH_LIMITS.volumeDb);
  mustBeWithin('speed', request.speed ?? 1, SPEECH_LIMITS.speed);
  return { format, sampleRate, mp3Bitrate, opusBitrate, volumeDb };
}

function checkedVoice({ voice }: SpeakRequest): SpeakRequest['voice'] {
  const limits = ENGINE_VOICES[voice.base];
  mustBeWithin('rate', voice.rate ?? 1, limits.rate);
  mustBeWithin('pitchHz', voice.pitchHz ?? limits.pitchHz.natural, limits.pitchHz);
  return voice;
}

function mustBeWithin(name: string, value: number, { min, max }: { min: number; max: number }): void {
  if (value >= min && value <= max) return;
  throw new EngineError('unsupported-format', `${name} is ${value}. It must be from ${min} to ${max}.`);
}
