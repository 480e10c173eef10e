// Sound → Opus packets of 20 ms.
import { Application, createEncoder, type OpusEncoderHandle, type SampleRate } from 'libopus-wasm';
import { createLeveller, createListener, isUnknown, type VoiceLoudness } from './level/leveller.ts';
import { OPUS_RATE } from './ogg/opus-packet.ts';
import { createResampler, type Resampler } from './resample/resampler.ts';
import { trackResource } from './resources.ts';
import type { Sound } from './types.ts';

export const FRAME_MS = 20;
const FRAMES_PER_SECOND = 1000 / FRAME_MS;
/** Rates that Opus takes as they are: one filter less, and less to encode. */
const NATIVE_RATES: readonly number[] = [8000, 12_000, 16_000, 24_000, 48_000] satisfies SampleRate[];
/** What Discord's own clients send. */
const BITS_PER_SECOND = 64_000;
/**
 * At 64 kbit/s speech is clean already at 0: the tests of quality and of recognised words see no difference from 3, which takes a sixth more
 * (2.2 ms a second of sound against 1.9). At 5 libopus adds a pitch filter and takes twice as long; from 7 on, and with `voip`, it weighs
 * SILK against CELT for each frame, which costs as much again.
 */
const COMPLEXITY = 0;
/** What a decoder gives at once, after a rest of less than a frame, fits; more makes room for itself. */
const ROOM_FRAMES = 4;

export interface FrameEncoder {
  /** It holds sound back to find out how loud an unknown voice is: nothing can be taken before it has heard enough or is to begin. */
  readonly isListening: boolean;
  /** Listens no longer. */
  begin(): void;
  /** Adds sound of any rate, after what was added before. */
  add(sound: Sound): void;
  /** The next packet, or null until more sound was added. */
  take(): Uint8Array | null;
  /** The sound ends: what the filters still hold becomes the last packets, filled up with silence. The next sound begins anew. */
  finish(): void;
  free(): void;
}

export interface Level {
  /** What the voice's loudness is evened out by; null leaves the sound as loud as it is. */
  voice: VoiceLoudness | null;
  /** A factor; 1 = neither louder nor quieter. */
  volume: number;
}

/**
 * @param rate Hz of the first sound; an encoder of that rate is made where Opus has it, else one of 48 kHz.
 * @param level null leaves every sample as it is.
 */
export async function openFrameEncoder(rate: number, level: Level | null): Promise<FrameEncoder> {
  const sampleRate = (NATIVE_RATES.includes(rate) ? rate : OPUS_RATE) as SampleRate;
  const encoder = await openEncoder(sampleRate);
  const release = trackResource('encoder');
  let listener = level?.voice && isUnknown(level.voice) ? createListener(sampleRate) : null;
  let leveller = level && !listener ? createLeveller({ rate: sampleRate, ...level }) : null;
  /** What was listened to and is still to be encoded: a little at a time, as all sound is. */
  let heard: Float32Array[] = [];
  const { frameSize } = encoder;
  /** What waits to be encoded is in [first, end). */
  let waiting = new Float32Array(ROOM_FRAMES * frameSize);
  let first = 0;
  let end = 0;
  let resampler: { from: number; run: Resampler } | null = null;
  /** Samples since the beginning or the last `finish`. */
  let total = 0;

  function append(mono: Float32Array): void {
    total += mono.length;
    if (listener) {
      listener.hear(mono);
      if (listener.isDone) begin();
    } else if (heard.length > 0) {
      heard.push(mono.slice());
    } else {
      queue(leveller ? leveller.push(mono) : mono);
    }
  }

  function begin(): void {
    if (!listener || !level) return;
    const { sound, powers } = listener.heard();
    leveller = createLeveller({ rate: sampleRate, ...level, ahead: powers });
    heard = sound;
    listener = null;
  }

  /** Makes the next of what was listened to ready; false when that is all. */
  function queueHeard(): boolean {
    const next = heard.shift();
    if (next && leveller) queue(leveller.push(next));
    return next !== undefined;
  }

  function queue(mono: Float32Array): void {
    if (end + mono.length > waiting.length) {
      const before = waiting;
      const samples = end - first;
      if (samples + mono.length > waiting.length) waiting = new Float32Array(2 * (samples + mono.length));
      waiting.set(before.subarray(first, end));
      first = 0;
      end = samples;
    }
    waiting.set(mono, end);
    end += mono.length;
  }

  function endResampler(): void {
    if (resampler) append(resampler.run.flush());
    resampler = null;
  }

  return {
    get isListening() {
      return listener !== null;
    },
    begin,
    add({ mono, rate: from }) {
      if (resampler?.from !== from) endResampler();
      if (from === sampleRate) {
        append(mono);
        return;
      }
      resampler ??= { from, run: createResampler({ from, to: sampleRate, reuse: true }) };
      append(resampler.run.push(mono));
    },
    take() {
      while (end - first < frameSize) if (!queueHeard()) return null;
      first += frameSize;
      return encoder.encodeFloat(waiting.subarray(first - frameSize, first));
    },
    finish() {
      endResampler();
      if (total === 0) return;
      begin();
      while (queueHeard());
      if (leveller) queue(leveller.flush());
      // The encoder runs behind by its look-ahead: without this the last 6.5 ms would stay in it.
      const needed = total + encoder.getLookahead();
      queue(new Float32Array(Math.ceil(needed / frameSize) * frameSize - total));
      total = 0;
    },
    free() {
      encoder.free();
      release();
      first = end = 0;
    },
  };
}

function openEncoder(sampleRate: SampleRate): Promise<OpusEncoderHandle> {
  return createEncoder({
    application: Application.Audio,
    bitrate: BITS_PER_SECOND,
    channels: 1,
    complexity: COMPLEXITY,
    frameSize: sampleRate / FRAMES_PER_SECOND,
    sampleRate,
    vbr: true,
    vbrConstraint: true,
    fec: false,
  });
}
