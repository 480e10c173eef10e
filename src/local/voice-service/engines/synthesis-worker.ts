// The thread that speaks: synthesises a text piece by piece, and encodes it on the way.
import { createSpeechEncoder, type EncoderSettings } from './encode.ts';
import { EngineError, type EngineVoice } from './engine.ts';
import { createFlite } from './flite/index.ts';
import { requireWithin } from './limits.ts';
import { serveThread } from './serve-thread.ts';

export interface SpeechTask {
  text: string;
  voice: EngineVoice;
  speed: number;
  encoder: EncoderSettings;
}

/** `bytes` may be empty while the encoder has nothing to hand over yet. */
export interface SpeechChunk {
  bytes: Uint8Array<ArrayBuffer>;
  /** Pieces synthesised so far. */
  pieces: number;
}

const synthesiser = await createFlite();
/** A second of sound is encoded at a time, so that a long sentence begins to flow before all of it is encoded. */
const SLICE = synthesiser.rate;

async function* speak({ text, voice, speed, encoder: settings }: SpeechTask): AsyncGenerator<SpeechChunk> {
  requireVoice(voice);
  const encoder = await createSpeechEncoder(settings, synthesiser.rate);
  try {
    let pieces = 0;
    for await (const samples of synthesiser.synthesise(text, voice, speed)) {
      pieces++;
      for (let at = 0; at < samples.length; at += SLICE) yield { bytes: encoder.push(samples.subarray(at, at + SLICE)), pieces };
    }
    yield { bytes: encoder.finish(), pieces };
  } finally {
    encoder.free();
  }
}

function requireVoice({ base, rate, pitchHz }: EngineVoice): void {
  const limits = synthesiser.voices[base];
  if (!limits) throw new EngineError('unsupported-format', `There is no voice "${base}".`);
  requireWithin('rate', rate ?? 1, limits.rate);
  requireWithin('pitchHz', pitchHz ?? limits.pitchHz.natural, limits.pitchHz);
}

serveThread(speak, ({ bytes }) => [bytes.buffer]);
