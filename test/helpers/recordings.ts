// Malicious recordings: tightly packed, deeply nested, or with headers that lie.
import { gzipSync } from 'node:zlib';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { checksum } from '../../src/audio/ogg/page.ts';
import { wavWith } from './speech.ts';

/** Files that are each meant to do harm in another way, by name. @param mp3 a few frames of a sound recording */
export function harmfulRecordings(mp3: Uint8Array): [string, Uint8Array][] {
  return [
    ['four-gigabytes.wav', wavWith(new Uint8Array(100), { encoding: 1, bits: 16, channels: 65_535, sampleRate: 0xffff_ffff })],
    ['announced.flac', oversizedFlac()],
    ['hours.flac', silentFlac(40_000)],
    ['hours.ogg', silentOgg(4000)],
    ['tag.mp3', taggedMp3(mp3)],
    ['hour.mp3', silentMp3(3700)],
    ['announced.m4a', oversizedM4a()],
    ['nested.m4a', nestedM4a(5000)],
    ['announced.webm', oversizedWebm()],
    ['nested.webm', nestedWebm(5000)],
    ['zipped.mp3', gzipSync(new Uint8Array(10_000_000))],
  ];
}

/** Those that are decoded for seconds before they prove too long. */
export const slowRecordings = ['hours.flac', 'hours.ogg', 'hour.mp3'];

/** FLAC with frames of 65,535 zero samples in 14 bytes each, at 8 kHz. An hour takes 6 KB. */
export function silentFlac(seconds: number): Uint8Array {
  const rate = 8000;
  const block = 65_535;
  const total = seconds * rate;
  const info = Buffer.alloc(34);
  info.writeUInt16BE(block, 0);
  info.writeUInt16BE(block, 2);
  // 20 bits of sample rate, 3 of channels minus one, 5 of bits per sample minus one, 36 of samples.
  info.writeBigUInt64BE((BigInt(rate) << 44n) | (0n << 41n) | (15n << 36n) | BigInt(total), 10);
  const frames = Array.from({ length: Math.ceil(total / block) }, (_, index) => silentFrame(index, block));
  return Buffer.concat([Buffer.from('fLaC'), Buffer.of(0x80, 0, 0, 34), info, ...frames]);
}

/** https://www.rfc-editor.org/rfc/rfc9639.html#section-9 */
function silentFrame(index: number, block: number): Buffer {
  const number = index < 0x80 ? [index] : [0xc0 | (index >> 6), 0x80 | (index & 0x3f)];
  // Fixed block size, in 16 bits; 8 kHz; mono; 16 bits.
  const header = Buffer.from([0xff, 0xf8, 0x74, 0x08, ...number, (block - 1) >> 8, (block - 1) & 0xff]);
  // One constant subframe of 0.
  const frame = Buffer.concat([header, Buffer.of(crc(header, 8, 0x07)), Buffer.of(0, 0, 0)]);
  const check = crc(frame, 16, 0x8005);
  return Buffer.concat([frame, Buffer.of(check >> 8, check & 0xff)]);
}

function crc(bytes: Uint8Array, bits: 8 | 16, polynomial: number): number {
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) value = value & (1 << (bits - 1)) ? (value << 1) ^ polynomial : value << 1;
    value &= (1 << bits) - 1;
  }
  return value;
}

/** A box of an MP4 file. */
function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/** 32-bit big-endian numbers. */
function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

const MANY = 0xffff_fff0;

/** An M4A of a few hundred bytes whose tables claim four billion samples. */
export function oversizedM4a(): Uint8Array {
  const entry = box('mp4a', words(0, 1, 0, 0), Buffer.of(0, 1, 0, 16, 0, 0, 0, 0), words(48_000 << 16));
  const tables = [
    box('stsd', words(0, 1), entry),
    box('stts', words(0, 1, MANY, 1024)),
    box('stsc', words(0, 1, 1, MANY, 1)),
    box('stsz', words(0, 1, MANY)),
    box('stco', words(0, 1, 400)),
  ];
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, 48_000, MANY, 0)),
    box('hdlr', words(0, 0), Buffer.from('soun'), words(0, 0, 0, 0)),
    box('minf', box('smhd', words(0, 0)), box('stbl', ...tables)),
  );
  const track = box('trak', box('tkhd', words(3, 0, 0, 1, 0, MANY), Buffer.alloc(60)), media);
  return Buffer.concat([
    box('ftyp', Buffer.from('M4A \0\0\0\0M4A ')),
    box('moov', box('mvhd', words(0, 0, 0, 1000, MANY), Buffer.alloc(80)), track),
    box('mdat'),
  ]);
}

/** Deeply nested boxes. */
export function nestedM4a(depth: number): Uint8Array {
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) inner = box('moov', inner);
  return Buffer.concat([box('ftyp', Buffer.from('M4A \0\0\0\0M4A ')), inner]);
}

/** An element of WebM with its size in eight bytes; `size` may differ from its content's. */
function element(id: number[], content: Uint8Array, size = BigInt(content.length)): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE((1n << 56n) | size);
  return Buffer.concat([Buffer.from(id), bytes, content]);
}

