// Recordings cut into parts by processes of their own: damaged ones fail alone, and nothing is left behind.
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { createRecordingCutter, type RecordingCutter, type RecordingPart } from '../../src/decoding/cutter.ts';
import { silentFlac } from '../helpers/recordings.ts';
import { RATE, toSamples, wavOf } from '../helpers/speech.ts';
import { hearTones, recordTones } from '../helpers/tones.ts';

const cutters: RecordingCutter[] = [];
function open(...options: Parameters<typeof createRecordingCutter>): RecordingCutter {
  const cutter = createRecordingCutter(...options);
  cutters.push(cutter);
  return cutter;
}
afterEach(async () => {
  await Promise.all(cutters.splice(0).map((cutter) => cutter.close()));
});

const toned = (text: string) => toSamples(recordTones(text).subarray(44));
const pause = (seconds: number) => new Int16Array(seconds * RATE);
const join = (...pieces: Int16Array[]) => wavOf(Int16Array.from(pieces.flatMap((piece) => [...piece])), RATE);

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}

async function cut(cutter: RecordingCutter, bytes: Uint8Array, longest: number, signal = new AbortController().signal) {
  const parts: RecordingPart[] = [];
  for await (const part of cutter.cut(inPieces(bytes), { longest, signal })) parts.push(part);
  return parts;
}

const heardIn = ({ wav }: RecordingPart) => [...hearTones(toSamples(wav.subarray(44)))].map(({ text }) => text).join(' ');

it('a recording becomes files of its parts, cut where nobody speaks', async () => {
  const sentences = ['It rains in the mountains.', 'It pours in the valley.', 'It snows on the lake.'];
  const recording = join(...sentences.flatMap((text) => [toned(text), pause(2)]));
  const parts = await cut(open(), recording, 6);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.map(heardIn).join(' ')).toBe(sentences.join(' '));
  for (const [index, { start, end, seconds, from }] of parts.entries()) {
    expect(seconds).toBeLessThanOrEqual(6);
    expect(start).toBe(parts[index - 1]?.end ?? 0);
    expect(from + seconds).toBeGreaterThanOrEqual(end - 0.02);
  }
});

it('a file that is no recording is refused, and the next one is cut', async () => {
  const cutter = open();
  await expect(cut(cutter, Buffer.alloc(5000, 'x'), 10)).rejects.toMatchObject({ name: 'DecodingError', kind: 'not-audio' });
  expect(await cut(cutter, join(toned('It rains.')), 10)).toHaveLength(1);
});

it('a recording that takes too much memory ends its process alone', async () => {
  const cutter = open({ limits: { memoryBytes: 150 * 1024 * 1024 } });
  await expect(cut(cutter, silentFlac(3590), 10)).rejects.toMatchObject({ name: 'DecodingError' });
  expect(await cut(cutter, join(toned('It rains.')), 10)).toHaveLength(1);
});

it('a download that breaks off is what the caller is told', async () => {
  const broken = new Error('the download broke off');
  async function* source(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1000);
    throw broken;
  }
  const parts = open().cut(source(), { longest: 10, signal: new AbortController().signal });
  await expect(parts.next()).rejects.toBe(broken);
});

it('an abort frees the caller at once, and closing leaves no file behind', async () => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('parley-'));
  const cutter = createRecordingCutter();
  const caller = new AbortController();
  const cutting = cut(cutter, silentFlac(3590), 10, caller.signal);
  caller.abort(new Error('no longer wanted'));
  await expect(cutting).rejects.toThrow('no longer wanted');
  await cutter.close();
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith('parley-') && !before.includes(name));
  expect(left.filter((name) => /^parley-[0-9a-f]{8}-/.test(name))).toEqual([]);
});

it('a recording in which somebody speaks is told from one without, and from one that can’t be read', async () => {
  const cutter = open();
  const { signal } = new AbortController();
  const hasSpeech = (bytes: Uint8Array) => cutter.hasSpeech(inPieces(bytes), { signal });
  expect(await hasSpeech(readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url)))).toBe(true);
  expect(await hasSpeech(wavOf(pause(5), RATE))).toBe(false);
  const hum = Int16Array.from({ length: 5 * RATE }, (_, at) => 8_000 * Math.sin((2 * Math.PI * 100 * at) / RATE));
  expect(await hasSpeech(wavOf(hum, RATE))).toBe(false);
  await expect(hasSpeech(Buffer.alloc(5000, 'x'))).rejects.toMatchObject({ name: 'DecodingError' });
});
