// RTP as Discord uses it (RFC 3550, RFC 8285): Opus in payload type 120, with a header extension whose body is encrypted.
import { TRAILER_BYTES, type TransportCipher } from './transport-cipher.ts';

const OPUS_PAYLOAD_TYPE = 120;
const FIXED_HEADER_BYTES = 12;
const EXTENSION_BIT = 0x10;
const PADDING_BIT = 0x20;

/** A sound packet without its transport encryption; the payload may still be end-to-end encrypted. */
export interface VoicePacket {
  ssrc: number;
  /** 16 bit. */
  sequence: number;
  /** 48 kHz, 32 bit. */
  timestamp: number;
  payload: Buffer;
}

/** Whether the datagram is an RTP packet with Opus: version 2, payload type 120, long enough for header, tag and counter. */
export function isVoicePacket(datagram: Buffer): boolean {
  if (datagram.length < FIXED_HEADER_BYTES + TRAILER_BYTES) return false;
  return (datagram[0] as number) >> 6 === 2 && ((datagram[1] as number) & 0x7f) === OPUS_PAYLOAD_TYPE;
}

export function ssrcOf(datagram: Buffer): number {
  return datagram.readUInt32BE(8);
}

/** @throws Error if it was not encrypted with this cipher's key, or is malformed */
export function openVoicePacket(cipher: TransportCipher, datagram: Buffer): VoicePacket {
  const first = datagram.readUInt8(0);
  let headerBytes = FIXED_HEADER_BYTES + 4 * (first & 0x0f); // contributing sources
  let extensionBytes = 0;
  if (first & EXTENSION_BIT) {
    // "rtpsize": the extension's first four bytes are unencrypted; its body is encrypted with the payload.
    extensionBytes = 4 * datagram.readUInt16BE(headerBytes + 2);
    headerBytes += 4;
  }
  if (datagram.length < headerBytes + TRAILER_BYTES) throw new RangeError('the RTP header exceeds the packet');
  const plain = cipher.open(datagram, headerBytes);
  const end = first & PADDING_BIT ? plain.length - (plain[plain.length - 1] ?? 0) : plain.length;
  return {
    ssrc: ssrcOf(datagram),
    sequence: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    payload: plain.subarray(extensionBytes, Math.max(extensionBytes, end)),
  };
}

/** A one-byte-header extension with one element, as Discord's server sends it: id 1, audio level. */
const EXTENSION_HEADER = Buffer.from([0xbe, 0xde, 0x00, 0x01]);
const EXTENSION_BODY = Buffer.from([0x10, 0x80, 0x00, 0x00]);

/** Encrypts the packet for a receiver, keeping the sender's SSRC, sequence number and timestamp. */
export function sealVoicePacket(cipher: TransportCipher, { ssrc, sequence, timestamp, payload }: VoicePacket): Buffer {
  const header = Buffer.allocUnsafe(FIXED_HEADER_BYTES + EXTENSION_HEADER.length);
  header[0] = 0x80 | EXTENSION_BIT;
  header[1] = OPUS_PAYLOAD_TYPE;
  header.writeUInt16BE(sequence, 2);
  header.writeUInt32BE(timestamp, 4);
  header.writeUInt32BE(ssrc, 8);
  EXTENSION_HEADER.copy(header, FIXED_HEADER_BYTES);
  return cipher.seal(header, Buffer.concat([EXTENSION_BODY, payload]));
}

const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

/** Silence frames are never end-to-end encrypted (https://daveprotocol.com/#silence-packets). */
export function isSilence(payload: Buffer): boolean {
  return payload.length === 3 && payload.equals(SILENCE);
}

/** Whether it ends with DAVE's marker (https://daveprotocol.com/#magic-marker). */
export function isEndToEndEncrypted(payload: Buffer): boolean {
  const { length } = payload;
  return length > 2 && payload[length - 1] === 0xfa && payload[length - 2] === 0xfa;
}
