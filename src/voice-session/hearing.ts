// What a session hears: packets of members who have agreed to it, decrypted and in order. Whose packet it is, and whether that member had
// agreed before it came, is looked up first; everything else is dropped as it came.
import { opusSamples } from '../audio/opus.ts';
import { createJitterBuffer, type JitterBuffer } from './jitter-buffer.ts';
import type { Call, CallListener } from './networking.ts';
import { isSilence, isSoundPacket, type RtpHeader, readRtpHeader } from './rtp.ts';
import type { Hearing, HearingOptions, HearingStats, VoiceError } from './types.ts';

/** What is kept of each SSRC until its member is known: the latest packets, for so many milliseconds. */
const MAX_UNNAMED_PACKETS = 100;
const MAX_UNNAMED_MS = 2000;
const MAX_UNNAMED_SSRCS = 16;
/**
 * Packets of one member that are heard each millisecond: those with the least sound have 2.5 ms. So many may come at once, or as many as
 * would have come since the last tick. One member's flood costs others nothing then.
 */
const PACKETS_PER_MS = 0.4;
const MAX_BURST = 400;
/** A speaker is in trouble if none of so many packets could be decrypted, and for so long. */
const FAILING_MS = 3000;
const FAILING_PACKETS = 50;
/** The channel is joined again at most this often. */
const REJOIN_INTERVAL_MS = 5 * 60_000;
/** A speaker in trouble for so many times in a row can't be heard. */
const MAX_TROUBLES = 2;
/**
 * Milliseconds between two ticks, in which packets are read and heard; until then, the system keeps them. Waking up for each one would cost
 * 0.1 ms of CPU, several times what the packet itself does (measured with 50 packets a second on an AMD EPYC).
 */
const TICK_MS = 100;
/** How often a tick reads again while more has arrived: Node takes 32 packets of a socket each time, and a flood never ends. */
const MAX_READS = 50;

/** A hearing with what its session needs besides. */
export interface OpenHearing extends Hearing, CallListener {
  end(cause: VoiceError): void;
}

export interface HearingSession {
  failingMs: number | undefined;
  /** Bots, this one included. */
  isBot(userId: string): boolean;
  isSpeaking(): boolean;
  /** Whether packets are read as they arrive, or left to the system until then. */
  setReading(isOn: boolean): void;
  /** Joins the channel again. */
  rejoin(): void;
  /** One more member can't be heard. */
  onUnheard(): void;
  /** Called once, when nothing is heard any more. */
  onStop(): void;
}

interface Speaker {
  buffer: JitterBuffer;
  call: Call;
  ssrc: number;
}

/** Whether a speaker's packets can be decrypted; kept while the member is in the call. */
interface Health {
  /** When the first packet after the last good one failed; null = none has. */
  failingSince: number | null;
  failures: number;
  troubles: number;
}

/** As it came. */
interface Packet {
  call: Call;
  header: RtpHeader;
  datagram: Buffer;
  /** When the packet was read. */
  arrivedAt: number;
  /** The packet came after this time. */
  sinceAt: number;
}

/** Packets heard by this process, of all sessions. */
const total = { arrived: 0, decrypted: 0, failed: 0, concealed: 0, late: 0 } satisfies HearingStats;

export function countHeardPackets(): HearingStats {
  return { ...total };
}

