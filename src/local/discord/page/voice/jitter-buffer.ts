// Schedules a speaker's packets: in order, slightly ahead of time, with gaps kept as silence.

const SAMPLE_RATE = 48_000;
/** How far ahead the first packet is scheduled, so that late ones are still in time; it grows after an underrun. */
const MIN_DELAY_SECONDS = 0.08;
const MAX_DELAY_SECONDS = 0.3;
const DELAY_STEP_SECONDS = 0.06;
/** Packets that would play later than this are dropped, so that a backlog does not delay everything after it. */
const MAX_AHEAD_SECONDS = 1;
/** Longest gap in the timestamps that is kept as silence; a larger jump is a new start. */
const MAX_GAP_SECONDS = 1;
/** Up to this, an empty buffer is an underrun in mid-speech; beyond it, nobody was speaking. */
const MAX_UNDERRUN_SECONDS = 0.5;

/** How far one speaker has been scheduled. Times are seconds on the audio context's clock. */
export interface JitterBuffer {
  /** When the last scheduled packet ends; −∞ before the first. */
  endsAt: number;
  /** RTP timestamp of the next packet if none is missing. */
  nextTimestamp: number | undefined;
  nextSequence: number;
  delay: number;
  /** Packets that never arrived. */
  lost: number;
  /** How often the buffer ran empty in mid-speech. */
  underruns: number;
}

export function createJitterBuffer(): JitterBuffer {
  return { endsAt: Number.NEGATIVE_INFINITY, nextTimestamp: undefined, nextSequence: 0, delay: MIN_DELAY_SECONDS, lost: 0, underruns: 0 };
}

/** Returns when to play a packet of this many samples (48 kHz); undefined if it is late or too far ahead. */
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
