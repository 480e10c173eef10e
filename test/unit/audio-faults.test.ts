// The sound path when the source is not sound, breaks off, falls silent or never ends, or nobody listens any more.
import { spawnSync } from 'node:child_process';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AudioError, type AudioErrorKind, pcmToWav, resourcesInUse, toOpusPackets } from '../../src/audio/index.ts';
import { wrapInWav } from '../../src/audio/wav.ts';
import { countHeld } from '../helpers/garbage.ts';
import { ffmpeg, titled } from '../helpers/requirements.ts';
import { heardSeconds, inChunks, listen, mp3Of, oggOpusOf, pcm16, recordFfmpeg, tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';

const FFMPEG = 'ffmpeg';
const speechTone = (rate: number) => tone(440, 0.6, rate);
const wav = () => wavOf(speechTone(24_000), 24_000);

afterEach(() => {
  expect(Object.values(resourcesInUse())).toEqual([0, 0, 0, 0]);
});

async function failureOf(bytes: Uint8Array, contentType?: string): Promise<AudioError> {
  const { failure } = await listen(toOpusPackets(inChunks(bytes, 1000), contentType === undefined ? {} : { contentType }));
  expect(failure).toBeInstanceOf(AudioError);
  return failure as AudioError;
}

/** A source that says when it was let go, and hangs after its bytes until then. */
function hanging(bytes: Uint8Array): { source: AsyncIterable<Uint8Array>; pulls: () => number; returned: Promise<void> } {
  const returned = Promise.withResolvers<void>();
  let pulls = 0;
  let at = 0;
  return {
    pulls: () => pulls,
    returned: returned.promise,
    source: {
      [Symbol.asyncIterator]: () => ({
        next() {
          pulls++;
          if (at >= bytes.length) return new Promise<never>(() => {});
          at += 500;
          return Promise.resolve({ done: false, value: bytes.subarray(at - 500, at) });
        },
        async return() {
          returned.resolve();
          return { done: true, value: undefined };
        },
      }),
    },
  };
}

describe('something that is not sound', () => {
  const cases: [string, Uint8Array, string | undefined, AudioErrorKind][] = [
    ['a web page', Buffer.from(`<!DOCTYPE html><html><body>${'Bad gateway. '.repeat(200)}</body></html>`), 'audio/mpeg', 'not-audio'],
    ['JSON', Buffer.from('{"status":402,"message":"out of credit"}'), 'audio/mpeg', 'not-audio'],
    ['JSON that is labelled as bare bytes', Buffer.from('{"status":500}'), 'application/octet-stream', 'not-audio'],
    ['a word', Buffer.from('no'), undefined, 'not-audio'],
    ['nothing', new Uint8Array(0), 'audio/mpeg', 'empty'],
    ['half a sample', new Uint8Array([200]), 'audio/pcm', 'empty'],
    ['a WAV header and no more', wav().subarray(0, 44), 'audio/wav', 'truncated'],
    ['half a WAV header', wav().subarray(0, 30), 'audio/wav', 'truncated'],
    ['zeros that are labelled as MP3', new Uint8Array(200_000), 'audio/mpeg', 'not-audio'],
    ['noise that is labelled as MP3', Uint8Array.from({ length: 3000 }, (_, i) => (i * i * 31 + i) % 251), 'audio/mpeg', 'not-audio'],
  ];
  test.each(cases)('%s is recognised', async (_name, bytes, contentType, kind) => {
    expect((await failureOf(bytes, contentType)).kind).toBe(kind);
  });

  test('names the codec of a WAV file that cannot be decoded', async () => {
    const odd = wrapInWav(new Uint8Array(4000), { bits: 12, rate: 8000 });
    const error = await failureOf(odd, 'audio/wav');
    expect(error.kind).toBe('unsupported');
    expect(error.message).toContain('12 bits');
  });

  test.each([0, 1, 3999, 384_001, 0xffff_ffff])(
    'a WAV file or label with a rate of %i Hz is refused before anything is allocated',
    async (rate) => {
      const samples = pcm16(tone(440, 0.1, 8000));
      const failures = [await failureOf(wavOf(samples, rate), 'audio/wav'), await failureOf(samples, `audio/pcm; rate=${rate}`)];
      for (const error of failures) expect(error).toMatchObject({ kind: 'unsupported', message: expect.stringContaining(`${rate} Hz`) });
      expect(() => pcmToWav(samples, { contentType: `audio/pcm;rate=${rate}` })).toThrow(AudioError);
    },
  );

  test.each([4000, 384_000])('sound of %i Hz is decoded completely', async (rate) => {
    const { sound, failure } = await listen(
      toOpusPackets(inChunks(pcm16(tone(440, 0.5, rate)), 10_000), { contentType: `audio/pcm;rate=${rate}` }),
    );
    expect(failure).toBeNull();
    expect(Math.abs(heardSeconds(sound, 48_000) - 0.5)).toBeLessThan(0.02);
  });

  test('a WAV file without samples is empty', async () => {
    const file = wavOf(new Uint8Array(0), 8000);
    expect((await failureOf(file, 'audio/wav')).kind).toBe('empty');
  });
});

async function cutMp3WithFalseHeader(): Promise<Uint8Array> {
  const cut = (await mp3Of([speechTone(44_100)], 44_100)).slice(0, 3333);
  cut.set([0xff, 0xfb, 0x90, 0xc4], cut.length - 10);
  return cut;
}

describe('sound that breaks off', () => {
  test.each([
    ['MP3', async () => (await mp3Of([speechTone(44_100)], 44_100)).subarray(0, 3333), 0.3],
    ['MP3, where bytes look like the header of a frame,', () => cutMp3WithFalseHeader(), 0.3],
    ['WAV', async () => wav().subarray(0, 15_000), 0.25],
    ['Ogg/Opus', async () => (await oggOpusOf(speechTone(48_000))).file.subarray(0, 3000), 0.25],
  ])('in the middle of %s is returned up to there, then fails as truncated', async (_name, file, least) => {
    const { sound, failure } = await listen(toOpusPackets(inChunks(await file(), 700)));
    expect(failure).toMatchObject({ name: 'AudioError', kind: 'truncated' });
    expect(heardSeconds(sound, 48_000)).toBeGreaterThan(least);
  });

  test('with an error of its source throws that error', async () => {
    const broken = new Error('connection reset');
    async function* source() {
      yield wav().subarray(0, 12_000);
      throw broken;
    }
    const { failure, frames } = await listen(toOpusPackets(source()));
    expect(failure).toBe(broken);
    expect(frames).toBeGreaterThan(10);
  });

  test('and then stalls fails after the time limit', async () => {
    const { source, returned } = hanging(wav().subarray(0, 12_000));
    const { failure, frames } = await listen(toOpusPackets(source, { stallMs: 30 }));
    expect(failure).toMatchObject({ name: 'AudioError', kind: 'stalled' });
    expect(frames).toBeGreaterThan(10);
    await returned;
  });

  test('and stalls before its first byte fails in the same way', async () => {
    const { source } = hanging(new Uint8Array(0));
    const { failure } = await listen(toOpusPackets(source, { stallMs: 10 }));
    expect(failure).toMatchObject({ kind: 'stalled' });
  });
});

describe('a listener who leaves', () => {
  const kinds: [string, () => Promise<Uint8Array>][] = [
    ['MP3', () => mp3Of([speechTone(44_100)], 44_100)],
    ['WAV', async () => wav()],
    ['Ogg/Opus', async () => (await oggOpusOf(speechTone(48_000), { frameMs: 60 })).file],
  ];
  test.each(kinds)('of %s frees decoder, encoder and source', async (_name, file) => {
    const { source, returned } = hanging(await file());
    for await (const _packet of toOpusPackets(source)) {
      expect(Object.values(resourcesInUse()).reduce((sum, count) => sum + count)).toBeGreaterThan(0);
      break;
    }
    await returned;
  });

  test("by a signal ends the loop at once with the signal's reason", async () => {
    const abort = new AbortController();
    const reason = new Error('skipped');
    const { source, returned } = hanging(wav().subarray(0, 44 + 1000));
    const frames = toOpusPackets(source, { signal: abort.signal });
    await frames.next();
    const waiting = frames.next();
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await returned;
  });

  test('before the first packet costs nothing', async () => {
    const { source, pulls } = hanging(wav());
    await toOpusPackets(source).return(undefined);
    expect(pulls()).toBe(0);
    const { failure } = await listen(toOpusPackets(source, { signal: AbortSignal.abort('never mind') }));
    expect(failure).toBe('never mind');
    expect(pulls()).toBe(0);
  });
});

describe('under a signal that lives on, no memory is kept of a sound', () => {
  const { signal } = new AbortController();

  function keptOf(hear: (frames: AsyncGenerator<Uint8Array>) => unknown, length?: number): Promise<number> {
    return countHeld(async () => {
      const bytes = wav();
      await hear(toOpusPackets(inChunks(bytes.subarray(0, length), 5000), { signal }));
      return new WeakRef(bytes.buffer);
    });
  }

  test('that has ended', async () => {
    expect(await keptOf(async (frames) => expect((await listen(frames)).failure).toBeNull())).toBe(0);
  });

  test('that has failed', async () => {
    expect(await keptOf(async (frames) => expect((await listen(frames)).failure).toBeInstanceOf(AudioError), 4000)).toBe(0);
  });

  test('whose listener has left, or never came', async () => {
    const hearOne = async (frames: AsyncGenerator<Uint8Array>) => {
      for await (const _packet of frames) break;
    };
    expect(await keptOf(hearOne)).toBe(0);
    expect(await keptOf(() => {})).toBe(0);
  });
});

describe('a sound without end', () => {
  function endless(chunk: Uint8Array): { source: AsyncIterable<Uint8Array>; pulled: () => number } {
    let pulled = 0;
    async function* source() {
      for (;;) {
        pulled++;
        yield chunk;
      }
    }
    return { source: source(), pulled: () => pulled };
  }

  test('is at first read only on demand, then no more than half a second ahead', async () => {
    const { source, pulled } = endless(pcm16(tone(440, 0.05, 24_000)));
    const frames = toOpusPackets(source, { contentType: 'audio/pcm', sampleRate: 24_000 });
    for (let count = 1; count <= 50; count++) {
      await frames.next();
      await turn();
      // One packet is 20 ms, one chunk 50 ms; the encoder holds less than a packet.
      const ahead = count <= 10 ? 0 : 500;
      expect(pulled()).toBeLessThanOrEqual(Math.ceil((count * 20 + ahead) / 50) + 1);
    }
    await frames.return(undefined);
  });

  test('takes no more memory after four minutes than after one', () => {
    // In a process in which nothing else takes any.
    const script = `
      import { toOpusPackets } from './src/audio/index.ts';
      const second = new Uint8Array(Int16Array.from({ length: 8000 }, (_, at) => 16_000 * Math.sin(at / 3)).buffer);
      async function* source() { for (;;) yield second; }
      const frames = toOpusPackets(source(), { contentType: 'audio/pcm', sampleRate: 8000 });
      async function play(minutes: number) {
        for (let count = 0; count < minutes * 3000; count++) await frames.next();
        // The last object used may be referenced until the turn of the event loop is over.
        await new Promise(setImmediate);
        gc!();
        const { heapUsed, external } = process.memoryUsage();
        return heapUsed + external;
      }
      const early = await play(1);
      console.log(await play(3) - early);
      await frames.return(undefined);
    `;
    const args = ['--expose-gc', '--input-type=module-typescript', '-e', script];
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    // Three minutes of packets alone would be 1.4 MB, of samples 5.8 MB; compiled code takes some as well.
    expect(Number.parseInt(stdout, 10), stderr).toBeLessThan(1_200_000);
  });
});

describe.skipIf(!ffmpeg.isMet)(titled('a format that only ffmpeg reads', ffmpeg), () => {
  function flacOf(seconds: number): Uint8Array {
    const input = wavOf(tone(440, seconds, 24_000), 24_000);
    const { stdout } = spawnSync(FFMPEG, ['-loglevel', 'quiet', '-f', 'wav', '-i', '-', '-f', 'flac', '-'], { input });
    return stdout;
  }
  let flac: Uint8Array;
  beforeAll(() => {
    flac = flacOf(0.6);
  });

  test('is heard whole', async () => {
    const { sound, failure } = await listen(toOpusPackets(inChunks(flac, 1000), { contentType: 'audio/flac' }));
    expect(failure).toBeNull();
    expect(Math.abs(heardSeconds(sound, 48_000) - 0.6)).toBeLessThan(0.02);
  });

  test('is heard even if ffmpeg has what it needs before everything is read', async () => {
    const chunk = (type: string, ...parts: Uint8Array[]) => {
      const body = Buffer.concat(parts);
      const header = Buffer.alloc(12, type);
      header.writeBigInt64BE(BigInt(body.length), 4);
      return Buffer.concat([header, body]);
    };
    // https://developer.apple.com/library/archive/documentation/MusicAudio/Reference/CAFSpec/CAF_spec/CAF_spec.html
    const description = Buffer.alloc(32);
    description.writeDoubleBE(24_000, 0);
    description.write('lpcm', 8);
    for (const [index, value] of [2, 2, 1, 1, 16].entries()) description.writeUInt32BE(value, 12 + 4 * index);
    const sound = chunk('data', new Uint8Array(4), pcm16(tone(440, 0.6, 24_000)));
    const caf = Buffer.concat([Buffer.from('caff\0\x01\0\0'), chunk('desc', description), sound, chunk('free', new Uint8Array(4_000_000))]);
    const { sound: heard, failure } = await listen(toOpusPackets(inChunks(caf, 100_000), { contentType: 'audio/x-caf' }));
    expect(failure).toBeNull();
    expect(Math.abs(heardSeconds(heard, 48_000) - 0.6)).toBeLessThan(0.02);
  });

  test('ends its process when the listener leaves', async () => {
    const { source, returned } = hanging(flacOf(10));
    for await (const _packet of toOpusPackets(source)) {
      expect(resourcesInUse()['ffmpeg process']).toBe(1);
      break;
    }
    await returned;
  });

  test('ends its process when the source stalls', async () => {
    const { source } = hanging(flac.subarray(0, 200));
    const { failure } = await listen(toOpusPackets(source, { stallMs: 200 }));
    expect(failure).toMatchObject({ kind: 'stalled' });
  });

  test('is not guessed by ffmpeg', async () => {
    const input = wavOf(speechTone(24_000), 24_000);
    const { stdout } = spawnSync(FFMPEG, ['-loglevel', 'quiet', '-f', 'wav', '-i', '-', '-f', 'tta', '-'], { input });
    expect(stdout.length).toBeGreaterThan(1000);
    expect((await failureOf(stdout, 'audio/x-tta')).kind).toBe('not-audio');
  });

  test('is decoded by an ffmpeg that is told the format and can open nothing but its pipes', async () => {
    const ffmpeg = await recordFfmpeg();
    const script = `
      import { toOpusPackets } from './src/audio/index.ts';
      async function* source() { yield Buffer.from('${Buffer.from(flac).toString('base64')}', 'base64'); }
      let packets = 0;
      for await (const _ of toOpusPackets(source())) packets++;
      console.log(packets);
    `;
    const node = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
      encoding: 'utf8',
      env: { PATH: ffmpeg.path },
    });
    expect(Number(node.stdout)).toBeGreaterThan(29);
    expect(ffmpeg.starts()).toEqual([expect.stringContaining('-protocol_whitelist pipe -f flac -i pipe:0 ')]);
  });

  test('is not mistaken for noise', async () => {
    const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * index * 7 + 3 * index) % 251);
    expect((await failureOf(noise, 'audio/strange')).kind).toBe('not-audio');
  });
});

test('without ffmpeg, an undecodable format is named, with what to request instead; no decoder prints anything itself', () => {
  const script = `
    import { toOpusPackets } from './src/audio/index.ts';
    const noise = Uint8Array.from({ length: 9000 }, (_, i) => (i % 418 === 0 ? 0xff : i % 418 === 1 ? 0xfb : i % 418 === 2 ? 0x50 : (i * i * 31) % 251));
    async function* source(bytes) { yield bytes; }
    try { for await (const _ of toOpusPackets(source(noise), { contentType: 'audio/mpeg' })); } catch {}
    const flac = Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(300, 1)]);
    try { for await (const _ of toOpusPackets(source(flac))); } catch (error) { console.log(error.kind + ': ' + error.message); }
  `;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  expect({ stdout, stderr, status }).toEqual({
    stdout: 'unsupported: Cannot read FLAC: ask for MP3, WAV, PCM or Ogg/Opus, or install ffmpeg\n',
    stderr: '',
    status: 0,
  });
});