/** Hears what it is told of, until it is stopped or ended. */
export function openHearing({ heardSince, onSound, onUnheard, onEnd }: HearingOptions, session: HearingSession): OpenHearing {
  const { failingMs = FAILING_MS } = session;
  const stats = new Map<string, HearingStats>();
  const speakers = new Map<string, Speaker>();
  const healths = new Map<string, Health>();
  /** Since the last tick. */
  let arrived: Packet[] = [];
  /** When all that had come by then had been read: what is read from now on came later, though nobody knows how much later. */
  let readUntil = performance.now();
  /** How many more packets of each member are heard in this tick, and when the last tick was. */
  const allowances = new Map<string, number>();
  let tickedAt = performance.now();
  /** Members who have left since the last tick, by SSRC. */
  const leaving = new Map<number, string>();
  /** By SSRC; belongs to the latest call. */
  const unnamed = new Map<number, Packet[]>();
  const unheard = new Set<string>();
  let wantsRejoin = false;
  let rejoinedAt = Number.NEGATIVE_INFINITY;
  let isOpen = true;

  function count(userId: string, counter: keyof HearingStats): void {
    const counts = stats.get(userId) ?? { arrived: 0, decrypted: 0, failed: 0, concealed: 0, late: 0 };
    stats.set(userId, counts);
    counts[counter] += 1;
    total[counter] += 1;
  }

  /** A packet whose speaker has a name. */
  function receive(userId: string, { call, header, datagram, arrivedAt, sinceAt }: Packet): void {
    if (session.isBot(userId)) return;
    count(userId, 'arrived');
    const since = heardSince(userId);
    if (since === null) forget(userId);
    // What may have been said before the member agreed isn't heard.
    if (since === null || sinceAt < since) return;
    const allowance = allowances.get(userId) ?? MAX_BURST;
    if (allowance < 1) return;
    allowances.set(userId, allowance - 1);
    let payload: Buffer;
    try {
      payload = call.open(datagram);
    } catch {
      // Not even its header can be believed.
      noteFailure(userId, arrivedAt);
      return;
    }
    const { buffer } = speakerOf(call, userId, header.ssrc, arrivedAt);
    if (buffer.push(header, payload, arrivedAt) === 'late') count(userId, 'late');
  }

  function decrypt(call: Call, userId: string, payload: Buffer): Buffer | null {
    const opus = call.decrypt(userId, payload);
    if (!opus || opusSamples(opus) === 0) {
      noteFailure(userId, performance.now());
      return null;
    }
    count(userId, 'decrypted');
    // Silence is never encrypted, so it says nothing about the keys.
    if (!isSilence(opus)) noteSuccess(userId);
    return opus;
  }

  /** With a new SSRC, or in a new call, a speaker's sequence numbers and times begin anew. */
  function speakerOf(call: Call, userId: string, ssrc: number, now: number): Speaker {
    let speaker = speakers.get(userId);
    if (!speaker) {
      const added: Speaker = {
        buffer: createJitterBuffer(
          (payload) => decrypt(added.call, userId, payload),
          (sound) => {
            if (sound.kind === 'lost') count(userId, 'concealed');
            onSound({ ...sound, userId });
          },
        ),
        call,
        ssrc,
      };
      speaker = added;
      speakers.set(userId, speaker);
    } else if (speaker.call !== call || speaker.ssrc !== ssrc) {
      speaker.buffer.end(now);
      Object.assign(speaker, { call, ssrc });
    }
    return speaker;
  }

  function noteSuccess(userId: string): void {
    healths.delete(userId);
    if (unheard.delete(userId)) onUnheard();
  }

  function noteFailure(userId: string, now: number): void {
    count(userId, 'failed');
    const health = healths.get(userId) ?? { failingSince: null, failures: 0, troubles: 0 };
    healths.set(userId, health);
    health.failingSince ??= now;
    health.failures += 1;
    if (now < health.failingSince + failingMs || health.failures < FAILING_PACKETS) return;
    health.failingSince = null;
    health.failures = 0;
    health.troubles += 1;
    wantsRejoin = true;
    if (health.troubles < MAX_TROUBLES || unheard.has(userId)) return;
    unheard.add(userId);
    session.onUnheard();
    onUnheard();
  }

  function rejoinIfDue(now: number): void {
    // By now, those who couldn't be heard may be heard again, or have left.
    if (![...healths.values()].some(({ troubles }) => troubles > 0)) wantsRejoin = false;
    if (!wantsRejoin || session.isSpeaking() || now < rejoinedAt + REJOIN_INTERVAL_MS) return;
    wantsRejoin = false;
    rejoinedAt = now;
    session.rejoin();
  }

  function keepUnnamed(ssrc: number, packet: Packet): void {
    const kept = unnamed.get(ssrc) ?? [];
    unnamed.set(ssrc, kept);
    kept.push(packet);
    if (kept.length > MAX_UNNAMED_PACKETS) wipe(kept.splice(0, 1));
    const [oldest] = unnamed.keys();
    if (unnamed.size > MAX_UNNAMED_SSRCS && oldest !== undefined) forgetUnnamed(oldest);
  }

  function forgetUnnamed(ssrc: number): void {
    wipe(unnamed.get(ssrc) ?? []);
    unnamed.delete(ssrc);
  }

  function forget(userId: string): void {
    speakers.get(userId)?.buffer.wipe();
    speakers.delete(userId);
    healths.delete(userId);
    if (unheard.delete(userId)) onUnheard();
  }

  function allowMore(now: number): void {
    const more = (now - tickedAt) * PACKETS_PER_MS;
    tickedAt = now;
    for (const [userId, left] of allowances) allowances.set(userId, Math.max(more, Math.min(MAX_BURST, left + more)));
  }

  function takeArrived(): void {
    const packets = arrived;
    arrived = [];
    for (const packet of packets) {
      const { ssrc } = packet.header;
      const userId = packet.call.names.get(ssrc) ?? leaving.get(ssrc);
      if (userId === undefined) keepUnnamed(ssrc, packet);
      else receive(userId, packet);
    }
  }

  function advance(now: number, drainedAt: number | null): void {
    allowMore(now);
    takeArrived();
    // The tick may have begun before this hearing was opened.
    readUntil = Math.max(readUntil, drainedAt ?? 0);
    for (const userId of leaving.values()) {
      speakers.get(userId)?.buffer.end(now);
      forget(userId);
    }
    leaving.clear();
    for (const [userId, { buffer }] of speakers) {
      if (heardSince(userId) !== null) buffer.advance(now);
      else forget(userId);
    }
    for (const [ssrc, kept] of unnamed) {
      const expired = kept.findLastIndex(({ arrivedAt }) => arrivedAt < now - MAX_UNNAMED_MS) + 1;
      wipe(kept.splice(0, expired));
      if (kept.length === 0) unnamed.delete(ssrc);
    }
    rejoinIfDue(now);
  }

  function close(): boolean {
    if (!isOpen) return false;
    isOpen = false;
    ticking.delete(inTick);
    for (const { buffer } of speakers.values()) buffer.wipe();
    for (const ssrc of [...unnamed.keys()]) forgetUnnamed(ssrc);
    session.onStop();
    return true;
  }

  const inTick: Ticking = { setReading: session.setReading, advance };
  startTicking(inTick);
  return {
    onDatagram(call, datagram) {
      if (!isSoundPacket(datagram)) return;
      const header = readRtpHeader(datagram);
      if (header.ssrc !== call.ownSsrc) arrived.push({ call, header, datagram, arrivedAt: performance.now(), sinceAt: readUntil });
      received += 1;
    },
    onNamed(ssrc, userId) {
      const kept = unnamed.get(ssrc) ?? [];
      unnamed.delete(ssrc);
      for (const packet of kept) receive(userId, packet);
      wipe(kept);
    },
    onCallLeft(userId) {
      const speaker = speakers.get(userId);
      if (speaker) leaving.set(speaker.ssrc, userId);
      else forget(userId);
    },
    onCall() {
      takeArrived();
      for (const ssrc of [...unnamed.keys()]) forgetUnnamed(ssrc);
    },
    forget,
    stats: () => new Map([...stats].map(([userId, counts]) => [userId, { ...counts }])),
    get unheard() {
      return [...unheard];
    },
    stop: () => void close(),
    end(cause) {
      if (close()) onEnd(cause);
    },
  };
}

