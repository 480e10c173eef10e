// The file format of cached Opus packets, with a checksum that tells whether it is complete.
import { crc32 } from 'node:zlib';

// Name and version of the format.
const MAGIC = Buffer.from('PKT1');
const HEAD_BYTES = MAGIC.length + 4;
const LENGTH_BYTES = 2;
const MAX_PACKET_BYTES = 0xffff;

/** Size of the file that `packPackets` makes. */
export function packedBytes(packetCount: number, packetBytes: number): number {
  return HEAD_BYTES + LENGTH_BYTES * packetCount + packetBytes;
}

/** Magic, checksum of the rest, then each packet after its length. Throws RangeError for a packet of 64 KiB or more; Opus has none. */
export function packPackets(packets: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.alloc(
    packedBytes(
      packets.length,
      packets.reduce((sum, packet) => sum + packet.length, 0),
    ),
  );
  MAGIC.copy(bytes);
  let at = HEAD_BYTES;
  for (const packet of packets) {
    if (packet.length > MAX_PACKET_BYTES) throw new RangeError(`A packet of ${packet.length} bytes`);
    at = bytes.writeUInt16LE(packet.length, at);
    bytes.set(packet, at);
    at += packet.length;
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(HEAD_BYTES)), MAGIC.length);
  return bytes;
}

/** The packets, or null if the file is incomplete, damaged or empty. */
export function unpackPackets(bytes: Buffer): Uint8Array[] | null {
  if (bytes.length <= HEAD_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  if (bytes.readUInt32LE(MAGIC.length) !== crc32(bytes.subarray(HEAD_BYTES))) return null;
  const packets: Uint8Array[] = [];
  for (let at = HEAD_BYTES; at < bytes.length; ) {
    const length = at + LENGTH_BYTES <= bytes.length ? bytes.readUInt16LE(at) : Number.POSITIVE_INFINITY;
    at += LENGTH_BYTES;
    if (at + length > bytes.length) return null;
    packets.push(bytes.subarray(at, at + length));
    at += length;
  }
  return packets;
}
