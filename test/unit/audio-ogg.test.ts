// Ogg/Opus: the demuxer reads what the muxer writes, byte by byte if need be, and copes with damage.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createOggDemuxer, type OggItem } from '../../src/audio/ogg/demuxer.ts';
import { createOggMuxer, packetsToOgg } from '../../src/audio/ogg/muxer.ts';
import { opusSamples } from '../../src/audio/opus.ts';
import { oggOpusOf, tone } from '../helpers/sound.ts';

const CELT_20_MS = 0xf8;

/** A packet whose header says 20 ms of CELT. */
function packetOf(length: number, fill = 1): Uint8Array {
  const packet = new Uint8Array(length).fill(fill);
  packet[0] = CELT_20_MS;
  return packet;
}

function readAll(bytes: Uint8Array, step = bytes.length): OggItem[] {
  const demuxer = createOggDemuxer();
  const items: OggItem[] = [];
  for (let at = 0; at < bytes.length; at += step) items.push(...demuxer.push(bytes.subarray(at, at + step)));
  return items;
}

function packetsOf(items: OggItem[]): Uint8Array[] {
  return items.flatMap((item) => (item.kind === 'packet' ? [item.data] : []));
}

/** A page of any shape; the demuxer ignores checksums. */
function page(options: { flags?: number; granule?: bigint; serial?: number; lacing: number[]; body: Uint8Array }): Uint8Array {
  const { flags = 0, granule = 0n, serial = 7, lacing, body } = options;
  const header = Buffer.alloc(27 + lacing.length);
  header.write('OggS', 0);
  header.writeUInt8(flags, 5);
  header.writeBigInt64LE(granule, 6);
  header.writeUInt32LE(serial, 14);
  header.writeUInt8(lacing.length, 26);
  header.set(lacing, 27);
  return Buffer.concat([header, body]);
}

/** The CRC bit by bit, straight from its definition. */
function crcOf(bytes: Uint8Array): number {
  let crc = 0n;
  for (const byte of bytes) {
    crc ^= BigInt(byte) << 24n;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000_0000n ? ((crc << 1n) ^ 0x1_04c1_1db7n) & 0xffff_ffffn : crc << 1n;
  }
  return Number(crc);
}

/** The headers of all pages, whose checksums are verified. */
function pagesOf(file: Uint8Array) {
  const bytes = Buffer.from(file);
  const starts = [...bytes.toString('latin1').matchAll(/OggS/g)].map(({ index }) => index);
  return starts.map((start, index) => {
    const page = Buffer.from(bytes.subarray(start, starts[index + 1] ?? bytes.length));
    const crc = page.readUInt32LE(22);
    page.fill(0, 22, 26);
    expect(crc).toBe(crcOf(page));
    return { flags: page[5], granule: Number(page.readBigInt64LE(6)), serial: page.readUInt32LE(14), number: page.readUInt32LE(18) };
  });
}

describe('the muxer', () => {
  test('writes pages with correct checksums, numbers and positions', () => {
    const muxer = createOggMuxer({ sampleRate: 24_000, serial: 99 });
    const file = Buffer.concat([muxer.head(), muxer.packet(packetOf(10), 960), muxer.packet(packetOf(600), 500, true)]);
    expect(pagesOf(file)).toEqual([
      { flags: 2, granule: 0, serial: 99, number: 0 },
      { flags: 0, granule: 0, serial: 99, number: 1 },
      { flags: 0, granule: 960, serial: 99, number: 2 },
      { flags: 4, granule: 1460, serial: 99, number: 3 },
    ]);
  });

  test('names its maker in the comment header, with the length that players skip by', () => {
    const file = Buffer.from(createOggMuxer({ sampleRate: 48_000 }).head());
    const tags = file.subarray(file.indexOf('OpusTags'));
    expect(tags.subarray(12, 12 + tags.readUInt32LE(8)).toString()).toBe('Parley');
    expect(tags.readUInt32LE(12 + tags.readUInt32LE(8))).toBe(0);
  });

  test('writes a whole file with its header pages first', () => {
    const pages = pagesOf(packetsToOgg([packetOf(10), packetOf(300), packetOf(10)]));
    expect(pages.map(({ flags, granule, number }) => [number, flags, granule])).toEqual([
      [0, 2, 0],
      [1, 0, 0],
      [2, 0, 960],
      [3, 0, 1920],
      [4, 4, 2880],
    ]);
  });

  test('refuses a packet that does not fit into a page', () => {
    expect(() => createOggMuxer({ sampleRate: 48_000 }).packet(packetOf(255 * 255), 960)).toThrow(RangeError);
  });
});

test('the head of a file has its channels and its sample rate', () => {
  const file = Buffer.from(createOggMuxer({ sampleRate: 16_000, channels: 2 }).head());
  const head = file.subarray(file.indexOf('OpusHead'));
  expect([head.readUInt8(9), head.readUInt32LE(12)]).toEqual([2, 16_000]);
});

