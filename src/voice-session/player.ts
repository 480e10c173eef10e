// Sends packets on time: one every 20 ms while there are any, then five of silence. It replaces the player of @discordjs/voice, whose
// single timer delays a first packet until its next tick, which puts 100 ms of silence between utterances, and which encrypts each packet
// 20 ms before it leaves, possibly for an encrypted group that no longer exists.

import { SILENCE } from '../audio/opus.ts';

/** Sent after the last packet. */
const SILENCE_PACKETS = 5;
/** Packets pulled ahead: 80 ms covers a slow turn of the event loop, and a skip wastes no more than that. */
const PACKETS_AHEAD = 4;
/** The first packet leaves immediately; each later one is shifted by up to this much until the player is in phase with the shared ticker. */
const SLIDE_MS = 4;
/** If less than 3 s were heard before the connection broke, the utterance starts over. */
const RESTART_PACKETS = 150;
/** Sent packets that are kept: those 3 s, and packets sent before a break is noticed. */
const REPLAY_BUFFER_PACKETS = 600;

/** A packet that leaves this long after the one before it in the same utterance is delayed, in milliseconds: as long as two. */
const DELAYED_MS = 40;

/** Packets of sound that have left this process. */
const counts = { sent: 0, delayed: 0 };

/** How many packets of sound have left this process, in all guilds, and how many of them were delayed. */
export const countPackets = (): Readonly<typeof counts> => counts;

/** Where a player sends its packets. */
export interface PacketSink {
  /** Returns false if nothing can be sent now: the packet is kept until `wake`. */
  send(packet: Buffer): boolean;
  /** Ends the speaking indicator. */
  stopSpeaking(): void;
  /** Everything sent before this time (`performance.now()`) arrived. */
  deliveredUntil(): number;
  /** Advances `deliveredUntil` to about now; `wake` is called when done. */
  confirmDelivery(): void;
  /** Called when sending throws; nothing more is sent. Called in a microtask, so it can't affect other players. */
  onFailure(error: unknown): void;
}

/** How much of an utterance has been sent; kept up to date while it plays. */
export interface PlayProgress {
  /** Packets sent, none counted twice. */
  sent: number;
  /** Resolved with the time at which the first packet left (`performance.now()`). */
  started: { resolve(at: number): void };
}

export interface Player {
  /**
   * Sends the packets, the first immediately. If they come late, silence is sent for a moment, then nothing. Resolves when the last one has
   * been delivered. One call at a time.
   * @throws what `packets` throws, or the signal's reason
   */
  play(packets: AsyncIterable<Uint8Array>, signal: AbortSignal, progress: PlayProgress): Promise<void>;
  /** Call when the sink accepts packets again, or knows more about what was delivered. */
  wake(): void;
  /** Nothing sent since then (`performance.now()`) was heard: sends it again, or everything if less than 3 s were heard. */
  rewind(since: number): void;
  /** Resolves when the silence after the last packet has been sent. */
  silent(): Promise<void>;
  /** For how many milliseconds packets have been waiting without any being sent; 0 if there are none. */
  waitingMs(): number;
  /** Sends nothing from now on. */
  end(): void;
}

interface Track {
  /** Still to be sent. */
  packets: Uint8Array[];
  /** Since when the first of these packets could have been sent (`performance.now()`). */
  waitingSince: number;
  /** The latest packets sent, and when. */
  replayBuffer: { packet: Uint8Array; at: number }[];
  /** Number of packets sent. */
  position: number;
  /** When the source ended or failed; null before that. */
  completeAt: number | null;
  failure: unknown;
  progress: PlayProgress;
  /** Resumes pulling from the source: there is room for another packet, or the track is over. */
  pull(): void;
  /** Settles `play`. */
  finish(): void;
}

