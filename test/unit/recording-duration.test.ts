// The length of recordings, measured from their bytes: right for every container, and never too short, whatever a file claims.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { createCounter } from '../../src/recording-duration/counter.ts';
import { type Duration, MAX_ESTIMATE } from '../../src/recording-duration/duration.ts';
import { harmfulRecording, silentFlac, silentMp3, silentOgg } from '../helpers/recordings.ts';
import { silentWav } from '../helpers/speech.ts';

const ROAD_SECONDS = 5.36;
/** Bytes of `silence.webm` before its only block. */
const WEBM_HEAD = 118;
/** Bytes of the slowest input. */
const LARGE = 1_000_000;
const road = (name: string) => readFileSync(new URL(`../fixtures/speech/${name}`, import.meta.url));
const roads = ['road-opus.ogg', 'road-vorbis.ogg', 'road.flac', 'road.m4a', 'road.mp3', 'road.webm'];

function count(bytes: Uint8Array, piece = 64 * 1024): Duration {
  const counter = createCounter();
  for (let at = 0; at < bytes.length; at += piece) counter.push(bytes.subarray(at, at + piece));
  counter.end();
  return counter.duration();
}

/** Replaces every occurrence of `wanted` with `changed`. */
function replaceAll(bytes: Uint8Array, wanted: string, change: (copy: Buffer, at: number) => void): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(wanted); at >= 0; at = copy.indexOf(wanted, at + wanted.length)) change(copy, at);
  return copy;
}

