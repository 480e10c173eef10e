// Writes Ogg/Opus (RFC 3533, RFC 7845), page by page or as a whole file.
import { concat } from '../bytes.ts';
import { isStereo, LOOK_AHEAD, OPUS_RATE, opusSamples } from '../opus.ts';
import { CAPTURE_PATTERN, checksum, FIRST_PAGE, HEADER_BYTES, LAST_PAGE } from './page.ts';

export interface OggMuxer {
  /** The two header pages: OpusHead and OpusTags, the first of the stream whenever this is called. */
  head(): Uint8Array;
  /** One page with one packet. `samples48k`: its duration (960 for 20 ms); a smaller value for the last packet trims its end. */
  packet(opus: Uint8Array, samples48k: number, last?: boolean): Uint8Array;
}

/**
 * Writes one page per packet, so that a reader never waits.
 * @param options `sampleRate`: Hz of the original, for information. `preSkip`: samples at 48 kHz that a player drops at the beginning,
 * included in the first packets' samples; default 312, libopus's look-ahead of 6.5 ms. `gainDb`: applied when decoding; default 0.
 */
export function createOggMuxer(options: {
  sampleRate: number;
  channels?: 1 | 2;
  preSkip?: number;
  serial?: number;
  gainDb?: number;
}): OggMuxer {
  const { sampleRate, channels = 1, preSkip = LOOK_AHEAD, serial = Math.floor(Math.random() * 0x1_0000_0000), gainDb = 0 } = options;
  /** Of the next page; 0 and 1 are the header pages. */
  let sequence = 2;
  let granule = 0n;

  function page(packet: Uint8Array, flags: number, number: number, position: bigint): Uint8Array {
    const lacing = Math.floor(packet.length / 255) + 1;
    if (lacing > 255) throw new RangeError(`An Ogg page cannot hold a packet of ${packet.length} bytes`);
    const bytes = new Uint8Array(HEADER_BYTES + lacing + packet.length);
    const view = new DataView(bytes.buffer);
    bytes.set(CAPTURE_PATTERN);
    view.setUint8(5, flags);
    view.setBigInt64(6, position, true);
    view.setUint32(14, serial, true);
    view.setUint32(18, number, true);
    view.setUint8(26, lacing);
    bytes.fill(255, HEADER_BYTES, HEADER_BYTES + lacing - 1);
    bytes[HEADER_BYTES + lacing - 1] = packet.length % 255;
    bytes.set(packet, HEADER_BYTES + lacing);
    view.setUint32(22, checksum(bytes), true);
    return bytes;
  }

  return {
    head() {
      const head = new Uint8Array(19);
      const view = new DataView(head.buffer);
      head.set(new TextEncoder().encode('OpusHead'));
      view.setUint8(8, 1);
      view.setUint8(9, channels);
      view.setUint16(10, preSkip, true);
      view.setUint32(12, sampleRate, true);
      view.setInt16(16, Math.round(gainDb * 256), true);
      const vendor = new TextEncoder().encode('Parley');
      const tags = new Uint8Array(16 + vendor.length);
      tags.set(new TextEncoder().encode('OpusTags'));
      new DataView(tags.buffer).setUint32(8, vendor.length, true);
      tags.set(vendor, 12);
      return concat([page(head, FIRST_PAGE, 0, 0n), page(tags, 0, 1, 0n)]);
    },
    packet(opus, samples48k, last = false) {
      granule += BigInt(samples48k);
      return page(opus, last ? LAST_PAGE : 0, sequence++, granule);
    },
  };
}

/** Seconds of sound in the file that packetsToOgg makes of these packets. */
export function oggSeconds(packets: readonly Uint8Array[]): number {
  return Math.max(0, packets.reduce((sum, packet) => sum + opusSamples(packet), 0) - LOOK_AHEAD) / OPUS_RATE;
}

/** A whole Ogg/Opus file. @param packets at least one @param gainDb applied by players when decoding; −128 to 128 */
export function packetsToOgg(packets: readonly Uint8Array[], gainDb = 0): Uint8Array {
  const channels = packets.some(isStereo) ? 2 : 1;
  const muxer = createOggMuxer({ sampleRate: OPUS_RATE, channels, gainDb });
  const pages = packets.map((packet, index) => muxer.packet(packet, opusSamples(packet), index === packets.length - 1));
  return concat([muxer.head(), ...pages]);
}
