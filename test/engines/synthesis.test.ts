// Speech synthesis: formats, voices, speed and volume of the real engine, and how a text stops in any.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrangeVoices, readBundledCatalogue } from '../../src/local/voice-service/catalogue.ts';
import { createDecoder } from '../../src/local/voice-service/engines/decode/decoder.ts';
import { type EngineEvent, SHAPEABLE_VOICES, type SpeakRequest, type SpeechFormat } from '../../src/local/voice-service/engines/index.ts';
import { rms } from '../helpers/sound.ts';
import { collect, decodeWith, similarityOf, toSamples, wavOf } from '../helpers/speech.ts';
import { builtInEngines, createToneEngines } from '../helpers/voice-service.ts';

const SENTENCE = 'The children followed him home to dinner.';

const engines = builtInEngines();
const decoder = createDecoder({ processes: 1 });
/** The sentence as it is spoken unless a request says otherwise, at 16,000 Hz. */
let usual: Int16Array;

beforeAll(async () => {
  usual = await samplesFor({});
});
afterAll(() => decoder.close());

const speak = (request: Partial<SpeakRequest>) => engines.speak({ text: SENTENCE, voice: { base: 'rms' }, format: 'mp3', ...request });
const samplesFor = async (request: Partial<SpeakRequest>) =>
  toSamples(await collect(speak({ format: 'pcm', sampleRate: 16_000, ...request })));

/** The median pitch in Hz of its voiced parts, by autocorrelation. */
function measurePitch(samples: Int16Array, sampleRate: number): number {
  const window = Math.round(sampleRate * 0.045);
  const pitches: number[] = [];
  for (let at = 0; at + 2 * window < samples.length; at += window) {
    let best = 0;
    let bestLag = 0;
    for (let lag = Math.round(sampleRate / 320); lag < sampleRate / 60; lag++) {
      let product = 0;
      let power = 1;
      for (let i = 0; i < window; i++) {
        const a = samples[at + i] as number;
        const b = samples[at + i + lag] as number;
        product += a * b;
        power += (a * a + b * b) / 2;
      }
      if (power / window > 400 ** 2 && product / power > best) {
        best = product / power;
        bestLag = lag;
      }
    }
    if (best > 0.75) pitches.push(sampleRate / bestLag);
  }
  pitches.sort((a, b) => a - b);
  return pitches[pitches.length >> 1] ?? 0;
}