export function createPlayer(sink: PacketSink): Player {
  let track: Track | null = null;
  /** Packets of silence still to be sent. */
  let silence = 0;
  let whenSilent = Promise.withResolvers<void>();
  whenSilent.resolve();
  let isOnTicker = false;
  /** Before the player is on the shared ticker: its own timer, and when the next packet is due (`performance.now()`). */
  let timer: NodeJS.Timeout | undefined;
  let due = 0;
  let hasEnded = false;

  /** Sends one packet; stops when there is none. Never throws, so the ticker's other players, and the code that woke this one, carry on. */
  function step(): void {
    timer = undefined;
    try {
      if (hasEnded || !sendNext()) stop();
      else if (!isOnTicker) slide();
    } catch (error) {
      end();
      queueMicrotask(() => sink.onFailure(error));
    }
  }

  /** Schedules the next packet closer to a tick, or joins the ticker if it is close enough. */
  function slide(): void {
    due = nextDue(due);
    const offset = tickOffset(due);
    if (Math.abs(offset) <= SLIDE_MS) {
      isOnTicker = true;
      joinTicker(step, due);
    } else {
      due += Math.sign(offset) * SLIDE_MS;
      timer = setTimeout(step, Math.max(1, due - performance.now()));
    }
  }

  function stop(): void {
    leaveTicker(step);
    isOnTicker = false;
    clearTimeout(timer);
    timer = undefined;
  }

  function sendNext(): boolean {
    const packet = track?.packets[0];
    if (!packet) return sendSilence();
    if (!sink.send(Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength))) return false;
    if (silence === 0) whenSilent = Promise.withResolvers();
    silence = SILENCE_PACKETS;
    if (track) recordSent(track, packet);
    finishIfDelivered();
    return true;
  }

  function recordSent(current: Track, packet: Uint8Array): void {
    const now = performance.now();
    const before = current.replayBuffer.at(-1);
    counts.sent += 1;
    if (before && now - before.at > DELAYED_MS) counts.delayed += 1;
    current.packets.shift();
    current.waitingSince = now;
    current.replayBuffer.push({ packet, at: now });
    if (current.replayBuffer.length > REPLAY_BUFFER_PACKETS) current.replayBuffer.shift();
    current.position += 1;
    current.progress.sent = current.position;
    if (current.position === 1) current.progress.started.resolve(now);
    if (current.packets.length < PACKETS_AHEAD) current.pull();
  }

  function sendSilence(): boolean {
    if (silence === 0) return false;
    // Through a closed gate nobody hears the end anyway.
    silence = sink.send(SILENCE) ? silence - 1 : 0;
    if (silence > 0) return true;
    sink.stopSpeaking();
    whenSilent.resolve();
    return false;
  }

  function finishIfDelivered(): void {
    if (track === null || track.completeAt === null || track.packets.length > 0) return;
    if (track.position === 0 || track.completeAt <= sink.deliveredUntil()) track.finish();
  }

  function rewind(since: number): void {
    if (!track) return;
    const unheard = track.replayBuffer.filter(({ at }) => at > since).length;
    const startsOver = track.position - unheard < RESTART_PACKETS;
    const again = track.replayBuffer.splice(startsOver ? 0 : track.replayBuffer.length - unheard);
    track.packets.unshift(...again.map(({ packet }) => packet));
    track.position -= again.length;
    track.waitingSince = performance.now();
  }

  function wake(): void {
    finishIfDelivered();
    if (timer || isOnTicker) return;
    due = performance.now();
    step();
  }

  async function pullAll(own: Track, packets: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const packet of packets) {
        if (track !== own) return;
        if (own.packets.length === 0) own.waitingSince = performance.now();
        own.packets.push(packet);
        wake();
        if (own.packets.length < PACKETS_AHEAD) continue;
        const { promise, resolve } = Promise.withResolvers<void>();
        own.pull = resolve;
        await promise;
        if (track !== own) return;
      }
    } catch (error) {
      own.failure = error;
    }
    own.completeAt = performance.now();
    if (track !== own) return;
    sink.confirmDelivery();
    finishIfDelivered();
  }

  function end(): void {
    hasEnded = true;
    stop();
    whenSilent.resolve();
  }

  return {
    play(packets, signal, progress) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const own: Track = {
        packets: [],
        waitingSince: 0,
        replayBuffer: [],
        position: 0,
        completeAt: null,
        failure: null,
        progress,
        pull() {},
        finish() {
          track = null;
          signal.removeEventListener('abort', abort);
          if (own.failure === null) resolve();
          else reject(own.failure);
        },
      };
      function abort(): void {
        own.failure = signal.reason;
        own.finish();
        own.pull();
      }
      track = own;
      if (signal.aborted) abort();
      else {
        signal.addEventListener('abort', abort);
        void pullAll(own, packets);
      }
      return promise;
    },
    wake,
    rewind,
    silent: () => whenSilent.promise,
    waitingMs: () => (track && track.packets.length > 0 ? performance.now() - track.waitingSince : 0),
    end,
  };
}

// One timer for all players in the process: the thread wakes up once every 20 ms, however many guilds are playing.

const PACKET_MS = 20;
/** After a standstill shorter than this, missed packets are sent in a burst; after a longer one, playback resumes where it was. */
const CATCH_UP_MS = 100;

/** Each player's step, with the time before which it takes no part in a tick. */
const steps = new Map<() => void, number>();
let timer: NodeJS.Timeout | undefined;
/** When the next tick is due (`performance.now()`). */
let due = 0;

/**
 * Calls `step` on every tick from the one nearest to `at` (`performance.now()`) until `leaveTicker`. The first player sets the phase. A step
 * must not throw: it would end the tick, and no timer would be set for the next one.
 */
function joinTicker(step: () => void, at: number): void {
  steps.set(step, at - PACKET_MS / 2);
  if (timer) return;
  due = at;
  schedule();
}

function leaveTicker(step: () => void): void {
  steps.delete(step);
}

/** Milliseconds from `at` to the nearest tick, −10 to 10; 0 if the ticker is not running. */
function tickOffset(at: number): number {
  if (!timer) return 0;
  const distance = due - at;
  return distance - PACKET_MS * Math.round(distance / PACKET_MS);
}

/** When the packet after the one due at `previous` is due. */
function nextDue(previous: number): number {
  const now = performance.now();
  return previous + PACKET_MS < now - CATCH_UP_MS ? now : previous + PACKET_MS;
}

function schedule(): void {
  timer = setTimeout(tick, Math.max(1, due - performance.now()));
}

function tick(): void {
  for (const [step, from] of steps) if (from <= due) step();
  if (steps.size === 0) {
    timer = undefined;
    return;
  }
  due = nextDue(due);
  schedule();
}
