// Formats without a container, which are successive frames whose headers say how long each is: MPEG audio (layers I to III, so MP3 too), AAC
// in ADTS, and AMR.
import { createByteParser } from '../audio/containers/byte-parser.ts';
import { createMpegReader, type FrameHeader, parseAdtsHeader, parseMp3Header } from '../audio/containers/mpeg-frames.ts';
import { type Counter, estimate } from './duration.ts';

/** May start before the first frame: anything between frames is skipped. */
export function createMpegCounter(): Counter {
  let seconds = 0;
  let all = 0;
  let lost = 0;
  let hasEnded = false;

  const reader = createMpegReader({
    parse: (bytes, at): FrameHeader | null => parseMp3Header(bytes, at) ?? parseAdtsHeader(bytes, at),
    isTrusting: false,
    onFrame(header) {
      seconds += header.seconds;
    },
    onLost(bytes) {
      lost += bytes;
    },
  });

  return {
    push(bytes) {
      all += bytes.length;
      reader.push(bytes);
    },
    end() {
      reader.end();
      hasEnded = true;
    },
    // Mostly something else, perhaps free-format frames, which some decoders support.
    duration: () =>
      hasEnded && lost * 2 > all ? { ...estimate(all), seconds: Math.max(seconds, estimate(all).seconds) } : { seconds, isMeasured: true },
  };
}

const AMR_FRAME_SECONDS = 0.02;
const AMR_WIDE_MARK = '#!AMR-WB\n';
/** Bytes after the first of an AMR frame, by its type (RFC 4867, section 5.3). */
const AMR_NARROW = [12, 13, 15, 17, 19, 20, 26, 31, 5];
const AMR_WIDE = [17, 23, 32, 36, 40, 46, 50, 58, 60, 5];

/** Starts at `#!AMR`. */
export function createAmrCounter(): Counter {
  let sizes: number[] | null = null;
  let seconds = 0;
  const parser = createByteParser(AMR_WIDE_MARK.length, (bytes, at, isLast) => {
    if (sizes) {
      seconds += AMR_FRAME_SECONDS;
      return 1 + (sizes[((bytes[at] ?? 0) >> 3) & 15] ?? 0);
    }
    if (bytes.length - at < AMR_WIDE_MARK.length && !isLast) return 0;
    const isWide = bytes.toString('latin1', at, at + AMR_WIDE_MARK.length) === AMR_WIDE_MARK;
    sizes = isWide ? AMR_WIDE : AMR_NARROW;
    return isWide ? AMR_WIDE_MARK.length : '#!AMR\n'.length;
  });
  return { push: parser.push, end: parser.end, duration: () => ({ seconds, isMeasured: true }) };
}