const EBML = [0x1a, 0x45, 0xdf, 0xa3];
const SEGMENT = [0x18, 0x53, 0x80, 0x67];
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75];
const webmHead = element(EBML, Buffer.concat([Buffer.of(0x42, 0x82, 0x84), Buffer.from('webm')]));

/** A WebM whose elements claim the largest possible size. */
export function oversizedWebm(): Uint8Array {
  const most = (1n << 56n) - 2n;
  return Buffer.concat([webmHead, element(SEGMENT, element(CLUSTER, element([0xa3], Buffer.alloc(100), most), most), most)]);
}

/** Deeply nested segments. */
export function nestedWebm(depth: number): Uint8Array {
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < depth; level++) inner = element(level % 2 ? SEGMENT : CLUSTER, inner);
  return Buffer.concat([webmHead, inner]);
}

/** An MP3 that begins with a tag that claims 256 MB. */
export function taggedMp3(frames: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7f', 'latin1'), frames]);
}

/** Silence in the smallest MP3 frames: 72 ms in 72 bytes. */
export function silentMp3(seconds: number): Uint8Array {
  // MPEG-2.5, layer III, 8 kbit/s, 8 kHz, mono; the rest of the frame is zero.
  const frame = Buffer.alloc(72);
  frame.set([0xff, 0xe3, 0x18, 0xc0]);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds / 0.072) }, () => frame));
}

/** A FLAC of 8 s whose header claims the longest possible duration. */
export function oversizedFlac(): Uint8Array {
  const flac = Buffer.from(silentFlac(1));
  flac.fill(0xff, 8 + 14, 8 + 18);
  flac[8 + 13] = (flac[8 + 13] ?? 0) | 0x0f;
  return flac;
}

/** Silence in Opus packets of two bytes for 120 ms each, as many per page as fit. An hour takes 93 KB. */
export function silentOgg(seconds: number): Uint8Array {
  const packets = Array.from({ length: 255 }, () => Buffer.of(0x1b, 2));
  const samples = packets.length * 5760;
  const pages = Array.from({ length: Math.ceil((seconds * 48_000) / samples) }, (_, index) =>
    page(index + 2, (index + 1) * samples, packets),
  );
  return Buffer.concat([createOggMuxer({ sampleRate: 48_000, serial: SERIAL, preSkip: 0 }).head(), ...pages]);
}

/** https://www.rfc-editor.org/rfc/rfc3533#section-6 for packets under 255 bytes. */
const SERIAL = 1;

function page(sequence: number, position: number, packets: Uint8Array[]): Buffer {
  const bytes = Buffer.concat([Buffer.alloc(27), Buffer.from(packets.map(({ length }) => length)), ...packets]);
  bytes.write('OggS', 0);
  bytes.writeBigInt64LE(BigInt(position), 6);
  bytes.writeUInt32LE(SERIAL, 14);
  bytes.writeUInt32LE(sequence, 18);
  bytes[26] = packets.length;
  bytes.writeUInt32LE(checksum(bytes), 22);
  return bytes;
}

/** Ogg/Opus of this many bytes, in packets of 0 to 2 bytes for 2.5 ms each, 255 to a page. */
export function tinyPacketOgg(bytes: number, size: number): Uint8Array {
  const packets = Array.from({ length: 255 }, () => Buffer.alloc(size, 0x80));
  const one = page(2, 0, packets);
  return Buffer.concat([
    createOggMuxer({ sampleRate: 48_000, serial: SERIAL, preSkip: 0 }).head(),
    Buffer.alloc(bytes - (bytes % one.length), one),
  ]);
}

/** A WebM of one Opus track with all packets in one block. `fixed` requires packets of the same size. */
export function lacedWebm(packets: readonly Uint8Array[], lacing: 'none' | 'xiph' | 'fixed' | 'ebml'): Uint8Array {
  const audio = element([0xe1], element([0x9f], Buffer.of(1)));
  const track = element(
    [0xae],
    Buffer.concat([element([0xd7], Buffer.of(1)), element([0x83], Buffer.of(2)), element([0x86], Buffer.from('A_OPUS')), audio]),
  );
  const block = (flags: number, ...content: Uint8Array[]) => element([0xa3], Buffer.concat([Buffer.of(0x81, 0, 0, flags), ...content]));
  const count = Buffer.of(packets.length - 1);
  const sizes = packets.slice(0, -1).map(({ length }) => length);
  const xiph = Buffer.from(sizes.flatMap((size) => [...new Array(Math.floor(size / 255)).fill(255), size % 255]));
  // Two bytes each; after the first the difference, offset by 8191.
  const ebml = Buffer.from(
    sizes.flatMap((size, index) => {
      const value = index === 0 ? size : size - (sizes[index - 1] as number) + 8191;
      return [0x40 | (value >> 8), value & 0xff];
    }),
  );
  const blocks = {
    none: () => packets.map((packet) => block(0, packet)),
    xiph: () => [block(2, count, xiph, ...packets)],
    fixed: () => [block(4, count, ...packets)],
    ebml: () => [block(6, count, ebml, ...packets)],
  }[lacing]();
  const unknown = (1n << 56n) - 1n;
  const cluster = element(CLUSTER, Buffer.concat(blocks), unknown);
  return Buffer.concat([webmHead, element(SEGMENT, Buffer.concat([element([0x16, 0x54, 0xae, 0x6b], track), cluster]), unknown)]);
}
