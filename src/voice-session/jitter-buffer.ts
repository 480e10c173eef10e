// Puts one speaker's packets in order, by RTP's sequence numbers and times. Nothing is delayed unless a packet is missing: then those after
// it wait, 60 ms at first, and longer once packets have come later than that.
import { opusSamples } from '../audio/opus.ts';
import type { RtpHeader } from './rtp.ts';
import type { HeardSound } from './types.ts';

const SAMPLES_PER_MS = 48;
/** How long packets wait for a missing one, in ms. */
const MIN_WAIT_MS = 60;
const MAX_WAIT_MS = 300;
/** The wait becomes this much shorter whenever no packet has been late for this long. */
const SHORTEN_BY_MS = 20;
const SHORTEN_AFTER_MS = 10_000;
/** Milliseconds after the wait for the next packet that was due: then the member counts as silent. */
const PAUSE_MARGIN_MS = 40;
/** Longer losses are pauses: decoders conceal a tenth of a second at best. */
const MAX_CONCEALED = 500 * SAMPLES_PER_MS;
/** Far more than arrives out of order. When this many packets wait, the missing one is given up. */
const MAX_HELD = 100;
/** Sequence numbers further away than these belong to a new stream (RFC 3550, appendix A.1). */
const MAX_AHEAD = 3000;
const MAX_BEHIND = 100;

/** What is heard, without its speaker. */
export type SpeakerSound = HeardSound extends infer Sound ? (Sound extends HeardSound ? Omit<Sound, 'userId'> : never) : never;

/** All times are in ms, by one monotonic clock. */
export interface JitterBuffer {
  /** Returns `late` if later packets have been heard already, `duplicate` if so has the packet itself, or if it waits already. */
  push(header: RtpHeader, payload: Buffer, now: number): 'taken' | 'late' | 'duplicate';
  /** Releases packets that have waited for long enough, and notices silence. Call every 100 ms or so, when all that arrived was pushed. */
  advance(now: number): void;
  /** Releases all packets, in order. The next packet begins a new stream. */
  end(now: number): void;
  /** Overwrites the packets that wait. The next packet begins a new stream. */
  wipe(): void;
}

interface Held {
  timestamp: number;
  payload: Buffer;
  arrivedAt: number;
}

/** One stream: an SSRC, until its sequence numbers begin anew. */
interface Stream {
  /** The sequence number whose turn it is, counted on beyond 16 bits. */
  next: number;
  /** How many packets in a row before it are missing for good. */
  missing: number;
  /** RTP's time of the sample after the last packet, counted on beyond 32 bits; null before the first one. */
  nextTimestamp: number | null;
  /** The latest of all times, to count on from. */
  lastTimestamp: number;
  /** By sequence number. */
  held: Map<number, Held>;
  /** When packets were given up, by sequence number. */
  givenUp: Map<number, number>;
  /** Until then the first packet waits for earlier ones. */
  beginsAt: number;
  lastArrivedAt: number;
  /** The sequence number that would follow the last one that was too far away. */
  restart: number | null;
  clock: SenderClock;
}

/**
 * @param open decrypts a payload when its turn has come, since a group's frames can be decrypted only in order at first; null = it can't be
 * @param deliver is called with each packet in its turn, and with losses and pauses
 */
