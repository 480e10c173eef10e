// The thread that speaks: keeps the utterances under way, and makes the next chunk of one each time it is asked.
import { workerData } from 'node:worker_threads';
import { createSpeechEncoder, type EncoderSettings, type SpeechEncoder } from './encode.ts';
import { EngineError, type EngineVoice } from './engine.ts';
import { FLITE_RATE, synthesise } from './flite/index.ts';
import type { SpeakablePiece } from './flite/text.ts';
import { serve } from './serve-thread.ts';

export type SpeechWork =
  | { type: 'warm-up' }
  | { type: 'begin'; utterance: number; pieces: SpeakablePiece[]; voice: EngineVoice; speed: number; encoder: EncoderSettings }
  | { type: 'next'; utterance: number }
  | { type: 'end'; utterance: number };

/** An empty chunk without `last` says that nothing came out yet: ask again. */
export interface SpeechChunk {
  bytes: Uint8Array<ArrayBuffer>;
  last: boolean;
  /** Pieces synthesised so far. */
  pieces: number;
}

interface Utterance {
  pieces: SpeakablePiece[];
  voice: EngineVoice;
  speed: number;
  encoder: SpeechEncoder;
  nextPiece: number;
  /** Synthesised and not encoded yet. */
  pending: Float32Array;
}

/** Sound encoded at a time: a long sentence begins to flow before all of it is encoded. */
const SLICE = FLITE_RATE;

const flite = workerData as WebAssembly.Module;
const utterances = new Map<number, Utterance>();

async function handle(work: SpeechWork): Promise<SpeechChunk | undefined> {
  switch (work.type) {
    case 'warm-up':
      await warmUp();
      return undefined;
    case 'begin':
      utterances.set(work.utterance, {
        pieces: work.pieces,
        voice: work.voice,
        speed: work.speed,
        encoder: await createSpeechEncoder(work.encoder),
        nextPiece: 0,
        pending: new Float32Array(0),
      });
      return undefined;
    case 'next':
      return makeChunk(work.utterance);
    case 'end':
      forget(work.utterance);
      return undefined;
  }
}

function makeChunk(id: number): SpeechChunk {
  const utterance = utterances.get(id);
  if (!utterance) throw new EngineError('crashed', 'The speech engine was restarted in the middle of this text. Send it again.');
  try {
    if (utterance.pending.length === 0) {
      const piece = utterance.pieces[utterance.nextPiece];
      if (!piece) {
        const chunk = { bytes: utterance.encoder.finish(), last: true, pieces: utterance.nextPiece };
        forget(id);
        return chunk;
      }
      utterance.nextPiece++;
      utterance.pending = withPause(synthesise(flite, piece.text, utterance.voice, utterance.speed), piece.pauseSeconds / utterance.speed);
    }
    const slice = utterance.pending.subarray(0, SLICE);
    utterance.pending = utterance.pending.subarray(SLICE);
    return { bytes: utterance.encoder.push(slice), last: false, pieces: utterance.nextPiece };
  } catch (error) {
    forget(id);
    throw error;
  }
}

function forget(id: number): void {
  utterances.get(id)?.encoder.free();
  utterances.delete(id);
}

function withPause(samples: Float32Array, seconds: number): Float32Array {
  const whole = new Float32Array(samples.length + Math.round(seconds * FLITE_RATE));
  whole.set(samples);
  return whole;
}

/** Runs everything once, so that the first request finds compiled code. */
async function warmUp(): Promise<void> {
  const samples = synthesise(flite, 'Ready.', { base: 'slt' }, 1);
  const settings = { sampleRate: 44_100, mp3Bitrate: 128, opusBitrate: 32_000, volumeDb: 0 } as const;
  for (const format of ['mp3', 'opus'] as const) {
    const encoder = await createSpeechEncoder({ ...settings, format });
    encoder.push(samples);
    encoder.finish();
    encoder.free();
  }
}

/** One thing after the other: what ends an utterance must not overtake what begins it. */
let last: Promise<unknown> = Promise.resolve();
function handleInTurn(work: SpeechWork): Promise<SpeechChunk | undefined> {
  const turn = last.then(() => handle(work));
  last = turn.catch(() => {});
  return turn;
}

serve(handleInTurn, (value) => (value ? [(value as SpeechChunk).bytes.buffer] : []));
