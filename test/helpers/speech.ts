// What the tests of speech and recognition share: collecting sound, wrapping and measuring it, and comparing words.
import { readFileSync } from 'node:fs';
import { arrayBuffer } from 'node:stream/consumers';
import { wrapInWav } from '../../src/audio/wav.ts';
import type { Decoder } from '../../src/local/voice-service/engines/decode/decoder.ts';

/** Hz of what recognisers are given, and of the voice made of tones. */
export const RATE = 16_000;

/** All chunks in one. */
export const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => new Uint8Array(await arrayBuffer(chunks));

/** Samples of 16 bit; what exceeds full scale is clipped. @param samples from -1 to 1 */
export const toInt16 = (samples: Float32Array): Int16Array =>
  Int16Array.from(samples, (sample) => Math.round(32_767 * Math.max(-1, Math.min(1, sample))));

/** A WAV file of 16 bit and one channel. @param sound as bytes, as samples of 16 bit, or as samples from -1 to 1 */
export function wavOf(sound: Uint8Array | Int16Array | Float32Array, sampleRate: number): Uint8Array {
  const pcm = sound instanceof Float32Array ? toInt16(sound) : sound;
  return wrapInWav(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), { rate: sampleRate });
}

/** At `RATE`. */
export const silentWav = (seconds: number): Uint8Array => wavOf(new Int16Array(seconds * RATE), RATE);

/** Samples from a function of their number. */
export function samplesOf(seconds: number, sampleRate: number, value: (index: number) => number): Int16Array {
  return Int16Array.from({ length: Math.round(seconds * sampleRate) }, (_, i) => Math.round(value(i)));
}

/** Raw 16 bit bytes as samples. */
export function toSamples(pcm: Uint8Array): Int16Array {
  const copy = pcm.slice();
  return new Int16Array(copy.buffer, 0, copy.length >> 1);
}

/** What the voice service's decoder makes of an upload: 16,000 samples a second. */
export async function decodeWith(decoder: Decoder, audio: Uint8Array): Promise<Int16Array> {
  const { blocks } = await decoder.decode(audio);
  return Int16Array.from(blocks.flatMap((block) => [...block]));
}

/**
 * How alike two recordings at 16,000 Hz are, 1 being the same: the correlation of their samples,
 * once the second is shifted by up to 0.16 s, since encoders add a delay.
 */
export function similarityOf(expected: Int16Array, actual: Int16Array): number {
  const correlation = (from: number, to: number, shift: number, step = 1) => {
    let [product, left, right] = [0, 0, 0];
    for (let at = from; at < to; at += step) {
      const a = expected[at] as number;
      const b = actual[at + shift] ?? 0;
      product += a * b;
      left += a * a;
      right += b * b;
    }
    return product / Math.sqrt(left * right || 1);
  };
  const best = { shift: 0, value: -1 };
  for (let shift = -2560; shift <= 2560; shift++) {
    // Of thousands of shifts, so by every third sample.
    const value = correlation(16_000, 20_000, shift, 3);
    if (value > best.value) Object.assign(best, { shift, value });
  }
  return correlation(0, expected.length, best.shift);
}

/** Written-out words, however they are spelt: "Mr." is "mister". */
export function wordsOf(text: string): string[] {
  const words: string[] =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[a-z']+/g) ?? [];
  return words.map((word) => (word === 'mr' ? 'mister' : word));
}

/**
 * Words inserted, left out or changed, at the least (Levenshtein's distance).
 * @param mostJoined so many words are no error if they are written as one on the other side
 */
export function countWordErrors(expected: readonly string[], heard: readonly string[], mostJoined = 1): number {
  const costs = Array.from({ length: expected.length + 1 }, () => new Array<number>(heard.length + 1).fill(Infinity));
  const cost = (i: number, j: number) => costs[i]?.[j] ?? Infinity;
  for (const [i, row] of costs.entries()) {
    for (const j of row.keys()) {
      row[j] = i + j === 0 ? 0 : Math.min(cost(i - 1, j) + 1, cost(i, j - 1) + 1, cost(i - 1, j - 1) + 1);
      for (let left = 1; left <= Math.min(i, mostJoined); left++) {
        for (let right = 1; right <= (left > 1 ? Math.min(j, 1) : Math.min(j, mostJoined)); right++) {
          if (expected.slice(i - left, i).join('') === heard.slice(j - right, j).join(''))
            row[j] = Math.min(row[j] as number, cost(i - left, j - right));
        }
      }
    }
  }
  return cost(expected.length, heard.length);
}

/** A man reading from a novel, as a WAV file and as samples of 16 kHz from -1 to 1, with what he says. */
export function librivoxRecordings(): { audio: Uint8Array; speech: Float32Array; text: string }[] {
  return ['0870', '0880', '0890', '0920', '0930'].map((number) => {
    const file = (kind: string) => readFileSync(new URL(`../fixtures/librivox/${number}.${kind}`, import.meta.url));
    const audio = new Uint8Array(file('wav'));
    // The samples begin after the 44 bytes of the header.
    const speech = Float32Array.from(toSamples(audio.subarray(44)), (sample) => sample / 32_768);
    return { audio, speech, text: String(file('txt')) };
  });
}
