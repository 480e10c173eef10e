// The local voice server's RTP packets: header extensions, padding, and what is refused.
import { expect, test } from 'vitest';
import {
  countSamples,
  isEndToEndEncrypted,
  isSilence,
  isVoicePacket,
  openVoicePacket,
  sealReports,
  sealVideo,
  sealVoicePacket,
} from '../../src/local/discord/voice/rtp.ts';
import { createTransportCipher, MODES } from '../../src/local/discord/voice/transport-cipher.ts';

const PACKET = { ssrc: 0xfedcba98, sequence: 65_535, timestamp: 0xfffffffe, payload: Buffer.from('opus') };

test.each(MODES)('%s: decryption restores the packet', (mode) => {
  const cipher = createTransportCipher(mode);
  const datagram = sealVoicePacket(cipher, PACKET);
  expect(isVoicePacket(datagram)).toBe(true);
  expect(openVoicePacket(cipher, datagram)).toEqual(PACKET);
});

test.each(MODES)('%s: a packet changed at any byte is refused', (mode) => {
  const cipher = createTransportCipher(mode);
  const datagram = sealVoicePacket(cipher, PACKET);
  for (let index = 0; index < datagram.length; index += 1) {
    const changed = Buffer.from(datagram);
    changed[index] = (changed[index] as number) ^ 0x40;
    expect(() => openVoicePacket(cipher, changed)).toThrow();
  }
});

test('no two packets are encrypted with the same nonce', () => {
  const cipher = createTransportCipher('aead_aes256_gcm_rtpsize');
  const datagrams = [1, 2, 3].map(() => sealVoicePacket(cipher, PACKET));
  const counters = datagrams.map((datagram) => datagram.readUInt32BE(datagram.length - 4));
  expect(new Set(counters).size).toBe(3);
});

test('contributing sources and padding are removed', () => {
  const cipher = createTransportCipher('aead_aes256_gcm_rtpsize');
  const header = Buffer.from([0xa2, 0x78, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 1, 1, 1, 1, 2, 2, 2, 2]);
  const datagram = cipher.seal(header, Buffer.from([...Buffer.from('opus'), 0, 0, 3]));
  expect(openVoicePacket(cipher, datagram)).toEqual({ ssrc: 3, sequence: 1, timestamp: 2, payload: Buffer.from('opus') });
});

test.each([
  {},
  { extension: 'none' },
  { extension: 'two-byte' },
  { extension: 'unknown', csrcs: 3, padding: 255 },
  { csrcs: 15, padding: 1 },
] as const)('a packet with %j is read as the same', (layout) => {
  const cipher = createTransportCipher('aead_aes256_gcm_rtpsize');
  expect(openVoicePacket(cipher, sealVoicePacket(cipher, { ...PACKET, layout }))).toEqual(PACKET);
});

test('reports and video are not voice packets', () => {
  const cipher = createTransportCipher('aead_aes256_gcm_rtpsize');
  const others = [...sealReports(cipher, PACKET.ssrc), ...sealVideo(cipher, PACKET)];
  expect(others.map((datagram) => datagram[1])).toEqual([200, 201, 101, 102]);
  expect(others.some(isVoicePacket)).toBe(false);
});

test.each([
  [960, [0xf8, 0xff, 0xfe]],
  [2880, [0x18, 0]],
  [120, [0xe4]],
  [1920, [0xf9]],
  [5760, [0x1b, 2]],
])('%d samples are counted in %j', (samples, opus) => {
  expect(countSamples(Uint8Array.from(opus))).toBe(samples);
});

test('a header that exceeds the packet is refused', () => {
  const cipher = createTransportCipher('aead_aes256_gcm_rtpsize');
  const header = Buffer.from([0x8f, 0x78, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3]);
  expect(() => openVoicePacket(cipher, cipher.seal(header, Buffer.alloc(4)))).toThrow();
});

test.each([
  ['a keep-alive', Buffer.alloc(8)],
  ['an RTCP packet', Buffer.concat([Buffer.from([0x80, 201]), Buffer.alloc(60)])],
  ['another version', Buffer.concat([Buffer.from([0x00, 0x78]), Buffer.alloc(60)])],
])('%s is not a voice packet', (_, datagram) => {
  expect(isVoicePacket(datagram)).toBe(false);
});

test('silence and DAVE frames are recognized', () => {
  expect(isSilence(Buffer.from([0xf8, 0xff, 0xfe]))).toBe(true);
  expect(isSilence(Buffer.from([0xf8, 0xff, 0xfe, 0]))).toBe(false);
  expect(isEndToEndEncrypted(Buffer.from([1, 2, 12, 0xfa, 0xfa]))).toBe(true);
  expect(isEndToEndEncrypted(Buffer.from([0xf8, 1, 2]))).toBe(false);
});
