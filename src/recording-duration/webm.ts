// WebM and Matroska: sums the packets in their blocks, whatever times the file claims.
import { createWebmReader, type WebmTrack } from '../audio/containers/webm.ts';
import { OPUS_RATE, opusSamples } from '../audio/opus.ts';
import { type Counter, type Duration, estimate, MAX_ESTIMATE, UNCOUNTABLE } from './duration.ts';
import { aacSeconds } from './mp4.ts';
import { readVorbis, SETUP_TAIL, type VorbisStream } from './vorbis.ts';

const MAX_TRACKS = 64;
/** Frames in a block, at most (RFC 9559, section 10.3), and the longest of them: Opus (RFC 6716), Vorbis with the largest block at 8 kHz. */
const MOST_FRAMES = 256;
const LONGEST_OPUS_SECONDS = 0.12;
const LONGEST_VORBIS_SECONDS = 4096 / 8000;

/** The file's description of a track. */
interface Entry {
  track: WebmTrack;
  /** From this head. */
  head: Buffer | null;
  vorbis: VorbisStream | null;
}

/** What the blocks of a track contain. */
interface Sums {
  /** Seconds if it is Opus, and if it is Vorbis. */
  opus: number;
  vorbis: number;
  /** Frames in its blocks. */
  frames: number;
  bytes: number;
}

export function createWebmCounter(): Counter {
  const entries: Entry[] = [];
  /** What was counted by track number; blocks may precede the entry. */
  const sums = new Map<number, Sums>();
  let all = 0;
  let hasEnded = false;
  const isUncountable = () => entries.length > MAX_TRACKS || sums.size > MAX_TRACKS || entries.some(({ track }) => track.encoded);

  const reader = createWebmReader({
    onTrack(track) {
      if (entries.length <= MAX_TRACKS) entries.push({ track, head: null, vorbis: null });
    },
    onBlock({ track, state, bytes, frames }) {
      const sum = sums.get(track) ?? { opus: 0, vorbis: 0, frames: 0, bytes: 0 };
      if (sums.size <= MAX_TRACKS) sums.set(track, sum);
      sum.bytes += bytes;
      if (state === 'oversized') {
        // No recorder makes these, but a player may play them.
        sum.frames += MOST_FRAMES;
        sum.opus += MOST_FRAMES * LONGEST_OPUS_SECONDS;
        sum.vorbis += MOST_FRAMES * LONGEST_VORBIS_SECONDS;
        return;
      }
      const vorbis = vorbisOf(entries.find((entry) => entry.track.number === track));
      for (const frame of frames) {
        sum.frames += 1;
        sum.opus += opusSamples(frame) / OPUS_RATE;
        if (vorbis && frame.length > 0) sum.vorbis += vorbis.samplesOf(frame[0] ?? 0) / vorbis.rate;
      }
    },
  });

  return {
    push(bytes) {
      all += bytes.length;
      if (!isUncountable()) reader.push(bytes);
    },
    end() {
      if (!isUncountable()) reader.end();
      hasEnded = true;
    },
    duration() {
      if (isUncountable()) return UNCOUNTABLE;
      // Players play one of several tracks; if several entries describe a track, any may apply. The longest counts.
      const durations = [...sums].flatMap(([number, sum]) => {
        const descriptions = entries.filter(({ track }) => track.number === number);
        return descriptions.length > 0 ? descriptions.map((entry) => durationOf(entry, sum)) : [durationOf(undefined, sum)];
      });
      const longest = longestOf(durations);
      const whole = reader.lost === 0 ? longest : withLost(longest, reader.lost, [...sums.values()]);
      // Most of it was skipped here, but a player may not skip it.
      return hasEnded && reader.skipped * 2 > all ? longestOf([whole, estimate(all)]) : whole;
    },
  };
}

function longestOf(durations: readonly Duration[]): Duration {
  return durations.reduce((a, b) => (b.seconds > a.seconds ? b : a), { seconds: 0, isMeasured: true });
}

/** Players may resume earlier after damage than the reader does, so what it lost counts as sound as dense as the rest. */
function withLost({ seconds }: Duration, lost: number, sums: readonly Sums[]): Duration {
  const counted = sums.reduce((all, { bytes }) => all + bytes, 0);
  const more = Math.max(estimate(lost).seconds, counted > 0 ? (seconds * lost) / counted : 0);
  return { seconds: Math.max(seconds, Math.min(MAX_ESTIMATE, seconds + more)), isMeasured: false };
}

function durationOf(entry: Entry | undefined, { frames, bytes, opus, vorbis }: Sums): Duration {
  const codec = entry?.track.codec ?? 'A_OPUS';
  if (codec === 'A_OPUS') return { seconds: opus, isMeasured: true };
  if (vorbisOf(entry)) return { seconds: vorbis, isMeasured: true };
  const frameSeconds = codec === 'A_AAC' && entry ? aacSeconds(entry.track.head) : null;
  if (frameSeconds) return { seconds: frames * frameSeconds, isMeasured: true };
  if (/^[VSB]_/.test(codec)) return { seconds: 0, isMeasured: true };
  // A player may still make sense of a damaged description.
  return codec.startsWith('A_') ? estimate(bytes) : { seconds: Math.max(opus, estimate(bytes).seconds), isMeasured: false };
}

function vorbisOf(entry: Entry | undefined): VorbisStream | null {
  if (!entry) return null;
  if (entry.head !== entry.track.head) {
    entry.head = entry.track.head;
    entry.vorbis = vorbisIn(entry.head);
  }
  return entry.vorbis;
}

/** Three laced headers (https://www.matroska.org/technical/codec_specs.html): the first has the rate, the last the modes. */
function vorbisIn(content: Buffer): VorbisStream | null {
  if (content[0] !== 2) return null;
  let at = 1;
  while (at < content.length && content[at] === 255) at += 1;
  const identBytes = (at - 1) * 255 + (content[at] ?? 0);
  at += 1;
  while (at < content.length && content[at] === 255) at += 1;
  at += 1;
  return readVorbis(content.subarray(at, at + identBytes), content.subarray(Math.max(at, content.length - SETUP_TAIL)));
}