export function createJitterBuffer(open: (payload: Buffer) => Uint8Array | null, deliver: (sound: SpeakerSound) => void): JitterBuffer {
  let stream: Stream | null = null;
  let waitMs = MIN_WAIT_MS;
  /** When a packet was last late, or the wait was last shortened. */
  let waitChangedAt = Number.NEGATIVE_INFINITY;
  /** The length of the last packet. */
  let samples = 20 * SAMPLES_PER_MS;
  let isSilent = true;
  /** Samples concealed since the last packet. */
  let concealed = 0;
  let lastAt = Number.NEGATIVE_INFINITY;

  function push(header: RtpHeader, payload: Buffer, now: number): ReturnType<JitterBuffer['push']> {
    stream ??= beginStream(header, now + waitMs, now);
    const distance = signed16(header.sequence - stream.next);
    if (distance > MAX_AHEAD || distance < -MAX_BEHIND) {
      if (header.sequence !== stream.restart) {
        stream.restart = (header.sequence + 1) & 0xffff;
        return 'late';
      }
      end(now);
      stream = beginStream(header, now + waitMs, now);
    }
    const number = stream.next + signed16(header.sequence - stream.next);
    if (stream.held.has(number)) return 'duplicate';
    if (number < stream.next) {
      if (stream.nextTimestamp !== null) return skip(stream, number, now);
      stream.next = number;
    }
    const timestamp = stream.lastTimestamp + ((header.timestamp - stream.lastTimestamp) | 0);
    stream.lastTimestamp = Math.max(timestamp, stream.lastTimestamp);
    stream.lastArrivedAt = now;
    stream.clock.observe(timestamp, now);
    stream.held.set(number, { timestamp, payload, arrivedAt: now });
    // The missing packets may have arrived as well: they are given up in `advance`.
    release(stream, now, Number.POSITIVE_INFINITY);
    return 'taken';
  }

  /** A packet whose turn has passed. */
  function skip({ givenUp }: Stream, number: number, now: number): 'late' | 'duplicate' {
    const givenUpAt = givenUp.get(number);
    if (givenUpAt === undefined) return 'duplicate';
    givenUp.delete(number);
    waitMs = Math.min(MAX_WAIT_MS, waitMs + Math.max(SHORTEN_BY_MS, now - givenUpAt));
    waitChangedAt = now;
    return 'late';
  }

  /** @param longestMs how long packets have waited when those before them are given up */
  function release(current: Stream, now: number, longestMs = waitMs): void {
    const { held } = current;
    if (current.nextTimestamp === null && now < current.beginsAt) return;
    while (held.size > 0) {
      const packet = held.get(current.next);
      if (packet) {
        held.delete(current.next);
        current.next += 1;
        hear(current, packet);
        continue;
      }
      const first = Math.min(...held.keys());
      const waitsSince = held.get(first)?.arrivedAt ?? now;
      if (now < waitsSince + longestMs && held.size < MAX_HELD) return;
      giveUp(current, first, now);
    }
  }

  /** Gives up all packets before this one. */
  function giveUp(current: Stream, first: number, now: number): void {
    const { givenUp } = current;
    current.missing += first - current.next;
    for (let number = Math.max(current.next, first - MAX_BEHIND); number < first; number++) givenUp.set(number, now);
    for (const number of givenUp.keys()) if (number < first - MAX_BEHIND) givenUp.delete(number);
    current.next = first;
  }

  function hear(current: Stream, { timestamp, payload }: Held): void {
    const { missing, clock } = current;
    const opus = open(payload);
    current.missing = 0;
    if (current.nextTimestamp !== null) {
      const gap = timestamp - current.nextTimestamp;
      const lost = Math.max(0, Math.min(missing, Math.round(gap / samples)));
      conceal(current, current.nextTimestamp, lost);
      // The member was silent, or the clock of the member's client was set back.
      if (Math.abs(gap - lost * samples) > samples / 2) pause(current);
    }
    if (opus) {
      samples = opusSamples(opus) || samples;
      concealed = 0;
      isSilent = false;
      deliver({ kind: 'packet', at: timeOf(clock, timestamp), samples, opus });
    } else conceal(current, timestamp, 1);
    current.nextTimestamp = timestamp + samples;
  }

  /** So many packets are missing from this time on. */
  function conceal(current: Stream, timestamp: number, packets: number): void {
    if (isSilent || packets === 0) return;
    if (concealed + packets * samples > MAX_CONCEALED) {
      pause(current);
      return;
    }
    concealed += packets * samples;
    for (let i = 0; i < packets; i++) deliver({ kind: 'lost', at: timeOf(current.clock, timestamp + i * samples), samples });
  }

  /** The member is silent from the end of the last packet on. */
  function pause({ nextTimestamp, clock }: Stream): void {
    if (isSilent || nextTimestamp === null) return;
    isSilent = true;
    deliver({ kind: 'pause', at: timeOf(clock, nextTimestamp) });
  }

  /** Never before the sound that came before it: an estimate of the sender's clock may be corrected. */
  function timeOf(clock: SenderClock, timestamp: number): number {
    lastAt = Math.max(lastAt, clock.timeOf(timestamp));
    return lastAt;
  }

  function advance(now: number): void {
    if (waitMs > MIN_WAIT_MS && now >= waitChangedAt + SHORTEN_AFTER_MS) {
      waitMs = Math.max(MIN_WAIT_MS, waitMs - SHORTEN_BY_MS);
      waitChangedAt = now;
    }
    if (!stream) return;
    release(stream, now);
    const dueAt = stream.lastArrivedAt + samples / SAMPLES_PER_MS;
    if (stream.held.size === 0 && now >= dueAt + waitMs + PAUSE_MARGIN_MS) pause(stream);
  }

  function end(now: number): void {
    if (!stream) return;
    release(stream, Math.max(now, stream.beginsAt) + MAX_WAIT_MS);
    pause(stream);
    stream = null;
  }

  function wipe(): void {
    for (const { payload } of stream?.held.values() ?? []) payload.fill(0);
    stream = null;
    isSilent = true;
  }

  return { push, advance, end, wipe };
}

function beginStream({ sequence, timestamp }: RtpHeader, beginsAt: number, now: number): Stream {
  return {
    next: sequence,
    missing: 0,
    nextTimestamp: null,
    lastTimestamp: timestamp,
    held: new Map(),
    givenUp: new Map(),
    beginsAt,
    lastArrivedAt: now,
    restart: null,
    clock: createSenderClock(),
  };
}

function signed16(value: number): number {
  return (value << 16) >> 16;
}

// When a sender's sample was spoken, by our clock. The packets that travelled fastest tell: the least difference between arrival and RTP's
// time. Only the latest packets count, since the two clocks may drift apart, or the sender's may stand still during silence.

const WINDOW_MS = 2000;
/** No packet is delayed for that long, so the sender's clock has stood still. */
const MAX_DELAY_MS = 2000;

interface SenderClock {
  /** @param timestamp RTP's time of a packet that arrives now, counted on beyond 32 bits */
  observe(timestamp: number, now: number): void;
  /** Our time of this sample. */
  timeOf(timestamp: number): number;
}

function createSenderClock(): SenderClock {
  let windowBegan = Number.NEGATIVE_INFINITY;
  /** The least difference in the window before this one, and in this one. */
  let before = Number.POSITIVE_INFINITY;
  let least = Number.POSITIVE_INFINITY;
  return {
    observe(timestamp, now) {
      const difference = now - timestamp / SAMPLES_PER_MS;
      if (now > windowBegan + WINDOW_MS) {
        windowBegan = now;
        before = least;
        least = difference;
      }
      least = Math.min(least, difference);
      if (difference > Math.min(before, least) + MAX_DELAY_MS) {
        before = difference;
        least = difference;
      }
    },
    timeOf: (timestamp) => timestamp / SAMPLES_PER_MS + Math.min(before, least),
  };
}
