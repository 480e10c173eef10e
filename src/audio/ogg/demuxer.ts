// Reads Ogg/Opus (RFC 3533, RFC 7845): returns each packet as soon as its last byte has arrived.
import { concat } from '../bytes.ts';
import { opusSamples } from '../opus.ts';
import { CONTINUED_PACKET, codecOf, createPageReader, FIRST_PAGE, LAST_PAGE, type PageHeader } from './page.ts';

/** What is read of an OpusHead packet: `preSkip` in samples at 48 kHz, `gainDb` to be applied when decoding. */
export interface OpusHead {
  preSkip: number;
  gainDb: number;
  /** 0 = mono or stereo in one Opus stream; others have several streams per packet. */
  mappingFamily: number;
}

export type OggItem =
  /** A logical Opus stream begins; a chained file has several, one after the other. */
  | { kind: 'head'; head: OpusHead }
  /** `samples` is its duration at 48 kHz, of which the last `drop` are beyond the end of the stream. */
  | { kind: 'packet'; data: Uint8Array; samples: number; drop: number };

export interface OggDemuxer {
  /** Takes bytes chunked anywhere; the items do not share memory with them. */
  push(bytes: Uint8Array): OggItem[];
  /** The bytes so far end where a page ends. */
  readonly atBoundary: boolean;
}

// The largest Opus packet that a decoder must accept (RFC 7845, section 6). Larger ones can only be comments with pictures.
const MAX_PACKET_BYTES = 61_440;

interface LogicalStream {
  serial: number;
  stage: 'head' | 'tags' | 'audio';
  /** What has come of a packet that isn't complete yet. */
  pieces: Uint8Array[];
  bytes: number;
  /** The start of the current packet was lost, so the rest of it is skipped. */
  skipping: boolean;
  /** Where the packets so far end, in samples at 48 kHz; corrected by each page. */
  position: bigint;
}

/** Does not verify checksums, which would delay sound by a page. Streams of other codecs are skipped. */
export function createOggDemuxer(): OggDemuxer {
  let items: OggItem[] = [];
  let stream: LogicalStream | null = null;
  let page: { isOurs: boolean; isLast: boolean; granule: bigint } | null = null;

  const reader = createPageReader({
    isVerifying: false,
    onPage: beginPage,
    onPart(part, isEnding) {
      if (stream && page?.isOurs) take(stream, part, isEnding);
    },
    onPageEnd() {
      if (stream && page?.isOurs && page.granule >= 0n && stream.stage === 'audio') stream.position = page.granule;
      page = null;
    },
  });

  function beginPage({ flags, serial, granule }: PageHeader): void {
    // Multiplexed streams all begin before any of them continues: a first page between our head and tags belongs to another stream.
    if (flags & FIRST_PAGE && stream?.stage !== 'tags')
      stream = { serial, stage: 'head', pieces: [], bytes: 0, skipping: false, position: 0n };
    page = { isOurs: stream?.serial === serial, isLast: (flags & LAST_PAGE) !== 0, granule };
    if (!stream || !page.isOurs) return;
    const continued = (flags & CONTINUED_PACKET) !== 0;
    if (!continued) dropPieces(stream);
    stream.skipping = continued && stream.bytes === 0;
  }

  function take(logical: LogicalStream, data: Uint8Array, complete: boolean): void {
    if (!logical.skipping && logical.bytes <= MAX_PACKET_BYTES) logical.pieces.push(new Uint8Array(data));
    logical.bytes += data.length;
    if (!complete) return;
    const usable = !logical.skipping && logical.bytes <= MAX_PACKET_BYTES;
    const packet = logical.pieces.length === 1 ? (logical.pieces[0] as Uint8Array) : concat(logical.pieces);
    dropPieces(logical);
    logical.skipping = false;
    // The comments are not needed, and may be larger than any packet of sound.
    if (logical.stage === 'tags') logical.stage = 'audio';
    else if (logical.stage === 'head') takeHead(logical, packet);
    else if (usable) takeAudio(logical, packet);
  }

  function takeHead(logical: LogicalStream, packet: Uint8Array): void {
    const head = parseOpusHead(packet);
    if (head) {
      logical.stage = 'tags';
      items.push({ kind: 'head', head });
    } else {
      stream = null;
    }
  }

  function takeAudio(logical: LogicalStream, data: Uint8Array): void {
    const samples = opusSamples(data);
    if (samples === 0 || !page) return;
    logical.position += BigInt(samples);
    // Only the last page may end before its packets do (RFC 7845, section 4.4), and its header comes before them.
    const behind = page.isLast && page.granule >= 0n ? logical.position - page.granule : 0n;
    const drop = behind <= 0n ? 0 : Number(behind < BigInt(samples) ? behind : BigInt(samples));
    items.push({ kind: 'packet', data, samples, drop });
  }

  return {
    push(bytes) {
      items = [];
      reader.push(bytes);
      return items;
    },
    get atBoundary() {
      return page === null && reader.waiting === 0;
    },
  };
}

function dropPieces(stream: LogicalStream): void {
  stream.pieces = [];
  stream.bytes = 0;
}

/** Null if it is none, or of a version that is unknown. */
export function parseOpusHead(packet: Uint8Array): OpusHead | null {
  // Major version 0 only (the upper half of the byte): others are not compatible.
  if (packet.length < 19 || codecOf(packet) !== 'Opus' || ((packet[8] ?? 0) & 0xf0) !== 0) return null;
  const view = new DataView(packet.buffer, packet.byteOffset, packet.byteLength);
  return {
    preSkip: view.getUint16(10, true),
    gainDb: view.getInt16(16, true) / 256,
    mappingFamily: view.getUint8(18),
  };
}