/** AAC in ADTS: frames of this many bytes, 1024 samples at 16 kHz each. */
function adts(frames: number, bytes = 200): Buffer {
  const frame = Buffer.alloc(bytes);
  frame.set([0xff, 0xf1, 0x60, 0x40 | (bytes >> 11), (bytes >> 3) & 0xff, ((bytes & 7) << 5) | 0x1f, 0xfc]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

const wav = Buffer.from(silentWav(3));

describe('the measured length', () => {
  it.each(roads)('of %s is that of its audio', (name) => {
    const { seconds, isMeasured } = count(road(name));
    expect(isMeasured).toBe(true);
    expect(seconds).toBeGreaterThan(ROAD_SECONDS - 0.01);
    expect(seconds).toBeLessThan(ROAD_SECONDS + 0.15);
  });

  it.each([
    ['WAV', wav, 3],
    ['AAC', adts(100), 6.4],
    ['AMR', Buffer.concat([Buffer.from('#!AMR\n'), ...Array.from({ length: 100 }, () => Buffer.alloc(32, 0x3c))]), 2],
    ['an hour of FLAC in 6 KB', silentFlac(3600), 3604],
    ['an hour of Opus in 93 KB', silentOgg(3600), 3610.8],
    ['a minute of MP3 at 8 kbit/s', silentMp3(60), 60],
  ])('of %s is that of its audio', (_, bytes, seconds) => {
    expect(count(bytes).seconds).toBeCloseTo(seconds, 0);
    expect(count(bytes).isMeasured).toBe(true);
  });

  it.each([...roads.map((name) => [name, road(name)] as const), ['adts', adts(20)] as const, ['wav', wav.subarray(0, 5000)] as const])(
    'of %s is the same in whatever pieces it comes',
    (_, bytes) => {
      const whole = count(bytes, bytes.length);
      for (const piece of [1, 7, 1000]) expect(count(bytes, piece)).toEqual(whole);
    },
  );

  it('is known before the end if the index does not come last', () => {
    const counter = createCounter();
    const bytes = road('road.mp3');
    counter.push(bytes.subarray(0, bytes.length / 2));
    expect(counter.duration().seconds).toBeCloseTo(ROAD_SECONDS / 2, 0);
  });
});

describe('a file that lies about its length is measured anyway:', () => {
  it('Ogg whose pages are all at position 0', () => {
    const counted = count(replaceAll(road('road-opus.ogg'), 'OggS', (copy, at) => copy.fill(0, at + 6, at + 14)));
    expect(counted.seconds).toBeGreaterThan(ROAD_SECONDS - 0.01);
  });

  it('Vorbis whose pages are all at position 0', () => {
    const counted = count(replaceAll(road('road-vorbis.ogg'), 'OggS', (copy, at) => copy.fill(0, at + 6, at + 14)));
    expect(counted.seconds).toBeGreaterThan(ROAD_SECONDS - 0.01);
  });

  it('Ogg with pages hidden inside one with a wrong checksum', () => {
    const head = createOggMuxer({ sampleRate: 48_000 }).head();
    const hidden = silentOgg(600);
    const cover = Buffer.alloc(27 + 255, 255);
    cover.write('OggS\0\0', 'latin1');
    // It ends in the middle of what it hides.
    expect(count(Buffer.concat([head, cover, hidden])).seconds).toBeGreaterThanOrEqual(600);
  });

  it('Ogg with thousands of such pages, which counts as the longest recording', () => {
    const cover = Buffer.alloc(27 + 255, 255);
    cover.write('OggS\0\0', 'latin1');
    const file = Buffer.concat([createOggMuxer({ sampleRate: 48_000 }).head(), ...Array.from({ length: 20_000 }, () => cover)]);
    expect(count(file)).toEqual({ seconds: MAX_ESTIMATE, isMeasured: false });
  });

  it('several chained Ogg files', () => {
    expect(count(Buffer.concat([silentOgg(300), silentOgg(300)])).seconds).toBeGreaterThanOrEqual(600);
  });

  it('WebM that states a duration of nothing', () => {
    const lying = replaceAll(road('road.webm'), '\x44\x89\x88', (copy, at) => copy.fill(0, at + 3, at + 11));
    expect(count(lying).seconds).toBeGreaterThan(ROAD_SECONDS - 0.01);
  });

  it('WebM with more sound behind an element that claims to be longer than the file', () => {
    const part = harmfulRecording('silence.webm');
    const padding = Buffer.from('ec0100000040000000', 'hex');
    const cluster = part.subarray(part.indexOf('1f43b675', 'hex'));
    expect(count(part).seconds).toBeCloseTo(30, 1);
    expect(count(Buffer.concat([part, padding, cluster])).seconds).toBeGreaterThan(59.9);
  });

  it('WebM whose blocks are too large to be read, which counts as the most that fits into them', () => {
    // 256 packets of 800 bytes, in one block.
    const [block, packets] = [Buffer.from('a3010000000003200581000004ff', 'hex'), Buffer.alloc(256 * 800, Buffer.of(0x1b, 2))];
    expect(count(Buffer.concat([harmfulRecording('silence.webm').subarray(0, WEBM_HEAD), block, packets])).seconds).toBeGreaterThanOrEqual(
      256 * 0.12,
    );
  });

  it('WebM that describes another track than the one with its blocks', () => {
    const lying = road('road.webm');
    lying.writeUInt8(33, lying.indexOf('d78101', 'hex') + 2);
    expect(count(lying).seconds).toBeCloseTo(lying.length / 3000, 0);
  });

  it('M4A whose time tables claim next to nothing', () => {
    const lying = replaceAll(road('road.m4a'), 'stts', (copy, at) => copy.writeUInt32BE(1, at + 16));
    expect(count(lying).seconds).toBeGreaterThan(ROAD_SECONDS - 0.01);
  });

  it('WAV that claims a higher byte rate than its samples have', () => {
    const lying = Buffer.from(wav);
    lying.writeUInt32LE(1_000_000_000, 28);
    expect(count(lying).seconds).toBeCloseTo(3, 1);
  });

  it('WAV that claims a lower byte rate than its samples have, which is believed', () => {
    const lying = Buffer.from(wav);
    lying.writeUInt32LE(8000, 28);
    expect(count(lying).seconds).toBeCloseTo(12, 1);
  });

  it('WAV whose header claims that it ends after a few samples', () => {
    const lying = Buffer.from(wav);
    lying.writeUInt32LE(100, 40);
    expect(count(lying).seconds).toBeCloseTo(3, 1);
  });

  it('MP3 whose tag has a damaged size', () => {
    const lying = road('road.mp3');
    lying.writeUInt32BE(0x0000_b711, 6);
    expect(count(lying).seconds).toBeGreaterThan(ROAD_SECONDS - 0.01);
  });

  it('FLAC whose header claims other numbers', () => {
    expect(count(harmfulRecording('announced.flac')).seconds).toBeCloseTo(8.2, 0);
    const none = Buffer.from(silentFlac(600));
    none.fill(0, 8 + 14, 8 + 18);
    expect(count(none).seconds).toBeGreaterThanOrEqual(600);
  });

  it('M4A that claims billions of samples', () => {
    expect(count(harmfulRecording('announced.m4a')).seconds).toBeGreaterThan(1_000_000);
  });
});

it('counts WebM damaged anywhere behind its header as long as it was, more or less', () => {
  const bytes = road('road.webm');
  for (let at = 450; at < bytes.length - 20; at += 97) {
    const damaged = Buffer.from(bytes).fill(0x55, at, at + 16);
    const { seconds } = count(damaged);
    expect(seconds, `damaged at ${at}`).toBeGreaterThan(ROAD_SECONDS - 0.1);
    expect(seconds, `damaged at ${at}`).toBeLessThan(ROAD_SECONDS + 0.3);
  }
});

describe('an unmeasurable recording is estimated at 24 kbit/s, up to an hour:', () => {
  const kilobytes = (count: number, start: string) =>
    Buffer.concat([Buffer.from(start, 'latin1'), Buffer.alloc(count * 1000 - start.length, 0x55)]);
  it.each([
    ['WMA', kilobytes(300, '\x30\x26\xb2\x75\x8e\x66\xcf\x11')],
    [
      'Ogg with a codec that is not known',
      replaceAll(road('road-opus.ogg'), 'OpusHead', (copy, at) => copy.write('Speex   ', at)).subarray(0),
    ],
    ['an MP3 that is one tag, as it says', Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), silentMp3(60)])],
    ['bytes that look like an MP3 for a moment', kilobytes(300, '\xff\xfb\x90\x00')],
    [
      'a WAV with compressed sound',
      (() => {
        const adpcm = Buffer.from(wav);
        adpcm.writeUInt16LE(2, 20);
        return adpcm;
      })(),
    ],
  ])('%s', (_, bytes) => {
    const { seconds, isMeasured } = count(bytes);
    expect(isMeasured).toBe(false);
    expect(seconds).toBeCloseTo(bytes.length / 3000, -1);
  });

  it('20 MB of it', () => {
    expect(count(kilobytes(20_000, 'caff'))).toEqual({ seconds: 3600, isMeasured: false });
  });
});

