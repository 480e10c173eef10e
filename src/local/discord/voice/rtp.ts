// RTP as Discord's voice uses it (RFC 3550, RFC 8285): Opus in payload type 120, and a header extension whose body is encrypted.
import { TRAILER_BYTES, type TransportCipher } from './transport-cipher.ts';

const OPUS_PAYLOAD_TYPE = 120;
const FIXED_HEADER_BYTES = 12;
const EXTENSION_BIT = 0x10;
const PADDING_BIT = 0x20;

/** A packet of sound, its transport encryption taken off; the payload may still be encrypted end to end. */
export interface VoicePacket {
  ssrc: number;
  /** 16 bit. */
  sequence: number;
  /** 48 kHz, 32 bit. */
  timestamp: number;
  payload: Buffer;
}

/** True when the datagram is RTP that carries Opus: version 2, payload type 120, long enough for header, tag and counter. */
export function isVoicePacket(datagram: Buffer): boolean {
  if (datagram.length < FIXED_HEADER_BYTES + TRAILER_BYTES) return false;
  return (datagram[0] as number) >> 6 === 2 && ((datagram[1] as number) & 0x7f) === OPUS_PAYLOAD_TYPE;
}

export function ssrcOf(datagram: Buffer): number {
  return datagram.readUInt32BE(8);
}

/** @throws Error when it was not sealed with this cipher's key or is malformed. */
export function openVoicePacket(cipher: TransportCipher, datagram: Buffer): VoicePacket {
  const first = datagram.readUInt8(0);
  let headerBytes = FIXED_HEADER_BYTES + 4 * (first & 0x0f); // contributing sources
  let extensionBytes = 0;
  if (first & EXTENSION_BIT) {
    // "rtpsize": the extension's four leading bytes are in the clear, what they announce is encrypted with the payload.
    extensionBytes = 4 * datagram.readUInt16BE(headerBytes + 2);
    headerBytes += 4;
  }
  if (datagram.length < headerBytes + TRAILER_BYTES) throw new RangeError('RTP header reaches past the end');
  const plain = cipher.open(datagram, headerBytes);
  const end = first & PADDING_BIT ? plain.length - (plain[plain.length - 1] ?? 0) : plain.length;
  return {
    ssrc: ssrcOf(datagram),
    sequence: datagram.readUInt16BE(2),
    timestamp: datagram.readUInt32BE(4),
    payload: plain.subarray(extensionBytes, Math.max(extensionBytes, end)),
  };
}

/** One one-byte-header element, as Discord's server sends it: id 1, audio level. */
const EXTENSION_HEADER = Buffer.from([0xbe, 0xde, 0x00, 0x01]);
const EXTENSION_BODY = Buffer.from([0x10, 0x80, 0x00, 0x00]);

/** The packet as another client gets it: its sender's SSRC, sequence number and timestamp under the receiver's key. */
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

/** The one frame that is never encrypted end to end (https://daveprotocol.com/#silence-packets). */
export function isSilence(payload: Buffer): boolean {
  return payload.length === 3 && payload.equals(SILENCE);
}

/** Whether it is a DAVE frame, by its marker (https://daveprotocol.com/#magic-marker). */
export function isEndToEndEncrypted(payload: Buffer): boolean {
  const { length } = payload;
  return length > 2 && payload[length - 1] === 0xfa && payload[length - 2] === 0xfa;
}
