// When each packet of a speaker is to be played: in order, with holes kept as silence, a little ahead of need.

const sampleRate = 48_000;
/** How far ahead of its playing the first packet is put, for those that come late; grows when it was not enough. */
const firstCushionSeconds = 0.08;
const largestCushionSeconds = 0.3;
const cushionStepSeconds = 0.06;
/** Sound that has piled up further ahead than this is dropped, so that it is not heard late for ever. */
const furthestAheadSeconds = 1;
/** A hole in the timestamps up to this is kept as silence; any other jump is a new beginning. */
const longestGapSeconds = 1;
/** A buffer found empty for less than this ran dry in mid-speech; for longer, nobody spoke. */
const longestDrySeconds = 0.5;

/** Where one speaker's sound has got to. Times are seconds of the audio clock. */
export interface Timing {
  /** When the sound placed so far ends; −∞ before the first. */
  endsAt: number;
  /** Timestamp that the next packet has if none is missing. */
  nextTimestamp: number | undefined;
  nextSequence: number;
  cushion: number;
  /** Packets that never came. */
  lost: number;
  /** How often the buffer ran dry. */
  dry: number;
}

export function newTiming(): Timing {
  return { endsAt: Number.NEGATIVE_INFINITY, nextTimestamp: undefined, nextSequence: 0, cushion: firstCushionSeconds, lost: 0, dry: 0 };
}

/** Places a packet of so many samples (48 kHz): gives when it is to be played, or undefined when it comes too late or too much waits already. */
export function placePacket(
  timing: Timing,
  packet: { timestamp: number; sequence: number; samples: number },
  now: number,
): number | undefined {
  const gap = timing.nextTimestamp === undefined ? Number.NaN : ((packet.timestamp - timing.nextTimestamp) | 0) / sampleRate;
  const continues = Math.abs(gap) <= longestGapSeconds;
  if (continues && gap < 0) return undefined;
  if (continues) timing.lost += Math.min(100, (packet.sequence - timing.nextSequence) & 0xffff);
  timing.nextTimestamp = (packet.timestamp + packet.samples) >>> 0;
  timing.nextSequence = (packet.sequence + 1) & 0xffff;

  const due = timing.endsAt + (continues ? gap : 0);
  if (due - now > furthestAheadSeconds) return undefined;
  const playAt = due >= now ? due : now + refill(timing, now - due);
  timing.endsAt = playAt + packet.samples / sampleRate;
  return playAt;
}

function refill(timing: Timing, emptyFor: number): number {
  if (emptyFor < longestDrySeconds) {
    timing.dry++;
    timing.cushion = Math.min(largestCushionSeconds, timing.cushion + cushionStepSeconds);
  }
  return timing.cushion;
}