describe('measuring any bytes terminates', () => {
  const samples = [
    ...roads.map(road),
    wav.subarray(0, 3000),
    adts(20),
    ...['announced.m4a', 'nested.m4a', 'announced.webm', 'nested.webm'].map(harmfulRecording),
    // It once made a parser turn in circles.
    Buffer.from('1a45dfa3874282847765626d18538067ff18538067ff18538067ff', 'hex'),
  ];

  it('of files with bytes changed, removed or repeated', () => {
    const change = fc.record({ at: fc.nat(), remove: fc.nat(20), insert: fc.uint8Array({ maxLength: 12 }) });
    const mutated = fc
      .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 70_000 }))
      .map(([sample, changes, piece]) => {
        let bytes = Buffer.from(sample);
        for (const { at, remove, insert } of changes) {
          const place = at % (bytes.length + 1);
          bytes = Buffer.concat([bytes.subarray(0, place), insert, bytes.subarray(place + remove)]);
        }
        return { bytes, piece };
      });
    fc.assert(
      fc.property(mutated, ({ bytes, piece }) => {
        const { seconds } = count(bytes, Math.max(piece, bytes.length >> 6));
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(seconds)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    'OggS',
    'fLaC',
    '\x1aE\xdf\xa3',
    '\0\0\0\x10ftyp',
    'RIFF\0\0\0\0WAVE',
    'FORM\0\0\0\0AIFF',
    '\xff\xfb\x90',
    '\xff\xf1\x60',
    '#!AMR\n',
    'ID3',
  ])('of anything after %j', (start) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 4000 }), (rest) => {
        expect(Number.isFinite(count(Buffer.concat([Buffer.from(start, 'latin1'), rest])).seconds)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it.each<[string, Buffer]>([
    ['the first byte of frames', Buffer.alloc(LARGE, 0xff)],
    ['elements of no size', Buffer.concat([Buffer.from('1a45dfa380', 'hex'), Buffer.alloc(LARGE, 0x80)])],
    ['packets of one byte', Buffer.concat([createOggMuxer({ sampleRate: 48_000 }).head(), ...pagesOfOneByte(LARGE)])],
    [
      'boxes without content',
      Buffer.concat([Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0', 'latin1'), Buffer.alloc(LARGE, Buffer.from('\0\0\0\x08moov', 'latin1'))]),
    ],
    [
      'chunks without content',
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WAVE', 'latin1'), Buffer.alloc(LARGE, Buffer.from('fmt \0\0\0\0', 'latin1'))]),
    ],
    ['headers of FLAC', Buffer.concat([Buffer.from('fLaC\x80\0\0\0', 'latin1'), Buffer.alloc(LARGE, Buffer.of(0xff, 0xf8, 0x74, 0x08))])],
  ])('of a megabyte of %s', (_, bytes) => {
    count(bytes);
  });
});

function pagesOfOneByte(bytes: number): Buffer[] {
  const muxer = createOggMuxer({ sampleRate: 48_000 });
  const page = Buffer.from(muxer.packet(Buffer.of(0x1b), 5760));
  return [Buffer.alloc(bytes, page)];
}
