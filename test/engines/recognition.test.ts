// Recognition and the decoding of uploads, with the real engines: what is transcribed, and what is rejected and why.
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { createDecoder } from '../../src/local/voice-service/engines/decode/index.ts';
import type { Transcript } from '../../src/local/voice-service/engines/engine.ts';
import { createEngines, type EngineEvent, RECOGNITION_LIMITS } from '../../src/local/voice-service/engines/index.ts';
import { recordFfmpeg } from '../helpers/recorded-ffmpeg.ts';
import { ffmpeg, titled } from '../helpers/requirements.ts';
import {
  collect,
  countWordErrors,
  decodeWith,
  librivoxRecordings,
  samplesOf,
  similarityOf,
  toSamples,
  wavOf,
  wavWith,
  wordsOf,
} from '../helpers/speech.ts';

const SENTENCES = 'the old man walked slowly down the road the children followed him home to dinner';
const FILES = ['road.mp3', 'road.flac', 'road-vorbis.ogg', 'road-opus.ogg', 'road.webm'];
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/speech/${name}`, import.meta.url)));

const events: EngineEvent[] = [];
const engines = createEngines({ onEvent: (event) => events.push(event) });
const decoder = createDecoder({ processes: 1 });
const decode = (audio: Uint8Array) => decodeWith(decoder, audio);
let spoken: Int16Array;
/** The sentences as the lossless fixture has them: the other fixtures are encodings of the same sound. */
let road: Int16Array;

beforeAll(async () => {
  road = await decode(fixture('road.flac'));
  await engines.warmUp();
  spoken = toSamples(
    await collect(
      engines.speak({
        text: SENTENCES.replace(' the children', '. The children'),
        voice: { base: 'rms' },
        format: 'pcm',
        sampleRate: 16_000,
      }),
    ),
  );
});
afterAll(() => Promise.all([engines.close(), decoder.close()]));

const hear = (audio: Uint8Array) => engines.transcribe({ audio, timestamps: true });
const wordErrorRate = (expected: string, heard: string) => countWordErrors(wordsOf(expected), wordsOf(heard)) / wordsOf(expected).length;

/** `tolerance`: what rounding may change in a sample. */
function expectSamples(actual: Int16Array, expected: Int16Array, tolerance = 1): void {
  expect(actual).toHaveLength(expected.length);
  expect(actual.findIndex((sample, at) => Math.abs(sample - (expected[at] as number)) > tolerance)).toBe(-1);
}

describe('local recognition', () => {
  it('transcribes a novel with at most every third word wrong, and each part the same whatever was sent before', async () => {
    const parts = librivoxRecordings();
    let errors = 0;
    let words = 0;
    const all: Transcript[] = [];
    for (const { audio, text } of parts) {
      const heard = await hear(audio);
      all.push(heard);
      errors += countWordErrors(wordsOf(text), wordsOf(heard.text));
      words += wordsOf(text).length;
    }
    expect(errors / words).toBeLessThan(0.35);
    const [first] = parts;
    if (!first) return expect.fail('there is no recording');
    expect(await hear(first.audio)).toEqual(all[0]);
    // Six recordings in a thread of low priority: a busy machine takes its time.
  }, 180_000);

  it('returns a segment for each phrase, at its time', async () => {
    const pause = new Int16Array(32_000);
    const samples = Int16Array.from([...pause, ...spoken, ...pause, ...spoken]);
    const { text, duration, segments } = await hear(wavOf(samples, 16_000));
    expect(duration).toBeCloseTo(samples.length / 16_000, 2);
    expect(segments).toHaveLength(4);
    expect(segments.map((segment) => segment.text).join(' ')).toBe(text);
    let last = 1.9;
    for (const { start, end } of segments) {
      expect(start).toBeGreaterThanOrEqual(last);
      expect(end).toBeGreaterThan(start);
      last = end;
    }
    expect(segments[0]?.start).toBeLessThan(2.5);
    expect(segments[2]?.start).toBeGreaterThan(4 + spoken.length / 16_000 - 0.3);
    expect(last).toBeLessThanOrEqual(duration);
  });

  it('leaves the segments out without timestamps', async () => {
    const heard = await engines.transcribe({ audio: wavOf(spoken, 16_000), timestamps: false });
    expect(heard.segments).toEqual([]);
    expect(heard.text).not.toBe('');
  });

  it('finds no words in silence, noise and tones', async () => {
    for (const value of [() => 0, (i: number) => ((i * 7919) % 4001) - 2000, (i: number) => 8000 * Math.sin(i / 12)]) {
      expect(await hear(wavOf(samplesOf(3, 16_000, value), 16_000))).toEqual({ text: '', duration: 3, segments: [] });
    }
  });

  it('transcribes several recordings at the same time', async () => {
    const all = await Promise.all(FILES.slice(0, 3).map((name) => hear(fixture(name))));
    for (const { text } of all) expect(wordErrorRate(SENTENCES, text)).toBeLessThan(0.2);
  });

  it('transcribes a short recording during a long one, which stops when it is aborted', async () => {
    const long = wavOf(
      Int16Array.from({ length: 16_000 * 90 }, (_, i) => spoken[i % spoken.length] as number),
      16_000,
    );
    const leaving = new AbortController();
    const pending = engines.transcribe({ audio: long, timestamps: true, signal: leaving.signal });
    const first = await Promise.race([hear(fixture('road.mp3')), pending]);
    expect(first.text).toBe('The old man walked slowly down the road. The children followed him home to dinner.');
    leaving.abort();
    await expect(pending).rejects.toMatchObject({ name: 'EngineError', kind: 'aborted' });
    expect((await hear(fixture('road.mp3'))).text).toBe(first.text);
    expect(events.filter((event) => event.type === 'worker-lost')).toEqual([]);
  });
});

describe('an uploaded recording', () => {
  it.each(FILES)('is read from %s, identified by its content', async (name) => {
    const samples = await decode(fixture(name));
    expect(similarityOf(road, samples)).toBeGreaterThan(0.98);
    expect(Math.abs(samples.length / 16_000 - 5.36)).toBeLessThan(0.15);
  });

  it.skipIf(!ffmpeg.isMet)(titled('is transcribed from road.m4a with ffmpeg', ffmpeg), async () => {
    expect(wordErrorRate(SENTENCES, (await hear(fixture('road.m4a'))).text)).toBeLessThan(0.2);
  });

  it.skipIf(!ffmpeg.isMet)(
    titled('is read by an ffmpeg that is told the format and may open nothing else, even with its index at the end', ffmpeg),
    async () => {
      const m4a = Buffer.from(fixture('road.m4a'));
      expect(m4a.indexOf('moov')).toBeGreaterThan(m4a.indexOf('mdat'));
      const wav = Buffer.from(wavOf(spoken, 16_000));
      // The header of AU: "until the end", 16 bit, one channel.
      const au = Buffer.concat([
        Buffer.from('.snd\0\0\0\x18\xff\xff\xff\xff\0\0\0\x03\0\0\x3e\x80\0\0\0\x01', 'latin1'),
        wav.subarray(44).swap16(),
      ]);
      const path = process.env.PATH;
      const recorder = recordFfmpeg();
      process.env.PATH = recorder.path;
      const recorded = createDecoder({ processes: 1 });
      try {
        expect(similarityOf(road, await decodeWith(recorded, m4a))).toBeGreaterThan(0.98);
        expect(similarityOf(spoken, await decodeWith(recorded, au))).toBeGreaterThan(0.999);
        const [seeking, streamed, ...others] = recorder.starts();
        expect(seeking).toMatch(/-protocol_whitelist file,pipe -threads 1 -f mov -i file:\S+ /);
        expect(streamed).toContain('-protocol_whitelist pipe -threads 1 -f au -i pipe:0 ');
        expect(others).toEqual([]);
        const file = / -i file:(\S+) /.exec(seeking ?? '')?.[1] ?? '';
        await expect.poll(() => existsSync(dirname(file))).toBe(false);
      } finally {
        process.env.PATH = path;
        await recorded.close();
        recorder.remove();
      }
    },
  );

  it('is rejected if it needs ffmpeg and there is none, with what to do', async () => {
    const path = process.env.PATH;
    process.env.PATH = '/nowhere';
    const without = createEngines();
    try {
      const refused = without.transcribe({ audio: fixture('road.m4a'), timestamps: true });
      await expect(refused).rejects.toMatchObject({ kind: 'unsupported-format', message: expect.stringContaining('install ffmpeg') });
    } finally {
      process.env.PATH = path;
      await without.close();
    }
  });

  const encodings: [string, number, number, (view: DataView, at: number, value: number) => void][] = [
    ['8 bit', 1, 8, (view, at, value) => view.setUint8(at, value / 256 + 128)],
    ['16 bit', 1, 16, (view, at, value) => view.setInt16(at, value, true)],
    [
      '24 bit',
      1,
      24,
      (view, at, value) => {
        view.setInt8(at + 2, value >> 8);
        view.setUint16(at, (value << 8) & 0xffff, true);
      },
    ],
    ['32 bit', 1, 32, (view, at, value) => view.setInt32(at, value * 65_536, true)],
    ['float', 3, 32, (view, at, value) => view.setFloat32(at, value / 32_768, true)],
    ['double', 3, 64, (view, at, value) => view.setFloat64(at, value / 32_768, true)],
  ];

  it.each(encodings)('is read from WAV in %s, two channels', async (_name, encoding, bits, write) => {
    const size = bits / 8;
    const data = new Uint8Array(spoken.length * 2 * size);
    const view = new DataView(data.buffer);
    for (const [i, sample] of spoken.entries()) for (const channel of [0, 1]) write(view, (i * 2 + channel) * size, sample);
    const decoded = await decode(wavWith(data, { encoding, bits, channels: 2, sampleRate: 16_000 }));
    expectSamples(decoded, spoken, bits === 8 ? 256 : 1);
  });

  it('is read from WAV whose header lies about its length', async () => {
    for (const length of [0, 0xffff_ffff, 0x7fff_fff0]) {
      const wav = wavOf(spoken, 16_000);
      new DataView(wav.buffer).setUint32(40, length, true);
      expectSamples(await decode(wav), spoken);
    }
  });

  it.each<[string, Uint8Array, string]>([
    ['nothing at all', new Uint8Array(0), 'not-audio'],
    ['a web page', new TextEncoder().encode('<!doctype html><title>Not found</title>'.repeat(100)), 'not-audio'],
    ['a picture', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, ...new Uint8Array(5000)]), 'not-audio'],
    ['a header without sound', wavOf(new Int16Array(0), 16_000), 'not-audio'],
    ['a sample rate of 1 Hz', wavOf(new Int16Array(1000), 1), 'not-audio'],
    ['a sample rate of 4 GHz', wavOf(new Int16Array(1000), 0xffff_ffff), 'not-audio'],
    ['65 535 channels', wavWith(new Uint8Array(5000), { encoding: 1, bits: 16, channels: 65_535, sampleRate: 8000 }), 'not-audio'],
    ['more bytes than are accepted', new Uint8Array(RECOGNITION_LIMITS.maxBytes + 1), 'too-long'],
  ])('is rejected if it is %s', async (_name, audio, kind) => {
    await expect(hear(audio)).rejects.toMatchObject({ name: 'EngineError', kind, message: expect.stringMatching(/\. \S.*\.$/) });
  });

  it('is rejected if it packs more than an hour into few bytes', async () => {
    const muxer = createOggMuxer({ sampleRate: 48_000 });
    const sixtyMs = Uint8Array.of(0x18);
    const pages = [muxer.head()];
    for (let i = 0; i <= RECOGNITION_LIMITS.maxSeconds / 0.06; i++) pages.push(muxer.packet(sixtyMs, 2880));
    await expect(hear(new Uint8Array(Buffer.concat(pages)))).rejects.toMatchObject({ kind: 'too-long' });
  });

  it('is accepted if it lasts 59 minutes', async () => {
    const muxer = createOggMuxer({ sampleRate: 48_000 });
    const pages = [muxer.head()];
    for (let i = 0; i < (59 * 60) / 0.06; i++) pages.push(muxer.packet(Uint8Array.of(0x18), 2880));
    const { text, duration } = await hear(new Uint8Array(Buffer.concat(pages)));
    expect({ text, minutes: Math.round(duration / 60) }).toEqual({ text: '', minutes: 59 });
  });

  it.each(FILES)('is read as far as it goes, or rejected, if %s is cut off', async (name) => {
    const whole = fixture(name);
    const half = await decode(whole.subarray(0, whole.length >> 1));
    expect(half.length).toBeGreaterThan(30_000);
    expect(similarityOf((await decode(whole)).subarray(0, 30_000), half)).toBeGreaterThan(0.999);
    await expect(decode(whole.subarray(0, 50))).rejects.toMatchObject({ kind: 'not-audio' });
  });

  it('never brings the engines down, whatever the bytes', async () => {
    const damaged = fc
      .record({
        name: fc.constantFrom(...FILES, 'wav'),
        damage: fc.array(
          fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
          {
            minLength: 1,
            maxLength: 12,
          },
        ),
        keep: fc.double({ min: 0.1, max: 0.3, noNaN: true }),
      })
      .map(({ name, damage, keep }) => {
        const whole = name === 'wav' ? wavOf(spoken, 16_000) : fixture(name);
        const bytes = whole.slice(0, Math.round(whole.length * keep));
        for (const { at, bytes: patch } of damage) {
          const start = Math.min(Math.floor(at * at * bytes.length), bytes.length - patch.length);
          bytes.set(patch, Math.max(0, start));
        }
        return bytes;
      });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 4, arbitrary: damaged }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3000 }) }),
        async (bytes) => {
          try {
            const heard = await hear(bytes);
            expect(heard.duration).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toMatchObject({ name: 'EngineError' });
          }
        },
      ),
      { numRuns: 20 },
    );
    expect((await hear(fixture('road.mp3'))).text).toContain('dinner');
  });
});
