// When each packet of a speaker is to be played: in order, with holes kept as silence, a little ahead of need.

const SAMPLE_RATE = 48_000;
/** How far ahead of its playing the first packet is put, for those that come late; grows when it was not enough. */
const MIN_DELAY_SECONDS = 0.08;
const MAX_DELAY_SECONDS = 0.3;
const DELAY_STEP_SECONDS = 0.06;
/** Sound that has piled up further ahead than this is dropped, so that it is not heard late for ever. */
const MAX_AHEAD_SECONDS = 1;
/** A hole in the timestamps up to this is kept as silence; any other jump is a new beginning. */
const MAX_GAP_SECONDS = 1;
/** A buffer found empty for less than this ran dry in mid-speech; for longer, nobody spoke. */
const MAX_UNDERRUN_SECONDS = 0.5;

/** Where one speaker's sound has got to. Times are seconds of the audio clock. */
export interface JitterBuffer {
  /** When the sound placed so far ends; −∞ before the first. */
  endsAt: number;
  /** Timestamp that the next packet has if none is missing. */
  nextTimestamp: number | undefined;
  nextSequence: number;
  delay: number;
  /** Packets that never came. */
  lost: number;
  /** How often the buffer ran dry. */
  underruns: number;
}

export function createJitterBuffer(): JitterBuffer {
  return { endsAt: Number.NEGATIVE_INFINITY, nextTimestamp: undefined, nextSequence: 0, delay: MIN_DELAY_SECONDS, lost: 0, underruns: 0 };
}

/** Places a packet of so many samples (48 kHz): gives when it is to be played, or undefined when it comes too late or too much waits already. */
export function schedulePacket(
  buffer: JitterBuffer,
  packet: { timestamp: number; sequence: number; samples: number },
  now: number,
): number | undefined {
  const gap = buffer.nextTimestamp === undefined ? Number.NaN : ((packet.timestamp - buffer.nextTimestamp) | 0) / SAMPLE_RATE;
  const continues = Math.abs(gap) <= MAX_GAP_SECONDS;
  if (continues && gap < 0) return undefined;
  if (continues) buffer.lost += Math.min(100, (packet.sequence - buffer.nextSequence) & 0xffff);
  buffer.nextTimestamp = (packet.timestamp + packet.samples) >>> 0;
  buffer.nextSequence = (packet.sequence + 1) & 0xffff;

  const due = buffer.endsAt + (continues ? gap : 0);
  if (due - now > MAX_AHEAD_SECONDS) return undefined;
  const playAt = due >= now ? due : now + refillDelay(buffer, now - due);
  buffer.endsAt = playAt + packet.samples / SAMPLE_RATE;
  return playAt;
}

function refillDelay(buffer: JitterBuffer, emptyFor: number): number {
  if (emptyFor < MAX_UNDERRUN_SECONDS) {
    buffer.underruns++;
    buffer.delay = Math.min(MAX_DELAY_SECONDS, buffer.delay + DELAY_STEP_SECONDS);
  }
  return buffer.delay;
}
