// Creates the engines: the built-in ones or those of an operator, and what all of them share.
import { createDecoder, type DecodeLimits } from './decode/decoder.ts';
import { EngineError, type Engines, type Espeak, type NaturalSpeed, type SpeakRequest, type VoiceLimits } from './engine.ts';
import { ESPEAK_VOICES, isEspeak } from './espeak/voices.ts';
import { FLITE_VOICES } from './flite/voices.ts';
import { estimateClauses } from './kokoro/duration.ts';
import { KOKORO_DEFAULT, KOKORO_VOICES } from './kokoro/voices.ts';
import { createMeasurement } from './measurement.ts';
import { measureClause } from './natural-speed.ts';
import { createPacing, type Pacing } from './pacing.ts';
import { createRecognition, RECOGNISED_LANGUAGES } from './recognition.ts';
import type { EngineAddress, EngineNews } from './remote/connection.ts';
import { createRemoteRecognition } from './remote/recognition.ts';
import { createRemoteSpeech } from './remote/speech.ts';
import { createSynthesis, NATURAL_PROCESS, type SynthesisOptions } from './synthesis.ts';

/** The voices of Flite, the only ones whose pitch can be chosen; by their base. */
export const SHAPEABLE_VOICES: Readonly<Record<string, VoiceLimits>> = FLITE_VOICES;
/** The voices there are, by their base. */
export const ENGINE_VOICES: Readonly<Record<string, VoiceLimits>> = { ...FLITE_VOICES, ...KOKORO_VOICES, ...ESPEAK_VOICES };

/** Whether this is one of Kokoro's voices. */
export const isNatural = (voice: object): boolean => 'base' in voice && String(voice.base) in KOKORO_VOICES;

/** The files of the built-in engines; each is an `EngineModule`. */
export const BUILT_IN = {
  synthesiser: new URL('./flite/flite.ts', import.meta.url),
  natural: new URL('./kokoro/kokoro.ts', import.meta.url),
  espeak: new URL('./espeak/espeak.ts', import.meta.url),
  recogniser: new URL('./moonshine/moonshine.ts', import.meta.url),
};

/** Two, so that an upload whose decoding never ends does not hold up the others. Each takes about 90 MB. */
const DECODER_PROCESSES = 2;

/** What the engines did, for metrics and logs. Contains nothing of what was spoken or heard. */
export type EngineEvent =
  /** A sentence (or a part of a long one) was synthesised: the `pieces`th of its text. */
  | { type: 'synthesised'; pieces: number }
  /** A thread, or a process that decodes, died or hung; it is replaced when it is next needed. */
  | { type: 'worker-lost'; kind: 'speech' | 'recognition' | 'decoding'; reason: string }
  /** The recogniser begins to be loaded, or no longer is. */
  | { type: 'recogniser-starting'; isStarting: boolean }
  /** Somebody wants a text spoken or a recording transcribed. */
  | { type: 'asked' }
  | EngineNews;

export interface EnginesOptions {
  /** Files of other engines to load in place of Flite, Kokoro and Moonshine. A synthesiser needs voices of the same names. */
  builtIn?: Partial<typeof BUILT_IN>;
  /** Null, the default, leaves out natural voices. */
  natural?: NaturalSpeed | null | undefined;
  /** What is installed of espeak-ng; null, the default, leaves its voices out. */
  espeak?: Espeak | null | undefined;
  /** Overrides the usual limits for one upload. */
  decodeLimits?: Partial<DecodeLimits> | undefined;
  /** Speaks instead of Flite and Kokoro. */
  speech?: EngineAddress | undefined;
  /** Listens instead of Moonshine. */
  transcription?: EngineAddress | undefined;
  /** Milliseconds until the first byte of an answer of these two, and between two later ones. */
  waits?: { firstMs?: number; nextMs?: number } | undefined;
  onEvent?: (event: EngineEvent) => void;
}

