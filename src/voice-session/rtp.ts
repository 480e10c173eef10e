// Packets of sound as they come from Discord's voice servers: RTP with Opus (RFC 3550, RFC 8285), encrypted with a key of the connection.
// https://docs.discord.com/developers/topics/voice-connections#encrypting-and-sending-voice
import { createDecipheriv, type KeyObject } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { SILENCE } from '../audio/opus.ts';

/** Discord's payload type for Opus; video and its retransmissions have others, and RTCP (200 to 204) is 72 to 76 in the same bits. */
const OPUS_PAYLOAD_TYPE = 120;
const FIXED_HEADER_BYTES = 12;
const EXTENSION_BIT = 0x10;
const PADDING_BIT = 0x20;
const TAG_BYTES = 16;
const COUNTER_BYTES = 4;

/** Keys of the two modes that Discord offers. */
export type TransportKey =
  | { mode: 'aead_aes256_gcm_rtpsize'; key: KeyObject | Uint8Array }
  | { mode: 'aead_xchacha20_poly1305_rtpsize'; key: Uint8Array };

/** Sound in its envelope: what can be read without any key. */
export interface RtpHeader {
  ssrc: number;
  /** 16 bit. */
  sequence: number;
  /** 48 kHz, 32 bit. */
  timestamp: number;
}

/** Whether a datagram is a sound packet: looks at nothing but its size, RTP's version and the type of the payload. */
export function isSoundPacket(datagram: Buffer): boolean {
  if (datagram.length <= FIXED_HEADER_BYTES + TAG_BYTES + COUNTER_BYTES) return false;
  return (datagram[0] as number) >> 6 === 2 && ((datagram[1] as number) & 0x7f) === OPUS_PAYLOAD_TYPE;
}

/** @param datagram a sound packet */
export function readRtpHeader(datagram: Buffer): RtpHeader {
  return { sequence: datagram.readUInt16BE(2), timestamp: datagram.readUInt32BE(4), ssrc: datagram.readUInt32BE(8) };
}

/**
 * Authenticates and decrypts a sound packet. Returns its payload, without the header extension's body and the padding, which are encrypted
 * with it ("rtpsize"); it may still be end-to-end encrypted.
 * @throws Error if it was encrypted with another key or is malformed
 */
export function openSoundPacket(datagram: Buffer, transport: TransportKey): Buffer {
  const first = datagram[0] as number;
  let headerBytes = FIXED_HEADER_BYTES + 4 * (first & 0x0f); // contributing sources
  let extensionBytes = 0;
  if (first & EXTENSION_BIT) {
    extensionBytes = 4 * datagram.readUInt16BE(headerBytes + 2);
    headerBytes += 4;
  }
  if (datagram.length < headerBytes + TAG_BYTES + COUNTER_BYTES) throw new RangeError('the RTP header exceeds the packet');
  const plain =
    transport.mode === 'aead_aes256_gcm_rtpsize'
      ? openAes(datagram, headerBytes, transport.key)
      : openXchacha(datagram, headerBytes, transport.key);
  const paddingBytes = first & PADDING_BIT ? (plain.at(-1) ?? 0) : 0;
  const end = plain.length - paddingBytes;
  if (end < extensionBytes) throw new RangeError('extension and padding exceed the packet');
  return plain.subarray(extensionBytes, end);
}

const aesNonce = Buffer.alloc(12);

function openAes(datagram: Buffer, headerBytes: number, key: KeyObject | Uint8Array): Buffer {
  const counterAt = datagram.length - COUNTER_BYTES;
  datagram.copy(aesNonce, 0, counterAt);
  const decipher = createDecipheriv('aes-256-gcm', key, aesNonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(datagram.subarray(0, headerBytes));
  decipher.setAuthTag(datagram.subarray(counterAt - TAG_BYTES, counterAt));
  const plain = decipher.update(datagram.subarray(headerBytes, counterAt - TAG_BYTES));
  decipher.final();
  return plain;
}

const xchachaNonce = Buffer.alloc(24);

function openXchacha(datagram: Buffer, headerBytes: number, key: Uint8Array): Buffer {
  const counterAt = datagram.length - COUNTER_BYTES;
  datagram.copy(xchachaNonce, 0, counterAt);
  const plain = xchacha20poly1305(key, xchachaNonce, datagram.subarray(0, headerBytes)).decrypt(datagram.subarray(headerBytes, counterAt));
  return Buffer.from(plain.buffer, plain.byteOffset, plain.length);
}

export function isSilence(payload: Buffer): boolean {
  return payload.length === SILENCE.length && payload.equals(SILENCE);
}

/** Whether the payload is end-to-end encrypted, by its last bytes (https://daveprotocol.com/#magic-marker). */
export function isEndToEndEncrypted(payload: Buffer): boolean {
  return payload.length > 2 && payload.at(-1) === 0xfa && payload.at(-2) === 0xfa;
}