describe('local speech', () => {
  it.each<[SpeechFormat, number]>([
    ['mp3', 8000],
    ['mp3', 48_000],
    ['wav', 22_050],
    ['opus', 24_000],
    ['pcm', 48_000],
  ])('comes as %s at %i Hz', async (format, sampleRate) => {
    const bytes = await collect(speak({ format, sampleRate }));
    const samples = await decodeWith(decoder, format === 'pcm' ? wavOf(bytes, sampleRate) : bytes);
    expect(similarityOf(usual, samples)).toBeGreaterThan(0.9);
    expect(rms(samples) / rms(usual)).toBeCloseTo(1, 0);
    // MP3 comes in frames of up to 144 ms, with silence at both ends.
    expect(Math.abs(samples.length - usual.length) / 16_000).toBeLessThan(0.3);
    const view = new DataView(bytes.buffer);
    if (format === 'wav') expect([view.getUint32(24, true), view.getUint32(40, true)]).toEqual([sampleRate, 0xffff_ffff]);
    if (format === 'opus') expect(view.getUint32(28 + 12, true)).toBe(sampleRate);
  });

  it('has the requested bit rate', async () => {
    const small = await collect(speak({ format: 'mp3', mp3Bitrate: 64 }));
    const large = await collect(speak({ format: 'mp3', mp3Bitrate: 192 }));
    expect(large.length / small.length).toBeCloseTo(3, 0);
    const narrow = await collect(speak({ format: 'opus', opusBitrate: 12_000 }));
    const wide = await collect(speak({ format: 'opus', opusBitrate: 64_000 }));
    expect(wide.length).toBeGreaterThan(2 * narrow.length);
  });

  it('is the same for concurrent requests as for each alone', async () => {
    const texts = ['The first.', 'The second one.', 'The third of them all.', SENTENCE];
    const alone = [];
    for (const text of texts) alone.push(await samplesFor({ text }));
    expect(await Promise.all(texts.map((text) => samplesFor({ text })))).toEqual(alone);
  });

  it.each(Object.entries(SHAPEABLE_VOICES))('has %s in clearly different pitches', async (base, { pitchHz }) => {
    for (const pitch of [pitchHz.min, undefined, pitchHz.max]) {
      const samples = await samplesFor({ voice: { base, pitchHz: pitch } });
      expect(Math.abs(measurePitch(samples, 16_000) / (pitch ?? pitchHz.natural) - 1)).toBeLessThan(0.12);
    }
  });

  it('has voices in the bundled catalogue that all sound different', async () => {
    const { models } = arrangeVoices(readBundledCatalogue(), null, 'flite').file;
    const speaking = models.flatMap(({ voice }) => voice ?? []);
    const sounds = new Set<string>();
    for (const voice of speaking) sounds.add(Buffer.from((await samplesFor({ text: 'Hi.', voice })).buffer).toString('base64'));
    expect(sounds.size).toBe(speaking.length);
  });

  it('has voices of the same loudness', async () => {
    const levels: number[] = [];
    for (const base of Object.keys(SHAPEABLE_VOICES)) levels.push(rms(await samplesFor({ voice: { base } })));
    expect(Math.max(...levels) / Math.min(...levels)).toBeLessThan(1.6);
  });

  it('is faster or slower as the voice and the request say', async () => {
    expect((await samplesFor({ speed: 2 })).length / usual.length).toBeCloseTo(0.5, 1);
    expect((await samplesFor({ speed: 0.5 })).length / usual.length).toBeCloseTo(2, 1);
    expect((await samplesFor({ voice: { base: 'rms', rate: 1.25 } })).length / usual.length).toBeCloseTo(0.8, 1);
  });

  it('is louder or softer as requested, and never clips', async () => {
    const level = rms(usual);
    expect(rms(await samplesFor({ volumeDb: -12 })) / level).toBeCloseTo(0.25, 1);
    const loud = await samplesFor({ volumeDb: 20 });
    expect(rms(loud) / level).toBeGreaterThan(3);
    expect(loud.filter((sample) => Math.abs(sample) === 32_767).length / loud.length).toBeLessThan(0.3);
  });

  it.each<[string, Partial<SpeakRequest>, string]>([
    ['no text', { text: ' ' }, 'unspeakable'],
    ['a text in another script', { text: 'Привет всем' }, 'unspeakable'],
    ['a pitch the voice does not have', { voice: { base: 'slt', pitchHz: 500 } }, 'unsupported-format'],
  ])('rejects %s with a reason', async (_name, request, kind) => {
    await expect(collect(speak(request))).rejects.toMatchObject({
      name: 'EngineError',
      kind,
      message: expect.stringMatching(/\. \S.*\.$/),
    });
  });

  it('copes with symbols, long runs of letters and huge numbers', async () => {
    for (const text of ['&', '$', '%%%', '<speak>hi</speak>', 'z'.repeat(80), '9'.repeat(60), '(((a)))', "'''a'''", '1e400 -5 0x1F']) {
      expect((await samplesFor({ text })).length).toBeGreaterThan(1000);
    }
  });
});

describe('a text', () => {
  let events: EngineEvent[] = [];
  const engines = createToneEngines({ onEvent: (event) => event.type === 'asked' || events.push(event) });
  beforeEach(() => {
    events = [];
  });
  afterAll(() => engines.close());
  const speak = (text: string, signal?: AbortSignal) =>
    engines.speak({ text, voice: { base: 'rms' }, format: 'mp3', ...(signal && { signal }) });

  it('yields the first sound before its second sentence is synthesised', async () => {
    const chunks = speak('One. Two. Three.')[Symbol.asyncIterator]();
    expect((await chunks.next()).value?.length).toBeGreaterThan(0);
    expect(events).toEqual([{ type: 'synthesised', pieces: 1 }]);
    await chunks.return?.();
  });

  it('is no longer synthesised once the consumer leaves, and the thread is free again', async () => {
    for await (const chunk of speak('This is a sentence. '.repeat(500))) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    expect((await collect(speak('And this is another.'))).length).toBeGreaterThan(10_000);
    expect(events).toHaveLength(2);
  });

  it('is no longer synthesised once it is aborted, before it begins and in the middle', async () => {
    await expect(collect(speak('Hello.', AbortSignal.abort()))).rejects.toMatchObject({ name: 'EngineError', kind: 'aborted' });
    const leaving = new AbortController();
    const all = async () => {
      for await (const _ of speak('This is a sentence. '.repeat(500), leaving.signal)) leaving.abort();
    };
    await expect(all()).rejects.toMatchObject({ kind: 'aborted' });
    expect((await collect(speak('And this is another.'))).length).toBeGreaterThan(10_000);
    expect(events.length).toBeLessThan(4);
  });
});
