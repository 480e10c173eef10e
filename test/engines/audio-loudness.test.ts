// Loudness against known signals and ffmpeg's meter, levelling of voices, peaks, and what none of it may change.
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { openPacketEncoder } from '../../src/audio/frame-encoder.ts';
import { createVoiceLoudness, recallVoiceLoudness, resourcesInUse, toOpusPackets } from '../../src/audio/index.ts';
import { createLeveller, createLimiter } from '../../src/audio/level/leveller.ts';
import { ffmpeg, titled } from '../helpers/requirements.ts';
import { inChunks, listen, measureLoudness, measureTone, oggOpusOf, pcm16, rms, tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';

const FFMPEG = 'ffmpeg';
const RATE = 48_000;
const level = (db: number) => 10 ** (db / 20);
const decibels = (factor: number) => 20 * Math.log10(factor);

afterEach(() => {
  expect(Object.values(resourcesInUse())).toEqual([0, 0, 0, 0]);
});

function concat(...parts: Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The whole output of a stage, whose input is chunked in these sizes, cyclically. */
function through(
  stage: { push(mono: Float32Array): Float32Array; flush(): Float32Array },
  sound: Float32Array,
  sizes = [1254],
): Float32Array {
  const out: Float32Array[] = [];
  for (let at = 0, turn = 0; at < sound.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    out.push(stage.push(sound.slice(at, at + size)).slice());
    at += size;
  }
  return concat(...out, stage.flush());
}

/** The true peak in dBFS: 8 points per sample, each interpolated from 64 samples around it. */
function truePeak(sound: Float32Array): number {
  let peak = 0;
  for (let at = 32; at < sound.length - 33; at++) {
    if (Math.max(Math.abs(sound[at] as number), Math.abs(sound[at + 1] as number)) < 0.6) continue;
    for (let part = 0; part < 8; part++) {
      let value = 0;
      for (let tap = -31; tap <= 32; tap++) {
        const x = tap - part / 8;
        value += (sound[at + tap] as number) * (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)) * Math.cos((Math.PI * x) / 65) ** 2;
      }
      peak = Math.max(peak, Math.abs(value));
    }
  }
  return decibels(peak);
}

const seconds = new Map<number, Float32Array>();
/** Syllables: a buzz with a fundamental and overtones that swells and fades four times, with a pause. */
function secondAt(rate: number): Float32Array {
  const made = Float32Array.from({ length: rate }, (_, index) => {
    const time = index / rate;
    if (time > 0.75) return 0;
    let value = 0;
    for (let harmonic = 1; harmonic <= 20; harmonic++) value += Math.sin(2 * Math.PI * 130 * harmonic * time + harmonic ** 2) / harmonic;
    return value * Math.sin(Math.PI * 4 * (time % 0.25)) ** 2 * 0.1;
  });
  seconds.set(rate, made);
  return made;
}

/** The same second again and again. */
function babble(length: number, lufs: number, rate = RATE): Float32Array {
  const second = seconds.get(rate) ?? secondAt(rate);
  const raw = concat(...Array.from({ length }, () => second));
  const factor = level(lufs - (measureLoudness(raw, rate) as number));
  return raw.map((value) => value * factor);
}

const wav = (samples: Float32Array) => wavOf(samples, RATE);

describe('measured loudness', () => {
  test.each([8000, 16_000, 24_000, 48_000])('of a sine of 997 Hz at −18 dBFS is −18 LUFS, at %i Hz', (rate) => {
    expect(measureLoudness(tone(997, 3, rate, level(-18)), rate)).toBeCloseTo(-18, 0.7);
  });

  test('excludes silence and anything more than 10 LU below the rest', () => {
    const [loud, quiet] = [tone(997, 12, RATE, level(-23)), tone(997, 1, RATE, level(-36))];
    expect(measureLoudness(concat(quiet, loud, quiet, new Float32Array(3 * RATE)), RATE)).toBeCloseTo(-23, 0.5);
    expect(measureLoudness(new Float32Array(RATE), RATE)).toBeNull();
    expect(measureLoudness(tone(997, 1, RATE, level(-75)), RATE)).toBeNull();
  });

  test.skipIf(!ffmpeg.isMet)(titled('is what ffmpeg measures', ffmpeg), () => {
    for (const sound of [
      babble(4, -20),
      Float32Array.from({ length: 3 * RATE }, (_, index) => 0.1 * Math.sin(index ** 2 / 1e5)),
      concat(tone(60, 1, RATE, 0.2), tone(6000, 2, RATE, 0.1)),
    ]) {
      const { stderr } = spawnSync(
        FFMPEG,
        ['-hide_banner', '-f', 's16le', '-ar', `${RATE}`, '-ac', '1', '-i', '-', '-af', 'ebur128=dualmono=true', '-f', 'null', '-'],
        { input: pcm16(sound), encoding: 'utf8' },
      );
      const theirs = Number(/Summary:[\s\S]*?I:\s+(-?[\d.]+) LUFS/.exec(stderr)?.[1]);
      expect(Math.abs((measureLoudness(sound, RATE) as number) - theirs)).toBeLessThan(0.2);
    }
  });
});

describe('the limiter', () => {
  test.each([8000, 48_000])('keeps peaks under −1 dBFS, inter-sample peaks included, at %i Hz', (rate) => {
    for (const part of [0.003, 0.11, 0.23, 0.37]) {
      for (const gain of [1, 8]) {
        // Swelling and fading within 25 ms.
        const sound = tone(part * rate, 0.2, rate, gain).map((value, index) => value * Math.sin((2 * Math.PI * 20 * index) / rate) ** 8);
        expect(truePeak(through(createLimiter(rate), sound))).toBeLessThan(-1);
      }
    }
  });

  test('leaves quieter sound unchanged, sample by sample', () => {
    for (const length of [0, 1, 47, 48, 300, 1254, 48_001]) {
      const sound = tone(440, 2, RATE, 0.6).slice(0, length);
      expect(through(createLimiter(RATE), sound)).toEqual(sound);
    }
  });

  test('ramps the level down and up without a step', () => {
    // A constant makes the level visible; the peak lasts 2 ms.
    const sound = new Float32Array(2 * RATE).fill(0.25).map((value, index) => (index >= 24_000 && index < 24_096 ? 3 : value));
    const limited = through(createLimiter(RATE), sound);
    const levels = limited.map((value, index) => value / (sound[index] as number));
    const steps = levels.subarray(1).map((level, index) => Math.abs(level - (levels[index] as number)));
    // All of it in 4 ms at the fastest.
    expect(Math.max(...steps)).toBeLessThan(1 / 192 + 1e-6);
    expect(Math.min(...levels)).toBeLessThan(0.3);
    expect(levels[23_000]).toBe(1);
    expect(levels.at(-1)).toBe(1);
  });

  test('holds no more than 5 ms back', () => {
    const limiter = createLimiter(RATE);
    let [taken, given] = [0, 0];
    for (let count = 0; count < 200; count++) {
      taken += 33;
      given += limiter.push(new Float32Array(33).fill(count % 40 < 20 ? 0.1 : 2)).length;
      expect(taken - given).toBeLessThanOrEqual(6 * 48);
    }
    expect(given + limiter.flush().length).toBe(taken);
  });
});

describe('a voice', () => {
  test.each([-35, -20, -16, -6])('that speaks at %i LUFS is heard at its target once it is known', (lufs) => {
    const voice = createVoiceLoudness();
    const stage = () => createLeveller({ rate: RATE, voice, volume: 1 });
    through(stage(), babble(4, lufs));
    const second = through(stage(), babble(4, lufs));
    // A voice more than 15 dB too quiet is not raised further.
    const target = Math.min(-16, lufs + 15);
    expect(Math.abs((measureLoudness(second, RATE) as number) - target)).toBeLessThan(1);
    expect(truePeak(second)).toBeLessThan(-1);
  });

  test('that is much too loud is turned down within half a second, even the first time', () => {
    const sound = babble(3, -4);
    const heard = through(createLeveller({ rate: RATE, voice: createVoiceLoudness(), volume: 1 }), sound);
    expect(rms(heard.subarray(RATE * 0.5, RATE * 0.75)) / rms(sound.subarray(RATE * 0.5, RATE * 0.75))).toBeLessThan(level(-9));
  });

  /** Plays all of an unknown voice at once; returns a function for its loudness between two times in seconds. */
  async function heardAtOnce(sound: Float32Array, voice = createVoiceLoudness()): Promise<(from: number, to: number) => number> {
    const encoder = await openPacketEncoder(RATE, { voice, volume: 1 });
    const packets: Uint8Array[] = [];
    const drain = () => {
      for (let packet = encoder.take(); packet; packet = encoder.take()) packets.push(packet);
    };
    for (let at = 0; at < sound.length; at += 1254) {
      encoder.add({ mono: sound.slice(at, at + 1254), rate: RATE });
      drain();
    }
    encoder.finish();
    drain();
    encoder.free();
    const heard = (await listen(inTurn(packets))).sound;
    return (from, to) => measureLoudness(heard.subarray(from * RATE, to * RATE), RATE) as number;
  }

  async function* inTurn(packets: Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* packets;
  }

  test.each([-4, -16, -30])('that speaks at %i LUFS begins at its target if a second of it is available', async (lufs) => {
    const loudness = await heardAtOnce(babble(5, lufs).map((value) => Math.max(-1, Math.min(1, value))));
    expect(Math.abs(loudness(0, 1) + 16)).toBeLessThan(1.5);
    expect(Math.abs(loudness(1, 5) + 16)).toBeLessThan(1.5);
  });

  test('that shouts is under −14 LUFS in its first second even without a preview', () => {
    const shouts = [
      tone(997, 1.5, RATE, 0.99),
      babble(2, -3),
      concat(new Float32Array(0.3 * RATE), babble(2, -5)),
      concat(tone(300, 0.2, RATE, level(-40)), tone(500, 1.5, RATE, 0.8)),
    ];
    for (const shout of shouts) {
      const begins = shout.findIndex((value) => Math.abs(value) > 0.02);
      for (const ahead of [[], [0.001]]) {
        const heard = through(createLeveller({ rate: RATE, voice: createVoiceLoudness(), volume: 1, ahead }), shout);
        expect(measureLoudness(heard.subarray(begins, begins + RATE), RATE)).toBeLessThan(-14);
      }
    }
  });

  test('that is as loud as it should be is hardly changed at its beginning even without a preview', () => {
    const sound = babble(2, -17);
    const heard = through(createLeveller({ rate: RATE, voice: createVoiceLoudness(), volume: 1 }), sound);
    expect(Math.abs((measureLoudness(heard.subarray(0, RATE), RATE) as number) + 17)).toBeLessThan(2.5);
  });

  test('does not learn twice from what was previewed', async () => {
    const [listened, not] = [createVoiceLoudness(), createVoiceLoudness()];
    await heardAtOnce(babble(3, -20), listened);
    through(createLeveller({ rate: RATE, voice: not, volume: 1 }), babble(3, -20));
    expect(listened.blocks).toBe(not.blocks);
    expect(listened.integrated()).toBeCloseTo(not.integrated() as number, 1);
  });

  test('that is too quiet is turned up slowly, the first time', () => {
    const sound = tone(300, 4, RATE, level(-30));
    const heard = through(createLeveller({ rate: RATE, voice: createVoiceLoudness(), volume: 1 }), sound);
    for (let at = 0; at < 4; at += 0.25) {
      const part = [at * RATE, (at + 0.25) * RATE] as const;
      expect(decibels(rms(heard.subarray(...part)) / rms(sound.subarray(...part)))).toBeLessThan(Math.max(0.01, 6 * (at + 0.25)));
    }
    expect(measureTone(heard.subarray(3.5 * RATE), 300, RATE).amplitude).toBeGreaterThan(level(-20));
  });

  test('is not judged by noise or silence', () => {
    const voice = createVoiceLoudness();
    const quiet = Float32Array.from({ length: 3 * RATE }, (_, index) => 0.0008 * Math.sin(index ** 2 / 1e4));
    expect(through(createLeveller({ rate: RATE, voice, volume: 1 }), quiet)).toEqual(quiet);
    expect(voice.integrated()).toBeNull();
  });

  test('that changes is followed, since older sound counts less', () => {
    const voice = createVoiceLoudness();
    const [before, after] = [babble(10, -12), babble(10, -20)];
    for (let count = 0; count < 10; count++) through(createLeveller({ rate: RATE, voice, volume: 1 }), before);
    for (let count = 0; count < 20; count++) through(createLeveller({ rate: RATE, voice, volume: 1 }), after);
    expect(Math.abs((voice.integrated() as number) + 20)).toBeLessThan(1.5);
  });

  test('is levelled the same however its sound is chunked', () => {
    const sound = concat(babble(1, -12), babble(1, -26)).map((value, index) => (index === 50_000 ? 4 : value));
    const whole = through(createLeveller({ rate: RATE, voice: createVoiceLoudness(), volume: 1.5 }), sound);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 6 }), (sizes) => {
        const cut = through(createLeveller({ rate: RATE, voice: createVoiceLoudness(), volume: 1.5 }), sound, sizes);
        expect(cut).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });
});

