// Recognition and the decoding of uploads: what the built-in recogniser hears, what is read and what is rejected and why.
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { wrapInWav } from '../../src/audio/wav.ts';
import { createDecoder } from '../../src/local/voice-service/engines/decode/decoder.ts';
import { createEngines, type EngineEvent } from '../../src/local/voice-service/engines/index.ts';
import { createEngine } from '../../src/local/voice-service/engines/moonshine/moonshine.ts';
import { addNoise, gain, NOISES, throughTelephone } from '../engines/distorted-speech.ts';
import { createRandom } from '../helpers/random.ts';
import { ffmpeg, titled } from '../helpers/requirements.ts';
import { recordFfmpeg } from '../helpers/sound.ts';
import {
  collect,
  countWordErrors,
  decodeWith,
  librivoxRecordings,
  RATE,
  similarityOf,
  toSamples,
  wavOf,
  wordsOf,
} from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { builtInEngines, createToneEngines, toneEngines } from '../helpers/voice-service.ts';

const FILES = ['road.mp3', 'road.flac', 'road-vorbis.ogg', 'road-opus.ogg', 'road.webm'];
const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/speech/${name}`, import.meta.url)));

const engines = builtInEngines();
const decoder = createDecoder({ processes: 1 });
const decode = (audio: Uint8Array) => decodeWith(decoder, audio);
/** A short sentence, spoken by Flite at 16 kHz. */
let spoken: Int16Array;
/** The sentences as the lossless fixture has them: the other fixtures are encodings of the same sound. */
let road: Int16Array;

beforeAll(async () => {
  road = await decode(fixture('road.flac'));
  spoken = toSamples(
    await collect(engines.speak({ text: 'They walked home to dinner.', voice: { base: 'rms' }, format: 'pcm', sampleRate: 16_000 })),
  );
});
afterAll(() => decoder.close());

const hear = (audio: Uint8Array) => engines.transcribe({ audio, timestamps: true });

/** `tolerance`: what rounding may change in a sample. */
function expectSamples(actual: Int16Array, expected: Int16Array, tolerance = 1): void {
  expect(actual).toHaveLength(expected.length);
  expect(actual.findIndex((sample, at) => Math.abs(sample - (expected[at] as number)) > tolerance)).toBe(-1);
}

describe('the built-in recogniser', () => {
  it('survives whatever is decoded of damaged recordings', async () => {
    const damaged = fc
      .record({
        name: fc.constantFrom(...FILES, 'wav'),
        damage: fc.array(
          fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }) }),
          { minLength: 1, maxLength: 12 },
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
      fc.asyncProperty(damaged, async (bytes) => {
        try {
          expect((await hear(bytes)).duration).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toMatchObject({ name: 'EngineError', kind: 'not-audio' });
        }
      }),
      { numRuns: 20 },
    );
  });

  it('ends with a few words of ten languages in one recording', async () => {
    const languages = [
      'Where is the station?',
      'Wo ist der Bahnhof?',
      '¿Dónde está la estación?',
      'Où est la gare ?',
      'Dov’è la stazione?',
      'Gdzie jest dworzec?',
      'Onde fica a estação?',
      'Waar is het station?',
      'Var ligger stationen?',
      'Istasyon nerede?',
    ];
    const audio = await collect(engines.speak({ text: languages.join(' '), voice: { base: 'slt' }, format: 'wav', sampleRate: 16_000 }));
    // Told to be English, or it would be refused.
    const { text, duration, segments } = await engines.transcribe({ audio, timestamps: true, language: 'en' });
    expect(text).toMatch(/where is the station/i);
    expect(segments.at(-1)?.end).toBeLessThanOrEqual(duration);
    expect(text.length).toBeLessThan(6.5 * 8 * duration);
  });
});

describe('the built-in recogniser, listening to a man who reads from a novel,', () => {
  const clips = librivoxRecordings();

  it.each<[string, number, (speech: Float32Array) => Uint8Array]>([
    ['as he is', 4, (speech) => wavOf(speech, RATE)],
    ['through noise at 10 dB', 10, (speech) => wavOf(addNoise(speech, NOISES.pink(speech.length, createRandom(1)), 10), RATE)],
    ['through a telephone', 10, throughTelephone],
    ['through a microphone far too quiet', 10, (speech) => wavOf(gain(speech, 0.01), RATE)],
    ['through a microphone far too loud', 10, (speech) => wavOf(gain(speech, 10), RATE)],
  ])('%s gets fewer than %i of 100 words wrong', async (_, limit, change) => {
    let [errors, words] = [0, 0];
    for (const { text, speech } of clips) {
      const said = wordsOf(text);
      errors += countWordErrors(said, wordsOf((await hear(change(speech))).text));
      words += said.length;
    }
    expect((100 * errors) / words).toBeLessThan(limit);
  });
});

describe('the built-in recogniser, given much at once,', () => {
  const clips = librivoxRecordings();
  const reading = Int16Array.from(clips.flatMap(({ audio }) => [...toSamples(audio.subarray(44))]));

  it('takes no more memory for ten minutes than for one, and transcribes a short recording meanwhile', async () => {
    const lost: EngineEvent[] = [];
    const own = createEngines({ onEvent: (event) => event.type === 'worker-lost' && lost.push(event) });
    onTestFinished(own.close);
    const long = new Int16Array(10 * 60 * 16_000);
    for (let at = 0; at + reading.length < long.length; at += reading.length) long.set(reading, at);
    let isOver = false;
    const transcript = own.transcribe({ audio: wavOf(long, 16_000), timestamps: true }).finally(() => {
      isOver = true;
    });
    expect((await own.transcribe({ audio: clips[1]?.audio ?? new Uint8Array(), timestamps: false })).text).toMatch(/young man/);
    expect(isOver).toBe(false);
    const { segments, duration } = await transcript;
    for (const { start, end } of segments) expect(end - start).toBeLessThanOrEqual(15);
    expect(segments.at(-1)?.end).toBeGreaterThan(duration - 30);
    expect(lost).toEqual([]);
    if (process.platform === 'linux') expect(largestMemoryOfChildren()).toBeLessThan(700);
  });

  it('understands a minute of shouting', async () => {
    const clip = (sample: number) => Math.max(-32_768, Math.min(32_767, sample));
    const minute = Int16Array.from({ length: 60 * 16_000 }, (_, at) => clip(30 * (reading[at % reading.length] as number)));
    const { text, segments, duration } = await hear(wavOf(minute, 16_000));
    expect(text).toMatch(/young man/);
    for (const { start, end } of segments) expect(end - start).toBeLessThanOrEqual(15);
    expect(text.length).toBeLessThan(6.5 * 8 * duration);
  });

  it('hears the same while it listens to three others', async () => {
    const one = clips[0]?.audio ?? new Uint8Array();
    const alone = await hear(one);
    const all = await Promise.all([...clips, ...clips].map(({ audio }) => hear(audio)));
    expect(all[0]).toEqual(alone);
    expect(all.slice(5)).toEqual(all.slice(0, 5));
  });

  /** @param secondsForEach the processor time that passes each time the engine asks for it */
  async function createTimedEngine(secondsForEach: () => number) {
    let seconds = 0;
    const engine = await createEngine(() => (seconds += secondsForEach()));
    return {
      async transcribe(): Promise<string> {
        const listener = engine.listen();
        const segments = await Array.fromAsync([reading, null], (samples) => Array.fromAsync(listener.hear(samples)));
        return segments
          .flat()
          .map((segment) => segment?.text)
          .join(' ');
      },
    };
  }

  it('uses its small model where the large one would be too slow', async () => {
    const { transcribe } = await createTimedEngine(() => 10);
    const [first, , , last] = [await transcribe(), await transcribe(), await transcribe(), await transcribe()];
    expect(first).toContain('not an ill-disposed young man');
    // What the small one is known to get wrong.
    expect(last).toContain('not an ill-sposed young man');
  });

  it('goes on with its large model for others after one recording for which that was too slow', async () => {
    let secondsForEach = 10;
    const { transcribe } = await createTimedEngine(() => secondsForEach);
    await transcribe();
    secondsForEach = 0;
    for (let count = 0; count < 3; count++) expect(await transcribe()).toContain('not an ill-disposed young man');
  });
});

/** Their most resident memory at any time, in MB. */
function largestMemoryOfChildren(): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  return Math.max(...children.map((pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024));
}

describe('recordings', () => {
  const hearTones = (audio: Uint8Array, timestamps = true) => toneEngines().transcribe({ audio, timestamps });

  it('have no segments unless they are wanted', async () => {
    expect(await hearTones(recordTones('Hello there.'), false)).toMatchObject({ text: 'Hello there.', segments: [] });
    expect((await hearTones(recordTones('Hello there.'))).segments).toMatchObject([{ text: 'Hello there.' }]);
  });

  it('are transcribed several at a time', async () => {
    const texts = ['The first.', 'The second one.', 'The third of them all.', 'And one more than are decoded at a time.'];
    expect((await Promise.all(texts.map((text) => hearTones(recordTones(text))))).map(({ text }) => text)).toEqual(texts);
  });

  describe('beside one that', () => {
    const lost: EngineEvent[] = [];
    const obedient = createToneEngines({ onEvent: (event) => event.type === 'worker-lost' && lost.push(event) });
    afterAll(() => obedient.close());
    const say = (text: string, signal?: AbortSignal) =>
      obedient.transcribe({ audio: recordTones(text), timestamps: false, ...(signal && { signal }) });

    it('takes for ever are transcribed all the same, until that one is aborted', async () => {
      const leaving = new AbortController();
      const endless = say('Go on.', leaving.signal);
      const ended = expect(endless).rejects.toMatchObject({ name: 'EngineError', kind: 'aborted' });
      expect((await say('A short one.')).text).toBe('A short one.');
      leaving.abort();
      await ended;
      expect((await say('Another one.')).text).toBe('Another one.');
      expect(lost).toEqual([]);
    });

    it('the engine can’t stand are transcribed all the same, and only that one fails', async () => {
      const begun = say('The first of them.');
      const [failed, ...others] = await Promise.allSettled([say('Die.'), begun, say('And the last one.')]);
      expect(failed).toMatchObject({ status: 'rejected', reason: { kind: 'refused', message: expect.stringContaining('twice') } });
      expect(others.map((one) => one.status === 'fulfilled' && one.value.text)).toEqual(['The first of them.', 'And the last one.']);
      expect(lost).toHaveLength(2);
    });
  });
});

describe('an uploaded recording', () => {
  it.each(FILES)('is read from %s, identified by its content', async (name) => {
    const samples = await decode(fixture(name));
    expect(similarityOf(road, samples)).toBeGreaterThan(0.98);
    expect(Math.abs(samples.length / 16_000 - 5.36)).toBeLessThan(0.15);
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
      const recorder = await recordFfmpeg();
      vi.stubEnv('PATH', recorder.path);
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
        vi.unstubAllEnvs();
        await recorded.close();
      }
    },
  );

  it('is rejected if it needs ffmpeg and there is none, with what to do', async () => {
    vi.stubEnv('PATH', '/nowhere');
    onTestFinished(() => void vi.unstubAllEnvs());
    const without = createDecoder({ processes: 1 });
    onTestFinished(without.close);
    await expect(without.decode(fixture('road.m4a'))).rejects.toMatchObject({
      kind: 'unsupported-format',
      message: expect.stringContaining('install ffmpeg'),
    });
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
    const decoded = await decode(wrapInWav(data, { encoding, bits, channels: 2, rate: 16_000 }));
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
    ['65 535 channels', wrapInWav(new Uint8Array(5000), { channels: 65_535, rate: 8000 }), 'not-audio'],
  ])('is rejected if it is %s', async (_name, audio, kind) => {
    await expect(toneEngines().transcribe({ audio, timestamps: true })).rejects.toMatchObject({
      name: 'EngineError',
      kind,
      message: expect.stringMatching(/\. \S.*\.$/),
    });
  });

  it.each(FILES)('is read as far as it goes, or rejected, if %s is cut off', async (name) => {
    const whole = fixture(name);
    const half = await decode(whole.subarray(0, whole.length >> 1));
    expect(half.length).toBeGreaterThan(30_000);
    expect(similarityOf((await decode(whole)).subarray(0, 30_000), half)).toBeGreaterThan(0.999);
    await expect(decode(whole.subarray(0, 50))).rejects.toMatchObject({ kind: 'not-audio' });
  });
});