function wipe(packets: readonly Packet[]): void {
  for (const { datagram } of packets) datagram.fill(0);
}

interface Ticking {
  setReading(isOn: boolean): void;
  /** @param drainedAt when nothing was left to be read; null = something may still be */
  advance(now: number, drainedAt: number | null): void;
}

/** All hearings share a timer, so that the process is woken once for all of them. */
const ticking = new Set<Ticking>();
let ticker: NodeJS.Timeout | undefined;
/** Packets of all hearings. */
let received = 0;

function startTicking(entry: Ticking): void {
  ticking.add(entry);
  ticker ??= setInterval(() => {
    for (const { setReading } of ticking) setReading(true);
    finishTick(MAX_READS);
    if (ticking.size > 0) return;
    clearInterval(ticker);
    ticker = undefined;
  }, TICK_MS);
}

/** Reads everything that has arrived before anybody is taken to be silent. */
function finishTick(reads: number): void {
  const before = received;
  const askedAt = performance.now();
  setImmediate(() => {
    const isDrained = received === before;
    if (!isDrained && reads > 1) {
      finishTick(reads - 1);
      return;
    }
    const now = performance.now();
    for (const { setReading, advance } of ticking) {
      setReading(false);
      advance(now, isDrained ? askedAt : null);
    }
  });
}
