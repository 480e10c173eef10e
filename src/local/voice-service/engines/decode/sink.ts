// Where decoders put what they decode: mixes to one channel, resamples, hands it on in blocks, and stops at the longest recording that is taken.
import { createResampler, type Resampler } from '../../../../audio/resample.ts';
import { EngineError } from '../engine.ts';
import { RECOGNITION_LIMITS } from '../limits.ts';

export interface Sink {
  /**
   * @param channels samples from -1 to 1, all channels of the same length; not kept
   * @throws EngineError `too-long`, or `not-audio` when the rate is none that sound has
   */
  push(channels: readonly Float32Array[], sampleRate: number): void;
  /** Tells that the decoder is getting on, even if it has nothing to hand over. */
  showLife(): void;
  /** Hands on the rest. @returns how many samples there were in all, at the sink's rate */
  finish(): number;
}

/** What a sink works for. */
export interface SinkOptions {
  /** Samples per second of the result, which has one channel. */
  rate: number;
  /** Takes the samples, block after block; a block is not used again here. */
  take(block: Int16Array<ArrayBuffer>): void;
  /** Called for whatever shows that decoding is getting on; may throw to stop it. */
  tick(): void;
}

/** No recording is made outside of these; broken headers are. */
const SAMPLE_RATES = { min: 4000, max: 384_000 };
/** Odd rates are taken for the nearest multiple of this, 0.3 % off at most: each odd ratio would need a filter of megabytes. */
const RATE_STEP = 25;
/** Samples handed on at a time: 512 KiB. A block for each packet would cost more than its sound when packets are tiny. */
const BLOCK = 256 * 1024;

export function createSink({ rate, take, tick }: SinkOptions): Sink {
  let block = new Int16Array(BLOCK);
  let filled = 0;
  let length = 0;
  let resampler: Resampler | undefined;
  let inputRate = 0;

  function store(samples: Float32Array): void {
    for (let i = 0; i < samples.length; i++) {
      block[filled++] = Math.max(-1, Math.min(1, samples[i] as number)) * 32_767;
      if (filled === BLOCK) handOn();
    }
    length += samples.length;
    if (length > RECOGNITION_LIMITS.maxSeconds * rate) {
      throw new EngineError('too-long', `The recording is longer than ${RECOGNITION_LIMITS.maxSeconds / 60} minutes. Send it in parts.`);
    }
  }

  function handOn(): void {
    take(filled === BLOCK ? block : block.slice(0, filled));
    block = new Int16Array(BLOCK);
    filled = 0;
  }

  return {
    push(channels, sampleRate) {
      tick();
      if (!(sampleRate >= SAMPLE_RATES.min && sampleRate <= SAMPLE_RATES.max)) {
        throw new EngineError('not-audio', `The file says it has ${sampleRate} samples a second, which no sound has. Export it again.`);
      }
      if (sampleRate !== inputRate) {
        if (resampler) store(resampler.flush());
        inputRate = sampleRate;
        resampler = createResampler({ from: Math.round(sampleRate / RATE_STEP) * RATE_STEP, to: rate });
      }
      if (resampler) store(resampler.push(mix(channels)));
    },
    showLife: tick,
    finish() {
      if (resampler) store(resampler.flush());
      if (filled > 0) handOn();
      return length;
    },
  };
}

/** The mean of all channels; what is no number counts as silence, what is far out of range is held. */
function mix(channels: readonly Float32Array[]): Float32Array {
  const mono = new Float32Array(channels[0]?.length ?? 0);
  for (let i = 0; i < mono.length; i++) {
    let sum = 0;
    for (const channel of channels) sum += channel[i] as number;
    const mean = sum / channels.length;
    mono[i] = Number.isNaN(mean) ? 0 : Math.max(-1, Math.min(1, mean));
  }
  return mono;
}
