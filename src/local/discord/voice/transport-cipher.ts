// Transport encryption between a client and the voice server: the two AEAD modes that Discord still offers.
// https://docs.discord.com/developers/topics/voice-connections#transport-encryption-modes
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';

/** In order of preference. */
export const MODES = ['aead_aes256_gcm_rtpsize', 'aead_xchacha20_poly1305_rtpsize'] as const;
export type Mode = (typeof MODES)[number];

/** The authentication tag (16 bytes) and nonce counter (4 bytes) after the ciphertext. */
export const TRAILER_BYTES = 20;
const TAG_BYTES = 16;
const COUNTER_BYTES = 4;

export interface TransportCipher {
  readonly key: Buffer;
  /** Returns header ‖ ciphertext ‖ tag ‖ counter; the header is authenticated but not encrypted. */
  seal(header: Buffer, plain: Buffer): Buffer;
  /** Decrypts what follows the first `headerBytes` of the packet. @throws Error if it was not encrypted with this key */
  open(packet: Buffer, headerBytes: number): Buffer;
}

export function createTransportCipher(mode: Mode): TransportCipher {
  const key = randomBytes(32);
  return mode === 'aead_aes256_gcm_rtpsize' ? aesGcm(key) : xchacha(key);
}

function aesGcm(key: Buffer): TransportCipher {
  const sealNonce = Buffer.alloc(12);
  const openNonce = Buffer.alloc(12);
  // Creating this for each packet would take longer than the encryption.
  const secretKey = createSecretKey(key);
  return {
    key,
    seal(header, plain) {
      incrementCounter(sealNonce);
      const cipher = createCipheriv('aes-256-gcm', secretKey, sealNonce);
      cipher.setAAD(header);
      const body = cipher.update(plain);
      cipher.final();
      return Buffer.concat([header, body, cipher.getAuthTag(), sealNonce.subarray(0, COUNTER_BYTES)]);
    },
    open(packet, headerBytes) {
      const tagStart = packet.length - TRAILER_BYTES;
      packet.copy(openNonce, 0, tagStart + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', secretKey, openNonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(packet.subarray(0, headerBytes));
      decipher.setAuthTag(packet.subarray(tagStart, tagStart + TAG_BYTES));
      const plain = decipher.update(packet.subarray(headerBytes, tagStart));
      decipher.final();
      return plain;
    },
  };
}

function xchacha(key: Buffer): TransportCipher {
  const sealNonce = Buffer.alloc(24);
  const openNonce = Buffer.alloc(24);
  return {
    key,
    seal(header, plain) {
      incrementCounter(sealNonce);
      const body = xchacha20poly1305(key, sealNonce, header).encrypt(plain);
      return Buffer.concat([header, body, sealNonce.subarray(0, COUNTER_BYTES)]);
    },
    open(packet, headerBytes) {
      const end = packet.length - COUNTER_BYTES;
      packet.copy(openNonce, 0, end);
      const plain = xchacha20poly1305(key, openNonce, packet.subarray(0, headerBytes)).decrypt(packet.subarray(headerBytes, end));
      return Buffer.from(plain.buffer, plain.byteOffset, plain.length);
    },
  };
}

/** The counter is the nonce's first four bytes; the rest is zero. */
function incrementCounter(nonce: Buffer): void {
  nonce.writeUInt32BE((nonce.readUInt32BE(0) + 1) >>> 0, 0);
}