describe('the demuxer', () => {
  test('returns all packets, however the bytes are chunked', () => {
    const lengths = fc.array(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constantFrom(254, 255, 256, 510, 4000)), { maxLength: 12 });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 700 }), (sizes, step) => {
        const packets = sizes.map((size, index) => packetOf(size, index));
        const muxer = createOggMuxer({ sampleRate: 16_000, channels: 2, preSkip: 100 });
        const file = Buffer.concat([muxer.head(), ...packets.map((packet) => muxer.packet(packet, 960))]);
        const items = readAll(file, step);
        expect(items[0]).toEqual({
          kind: 'head',
          head: { preSkip: 100, gainDb: 0, mappingFamily: 0 },
        });
        expect(packetsOf(items).map((packet) => Buffer.from(packet))).toEqual(packets.map((packet) => Buffer.from(packet)));
      }),
      { numRuns: 60 },
    );
  });

  test('returns a packet with its last byte, long before its page ends', () => {
    const demuxer = createOggDemuxer();
    demuxer.push(createOggMuxer({ sampleRate: 48_000, serial: 7 }).head());
    const packets = [packetOf(100, 1), packetOf(300, 2), packetOf(50, 3)];
    const bytes = page({ granule: 2880n, lacing: [100, 255, 45, 50], body: Buffer.concat(packets) });
    const given: number[] = [];
    for (let at = 0; at < bytes.length; at++) if (demuxer.push(bytes.subarray(at, at + 1)).length > 0) given.push(at + 1);
    const begin = 27 + 4;
    expect(given).toEqual([begin + 100, begin + 400, begin + 450]);
  });

  test('joins a packet that spans pages, and drops one whose beginning is missing', () => {
    const head = createOggMuxer({ sampleRate: 48_000, serial: 7 }).head();
    const whole = packetOf(600, 5);
    const first = page({ granule: -1n, lacing: [255, 255], body: whole.subarray(0, 510) });
    const rest = page({ flags: 1, granule: 1920n, lacing: [90, 20], body: Buffer.concat([whole.subarray(510), packetOf(20, 6)]) });
    expect(packetsOf(readAll(Buffer.concat([head, first, rest]))).map((packet) => packet.length)).toEqual([600, 20]);
    expect(packetsOf(readAll(Buffer.concat([head, rest]))).map((packet) => packet.length)).toEqual([20]);
  });

  test('says how much of the last packets is beyond the end', async () => {
    const { file, packets } = await oggOpusOf(tone(440, 0.1, 48_000));
    const items = readAll(file, 11).filter((item) => item.kind === 'packet');
    const samples = items.reduce((sum, item) => sum + item.samples - item.drop, 0);
    expect(items.length).toBe(packets.length);
    expect(samples).toBe(4800 + 312);
  });

  test('finds the next page after garbage, and skips comments of any size', () => {
    const muxer = createOggMuxer({ sampleRate: 48_000, serial: 7 });
    const head = muxer.head();
    const bigTags = Buffer.alloc(255 * 255, 0x20);
    bigTags.write('OpusTags');
    const tags = [
      page({ granule: -1n, lacing: Array(255).fill(255), body: bigTags }),
      page({ flags: 1, lacing: [10], body: new Uint8Array(10) }),
    ];
    const sound = page({ granule: 960n, lacing: [5], body: packetOf(5) });
    const more = page({ granule: 1920n, lacing: [6], body: packetOf(6) });
    const opusHeadPage = head.subarray(0, 27 + 1 + 19);
    const file = Buffer.concat([opusHeadPage, ...tags, sound, Buffer.from('OggX, and garbage: OggS\x01'), more]);
    expect(packetsOf(readAll(file, 1000)).map((packet) => packet.length)).toEqual([5, 6]);
  });

  test('reads chained streams, and skips multiplexed ones of another codec', () => {
    const link = (serial: number) => {
      const muxer = createOggMuxer({ sampleRate: 48_000, serial });
      return [muxer.head(), muxer.packet(packetOf(serial), 960, true)];
    };
    const vorbis = page({ flags: 2, serial: 50, lacing: [30], body: Buffer.concat([Buffer.from('\x01vorbis'), Buffer.alloc(23)]) });
    const vorbisSound = page({ serial: 50, granule: 5n, lacing: [9], body: new Uint8Array(9) });
    const [head, sound] = link(3) as [Uint8Array, Uint8Array];
    const items = readAll(Buffer.concat([vorbis, head, vorbisSound, sound, ...link(4)]), 13);
    expect(items.map((item) => (item.kind === 'packet' ? item.data.length : item.kind))).toEqual(['head', 3, 'head', 4]);
  });

  test('does not throw on arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 50 }), fc.boolean(), (bytes, step, withHead) => {
        const head = createOggMuxer({ sampleRate: 48_000 }).head();
        readAll(withHead ? Buffer.concat([head, Buffer.from('OggS\0'), bytes]) : bytes, step);
      }),
    );
  });
});

test.each([
  ['f800', 960],
  ['fc00', 960],
  ['f900', 1920],
  ['fb03', 2880],
  ['1800', 2880],
  ['0000', 480],
  ['6000', 480],
  ['6800', 960],
  ['e000', 120],
  ['fffffe', 0],
  ['fb00', 0],
  ['1b03', 0],
  ['fb', 0],
  ['', 0],
])('counts the samples of an Opus packet that begins with %s', (hex, samples) => {
  expect(opusSamples(Buffer.from(hex, 'hex'))).toBe(samples);
});
