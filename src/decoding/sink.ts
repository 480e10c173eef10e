// Where decoders write what they decode: mixes it to one channel, resamples it, passes it on in blocks, and enforces the longest duration.
import { createResampler, type Resampler } from '../audio/resample/resampler.ts';
import { DecodingError } from './errors.ts';
import { MAX_SECONDS, RATE } from './limits.ts';

export interface Sink {
  /**
   * @param channels samples from -1 to 1, all channels of the same length; not kept
   * @throws DecodingError `too-long`, or `not-audio` for an implausible sample rate
   */
  push(channels: readonly Float32Array[], sampleRate: number): void;
  /** Tells the watchdog that the decoder is making progress, even without samples. */
  reportProgress(): void;
  /** Passes on the rest. @returns the number of samples in all, at `RATE` */
  finish(): number;
}

export interface SinkOptions {
  /** Takes samples of one channel at `RATE`, block after block; a block is not used again here. */
  onBlock(block: Int16Array<ArrayBuffer>): void;
  onProgress(): void;
}

/** No recording is made outside of these; broken headers are. */
const SAMPLE_RATES = { min: 4000, max: 384_000 };
/** Odd rates are rounded to a multiple of this, 0.3 % off at most: each odd ratio would need a filter of megabytes. */
const RATE_STEP = 25;
/** Samples passed on at a time: 512 KiB. A block for each packet would cost more than its sound if packets are tiny. */
const BLOCK = 256 * 1024;

export function createSink({ onBlock, onProgress }: SinkOptions): Sink {
  let block = new Int16Array(BLOCK);
  let filled = 0;
  let length = 0;
  let resampler: Resampler | undefined;
  let inputRate = 0;

  function store(samples: Float32Array): void {
    for (let i = 0; i < samples.length; i++) {
      block[filled++] = Math.max(-1, Math.min(1, samples[i] as number)) * 32_767;
      if (filled === BLOCK) passOn();
    }
    length += samples.length;
    if (length > MAX_SECONDS * RATE) {
      throw new DecodingError('too-long', `The recording is longer than ${MAX_SECONDS / 60} minutes. Send it in parts.`);
    }
  }

  function passOn(): void {
    onBlock(filled === BLOCK ? block : block.slice(0, filled));
    block = new Int16Array(BLOCK);
    filled = 0;
  }

  return {
    push(channels, sampleRate) {
      onProgress();
      if (!(sampleRate >= SAMPLE_RATES.min && sampleRate <= SAMPLE_RATES.max)) {
        throw new DecodingError('not-audio', `The file says it has ${sampleRate} samples a second, which no sound has. Export it again.`);
      }
      if (sampleRate !== inputRate) {
        if (resampler) store(resampler.flush());
        inputRate = sampleRate;
        resampler = createResampler({ from: Math.round(sampleRate / RATE_STEP) * RATE_STEP, to: RATE });
      }
      if (resampler) store(resampler.push(mix(channels)));
    },
    reportProgress: onProgress,
    finish() {
      if (resampler) store(resampler.flush());
      if (filled > 0) passOn();
      return length;
    },
  };
}

/** The mean of all channels; NaN becomes silence, and samples far out of range are clamped. */
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
