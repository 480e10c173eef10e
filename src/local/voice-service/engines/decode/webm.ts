// Takes the sound packets out of WebM and Matroska (RFC 9559, in EBML, RFC 8794). Every step goes on by a byte at least, whatever the bytes say.

/** The first sound track of a file. */
interface WebmTrack {
  codec: string;
  channels: number;
  /** What the codec needs to know beforehand; empty without. */
  head: Uint8Array;
  /** Packed or encrypted, which no browser writes. */
  encoded: boolean;
}

export type WebmItem = { kind: 'track'; track: WebmTrack } | { kind: 'packet'; data: Uint8Array };

const ID = {
  segment: 0x18538067,
  cluster: 0x1f43b675,
  tracks: 0x1654ae6b,
  trackEntry: 0xae,
  trackNumber: 0xd7,
  trackType: 0x83,
  codec: 0x86,
  codecPrivate: 0x63a2,
  contentEncodings: 0x6d80,
  audio: 0xe1,
  channels: 0x9f,
  blockGroup: 0xa0,
  block: 0xa1,
  simpleBlock: 0xa3,
};
/** What is gone into rather than past. Their sizes count for nothing: recordings that are streamed do not know them. */
const MASTERS = [ID.segment, ID.cluster, ID.tracks, ID.trackEntry, ID.audio, ID.blockGroup];
/** After damage, sound goes on at the next of these. */
const CLUSTER = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
const SOUND = 2;

interface Entry extends WebmTrack {
  number: number;
  type: number;
}

/** The first sound track, then its packets; nothing in a file without one. What is damaged is passed over. */
export function* readWebm(file: Uint8Array): Generator<WebmItem> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  let entry: Entry | null = null;
  let chosen: Entry | null = null;
  let isTold = false;
  for (let at = 0; at < bytes.length; ) {
    const element = readHeader(bytes, at);
    const isMaster = element && MASTERS.includes(element.id);
    if (!element || (!isMaster && element.end > bytes.length)) {
      const next = bytes.indexOf(CLUSTER, at + 1);
      if (next < 0) return;
      at = next;
      continue;
    }
    const content = bytes.subarray(element.start, isMaster ? element.start : element.end);
    at = isMaster ? element.start : element.end;
    if (element.id === ID.trackEntry) entry = { number: 0, type: 0, codec: '', channels: 1, head: new Uint8Array(0), encoded: false };
    if (entry && !isTold) readField(entry, element.id, content);
    if (entry?.type === SOUND) chosen ??= entry;
    if (element.id !== ID.block && element.id !== ID.simpleBlock) continue;
    if (!chosen) continue;
    if (!isTold) yield { kind: 'track', track: chosen };
    isTold = true;
    for (const data of readBlock(content, chosen.number)) yield { kind: 'packet', data };
  }
}

function readField(entry: Entry, id: number, content: Buffer): void {
  if (id === ID.trackNumber) entry.number = readNumber(content);
  if (id === ID.trackType) entry.type = readNumber(content);
  if (id === ID.codec) entry.codec = content.toString('latin1', 0, 32).replace(/\0.*$/s, '');
  if (id === ID.codecPrivate) entry.head = content;
  if (id === ID.channels) entry.channels = readNumber(content);
  if (id === ID.contentEncodings) entry.encoded = true;
}

/** An element's id, and where its content lies. Null for what is none; a size that is not known goes on for ever. */
function readHeader(bytes: Buffer, at: number): { id: number; start: number; end: number } | null {
  const idLength = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeAt = at + idLength;
  const sizeLength = Math.clz32(bytes[sizeAt] ?? 0) - 23;
  const start = sizeAt + sizeLength;
  if (idLength > 4 || sizeLength > 8 || start > bytes.length) return null;
  const id = bytes.readUIntBE(at, idLength);
  let size = (bytes[sizeAt] as number) & (0xff >> sizeLength);
  let isKnown = size !== 0xff >> sizeLength;
  for (let i = sizeAt + 1; i < start; i++) {
    isKnown ||= bytes[i] !== 0xff;
    size = size * 256 + (bytes[i] as number);
  }
  return { id, start, end: isKnown ? start + size : Number.POSITIVE_INFINITY };
}

function readNumber(content: Buffer): number {
  return content.length >= 1 && content.length <= 6 ? content.readUIntBE(0, content.length) : 0;
}

/** The frames of a block, if it is of this track: RFC 9559, section 10. */
function readBlock(block: Buffer, track: number): Buffer[] {
  const numberLength = Math.clz32(block[0] ?? 0) - 23;
  if (numberLength > 4 || block.length < numberLength + 3) return [];
  const number = block.readUIntBE(0, numberLength) - 2 ** (7 * numberLength);
  if (number !== track) return [];
  const flags = block[numberLength + 2] as number;
  const rest = block.subarray(numberLength + 3);
  const lacing = (flags >> 1) & 3;
  if (lacing === 0) return [rest];
  const frames = (rest[0] ?? 0) + 1;
  if (lacing === 2) return cut(rest.subarray(1), new Array(frames - 1).fill(Math.floor((rest.length - 1) / frames)));
  return lacing === 1 ? cutXiph(rest, frames) : cutEbml(rest, frames);
}

/** Sizes of all frames but the last, each as a sum of bytes that ends with one under 255. */
function cutXiph(rest: Buffer, frames: number): Buffer[] {
  const sizes: number[] = [];
  let at = 1;
  while (sizes.length < frames - 1) {
    let size = 0;
    let byte = 255;
    while (byte === 255) {
      byte = rest[at++] ?? 0;
      size += byte;
    }
    sizes.push(size);
  }
  return cut(rest.subarray(at), sizes);
}

/** The size of the first frame, then of all but the last how much more it is than the one before. */
function cutEbml(rest: Buffer, frames: number): Buffer[] {
  const sizes: number[] = [];
  let at = 1;
  while (sizes.length < frames - 1) {
    const length = Math.clz32(rest[at] ?? 0) - 23;
    if (length > 4 || at + length > rest.length) return [];
    const value = rest.readUIntBE(at, length) - 2 ** (7 * length);
    const before = sizes.at(-1);
    sizes.push(before === undefined ? value : before + value - (2 ** (7 * length - 1) - 1));
    at += length;
  }
  return cut(rest.subarray(at), sizes);
}

/** @param sizes of all pieces but the last, which is the rest */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    if (size < 0 || at + size > bytes.length) return pieces;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  pieces.push(bytes.subarray(at));
  return pieces;
}
