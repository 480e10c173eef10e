// The sound path with real codecs at both ends: measures what a listener's decoder makes of the packets.
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { type AudioPart, joinOpusPackets, PACKET_MS, resourcesInUse, toOpusPackets, warmUp } from '../../src/audio/index.ts';
import { wrapInWav } from '../../src/audio/wav.ts';
import { heardSeconds, inChunks, listen, measureTone, mp3Of, oggOpusOf, pcm16, rms, tone } from '../helpers/sound.ts';
import { librivoxRecordings, wavOf } from '../helpers/speech.ts';

const HZ = 440;
const SECONDS = 0.63;
const FRAME = PACKET_MS / 1000;

afterEach(() => {
  expect(Object.values(resourcesInUse())).toEqual([0, 0, 0, 0]);
});

async function collect(source: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return chunks;
}

/** Level of the difference of two sounds, in dB of full scale. mpg123 dithers its rounding, differently each time. */
async function differenceOf(one: Uint8Array[], other: Uint8Array[]): Promise<number> {
  const [a, b] = [(await listen(one)).sound, (await listen(other)).sound];
  expect(a.length).toBe(b.length);
  return 20 * Math.log10(rms(a.map((value, index) => value - (b[index] ?? 0))) + 1e-9);
}

/** Samples stored in a format other than 16 bit. */
function stored(samples: Float32Array, bits: 8 | 24 | 32 | 64, float: boolean): Uint8Array {
  const bytes = Buffer.alloc((samples.length * bits) / 8);
  samples.forEach((value, index) => {
    if (float && bits === 32) bytes.writeFloatLE(value, index * 4);
    else if (float) bytes.writeDoubleLE(value, index * 8);
    else if (bits === 8) bytes.writeUInt8(Math.round(value * 127) + 128, index);
    else bytes.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), (index * bits) / 8, bits / 8);
  });
  return bytes;
}

function wav(rate: number, samples = tone(HZ, SECONDS, rate)): Uint8Array {
  return wavOf(samples, rate);
}

/** As ffmpeg writes into a pipe, where sizes cannot be known; with a list of titles before the samples. */
function streamingWav(rate: number): Uint8Array {
  const file = Buffer.from(wav(rate));
  const list = Buffer.from('LIST\x0b\0\0\0INFOISFT\0\0\0\0', 'latin1');
  file.writeUInt32LE(0xffff_ffff, 4);
  file.writeUInt32LE(0xffff_ffff, 40);
  return Buffer.concat([file.subarray(0, 36), list, file.subarray(36)]);
}

function extensibleWav(rate: number): Uint8Array {
  const file = Buffer.from(wav(rate));
  const extension = Buffer.alloc(24);
  extension.writeUInt16LE(22, 0);
  extension.writeUInt16LE(1, 8);
  const head = Buffer.from(file.subarray(0, 36));
  head.writeUInt32LE(40, 16);
  head.writeUInt16LE(0xfffe, 20);
  return Buffer.concat([head, extension, file.subarray(36)]);
}

function stereo(left: Float32Array, right: Float32Array): Float32Array {
  return Float32Array.from({ length: left.length * 2 }, (_, index) => (index % 2 === 0 ? left : right)[index >> 1] ?? 0);
}

const speechTone = (rate: number) => tone(HZ, SECONDS, rate);
const silence = (rate: number) => new Float32Array(Math.round(SECONDS * rate));

