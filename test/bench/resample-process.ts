// Resamples one second of MP3-sized blocks from 44.1 to 48 kHz over and over, and prints the milliseconds of each run.
import { createResampler } from '../../src/audio/resample/resampler.ts';

const RATE = 44_100;
const BLOCK_SAMPLES = 1152;
const ROUNDS = 300;

const resampler = createResampler({ from: RATE, to: 48_000, reuse: true });
const block = Float32Array.from({ length: BLOCK_SAMPLES }, (_, index) => Math.sin(index));
const times: number[] = [];
for (let round = -ROUNDS / 10; round < ROUNDS; round++) {
  const startedAt = performance.now();
  for (let samples = 0; samples < RATE; samples += BLOCK_SAMPLES) resampler.push(block);
  if (round >= 0) times.push(performance.now() - startedAt);
}
console.log(JSON.stringify(times));
