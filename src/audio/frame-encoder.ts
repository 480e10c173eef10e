// Sound of any rate → 20 ms Opus packets: resamples, normalises loudness, encodes.
import { Application, createEncoder, type OpusEncoderHandle, type SampleRate } from 'libopus-wasm';
import { createLeveller, createPreview } from './level/leveller.ts';
import { isUnknown, type VoiceLoudness } from './level/loudness-meter.ts';
import { OPUS_RATE } from './opus.ts';
import { createResampler, type Resampler } from './resample/resampler.ts';
import { type Sound, trackResource } from './types.ts';

export const PACKET_MS = 20;
const FRAMES_PER_SECOND = 1000 / PACKET_MS;
/** Rates that Opus encodes directly: no resampling, and less to encode. */
const NATIVE_RATES: readonly number[] = [8000, 12_000, 16_000, 24_000, 48_000] satisfies SampleRate[];
/** What Discord's own clients use. */
const BITS_PER_SECOND = 64_000;
/**
 * At 64 kbit/s speech is transparent even at 0: the quality and recognition tests show no difference from 3, which takes a sixth longer
 * (2.2 ms per second of sound, against 1.9). At 5 libopus adds a pitch filter and takes twice as long; from 7 on, and with `voip`, it
 * chooses between SILK and CELT for each frame, which costs as much again.
 */
const COMPLEXITY = 0;
/** Initial room for samples: what one decoder step returns, after a remainder of less than a frame. Grows as needed. */
const INITIAL_FRAMES = 4;

export interface PacketEncoder {
  /** Sound is being held back to measure an unknown voice: `take` returns nothing until it was measured or the preview ends. */
  readonly isPreviewing: boolean;
  endPreview(): void;
  /** Adds sound of any rate, after what was added before. */
  add(sound: Sound): void;
  /** Returns the next packet, or null until more sound was added. */
  take(): Uint8Array | null;
  /** The sound ends: what the filters still hold becomes the last packets, padded with silence. The next sound starts afresh. */
  finish(): void;
  free(): void;
}

export interface Level {
  /** The voice to normalise; null leaves loudness alone. */
  voice: VoiceLoudness | null;
  /** A factor. */
  volume: number;
}

/**
 * @param rate Hz of the first sound: the encoder runs at this rate if Opus supports it, otherwise at 48 kHz
 * @param level null leaves every sample as it is
 */
export async function openPacketEncoder(rate: number, level: Level | null): Promise<PacketEncoder> {
  const sampleRate = (NATIVE_RATES.includes(rate) ? rate : OPUS_RATE) as SampleRate;
  const encoder = await openEncoder(sampleRate);
  const release = trackResource('encoder');
  let preview = level?.voice && isUnknown(level.voice) ? createPreview(sampleRate) : null;
  let leveller = level && !preview ? createLeveller({ rate: sampleRate, ...level }) : null;
  /** Previewed sound that is still to be encoded, a little at a time like all sound. */
  let previewed: Float32Array[] = [];
  const { frameSize } = encoder;
  /** Samples in [first, end) wait to be encoded. */
  let waiting = new Float32Array(INITIAL_FRAMES * frameSize);
  let first = 0;
  let end = 0;
  let resampler: { from: number; run: Resampler } | null = null;
  /** Samples since the beginning or the last `finish`. */
  let total = 0;

  function append(mono: Float32Array): void {
    total += mono.length;
    if (preview) {
      preview.add(mono);
      if (preview.isComplete) endPreview();
    } else if (previewed.length > 0) {
      previewed.push(mono.slice());
    } else {
      queue(leveller ? leveller.push(mono) : mono);
    }
  }

  function endPreview(): void {
    if (!preview || !level) return;
    const { sound, powers } = preview.result();
    leveller = createLeveller({ rate: sampleRate, ...level, ahead: powers });
    previewed = sound;
    preview = null;
  }

  /** Queues the next previewed sound; returns false if there is none left. */
  function queuePreviewed(): boolean {
    const next = previewed.shift();
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
    get isPreviewing() {
      return preview !== null;
    },
    endPreview,
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
      while (end - first < frameSize) if (!queuePreviewed()) return null;
      first += frameSize;
      return encoder.encodeFloat(waiting.subarray(first - frameSize, first));
    },
    finish() {
      endResampler();
      if (total === 0) return;
      endPreview();
      while (queuePreviewed());
      if (leveller) queue(leveller.flush());
      // The encoder lags by its look-ahead: without this, the last 6.5 ms would be lost.
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
