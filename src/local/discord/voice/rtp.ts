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
  /** What its RTP packet has besides; see HEADER_EXTENSIONS for the default. */
  layout?: RtpLayout;
}

export interface RtpLayout {
  /** Default `audio level`. */
  extension?: keyof typeof HEADER_EXTENSIONS | 'none';
  /** How many contributing sources are listed: 0 (default) to 15. */
  csrcs?: number;
  /** Bytes of padding: 0 (default) to 255. */
  padding?: number;
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

/** The unencrypted four bytes (profile, and length in words of 32 bits), and the body, which is encrypted. RFC 8285 */
const HEADER_EXTENSIONS = {
  /** One-byte headers with one element, as Discord's server sends them: id 1, audio level. */
  'audio level': [Buffer.from([0xbe, 0xde, 0x00, 0x01]), Buffer.from([0x10, 0x80, 0x00, 0x00])],
  /** Two-byte headers with the same element, and one of four bytes. */
  'two-byte': [Buffer.from([0x10, 0x00, 0x00, 0x03]), Buffer.from([1, 1, 0x80, 2, 4, 1, 2, 3, 4, 0, 0, 0])],
  /** Another profile, whose body is nobody's business. */
  unknown: [Buffer.from([0x90, 0x01, 0x00, 0x02]), Buffer.from([0xf8, 0xff, 0xfe, 0x00, 0x78, 0x01, 0x02, 0x03])],
} as const;

/** Encrypts the packet for a receiver, keeping the sender's SSRC, sequence number, timestamp and layout. */
export function sealVoicePacket(cipher: TransportCipher, packet: VoicePacket, payloadType = OPUS_PAYLOAD_TYPE): Buffer {
  const { ssrc, sequence, timestamp, payload, layout = {} } = packet;
  const { extension = 'audio level', csrcs = 0, padding = 0 } = layout;
  const [extensionHeader, extensionBody] = extension === 'none' ? [NOTHING, NOTHING] : HEADER_EXTENSIONS[extension];
  const header = Buffer.alloc(FIXED_HEADER_BYTES + 4 * csrcs);
  header[0] = 0x80 | (padding > 0 ? PADDING_BIT : 0) | (extension === 'none' ? 0 : EXTENSION_BIT) | csrcs;
  header[1] = payloadType;
  header.writeUInt16BE(sequence, 2);
  header.writeUInt32BE(timestamp, 4);
  header.writeUInt32BE(ssrc, 8);
  for (let index = 0; index < csrcs; index++) header.writeUInt32BE(index + 1, FIXED_HEADER_BYTES + 4 * index);
  const paddingBytes = Buffer.alloc(padding);
  if (padding > 0) paddingBytes[padding - 1] = padding;
  return cipher.seal(Buffer.concat([header, extensionHeader]), Buffer.concat([extensionBody, payload, paddingBytes]));
}

const NOTHING = Buffer.alloc(0);

/** RTCP packet types. RFC 3550 */
const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
/** The first eight bytes of RTCP aren't encrypted. */
const RTCP_HEADER_BYTES = 8;
const VIDEO_PAYLOAD_TYPE = 101;
const RETRANSMISSION_PAYLOAD_TYPE = 102;

/** A sender's and a receiver's report, with nothing in them that anybody would want to know. */
export function sealReports(cipher: TransportCipher, ssrc: number): Buffer[] {
  return [
    { type: SENDER_REPORT, blocks: 0, bodyBytes: 20 },
    { type: RECEIVER_REPORT, blocks: 1, bodyBytes: 24 },
  ].map(({ type, blocks, bodyBytes }) => {
    const header = Buffer.alloc(RTCP_HEADER_BYTES);
    header[0] = 0x80 | blocks;
    header[1] = type;
    header.writeUInt16BE((RTCP_HEADER_BYTES + bodyBytes) / 4 - 1, 2);
    header.writeUInt32BE(ssrc, 4);
    return cipher.seal(header, Buffer.alloc(bodyBytes, 0xfa));
  });
}

/** A camera's packet and its retransmission, each with an SSRC beside the sound's. */
export function sealVideo(cipher: TransportCipher, packet: VoicePacket): Buffer[] {
  const payload = Buffer.alloc(900, 0x7c);
  const video = { ...packet, payload, ssrc: (packet.ssrc + 1) >>> 0 };
  const retransmission = { ...packet, payload, ssrc: (packet.ssrc + 2) >>> 0 };
  return [sealVoicePacket(cipher, video, VIDEO_PAYLOAD_TYPE), sealVoicePacket(cipher, retransmission, RETRANSMISSION_PAYLOAD_TYPE)];
}

export const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);

/** Silence frames are never end-to-end encrypted (https://daveprotocol.com/#silence-packets). */
export function isSilence(payload: Buffer): boolean {
  return payload.length === 3 && payload.equals(SILENCE);
}

/** Whether it ends with DAVE's marker (https://daveprotocol.com/#magic-marker). */
export function isEndToEndEncrypted(payload: Buffer): boolean {
  const { length } = payload;
  return length > 2 && payload[length - 1] === 0xfa && payload[length - 2] === 0xfa;
}

/** Frame lengths by the configuration of the first byte, in samples at 48 kHz: SILK, hybrid, CELT. RFC 6716, section 3.1 */
const FRAME_SAMPLES = [
  ...[480, 960, 1920, 2880, 480, 960, 1920, 2880, 480, 960, 1920, 2880],
  ...[480, 960, 480, 960],
  ...[120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960, 120, 240, 480, 960],
];

/** The longest packet of one frame. RFC 6716, section 3.4 */
const MAX_PACKET_BYTES = 1276;
/** 120 ms. */
const MAX_PACKET_SAMPLES = 5760;

/** Whether it can be one: anything that isn't too long looks like it. */
export function isOpusPacket(bytes: Uint8Array): boolean {
  const samples = countSamples(bytes);
  return bytes.length > 0 && bytes.length <= MAX_PACKET_BYTES && samples > 0 && samples <= MAX_PACKET_SAMPLES;
}

/** How long an Opus packet sounds, in samples at 48 kHz. */
export function countSamples(opus: Uint8Array): number {
  const [first = 0, second = 0] = opus;
  const frames = [1, 2, 2, second & 0x3f][first & 0x03] as number;
  return frames * (FRAME_SAMPLES[first >> 3] as number);
}
