// Ogg (RFC 3533) with Opus, Vorbis or FLAC: sums the lengths of packets, whatever positions the pages claim.
import { hasMagic } from '../audio/bytes.ts';
import { CONTINUED_PACKET, codecOf, createPageReader } from '../audio/ogg/page.ts';
import { OPUS_RATE, opusSamples } from '../audio/opus.ts';
import { type Counter, estimate, UNCOUNTABLE } from './duration.ts';
import { readFlacFrame, readFlacRate } from './flac.ts';
import { readVorbis, SETUP_TAIL, type VorbisStream } from './vorbis.ts';

/** No real file has more, and each costs memory. */
const MAX_STREAMS = 64;
/** Pages with a wrong checksum are searched for others, which costs time. */
const MAX_BAD_PAGES = 64;
/** Vorbis setup headers, one per chained file: nothing takes longer to parse. */
const MAX_SETUPS = 64;
/** The beginning of a packet: enough for the headers that are read, and for its length. */
const HEAD_BYTES = 64;

interface Stream {
  codec: 'opus' | 'vorbis' | 'flac' | null;
  /** Seconds measured. */
  seconds: number;
  /** Bytes of an unknown codec. */
  foreign: number;
  /** Vorbis: its first header, and the end of its third while that is being read. */
  ident: Buffer | null;
  setup: Buffer | null;
  vorbis: VorbisStream | null;
  flacRate: number;
}

export function createOggCounter(): Counter {
  const streams = new Map<number, Stream>();
  /** That of the page, and whether a packet begins with its next part. */
  let stream = newStream();
  let isBeginning = true;
  let badPages = 0;
  let setups = 0;
  let isUncountable = false;

  const reader = createPageReader({
    isVerifying: true,
    onPage({ serial, flags }) {
      stream = streams.get(serial) ?? newStream();
      streams.set(serial, stream);
      isUncountable ||= streams.size > MAX_STREAMS;
      isBeginning = (flags & CONTINUED_PACKET) === 0;
    },
    onPart(part, isEnding) {
      takePart(stream, part, isBeginning, isEnding);
      isBeginning = isEnding;
    },
    onPageEnd(isGood) {
      // Some players play a bad page, others search it for pages: both count.
      if (!isGood) badPages += 1;
      isUncountable ||= badPages > MAX_BAD_PAGES;
    },
    isOver: () => isUncountable,
  });

  /** The part of a packet on one page. The first part is enough, except for the Vorbis setup header. */
  function takePart(stream: Stream, part: Buffer, isBeginning: boolean, isEnding: boolean): void {
    if (isBeginning) takeHead(stream, part);
    if (stream.codec === null) stream.foreign += part.length;
    if (!stream.setup) return;
    stream.setup = Buffer.concat([stream.setup, part]).subarray(-SETUP_TAIL);
    if (!isEnding) return;
    stream.vorbis = stream.ident && readVorbis(stream.ident, stream.setup);
    stream.setup = null;
  }

  function takeHead(stream: Stream, part: Buffer): void {
    const head = part.subarray(0, HEAD_BYTES);
    const codec = codecOf(head);
    if (codec === 'Opus') stream.codec = 'opus';
    else if (codec === 'Vorbis') {
      stream.codec = 'vorbis';
      stream.ident = Buffer.from(head);
    } else if (hasMagic(head, '\x05vorbis')) {
      stream.setup = Buffer.alloc(0);
      setups += 1;
      isUncountable ||= setups > MAX_SETUPS;
    } else if (codec === 'FLAC') {
      stream.codec = 'flac';
      stream.flacRate = readFlacRate(head.subarray(13));
    } else if (stream.codec === 'opus' && !hasMagic(head, 'OpusTags')) stream.seconds += opusSamples(head) / OPUS_RATE;
    else if (stream.codec === 'vorbis' && stream.vorbis && head.length > 0)
      stream.seconds += stream.vorbis.samplesOf(head[0] ?? 0) / stream.vorbis.rate;
    else if (stream.codec === 'flac') stream.seconds += readFlacFrame(head, 0, stream.flacRate)?.seconds ?? 0;
  }

  return {
    push: reader.push,
    end: reader.end,
    duration() {
      if (isUncountable) return UNCOUNTABLE;
      const all = [...streams.values()];
      const counted = all.reduce((sum, { seconds }) => sum + seconds, 0);
      const foreign = estimate(all.reduce((sum, one) => sum + one.foreign, 0)).seconds;
      return { seconds: counted + foreign, isMeasured: counted > foreign };
    },
  };
}

function newStream(): Stream {
  return { codec: null, seconds: 0, foreign: 0, ident: null, setup: null, vorbis: null, flacRate: 0 };
}