const formats: [name: string, file: () => Uint8Array | Promise<Uint8Array>, label: Omit<AudioPart, 'source'>, level?: number][] = [
  ['WAV of 16 bit, 44.1 kHz', () => wav(44_100), { contentType: 'audio/wav' }],
  ['WAV of 16 bit, 24 kHz', () => wav(24_000), {}],
  ['WAV of 16 bit, 8 kHz', () => wav(8000), {}],
  ['WAV of 16 bit, 22.05 kHz', () => wav(22_050), {}],
  ['WAV of 8 bit', () => wrapInWav(stored(speechTone(48_000), 8, false), { bits: 8, rate: 48_000 }), {}],
  ['WAV of 24 bit', () => wrapInWav(stored(speechTone(48_000), 24, false), { bits: 24, rate: 48_000 }), {}],
  ['WAV of 32 bit', () => wrapInWav(stored(speechTone(48_000), 32, false), { bits: 32, rate: 48_000 }), {}],
  ['WAV of floats', () => wrapInWav(stored(speechTone(48_000), 32, true), { encoding: 3, bits: 32, rate: 48_000 }), {}],
  ['WAV of doubles', () => wrapInWav(stored(speechTone(48_000), 64, true), { encoding: 3, bits: 64, rate: 48_000 }), {}],
  [
    'WAV of two channels, one of them silent',
    () => wrapInWav(pcm16(stereo(speechTone(44_100), silence(44_100))), { channels: 2, rate: 44_100 }),
    {},
    0.25,
  ],
  ['WAV whose header does not know its size', () => streamingWav(24_000), {}],
  ['WAV with the extended header', () => extensibleWav(24_000), {}],
  ['PCM of a rate that is told', () => pcm16(speechTone(24_000)), { contentType: 'application/octet-stream', sampleRate: 24_000 }],
  ['PCM of a rate in its label', () => pcm16(speechTone(16_000)), { contentType: 'audio/pcm;rate=16000' }],
  ['PCM of the usual rate', () => pcm16(speechTone(44_100)), { contentType: 'audio/pcm' }],
  ['MP3', () => mp3Of([speechTone(44_100)], 44_100), { contentType: 'audio/mpeg' }],
  ['MP3 without a label', () => mp3Of([speechTone(24_000)], 24_000), {}],
  ['MP3 that is labelled as something else', () => mp3Of([speechTone(44_100)], 44_100), { contentType: 'application/octet-stream' }],
  ['MP3 of two channels, one of them silent', () => mp3Of([speechTone(44_100), silence(44_100)], 44_100), {}, 0.25],
  ['Ogg/Opus of 20 ms', async () => (await oggOpusOf(speechTone(48_000))).file, { contentType: 'audio/ogg' }],
  ['Ogg/Opus of 60 ms', async () => (await oggOpusOf(speechTone(48_000), { frameMs: 60 })).file, {}],
  ['Ogg/Opus of 2.5 ms', async () => (await oggOpusOf(speechTone(48_000), { frameMs: 2.5 })).file, {}],
  ['Ogg/Opus of two channels and 40 ms', async () => (await oggOpusOf(speechTone(48_000), { frameMs: 40, channels: 2 })).file, {}],
];

