// Sends damaged recordings through the local voice service's decoder with its usual limits: node test/fuzz/decoder.ts --count 1000 --seed 1 [--from 0] [--only flac].
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createDecoder, type Decoder } from '../../src/local/voice-service/engines/decode/decoder.ts';
import { EngineError } from '../../src/local/voice-service/engines/engine.ts';
import { createRandom } from '../helpers/random.ts';
import { tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';
import { mutate } from './mutations.ts';

export const CONTAINERS = ['webm', 'ogg-opus', 'ogg-vorbis', 'flac', 'mp3', 'wav', 'm4a'] as const;
export type ContainerName = (typeof CONTAINERS)[number];

/** The container, and how many bytes of its fixture are used: short recordings leave time for more of them. */
const ORIGINALS: Record<Exclude<ContainerName, 'wav'>, [string, number]> = {
  webm: ['road.webm', 3000],
  'ogg-opus': ['road-opus.ogg', 3000],
  'ogg-vorbis': ['road-vorbis.ogg', 7000],
  flac: ['road.flac', 16_000],
  mp3: ['road.mp3', 3000],
  m4a: ['road.m4a', Number.POSITIVE_INFINITY],
};

/** A short recording, whole or cut off. */
export function originalOf(container: ContainerName): Uint8Array {
  if (container === 'wav') return wavOf(tone(127, 0.1, 16_000, 0.18), 16_000);
  const [name, bytes] = ORIGINALS[container];
  return new Uint8Array(readFileSync(new URL(`../fixtures/speech/${name}`, import.meta.url))).subarray(0, bytes);
}

/** The mutation with this number; always the same. */
const mutationOf = (container: ContainerName, seed: number, number: number): Uint8Array =>
  mutate(originalOf(container), createRandom(Math.imul(seed, 0x9e37_79b1) + number));

export interface FuzzReport {
  container: ContainerName;
  decoded: number;
  refused: number;
  /** Numbers of the mutations for which a process had to be ended, with its message. */
  ended: [number, string][];
  /** Numbers of the mutations that got no proper answer; should stay empty. */
  failed: [number, string][];
  slowestMs: number;
}

const AT_ONCE = 4;

/** Decodes mutations `from` (inclusive) to `to` (exclusive). */
export async function fuzzDecoder(
  decoder: Decoder,
  { container, seed, from = 0, to }: { container: ContainerName; seed: number; from?: number; to: number },
): Promise<FuzzReport> {
  const report: FuzzReport = { container, decoded: 0, refused: 0, ended: [], failed: [], slowestMs: 0 };
  let next = from;
  const worker = async () => {
    while (next < to) {
      const number = next++;
      const begun = performance.now();
      try {
        await decoder.decode(mutationOf(container, seed, number));
        report.decoded++;
      } catch (error) {
        const message = (error as Error).message;
        if (!(error instanceof EngineError) || error.kind === 'crashed' || error.kind === 'aborted') report.failed.push([number, message]);
        else if (message.startsWith('The recording is damaged: ')) report.ended.push([number, message]);
        else report.refused++;
      }
      report.slowestMs = Math.max(report.slowestMs, performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return report;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      from: { type: 'string', default: '0' },
      only: { type: 'string' },
    },
  });
  for (const container of CONTAINERS.filter((name) => !values.only || values.only === name)) {
    const decoder = createDecoder({ processes: 2 });
    const begun = performance.now();
    const from = Number(values.from);
    const report = await fuzzDecoder(decoder, { container, seed: Number(values.seed), from, to: from + Number(values.count) });
    await decoder.close();
    console.log(JSON.stringify({ ...report, seconds: Math.round((performance.now() - begun) / 1000) }));
  }
}
