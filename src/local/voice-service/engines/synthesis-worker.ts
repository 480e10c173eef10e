// The thread that speaks: synthesises a text piece by piece, and encodes it on the way.
import { concat } from '../../../audio/bytes.ts';
import { createSpeechEncoder, type EncoderSettings } from './encode.ts';
import { EngineError, type EngineVoice, type Synthesiser } from './engine.ts';
import { serveEngine } from './serve-engine.ts';

export interface SpeechTask {
  text: string;
  voice: EngineVoice;
  speed: number;
  /** Nobody hears it while it is made. */
  isFile: boolean;
  encoder: EncoderSettings;
}

/** `bytes` may be empty while the encoder has nothing to hand over yet. */
export interface SpeechChunk {
  bytes: Uint8Array<ArrayBuffer>;
  /** Pieces synthesised so far. */
  pieces: number;
  /** Sound of this text so far. */
  seconds: number;
  /** Seconds that this took so far, or would have taken if no other program had kept the processors busy. */
  workSeconds: number;
  /** The text is spoken: the next step takes another one, to go on in the same sound, or null to end it. */
  isTextEnd: boolean;
}

/** Seconds of silence between two texts, besides the short one that ends each. */
const PAUSE_BETWEEN_TEXTS = 0.3;

async function* speak(
  synthesiser: Synthesiser,
  { text: first, voice, speed, isFile, encoder: settings }: SpeechTask,
): AsyncGenerator<SpeechChunk, void, string | null> {
  requireVoice(synthesiser, voice);
  /** A second of sound is encoded at a time, so that a long sentence begins to flow before all of it is encoded. */
  const sliceSamples = synthesiser.rate;
  const encoder = await createSpeechEncoder(settings, synthesiser.rate);
  try {
    let pieces = 0;
    let bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0);
    for (let text: string | null = first; text !== null; ) {
      let seconds = 0;
      let workSeconds = 0;
      let worked = startWork(synthesiser);
      for await (const samples of synthesiser.synthesise(text, voice, speed, isFile)) {
        workSeconds += worked();
        pieces++;
        for (let at = 0; at < samples.length; at += sliceSamples) {
          const slice = samples.subarray(at, at + sliceSamples);
          seconds += slice.length / synthesiser.rate;
          yield { bytes: concat([bytes, encoder.push(slice)]), pieces, seconds, workSeconds, isTextEnd: false };
          bytes = new Uint8Array(0);
        }
        worked = startWork(synthesiser);
      }
      text = yield { bytes, pieces, seconds, workSeconds, isTextEnd: true };
      if (text !== null) bytes = encoder.push(new Float32Array(Math.round((PAUSE_BETWEEN_TEXTS / speed) * synthesiser.rate)));
    }
    yield { bytes: encoder.finish(), pieces, seconds: 0, workSeconds: 0, isTextEnd: false };
  } finally {
    encoder.free();
  }
}

/** Returns what tells how many seconds of work have been done since. The processors of this process alone count: others are busy with their own. */
function startWork({ threads = 1 }: Synthesiser): () => number {
  const since = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min((performance.now() - since) / 1000, (user + system) / 1_000_000 / threads);
  };
}

function requireVoice(synthesiser: Synthesiser, { base, rate, pitchHz }: EngineVoice): void {
  const limits = synthesiser.voices[base];
  if (!limits) throw new EngineError('unsupported-format', `There is no voice "${base}".`);
  requireWithin('rate', rate ?? 1, limits.rate);
  requireWithin('pitchHz', pitchHz ?? limits.pitchHz.natural, limits.pitchHz);
}

function requireWithin(name: string, value: number, { min, max }: { min: number; max: number }): void {
  if (value >= min && value <= max) return;
  throw new EngineError('unsupported-format', `${name} is ${value}. It must be from ${min} to ${max}.`);
}

await serveEngine(
  (synthesiser: Synthesiser) => (task: SpeechTask) => speak(synthesiser, task),
  ({ bytes }) => [bytes.buffer],
);