/** Creates the engines; nothing is loaded until `warmUp`, `speak` or `transcribe`. */
export function createEngines(options: EnginesOptions = {}): Engines {
  const { decodeLimits, waits, onEvent = () => {} } = options;
  const files = { ...BUILT_IN, ...options.builtIn };
  const onLost = (kind: 'speech' | 'recognition' | 'decoding') => (reason: string) => onEvent({ type: 'worker-lost', kind, reason });
  const remoteSpeech = options.speech && createRemoteSpeech({ address: options.speech, waits, onNews: onEvent });
  const espeak = remoteSpeech ? null : (options.espeak ?? null);
  const builtIn = remoteSpeech
    ? null
    : createBuiltInSpeech(files, options.natural ?? null, espeak, {
        onPiece: (pieces) => onEvent({ type: 'synthesised', pieces }),
        onLost: onLost('speech'),
      });
  const speech = remoteSpeech ?? (builtIn as NonNullable<typeof builtIn>);
  const requireNatural = () => {
    if (!builtIn) throw new EngineError('unavailable', 'There are no natural voices beside an engine of your own.');
    return builtIn;
  };
  const decoder = createDecoder({ processes: DECODER_PROCESSES, limits: decodeLimits, onLost: onLost('decoding') });
  const recognition = options.transcription
    ? createRemoteRecognition({ address: options.transcription, waits, decoder, onNews: onEvent })
    : createRecognition({
        engine: files.recogniser,
        decoder,
        onRecogniserLost: onLost('recognition'),
        onRecogniserStarting: (isStarting) => onEvent({ type: 'recogniser-starting', isStarting }),
      });
  const measurement = createMeasurement(decoder, onLost('recognition'));
  return {
    get natural() {
      return builtIn?.natural() ?? null;
    },
    setNatural: (speed) => builtIn?.setNatural(speed),
    loadNatural: async (signal) => requireNatural().load(signal),
    measureClause: async (signal) => requireNatural().measureClause(signal),
    espeak,
    listVoices: remoteSpeech?.listVoices,
    languages: options.transcription ? undefined : RECOGNISED_LANGUAGES,
    async warmUp() {
      await Promise.all([speech.warmUp(), recognition.warmUp()]);
    },
    speak(request) {
      onEvent({ type: 'asked' });
      return speech.speak(request);
    },
    transcribe(request) {
      onEvent({ type: 'asked' });
      return recognition.transcribe(request);
    },
    measureVoice: measurement.measureVoice,
    async close() {
      await Promise.all([speech.close(), recognition.close(), measurement.close(), decoder.close()]);
    },
  };
}

/** Flite, Kokoro and, where it is there, espeak-ng: each voice speaks with its engine. */
function createBuiltInSpeech(
  files: typeof BUILT_IN,
  known: NaturalSpeed | null,
  espeak: Espeak | null,
  events: Pick<SynthesisOptions, 'onPiece' | 'onLost'>,
) {
  // Nobody waits until somebody else has listened to the end.
  const flite = createSynthesis({ engine: files.synthesiser, secondTries: 8, ...events });
  let natural: NaturalSpeed | null = null;
  let pacing: Pacing | null = null;
  /** When Kokoro's process was last given something to do, in milliseconds of `performance.now`. */
  let usedAt = Number.NEGATIVE_INFINITY;
  const kokoro = createSynthesis({ ...NATURAL_PROCESS, engine: files.natural, pacing: () => pacing, ...events });
  function setNatural(speed: NaturalSpeed | null): void {
    natural = speed;
    pacing = speed && createPacing(speed, estimateClauses);
  }
  setNatural(known);
  const foreign = espeak && createSynthesis({ engine: files.espeak, secondTries: 8, ...events });

  async function* speakNaturally(request: SpeakRequest): AsyncGenerator<Uint8Array> {
    usedAt = performance.now();
    yield* kokoro.speak(request);
  }

  return {
    natural: () => natural,
    setNatural,
    async load(signal: AbortSignal) {
      if (performance.now() - usedAt < NATURAL_PROCESS.idleMs) return;
      const ready = { text: 'Ready.', voice: { base: KOKORO_DEFAULT }, format: 'pcm', isDownload: true, signal } as const;
      await Array.fromAsync(speakNaturally(ready)).catch((error: unknown) => {
        usedAt = Number.NEGATIVE_INFINITY;
        throw error;
      });
    },
    measureClause(signal: AbortSignal) {
      usedAt = performance.now();
      return measureClause(kokoro.synthesise, signal);
    },
    speak(request: SpeakRequest) {
      if (isNatural(request.voice)) return speakNaturally(request);
      return foreign && isEspeak(request.voice) ? foreign.speak(request) : flite.speak(request);
    },
    /** Kokoro starts once somebody is there, or with the first text. */
    warmUp: () => flite.warmUp('slt'),
    close: async () => void (await Promise.all([flite.close(), kokoro.close(), foreign?.close()])),
  };
}

/** Asks a speech engine for its voices, and returns how many it has. @throws EngineError whose message is for the operator */
export async function checkSpeechEngine(address: EngineAddress, waits: EnginesOptions['waits']): Promise<number> {
  const speech = createRemoteSpeech({ address, waits, onNews() {} });
  return speech
    .listVoices()
    .then((voices) => voices.length)
    .finally(speech.close);
}

/** @throws EngineError whose message is for the operator */
export async function checkTranscriptionEngine(address: EngineAddress, waits: EnginesOptions['waits']): Promise<void> {
  const decoder = createDecoder({ processes: 1 });
  const recognition = createRemoteRecognition({ address, waits, decoder, onNews() {} });
  await recognition.check().finally(() => Promise.all([recognition.close(), decoder.close()]));
}
