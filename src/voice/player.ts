// Frames out in time: one every 20 ms while there are any, then five of silence. It takes the place of the voice library's
// own player, whose one timer for all guilds lets a first frame wait for its tick, whose utterances are parted by 100 ms of
// silence, and which encrypts a frame 20 ms before it leaves, maybe for a group that is no more.
import { joinTicker, leaveTicker, nextDue, tickOffset } from './ticker.ts';

/** After the last frame, or listeners would hear it drawn out: https://discord.com/developers/docs/topics/voice-connections#voice-data-interpolation */
const SILENCE = Buffer.from([0xf8, 0xff, 0xfe]);
const SILENCE_FRAMES = 5;
/** Frames pulled ahead: 80 ms covers a slow turn of the event loop, and a skip wastes no more than that. */
const FRAMES_AHEAD = 4;
/** The first frame leaves at once; those after it are this much earlier or later than they would be, until they are on the common beat. */
const SLIDE_MS = 4;
/** Of whom less than 3 s were heard before the line broke is begun anew. */
const BEGIN_ANEW_FRAMES = 150;
/** Kept of what was sent: the 3 s, and what is sent into the void before it is noticed. */
const KEPT_FRAMES = 600;

/** Where frames go to. */
export interface PacketSink {
  /** False when nothing can be sent now: the frame is kept until `wake`. */
  send(frame: Buffer): boolean;
  /** Nothing more comes for now. */
  quiet(): void;
  /** What was sent before this moment (`performance.now()`) has got through. After `confirm` it becomes the present soon; `wake` is then called. */
  heardUntil(): number;
  confirm(): void;
}

export interface Player {
  /**
   * Sends the frames, the first one at once; where they come late, silence is sent for a moment, then nothing. `onSent` is told
   * how many were sent, counting none twice. Resolves when the last one has left and the line had not broken just before.
   * One at a time. @throws what the frames throw, or the signal's reason
   */
  play(frames: AsyncIterable<Uint8Array>, signal: AbortSignal, onSent: (position: number) => void): Promise<void>;
  /** The line takes frames again, or knows more of what was heard. */
  wake(): void;
  /** Nobody heard what was sent since then (`performance.now()`): it is sent again, and all of it where less than 3 s were heard. */
  rewind(since: number): void;
  /** Resolves when the silence after the last frame has been sent. */
  silent(): Promise<void>;
  /** Nothing leaves any more. */
  end(): void;
}

interface Track {
  /** Next to be sent. */
  frames: Uint8Array[];
  /** The latest ones sent, and when. */
  kept: { frame: Uint8Array; at: number }[];
  /** How many were sent. */
  position: number;
  /** When all frames were pulled, or `failure` came instead of the next one; null before. */
  completeAt: number | null;
  failure: unknown;
  sent(position: number): void;
  /** There is room for another frame, or none is wanted any more. */
  pull(): void;
  /** Plays no longer. */
  finish(): void;
}

export function createPlayer(line: PacketSink): Player {
  let track: Track | null = null;
  /** Frames of silence still to be sent. */
  let silence = 0;
  let whenSilent = Promise.withResolvers<void>();
  whenSilent.resolve();
  let isOnBeat = false;
  /** Until it is on the beat. */
  let timer: NodeJS.Timeout | undefined;
  /** When the next frame is due before that, in the time of `performance.now()`. */
  let due = 0;
  let ended = false;

  /** Sends a frame; stands still when there is none. */
  function step(): void {
    timer = undefined;
    if (ended || !sendNext()) stop();
    else if (!isOnBeat) slide();
  }

  function slide(): void {
    due = nextDue(due);
    const offBeat = tickOffset(due);
    if (Math.abs(offBeat) <= SLIDE_MS) {
      isOnBeat = true;
      joinTicker(step, due);
    } else {
      due += Math.sign(offBeat) * SLIDE_MS;
      timer = setTimeout(step, Math.max(1, due - performance.now()));
    }
  }

  function stop(): void {
    leaveTicker(step);
    isOnBeat = false;
    clearTimeout(timer);
    timer = undefined;
  }

  function sendNext(): boolean {
    const frame = track?.frames[0];
    if (!frame) return sendSilence();
    if (!line.send(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength))) return false;
    if (silence === 0) whenSilent = Promise.withResolvers();
    silence = SILENCE_FRAMES;
    if (track) noteSent(track, frame);
    settle();
    return true;
  }

  function noteSent(mine: Track, frame: Uint8Array): void {
    mine.frames.shift();
    mine.kept.push({ frame, at: performance.now() });
    if (mine.kept.length > KEPT_FRAMES) mine.kept.shift();
    mine.position += 1;
    mine.sent(mine.position);
    if (mine.frames.length < FRAMES_AHEAD) mine.pull();
  }

  function sendSilence(): boolean {
    if (silence === 0) return false;
    // Where the line is closed nobody hears how it ends.
    silence = line.send(SILENCE) ? silence - 1 : 0;
    if (silence > 0) return true;
    line.quiet();
    whenSilent.resolve();
    return false;
  }

  function settle(): void {
    if (track === null || track.completeAt === null || track.frames.length > 0) return;
    if (track.position === 0 || track.completeAt <= line.heardUntil()) track.finish();
  }

  function rewind(since: number): void {
    if (!track) return;
    const unheard = track.kept.filter(({ at }) => at > since).length;
    const isYoung = track.position - unheard < BEGIN_ANEW_FRAMES;
    const again = track.kept.splice(isYoung ? 0 : track.kept.length - unheard);
    track.frames.unshift(...again.map(({ frame }) => frame));
    track.position -= again.length;
  }

  function wake(): void {
    settle();
    if (timer || isOnBeat) return;
    due = performance.now();
    step();
  }

  async function pullAll(mine: Track, frames: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const frame of frames) {
        if (track !== mine) return;
        mine.frames.push(frame);
        wake();
        if (mine.frames.length < FRAMES_AHEAD) continue;
        const { promise, resolve } = Promise.withResolvers<void>();
        mine.pull = resolve;
        await promise;
        if (track !== mine) return;
      }
    } catch (error) {
      mine.failure = error;
    }
    mine.completeAt = performance.now();
    if (track !== mine) return;
    line.confirm();
    settle();
  }

  return {
    play(frames, signal, onSent) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const mine: Track = {
        frames: [],
        kept: [],
        position: 0,
        completeAt: null,
        failure: null,
        sent: onSent,
        pull() {},
        finish() {
          track = null;
          signal.removeEventListener('abort', abort);
          if (mine.failure === null) resolve();
          else reject(mine.failure);
        },
      };
      function abort(): void {
        mine.failure = signal.reason;
        mine.finish();
        mine.pull();
      }
      track = mine;
      if (signal.aborted) abort();
      else {
        signal.addEventListener('abort', abort);
        void pullAll(mine, frames);
      }
      return promise;
    },
    wake,
    rewind,
    silent: () => whenSilent.promise,
    end() {
      ended = true;
      stop();
      whenSilent.resolve();
    },
  };
}