describe('what a listener hears', () => {
  test('is as long with loudness and volume as without', async () => {
    for (const length of [1, 647, 648, 649, 960, 4801, 30_000]) {
      const file = wav(tone(440, length / RATE, RATE));
      const counts = [{}, { loudness: createVoiceLoudness() }, { volume: 1.5 }].map(
        async (options) => (await listen(toOpusPackets(inChunks(file, 5000), options))).frames,
      );
      expect(await Promise.all(counts)).toEqual([0, 1, 2].map(() => Math.ceil((length + 312) / 960)));
    }
  });

  test('of a known voice begins at most 20 ms of sound later than without levelling', async () => {
    const file = wav(tone(440, 0.2, RATE));
    async function millisecondsTaken(options: Parameters<typeof toOpusPackets>[1]): Promise<number> {
      let bytes = 0;
      async function* source() {
        for (let at = 0; at < file.length; at += 96) {
          bytes = Math.max(0, at + 96 - 44);
          yield file.subarray(at, at + 96);
        }
      }
      for await (const _packet of toOpusPackets(source(), options)) break;
      return bytes / 96;
    }
    const without = await millisecondsTaken({});
    expect(await millisecondsTaken({ loudness: recallVoiceLoudness(-16, 50) })).toBeLessThanOrEqual(without + 20);
  });

  test('of an unknown voice begins even if no more of it comes', async () => {
    const file = wav(tone(440, 0.06, RATE));
    const heard = Promise.withResolvers<void>();
    async function* source() {
      yield file;
      await heard.promise;
    }
    for await (const packet of toOpusPackets(source(), { loudness: createVoiceLoudness() })) {
      expect(packet.length).toBeGreaterThan(3);
      heard.resolve();
      break;
    }
  });

  test('of an unknown voice is everything that came before it broke off', async () => {
    const file = wav(tone(440, 0.2, RATE));
    const broken = new Error('the line broke');
    async function* source() {
      yield file;
      throw broken;
    }
    const { frames, failure } = await listen(toOpusPackets(source(), { loudness: createVoiceLoudness() }));
    expect(failure).toBe(broken);
    expect(frames).toBeGreaterThanOrEqual(9);
  });

  test('of Ogg/Opus stays untouched, unless the volume asks otherwise', async () => {
    const { file, packets } = await oggOpusOf(tone(440, 0.6, RATE));
    const untouched = await Array.fromAsync(toOpusPackets(inChunks(file, 700), { loudness: createVoiceLoudness(), volume: 1 }));
    expect(untouched).toEqual(packets);
    const { sound, frames } = await listen(toOpusPackets(inChunks(file, 700), { volume: 0.5 }));
    expect(frames).toBeLessThanOrEqual(packets.length + 1);
    const { amplitude, snr } = measureTone(sound.subarray(4800, 24_000), 440, RATE);
    expect(decibels(amplitude / 0.5)).toBeCloseTo(-6, 0);
    expect(snr).toBeGreaterThan(25);
  });

  test('has the volume that was asked for, and peaks that stay whole', async () => {
    const heard = async (volume: number) => (await listen(toOpusPackets(inChunks(wav(tone(440, 0.5, RATE)), 3000), { volume }))).sound;
    expect(rms(await heard(0))).toBeLessThan(1e-4);
    expect(measureTone((await heard(0.25)).subarray(4800, 19_200), 440, RATE).amplitude).toBeCloseTo(0.125, 2);
    const loud = measureTone((await heard(2)).subarray(4800, 19_200), 440, RATE);
    expect(decibels(loud.amplitude)).toBeLessThan(-1);
    expect(decibels(loud.amplitude)).toBeGreaterThan(-2);
    expect(loud.snr).toBeGreaterThan(30);
  });
});
