// Malicious recordings: tightly packed, deeply nested, or with headers that lie. Those whose length doesn't matter are in fixtures/harmful.
import { readFileSync } from 'node:fs';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { checksum } from '../../src/audio/ogg/page.ts';

export const harmfulRecording = (name: string): Buffer => readFileSync(new URL(`../fixtures/harmful/${name}`, import.meta.url));

const STORED = ['four-gigabytes.wav', 'announced.flac', 'announced.m4a', 'announced.webm', 'nested.m4a', 'nested.webm', 'zipped.mp3'];

/** Files that are each meant to do harm in another way, by name. @param mp3 a few frames of a sound recording */
export function harmfulRecordings(mp3: Uint8Array): [name: string, bytes: Uint8Array][] {
  return [...STORED.map((name): [string, Uint8Array] => [name, harmfulRecording(name)]), ['tag.mp3', taggedMp3(mp3)]];
}

/** Those that are decoded for seconds before they prove too long. */
export const slowRecordings = (): [name: string, bytes: Uint8Array][] => [
  ['hours.flac', harmfulRecording('hours.flac')],
  ['hours.ogg', silentOgg(4000)],
  ['hour.mp3', silentMp3(3700)],
];

/** FLAC with frames of 65,535 zero samples in 13 or 14 bytes each, at 8 kHz. An hour takes 6 KB. @param seconds at most 11 hours */
export function silentFlac(seconds: number): Uint8Array {
  const samples = seconds * 8000;
  const frames = Math.ceil(samples / 65_535);
  // The numbers of frames are of two bytes from the 128th on.
  const flac = harmfulRecording('hours.flac').subarray(0, 42 + 13 * frames + Math.max(0, frames - 128));
  flac.writeUInt32BE(samples, 8 + 14);
  return flac;
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
