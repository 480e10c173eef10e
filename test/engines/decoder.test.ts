// Malicious and damaged uploads: each is an error for its sender, and affects nobody else.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it, onTestFinished, test, vi } from 'vitest';
import { wrapInWav } from '../../src/audio/wav.ts';
import { demuxWebm } from '../../src/decoding/opus.ts';
import { createDecoder, type DecodeLimits, type Decoder } from '../../src/local/voice-service/engines/decode/decoder.ts';
import { CONTAINERS, fuzzDecoder, originalOf } from '../fuzz/decoder.ts';
import { harmfulRecording, silentFlac, silentMp3 } from '../helpers/recordings.ts';
import { ffmpeg, titled } from '../helpers/requirements.ts';
import { decodeWith, similarityOf, toSamples } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { createToneEngines, sendForm, startTestVoiceService, toneEngines } from '../helpers/voice-service.ts';

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/speech/${name}`, import.meta.url)));
/** A WebM with nested segments of unknown size: 27 bytes that could keep a demuxer busy for ever. */
const ENDLESS = Buffer.from(`1a45dfa3874282847765626d${'18538067ff'.repeat(3)}`, 'hex');

const OGG_HEAD = harmfulRecording('hours.ogg').subarray(0, 97);
/** Five megabytes of Ogg pages with packets of so many bytes. */
function tinyPackets(size: number): Buffer[] {
  const page = harmfulRecording(`tiny-${size}.page`);
  return Array.from({ length: (5 * 1024 * 1024) / page.length }, () => page);
}

const decoders: Decoder[] = [];
function open(processes: number, limits: Partial<DecodeLimits> = {}): { decoder: Decoder; lost: string[] } {
  const lost: string[] = [];
  const decoder = createDecoder({ processes, limits, onLost: (reason) => lost.push(reason) });
  decoders.push(decoder);
  return { decoder, lost };
}
afterEach(async () => {
  await Promise.all(decoders.splice(0).map((decoder) => decoder.close()));
});

/** For the tests after which it works as before. */
const lostByUsual: string[] = [];
const usual = createDecoder({ processes: 1, onLost: (reason) => lostByUsual.push(reason) });
afterAll(() => usual.close());

describe('the decoder of uploads', () => {
  it.each<[string, Partial<DecodeLimits>, RegExp]>([
    ['makes no progress', { stuckMs: 1 }, /^The recording is damaged: decoding it did not get on\. Export it again/],
    ['takes too much computing', { totalMs: 300 }, /^The recording is damaged: decoding it did not get on\. /],
    ['takes too long by the clock', { deadlineMs: 300 }, /^The recording is damaged: decoding it did not get on\. /],
    [
      'takes too much memory',
      { memoryBytes: 150 * 1024 * 1024 },
      /^The recording is damaged: decoding it took too much memory\. Export it again/,
    ],
  ])('ends a process that %s, fails that upload alone, and decodes those that wait', async (_what, limits, message) => {
    const { decoder, lost } = open(1, limits);
    await decoder.warmUp();
    // Each slice decodes to millions of samples: seconds of computing, and hundreds of megabytes.
    const malicious = decoder.decode(silentFlac(3590));
    const [failed, next] = await Promise.allSettled([malicious, decoder.decode(fixture('road-opus.ogg').subarray(0, 2000))]);
    expect(failed).toMatchObject({
      status: 'rejected',
      reason: { name: 'EngineError', kind: 'not-audio', message: expect.stringMatching(message) },
    });
    expect(lost.length).toBeGreaterThan(0);
    // With the other limits, a new process takes too long as well.
    if ('totalMs' in limits || 'memoryBytes' in limits) expect(next).toMatchObject({ status: 'fulfilled' });
  });

  it('fails an upload for which no process can be started, and stays usable', async () => {
    // Longer than any system lets the environment be, so that the start itself throws.
    vi.stubEnv('windir', 'x'.repeat(3_000_000));
    onTestFinished(() => void vi.unstubAllEnvs());
    const { decoder } = open(1);
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(decoder.decode(fixture('road.mp3'))).rejects.toMatchObject({
        name: 'EngineError',
        kind: 'crashed',
        message: expect.stringMatching(/^The decoder could not be started \(.*\)\. Run npm ci again/),
      });
  });

  it('reuses a healthy process', async () => {
    await usual.decode(fixture('road.mp3'));
    await expect(usual.decode(ENDLESS)).rejects.toMatchObject({ kind: 'not-audio' });
    expect((await usual.decode(fixture('road.webm'))).seconds).toBeCloseTo(5.37, 1);
    expect(lostByUsual).toEqual([]);
  });

  it('frees the caller and the process when a request is aborted', async () => {
    const { decoder, lost } = open(1);
    await decoder.warmUp();
    const leaving = new AbortController();
    const pending = decoder.decode(silentFlac(3590), leaving.signal);
    const waiting = decoder.decode(fixture('road.mp3'), leaving.signal);
    const next = decoder.decode(fixture('road.webm'));
    leaving.abort();
    await expect(pending).rejects.toMatchObject({ kind: 'aborted' });
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
    expect((await next).seconds).toBeGreaterThan(5);
    expect(lost).toEqual([]);
    await expect(decoder.decode(fixture('road.mp3'), AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' });
  });

  it('fails what is under way when it is closed, and leaves no file behind', async () => {
    // A folder of its own: other tests decode at the same time.
    const folder = mkdtempSync(join(tmpdir(), 'parley-decoder-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    onTestFinished(() => {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      rmSync(folder, { recursive: true, force: true });
    });
    const { decoder } = open(1);
    const pending = [decoder.decode(fixture('road.m4a')), decoder.decode(fixture('road.mp3'))];
    const failed = Promise.allSettled(pending);
    await decoder.close();
    for (const one of await failed) expect(one).toMatchObject({ status: 'rejected', reason: { kind: 'aborted' } });
    await expect(decoder.decode(fixture('road.mp3'))).rejects.toMatchObject({ kind: 'aborted' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reads two channels of 192 kHz as the same sound', async () => {
    const said = recordTones('Hello there.');
    const samples = toSamples(said.subarray(44));
    const wide = Int16Array.from({ length: samples.length * 24 }, (_, at) => {
      const place = (at >> 1) / 12;
      const [before, after] = [samples[Math.floor(place)] ?? 0, samples[Math.ceil(place)] ?? 0];
      return before + (after - before) * (place % 1);
    });
    const wav = wrapInWav(new Uint8Array(wide.buffer), { channels: 2, rate: 192_000 });
    expect(similarityOf(samples, await decodeWith(usual, wav))).toBeGreaterThan(0.99);
    expect((await toneEngines().transcribe({ audio: wav, timestamps: false })).text).toBe('Hello there.');
  });

  it.each([0, 2] as const)('rejects millions of Ogg packets of %i bytes before they take memory', async (size) => {
    const upload = Buffer.concat([OGG_HEAD, ...tinyPackets(size)]);
    const message = expect.stringMatching(size === 0 ? /no sound/ : /packets of 2\.0 bytes, too small to be sound/);
    await expect(usual.decode(upload)).rejects.toMatchObject({ kind: 'not-audio', message });
    expect(lostByUsual).toEqual([]);
  });

  it('rejects millions of Vorbis packets of one byte, more than an hour has, before it decodes them', async () => {
    const vorbis = fixture('road-vorbis.ogg');
    const firstSound = Buffer.from(vorbis).indexOf('OggS', 3000);
    const upload = Buffer.concat([vorbis.subarray(0, firstSound), ...tinyPackets(1)]);
    await expect(usual.decode(upload)).rejects.toMatchObject({
      kind: 'not-audio',
      message: expect.stringMatching(/packets of 1\.\d bytes/),
    });
    expect(lostByUsual).toEqual([]);
  });

  it.each(['none', 'xiph', 'fixed', 'ebml'] as const)('demuxes WebM blocks with any lacing: %s', (lacing) => {
    const sizes = lacing === 'fixed' ? [40, 40, 40] : [3, 300, 0, 90, 255];
    const packets = sizes.map((size, index) => Buffer.alloc(size, index + 1));
    const items = [...demuxWebm(harmfulRecording(`lacing-${lacing}.webm`))];
    expect(items[0]).toMatchObject({ kind: 'track', track: { codec: 'A_OPUS', channels: 1, encoded: false } });
    expect(items.slice(1).map((item) => item.kind === 'packet' && Buffer.from(item.data))).toEqual(packets);
  });

  it('resumes at the next block of a damaged WebM', () => {
    const packetsOf = (file: Uint8Array) => [...demuxWebm(file)].filter(({ kind }) => kind === 'packet').length;
    const whole = fixture('road.webm');
    for (let at = 450; at < whole.length - 20; at += 997)
      expect(packetsOf(new Uint8Array(whole).fill(0x55, at, at + 16)), `damaged at ${at}`).toBeGreaterThan(packetsOf(whole) - 4);
  });

  it(titled('ends with a result or an error for any damage, and decodes good recordings meanwhile', ffmpeg), async () => {
    const { decoder } = open(1);
    const { seed = 1 } = fc.readConfigureGlobal();
    // Only ffmpeg decodes AAC.
    for (const container of CONTAINERS.filter((name) => ffmpeg.isMet || name !== 'm4a')) {
      // `npm run fuzz` goes on for longer.
      const to = container === 'm4a' || container === 'ogg-vorbis' ? 3 : 8;
      const [report, heard] = await Promise.all([
        fuzzDecoder(decoder, { container, seed, to }),
        Promise.all([usual.decode(fixture('road.flac')), decoder.decode(fixture('road.mp3'))]),
      ]);
      expect({ ...report, seed }).toMatchObject({ failed: [], ended: [], seed });
      for (const { seconds } of heard) expect(Math.abs(seconds - 5.36)).toBeLessThan(0.15);
      await expect(decoder.decode(originalOf(container))).resolves.toMatchObject({ blocks: [expect.any(Int16Array)] });
    }
  });
});

test('the local voice service rejects uploads whose decoding does not end, and transcribes others meanwhile', async () => {
  const lost: unknown[] = [];
  // Less than the malicious recordings take (700 ms or more), and more than any other does (50 ms or less).
  const engines = createToneEngines({
    decodeLimits: { totalMs: 300 },
    onEvent: (event) => event.type === 'worker-lost' && lost.push(event),
  });
  onTestFinished(engines.close);
  await using service = await startTestVoiceService({ engines });
  const transcribe = (audio: Uint8Array) => sendForm(service, '/v1/asr', { audio });
  const texts = ['Hello there.', 'And again.', 'And a third time.'];
  const [endless, long, ...others] = await Promise.all([ENDLESS, silentMp3(3590), ...texts.map(recordTones)].map(transcribe));
  expect(endless).toMatchObject({ status: 400, json: { status: 400, message: expect.stringMatching(/no sound/) } });
  expect(long).toMatchObject({ status: 400, json: { status: 400, message: expect.stringMatching(/did not get on/) } });
  expect(others.map(({ json }) => (json as { text: string }).text)).toEqual(texts);
  expect(lost).toEqual([{ type: 'worker-lost', kind: 'decoding', reason: expect.any(String) }]);
});
