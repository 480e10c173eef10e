// Sound packets in their envelope: which datagrams are sound, what is stripped with the transport encryption, and how long Opus packets are.
import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { describe, expect, it } from 'vitest';
import { isSoundPacket, openSoundPacket, readRtpHeader, type TransportKey } from '../../src/voice-session/rtp.ts';

const OPUS = Buffer.from('f8010203', 'hex');
const secret = randomBytes(32);
const keys: TransportKey[] = [
  { mode: 'aead_aes256_gcm_rtpsize', key: createSecretKey(secret) },
  { mode: 'aead_xchacha20_poly1305_rtpsize', key: secret },
];

interface Envelope {
  csrcs?: number;
  /** Profile and body of a header extension. */
  extension?: { profile: number; body: Buffer };
  padding?: number;
  type?: number;
}

function seal({ mode }: TransportKey, { csrcs = 0, extension, padding = 0, type = 120 }: Envelope = {}): Buffer {
  const header = Buffer.alloc(12 + 4 * csrcs + (extension ? 4 : 0), 0xee);
  header[0] = 0x80 | (padding ? 0x20 : 0) | (extension ? 0x10 : 0) | csrcs;
  header[1] = type;
  header.writeUInt16BE(65_535, 2);
  header.writeUInt32BE(4_000_000_000, 4);
  header.writeUInt32BE(77, 8);
  if (extension) {
    header.writeUInt16BE(extension.profile, 12 + 4 * csrcs);
    header.writeUInt16BE(extension.body.length / 4, 14 + 4 * csrcs);
  }
  const plain = Buffer.concat([extension?.body ?? Buffer.alloc(0), OPUS, Buffer.alloc(padding, padding)]);
  const counter = Buffer.from([1, 2, 3, 4]);
  if (mode === 'aead_xchacha20_poly1305_rtpsize') {
    const nonce = Buffer.concat([counter, Buffer.alloc(20)]);
    return Buffer.concat([header, xchacha20poly1305(secret, nonce, header).encrypt(plain), counter]);
  }
  const cipher = createCipheriv('aes-256-gcm', secret, Buffer.concat([counter, Buffer.alloc(8)]));
  cipher.setAAD(header);
  return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag(), counter]);
}

describe.each(keys)('with $mode', (key) => {
  it.each<[string, Envelope]>([
    ['nothing besides', {}],
    ['padding', { padding: 7 }],
    ["Discord's header extension", { extension: { profile: 0xbede, body: Buffer.alloc(8, 1) } }],
    ['a header extension of another profile', { extension: { profile: 0x1000, body: Buffer.alloc(12, 1) } }],
    ['contributing sources', { csrcs: 3 }],
    ['everything at once', { csrcs: 2, extension: { profile: 0xbede, body: Buffer.alloc(4, 1) }, padding: 255 }],
  ])('opens a packet with %s', (_, envelope) => {
    const datagram = seal(key, envelope);
    expect(isSoundPacket(datagram)).toBe(true);
    expect(readRtpHeader(datagram)).toEqual({ ssrc: 77, sequence: 65_535, timestamp: 4_000_000_000 });
    expect(openSoundPacket(datagram, key)).toEqual(OPUS);
  });

  it('refuses a packet of which any byte was changed', () => {
    const datagram = seal(key, { extension: { profile: 0xbede, body: Buffer.alloc(4, 1) } });
    for (let at = 2; at < datagram.length; at++) {
      const changed = Buffer.from(datagram);
      changed[at] = (changed[at] as number) ^ 1;
      expect(() => openSoundPacket(changed, key), `byte ${at}`).toThrow();
    }
  });

  it('refuses a packet whose header says that it is longer than it is', () => {
    const datagram = seal(key);
    datagram[0] = 0x8f;
    expect(() => openSoundPacket(datagram, key)).toThrow();
    expect(() => openSoundPacket(seal(key, { padding: 3 }).fill(0xff, 0, 1), key)).toThrow();
  });
});

it('takes nothing for sound but RTP of version 2 with Opus', () => {
  const [key] = keys as [TransportKey];
  for (const type of [200, 201, 202, 203, 204, 101, 102, 103, 119, 121])
    expect(isSoundPacket(seal(key, { type })), `type ${type}`).toBe(false);
  // With the marker bit.
  expect(isSoundPacket(seal(key, { type: 120 | 0x80 }))).toBe(true);
  expect(isSoundPacket(seal(key).subarray(0, 32))).toBe(false);
  expect(isSoundPacket(Buffer.alloc(0))).toBe(false);
  // An answer to IP discovery.
  expect(isSoundPacket(Buffer.concat([Buffer.from([0, 2, 0, 70]), Buffer.alloc(70)]))).toBe(false);
});
