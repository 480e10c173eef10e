// Transport encryption between one client and the voice server: the two AEAD modes that Discord still offers.
// https://docs.discord.com/developers/topics/voice-connections#transport-encryption-modes
import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';

/** In the order of preference in which they are offered. */
export const MODES = ['aead_aes256_gcm_rtpsize', 'aead_xchacha20_poly1305_rtpsize'] as const;
export type Mode = (typeof MODES)[number];

/** Authentication tag (16 bytes) and nonce counter (4 bytes) that follow the ciphertext. */
export const TRAILER_BYTES = 20;
const TAG_BYTES = 16;
const COUNTER_BYTES = 4;

export interface TransportCipher {
  readonly mode: Mode;
  readonly key: Buffer;
  /** header ‖ ciphertext ‖ tag ‖ counter; the header is authenticated and stays readable. */
  seal(header: Buffer, plain: Buffer): Buffer;
  /** The plaintext behind the first `headerBytes` of the packet. @throws Error when it was not sealed with this key. */
  open(packet: Buffer, headerBytes: number): Buffer;
}

export function createTransportCipher(mode: Mode): TransportCipher {
  const key = randomBytes(32);
  return mode === 'aead_aes256_gcm_rtpsize' ? aesGcm(mode, key) : xchacha(mode, key);
}

/** The counter is the first four bytes of the nonce, the rest is zero. */
function nonceOf(bytes: number): Buffer {
  return Buffer.alloc(bytes);
}

function aesGcm(mode: Mode, key: Buffer): TransportCipher {
  const sealing = nonceOf(12);
  const opening = nonceOf(12);
  // Made of the bytes for each packet, it would take longer than the encryption.
  const prepared = createSecretKey(key);
  return {
    mode,
    key,
    seal(header, plain) {
      count(sealing);
      const cipher = createCipheriv('aes-256-gcm', prepared, sealing);
      cipher.setAAD(header);
      const body = cipher.update(plain);
      cipher.final();
      return Buffer.concat([header, body, cipher.getAuthTag(), sealing.subarray(0, COUNTER_BYTES)]);
    },
    open(packet, headerBytes) {
      const tagStart = packet.length - TRAILER_BYTES;
      packet.copy(opening, 0, tagStart + TAG_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', prepared, opening, { authTagLength: TAG_BYTES });
      decipher.setAAD(packet.subarray(0, headerBytes));
      decipher.setAuthTag(packet.subarray(tagStart, tagStart + TAG_BYTES));
      const plain = decipher.update(packet.subarray(headerBytes, tagStart));
      decipher.final();
      return plain;
    },
  };
}

function xchacha(mode: Mode, key: Buffer): TransportCipher {
  const sealing = nonceOf(24);
  const opening = nonceOf(24);
  return {
    mode,
    key,
    seal(header, plain) {
      count(sealing);
      const body = xchacha20poly1305(key, sealing, header).encrypt(plain);
      return Buffer.concat([header, body, sealing.subarray(0, COUNTER_BYTES)]);
    },
    open(packet, headerBytes) {
      const end = packet.length - COUNTER_BYTES;
      packet.copy(opening, 0, end);
      const plain = xchacha20poly1305(key, opening, packet.subarray(0, headerBytes)).decrypt(packet.subarray(headerBytes, end));
      return Buffer.from(plain.buffer, plain.byteOffset, plain.length);
    },
  };
}

function count(nonce: Buffer): void {
  nonce.writeUInt32BE((nonce.readUInt32BE(0) + 1) >>> 0, 0);
}
