// What one member says, on its way to the voice service: packets in their order on one time line, kept only as long as they may be needed.
import { packetsToOgg } from '../audio/index.ts';
import { emptyPackets, OPUS_RATE, SILENCE, SILENCE_SAMPLES } from '../audio/opus.ts';
import type { HeardSound } from '../voice-session/types.ts';
import type { SoundPart, Spoken } from './speech-finder.ts';

/** Discord's samples per millisecond. */
const RATE_MS = OPUS_RATE / 1000;
/** Samples that a packet may be earlier or later than those before it say. More is silence that wasn't sent. */
const TOLERANCE = 480;
/**
 * Milliseconds of sound that a member may claim beyond the time that has passed, as packets that were held back do, and how much of that is
 * forgiven each millisecond: no clock is faster by that much.
 */
const MAX_AHEAD_MS = 1_000;
const FORGIVEN = 0.01;
/** Samples of packets that are kept at the most: the longest utterance, and what may come while its end is being looked for. */
const MAX_KEPT = 30 * OPUS_RATE;

/** Something that was said, ready to be sent. Times are in milliseconds since 1970. */
export interface Utterance {
  userId: string;
  startedAt: number;
  endedAt: number;
  /** Seconds of sound, margins included. */
  seconds: number;
  parts: SoundPart[];
}

/** What is heard of a member, as positions on one time line of samples at 48 kHz. */
export interface TimeLine {
  /** Places the next packet, and keeps it; null if it isn't, because the member claims to have spoken for longer than is possible. */
  add(sound: Exclude<HeardSound, { kind: 'pause' }>): SoundPart | null;
  /** What was said there. It is no longer kept. */
  take(spoken: Spoken): Utterance;
  /** No longer keeps what is before this position. */
  forgetBefore(position: number): void;
  /** Wipes everything; returns how many seconds of sound were kept. */
  wipe(): number;
}

export function createTimeLine(userId: string): TimeLine {
  let kept: SoundPart[] = [];
  /** Where the packets so far end. */
  let position = 0;
  /** `performance.now()` at position 0. */
  let origin: number | null = null;
  /** Milliseconds of sound beyond the time that has passed, and when that was last counted. */
  let aheadMs = 0;
  let countedAt = 0;

  /** Returns false if the member is too far ahead of the time that has passed. */
  function countAhead(at: number, lateMs: number): boolean {
    const ahead = Math.max(0, aheadMs - FORGIVEN * Math.max(0, at - countedAt) - lateMs);
    if (ahead > MAX_AHEAD_MS) return false;
    aheadMs = ahead;
    countedAt = at;
    return true;
  }

  function forgetBefore(before: number): void {
    const count = kept.findIndex((part) => part.position + part.samples > before);
    if (count !== 0) kept.splice(0, count < 0 ? kept.length : count);
  }

  return {
    add(sound) {
      origin ??= sound.at;
      const gapSamples = (sound.at - origin) * RATE_MS - position;
      if (Math.abs(gapSamples) > TOLERANCE && !countAhead(sound.at, gapSamples / RATE_MS)) return null;
      // The sender's clock may be corrected: the packets follow one another all the same.
      if (gapSamples < -TOLERANCE) origin = sound.at - position / RATE_MS;
      else if (gapSamples > TOLERANCE) position += Math.round(gapSamples);
      const part = { position, samples: sound.samples, opus: sound.kind === 'packet' ? sound.opus : null };
      kept.push(part);
      position += sound.samples;
      forgetBefore(position - MAX_KEPT);
      return part;
    },

    take({ start, end, from, to }) {
      const first = kept.findIndex((part) => part.position + part.samples > from);
      const last = kept.findLastIndex((part) => part.position < to);
      const parts = first < 0 ? [] : kept.splice(first, Math.max(0, last + 1 - first));
      const timeOf = (at: number) => performance.timeOrigin + (origin ?? 0) + at / RATE_MS;
      return { userId, startedAt: timeOf(start), endedAt: timeOf(end), seconds: secondsOf(parts), parts };
    },

    forgetBefore,

    wipe() {
      const seconds = secondsOf(kept);
      wipe(kept);
      kept = [];
      return seconds;
    },
  };
}

/** From the first to the end of the last, gaps included. */
function secondsOf(parts: readonly SoundPart[]): number {
  const [first, last] = [parts[0], parts.at(-1)];
  return first && last ? (last.position + last.samples - first.position) / OPUS_RATE : 0;
}

/** Overwrites the sound. */
export function wipe(parts: readonly SoundPart[]): void {
  for (const { opus } of parts) opus?.fill(0);
}

/**
 * Joins what a member said one after the other into one utterance, without what was silent in between.
 * @param utterances at least one
 */
export function joinUtterances(utterances: readonly Utterance[]): Utterance {
  const [first, ...others] = utterances as [Utterance, ...Utterance[]];
  const joined = { ...first, parts: [...first.parts] };
  for (const { parts, seconds, endedAt } of others) {
    const last = joined.parts.at(-1);
    const shift = (last ? last.position + last.samples : 0) - (parts[0]?.position ?? 0);
    joined.parts.push(...parts.map((part) => ({ ...part, position: part.position + shift })));
    joined.seconds += seconds;
    joined.endedAt = endedAt;
  }
  return joined;
}

/**
 * As an Ogg/Opus file of the packets themselves. In place of lost ones are packets without a frame, which decoders conceal; in place of
 * silence that wasn't sent, silence. So times stay true.
 */
export function toOgg({ parts }: Utterance): Uint8Array {
  const packets: Uint8Array[] = [];
  let position = parts[0]?.position ?? 0;
  for (const { position: at, samples, opus } of parts) {
    for (; at - position >= SILENCE_SAMPLES; position += SILENCE_SAMPLES) packets.push(SILENCE);
    if (opus) packets.push(opus);
    else packets.push(...emptyPackets(samples));
    position = at + samples;
  }
  return packetsToOgg(packets);
}
