// Opus packets → a whole Ogg/Opus file.
import { concat } from './bytes.ts';
import { createOggMuxer } from './ogg.ts';
import { OPUS_RATE, opusSamples } from './opus-packet.ts';

/** In the first byte of a packet (RFC 6716, section 3.1). */
const STEREO = 4;

/** @param packets at least one @param gainDb by how much players are to raise what they decode; −128 to 128 */
export function packetsToOgg(packets: readonly Uint8Array[], gainDb = 0): Uint8Array {
  const channels = packets.some(([toc = 0]) => toc & STEREO) ? 2 : 1;
  const muxer = createOggMuxer({ sampleRate: OPUS_RATE, channels, gainDb });
  const pages = packets.map((packet, index) => muxer.packet(packet, opusSamples(packet), index === packets.length - 1));
  return concat([muxer.head(), ...pages]);
}
