// The resampler: exact duration, independence of chunking, and how little it adds to the sound.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createFilterKernel } from '../../src/audio/resample/filter-kernel.ts';
import { createResampler } from '../../src/audio/resample/resampler.ts';
import { measureTone, rms, tone } from '../helpers/sound.ts';

const RATES = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000];

function resample(sound: Float32Array, from: number, to: number, sizes: number[] = [sound.length]): Float32Array {
  const resampler = createResampler({ from, to });
  const parts: Float32Array[] = [];
  for (let at = 0, turn = 0; at < sound.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1);
    parts.push(resampler.push(sound.subarray(at, at + size)));
    at += size;
  }
  parts.push(resampler.flush());
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

/** Without the ends, where the filter overlaps the silence around the sound. */
function middle(sound: Float32Array): Float32Array {
  return sound.subarray(Math.floor(sound.length * 0.1), Math.floor(sound.length * 0.9));
}

describe('a resampled sound', () => {
  test('has exactly the duration of the original', () => {
    fc.assert(
      fc.property(fc.constantFrom(...RATES), fc.constantFrom(...RATES, 44_101), fc.integer({ min: 0, max: 3000 }), (from, to, length) => {
        expect(resample(new Float32Array(length), from, to).length).toBe(Math.ceil((length * to) / from));
      }),
      { numRuns: 60 },
    );
  });

  test('is the same however the original is chunked', () => {
    fc.assert(
      fc.property(
        fc.constantFrom([44_100, 48_000], [22_050, 48_000], [48_000, 16_000], [96_000, 48_000], [44_101, 48_000]),
        fc.array(fc.integer({ min: 1, max: 700 }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 4000 }),
        ([from = 0, to = 0], sizes, length) => {
          const sound = Float32Array.from({ length }, (_, index) => Math.sin(index * index * 0.01));
          expect(resample(sound, from, to, sizes)).toEqual(resample(sound, from, to));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('stays where it was in time', () => {
    const sound = new Float32Array(4410);
    sound[2205] = 1;
    const heard = resample(sound, 44_100, 48_000);
    expect(heard.indexOf(Math.max(...heard))).toBe(2400);
  });

  test.each([
    [44_100, 48_000],
    [22_050, 48_000],
    [11_025, 48_000],
    [16_000, 48_000],
    [44_101, 48_000],
    [48_000, 16_000],
    [44_100, 16_000],
    [96_000, 48_000],
  ])('from %i to %i Hz keeps each tone of speech at its level, with everything else 60 dB below', (from, to) => {
    for (const part of [0.01, 0.2, 0.5, 0.7, 0.83]) {
      const hz = Math.round((Math.min(from, to) / 2) * part);
      const { amplitude, snr } = measureTone(middle(resample(tone(hz, 0.5, from), from, to)), hz, to);
      expect(Math.abs(20 * Math.log10(amplitude / 0.5))).toBeLessThan(0.1);
      expect(snr).toBeGreaterThan(60);
    }
  });

  test.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [96_000, 48_000],
    [48_000, 24_000],
  ])('from %i down to %i Hz has aliases at least 60 dB below their tones', (from, to) => {
    for (let hz = to / 2 + 1; hz < from / 2; hz += (from - to) / 41) {
      const heard = middle(resample(tone(hz, 0.2, from), from, to));
      expect(20 * Math.log10(rms(heard) / (0.5 / Math.SQRT2))).toBeLessThan(-60);
    }
  });

  test('is unchanged if the rate is the same', () => {
    const sound = tone(440, 0.1, 48_000);
    expect(resample(sound, 48_000, 48_000)).toEqual(sound);
  });
});

test('a resampler starts afresh after its end', () => {
  const resampler = createResampler({ from: 44_100, to: 48_000 });
  const sound = tone(440, 0.1, 44_100);
  const first = [...resampler.push(sound), ...resampler.flush()];
  expect([...resampler.push(sound), ...resampler.flush()]).toEqual(first);
});

test('an invalid rate is refused', () => {
  expect(() => createResampler({ from: 0, to: 48_000 })).toThrow(RangeError);
  expect(() => createResampler({ from: 44_100.5, to: 48_000 })).toThrow(RangeError);
});

test('the kernel computes the same inner products as JavaScript', () => {
  const [up, rowLength, count] = [5, 16, 40];
  const memory = new WebAssembly.Memory({ initial: 1 });
  const table = new Float32Array(memory.buffer, 0, up * rowLength).map((_, index) => Math.sin(index * index));
  const samples = new Float32Array(memory.buffer, 4096, 200).map((_, index) => Math.cos(index * 1.7));
  new Float32Array(memory.buffer, 0, table.length).set(table);
  new Float32Array(memory.buffer, 4096, samples.length).set(samples);
  const out = new Float32Array(memory.buffer, 8192, count + 1);
  // From the fourth sample and third row on, in steps of 2 3/5 samples.
  createFilterKernel(memory)?.(4096 + 4 * 3, 2, 8192, 8192 + 4 * count, 4 * 2, 3, up, 4 * rowLength);
  for (let index = 0; index < count; index++) {
    const position = 3 * up + 2 + index * (2 * up + 3);
    const row = table.subarray((position % up) * rowLength, ((position % up) + 1) * rowLength);
    const at = Math.floor(position / up);
    expect(out[index]).toBeCloseTo(
      row.reduce((sum, value, tap) => sum + value * (samples[at + tap] as number), 0),
      4,
    );
  }
  expect(out[count]).toBe(0);
});