describe('what a listener hears', () => {
  test.each(formats)('of %s is the whole sound, at its level', async (_name, file, label, level = 0.5) => {
    const bytes = await file();
    const { sound, frames, failure } = await listen(toOpusPackets(inChunks(bytes, 1000), label));
    expect(failure).toBeNull();
    expect(Math.abs(heardSeconds(sound, 48_000, level / 10) - SECONDS)).toBeLessThan(FRAME);
    // Apart from encoder padding (MP3: up to 70 ms), nothing is added.
    expect(frames * FRAME - SECONDS).toBeLessThan(label.contentType === 'audio/mpeg' || _name.startsWith('MP3') ? 0.12 : 0.03);
    const start = sound.findIndex((value) => Math.abs(value) > level / 2);
    const { amplitude, snr } = measureTone(sound.subarray(start + 4800, start + 4800 + 19_200), HZ, 48_000);
    expect(Math.abs(20 * Math.log10(amplitude / level))).toBeLessThan(0.5);
    expect(snr).toBeGreaterThan(_name.includes('8 bit') ? 25 : 30);
  });

  test('has as many packets as the sound needs, no more', async () => {
    for (const length of [1, 647, 648, 649, 960, 4800, 4801]) {
      const file = wav(48_000, tone(HZ, length / 48_000, 48_000));
      const packets = await collect(toOpusPackets(inChunks(file, 5000)));
      expect(packets.length).toBe(Math.ceil((length + 312) / 960));
    }
  });

  test('does not depend on how the bytes are chunked', async () => {
    const files: [Uint8Array, string][] = [
      [await mp3Of([speechTone(44_100)], 44_100), 'audio/mpeg'],
      [wav(22_050), 'audio/wav'],
      [pcm16(speechTone(44_100)), 'audio/pcm'],
      [(await oggOpusOf(speechTone(48_000), { frameMs: 60 })).file, 'audio/ogg'],
    ];
    for (const [file, contentType] of files) {
      const whole = await collect(toOpusPackets(inChunks(file, file.length), { contentType }));
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 2500 }), { minLength: 1, maxLength: 9 }), async (sizes) => {
          async function* chunks() {
            for (let at = 0, turn = 0; at < file.length; turn++) {
              const size = sizes[turn % sizes.length] ?? 1;
              yield file.subarray(at, at + size);
              at += size;
            }
          }
          const packets = await collect(toOpusPackets(chunks(), { contentType }));
          if (contentType !== 'audio/mpeg') expect(packets).toEqual(whole);
          else expect(await differenceOf(packets, whole)).toBeLessThan(-50);
        }),
        { numRuns: 4 },
      );
    }
  });

  test('of Ogg/Opus with 20 ms packets is these packets, unchanged', async () => {
    for (const channels of [1, 2] as const) {
      const { file, packets } = await oggOpusOf(speechTone(48_000), { channels });
      expect(await collect(toOpusPackets(inChunks(file, 333)))).toEqual(packets);
    }
  });

  test('of sounds that follow each other has no gap and no click between them', async () => {
    const whole = tone(HZ, 1.2, 48_000);
    async function* parts(): AsyncGenerator<AudioPart> {
      // Cut within frames, and away from zero crossings.
      for (const [from, to] of [
        [0, 19_277],
        [19_277, 38_333],
        [38_333, whole.length],
      ]) {
        yield { source: inChunks(wav(48_000, whole.subarray(from, to)), 3000) };
      }
    }
    const { sound, frames } = await listen(joinOpusPackets(parts()));
    expect(frames).toBe(Math.ceil((whole.length + 312) / 960));
    const { snr } = measureTone(sound.subarray(4800, 52_800), HZ, 48_000);
    expect(snr).toBeGreaterThan(30);
    for (const join of [19_277, 38_333]) {
      const around = measureTone(sound.subarray(join - 480, join + 1440), HZ, 48_000);
      expect(around.snr).toBeGreaterThan(30);
    }
  });

  test('of thirty MP3s at once is the same as of each alone, and they share memory', async () => {
    const files = await Promise.all([220, 330, 440].map((hz) => mp3Of([tone(hz, 0.3, 44_100)], 44_100)));
    const alone = await Promise.all(files.map((file) => collect(toOpusPackets(inChunks(file, 500)))));
    const before = process.memoryUsage().external;
    const sounds = Array.from({ length: 30 }, (_, index) => toOpusPackets(inChunks(files[index % 3] as Uint8Array, 500)));
    for (const sound of sounds.slice(0, 20)) await sound.next();
    // Through the package's public API each decoder takes 17 MB; here 24 share a memory.
    expect(process.memoryUsage().external - before).toBeLessThan(100e6);
    const packets = await Promise.all(sounds.map(collect));
    packets.forEach((own, index) => {
      const [expected] = index < 20 ? [alone[index % 3]?.slice(1)] : [alone[index % 3]];
      expect(own).toEqual(expected);
    });
  });

  test.each([16_000, 24_000, 44_100] as const)('of MP3 of %i Hz in parts has no gap at the joins, nor a click', async (rate) => {
    for (const seconds of [0.5, 0.51]) {
      const part = await mp3Of([tone(HZ, seconds, rate)], rate);
      async function* parts(): AsyncGenerator<AudioPart> {
        for (let count = 0; count < 3; count++) yield { source: inChunks(part, 1000), contentType: 'audio/mpeg' };
      }
      const { sound } = await listen(joinOpusPackets(parts()));
      const first = sound.findIndex((value) => Math.abs(value) > 0.1);
      const last = sound.findLastIndex((value) => Math.abs(value) > 0.1);
      // The codec's echoes may leave a few milliseconds of up to 75.
      expect((last - first) / 48_000 - 3 * seconds).toBeLessThan(0.03);
      expect((last - first) / 48_000 - 3 * seconds).toBeGreaterThan(-0.01);
      let [quiet, longest, step] = [0, 0, 0];
      for (let at = first; at < last; at++) {
        quiet = Math.abs(sound[at] as number) < 0.02 ? quiet + 1 : 0;
        longest = Math.max(longest, quiet);
        step = Math.max(step, Math.abs((sound[at + 1] as number) - (sound[at] as number)));
      }
      expect(longest / 48_000).toBeLessThan(0.012);
      // If the tone itself is continuous (220 whole waves), so is what is heard.
      if (seconds === 0.5) expect(step).toBeLessThan(0.035);
    }
  });

  test('of sounds of different formats is one after the other', async () => {
    const mp3 = await mp3Of([speechTone(24_000)], 24_000);
    const opus = await oggOpusOf(speechTone(48_000));
    const files = [mp3, wav(44_100), opus.file, wav(8000)];
    async function* parts(): AsyncGenerator<AudioPart> {
      for (const file of files) yield { source: inChunks(file, 700) };
    }
    const { sound, failure } = await listen(joinOpusPackets(parts()));
    expect(failure).toBeNull();
    expect(Math.abs(heardSeconds(sound, 48_000) - files.length * SECONDS)).toBeLessThan(0.25);
  });

  test('of an MP3 with tags, damage and a change of rate is all of its sound', async () => {
    const id3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x07\x68', 'latin1'), Buffer.alloc(1000, 0xff)]);
    const garbage = Buffer.from(Array.from({ length: 500 }, (_, index) => (index * 89) % 256));
    const [first, second] = [await mp3Of([speechTone(44_100)], 44_100), await mp3Of([speechTone(16_000)], 16_000)];
    const trailer = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x20)]);
    const { sound, failure } = await listen(toOpusPackets(inChunks(Buffer.concat([id3, first, garbage, second, trailer]), 300)));
    expect(failure).toBeNull();
    expect(Math.abs(heardSeconds(sound, 48_000) - 2 * SECONDS)).toBeLessThan(0.15);
  });

  test('of an MP3 that says how much padding it has is trimmed to the sample', async () => {
    const mp3 = await mp3Of([speechTone(44_100)], 44_100);
    // An information frame as LAME writes it: 576 samples before the sound, 1000 after it.
    const info = Buffer.alloc(208);
    info.set([0xff, 0xfb, 0x50, 0xc4]);
    info.write('Info', 21);
    info.write('LAME3.100', 29);
    info.writeUIntBE((576 << 12) | 1000, 29 + 21, 3);
    const plain = (await listen(toOpusPackets(inChunks(mp3, 1000)))).sound;
    for (let turn = 0; turn < 2; turn++) {
      const { sound } = await listen(toOpusPackets(inChunks(Buffer.concat([info, mp3]), 1000)));
      const onset = (heard: Float32Array) => heard.findIndex((value) => Math.abs(value) > 0.25);
      // 1105 samples at 44.1 kHz are 1203 at 48; 471 at the end are 513.
      expect(Math.abs(onset(plain) - onset(sound) - 1203)).toBeLessThan(20);
      expect(heardSeconds(sound, 48_000)).toBeCloseTo(SECONDS, 2);
    }
  });

  test('contains nothing of the sound that its decoder handled before', async () => {
    const quiet = await mp3Of([silence(44_100)], 44_100);
    const alone = await collect(toOpusPackets(inChunks(quiet, 1000)));
    for await (const _packet of toOpusPackets(inChunks(await mp3Of([speechTone(44_100)], 44_100), 1000)));
    const after = await collect(toOpusPackets(inChunks(quiet, 1000)));
    expect(rms((await listen(after)).sound)).toBeLessThan(1e-4);
    expect(after.length).toBe(alone.length);
  });

  test('is not louder than full scale, whatever the floats say', async () => {
    const loud = Float32Array.from(speechTone(48_000), (value, index) => (index === 5000 ? Number.NaN : value * 40));
    const file = wrapInWav(stored(loud, 32, true), { encoding: 3, bits: 32, rate: 48_000 });
    const { sound } = await listen(toOpusPackets(inChunks(file, 4000)));
    expect(sound.every(Number.isFinite)).toBe(true);
    expect(rms(sound)).toBeLessThan(1);
  });
});

test('a WAV file begins as other programs write it', () => {
  const file = librivoxRecordings()[0]?.audio ?? new Uint8Array(0);
  expect(wrapInWav(file.subarray(44), { rate: 16_000 })).toEqual(file);
});

test('what is aborted between two packets is freed even if nobody pulls the next one', async () => {
  const abort = new AbortController();
  const frames = toOpusPackets(inChunks(wav(48_000), 4096), { signal: abort.signal });
  await frames.next();
  const reason = new Error('skipped');
  abort.abort(reason);
  while (resourcesInUse().encoder > 0) await turn();
  await expect(frames.next()).rejects.toBe(reason);
  expect(await frames.next()).toEqual({ done: true, value: undefined });
});

test('warming up leaves no resources in use', async () => {
  await warmUp();
});
