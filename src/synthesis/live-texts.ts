// Texts of several sentences over the websocket: which ones, and how far ahead of what is heard their sentences are sent.
import { poll } from '../async/waiting.ts';
import { estimateSeconds, type ReadAhead } from './read-ahead.ts';

// Whether a text of several sentences is spoken over the websocket: only if its first sound is no later than over HTTP, which it learns
// from the texts themselves. A websocket avoids joins between pieces, but needs a handshake of its own; which matters more depends on the
// service and the distance to it.

export type Transport = 'live' | 'http';

/** The choice of one process: it learns anew after a restart. */
export interface LiveChoice {
  /** Decides for the next text of several sentences. */
  shouldUseWebSocket(): boolean;
  /** The first byte of such a text has come. @param ms since its call */
  noteFirstByte(transport: Transport, ms: number): void;
  /** The websocket failed, before or in the middle of the sound. */
  noteFailure(): void;
}

/** How many first bytes are remembered for each transport. With an odd number, a single slow one changes nothing. */
const REMEMBERED = 5;
/** How many are needed for a decision. Until then the transports take turns, the websocket first. */
const NEEDED = 3;
/** Milliseconds that nobody hears: one packet. */
const UNHEARD_MS = 20;
/** One text in so many uses the other transport, to notice changes in the service. After a failure, so many texts use HTTP. */
const RECHECK = 20;

export function createLiveChoice(): LiveChoice {
  const firstBytes: Record<Transport, number[]> = { live: [], http: [] };
  let texts = 0;
  let untilLive = 0;

  return {
    shouldUseWebSocket() {
      if (untilLive > 0) {
        untilLive -= 1;
        return false;
      }
      const { live, http } = firstBytes;
      if (live.length < NEEDED || http.length < NEEDED) return live.length <= http.length;
      const isNoLater = median(live) <= median(http) + UNHEARD_MS;
      texts += 1;
      return texts % RECHECK === 0 ? !isNoLater : isNoLater;
    },
    noteFirstByte(transport, ms) {
      firstBytes[transport] = [...firstBytes[transport], ms].slice(-REMEMBERED);
    },
    noteFailure() {
      firstBytes.live = [];
      untilLive = RECHECK;
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

// Hands the sentences of a text to a websocket as they are needed, so a skip wastes no more than it does over HTTP, where it wastes the
// piece that is playing and the next one.

export interface LiveFeed {
  /** Iterate once. */
  texts(): AsyncGenerator<string, void>;
  /** The part of the text that has been handed out. */
  readonly sent: string;
  /** Resolves once no more is handed out, with the rest of the text: empty, unless the sound was not needed for a while. */
  rest: Promise<string>;
}

export interface FeedOptions {
  sentences: readonly string[];
  /** Factor. */
  speed: number | undefined;
  signal: AbortSignal;
  /** Whether the first packet was handed out. */
  hasPlayed(): boolean;
  /** Seconds of sound made from the bytes received. */
  madeSeconds(): number;
  /** The bytes received; null before the first one. */
  source(): Pick<ReadAhead, 'received' | 'buffered' | 'quietMs'> | null;
  /** Called with each sentence that is handed out. */
  onSent(sentence: string): void;
  /** How long a sentence may not be needed before the websocket is ended; default half a minute. */
  idleMs?: number | undefined;
}

/** Seconds of sound handed out before anything is heard: as much as the first piece of a long text over HTTP. */
const PREBUFFER_SECONDS = 10;
/** The next sentence is handed out when this much is left to be heard: enough for a slow service to begin with it. */
const LEAD_SECONDS = 8;
/**
 * If a service is hardly faster than its voice, it never gets ahead, however much it was sent. So no more is handed out than a voice this
 * many times faster than usual can have spoken.
 */
const FASTEST = 1.5;
/** If nothing has come for so many milliseconds, such a service has spoken all it has. */
const STARVED_MS = 1_000;
/**
 * After this long without a need for more (the text waits in the queue, or the voice connection is away) the websocket is ended: services
 * close idle ones after a minute or so, and it occupies a call. The rest is spoken over HTTP.
 */
const IDLE_MS = 30_000;
const POLL_INTERVAL_MS = 250;

export function createLiveFeed({
  sentences,
  speed,
  signal,
  hasPlayed,
  madeSeconds,
  source,
  onSent,
  idleMs = IDLE_MS,
}: FeedOptions): LiveFeed {
  const rest = Promise.withResolvers<string>();
  const secondsOf = (text: string) => estimateSeconds(text, speed);
  let sent = '';
  let sentAt = performance.now();

  function isBelowLowWatermark(next: string): boolean {
    const sound = source();
    if (!sound || !hasPlayed()) return secondsOf(sent + next) <= PREBUFFER_SECONDS;
    const { received, buffered } = sound;
    const sentSeconds = secondsOf(sent);
    // Assumes that everything sent has been spoken: most services are several times faster than a voice.
    const left = sentSeconds * (buffered / received);
    if (left < LEAD_SECONDS && sentSeconds < madeSeconds() * FASTEST + PREBUFFER_SECONDS) return true;
    return buffered === 0 && Math.min(sound.quietMs(), performance.now() - sentAt) > STARVED_MS;
  }

  /** Waits until the next sentence is needed. Resolves with false if that isn't for a long time. */
  async function waitForNeed(next: string): Promise<boolean> {
    return (await poll(() => isBelowLowWatermark(next), { everyMs: POLL_INTERVAL_MS, maxMs: idleMs, signal, ref: false })) ?? false;
  }

  return {
    get sent() {
      return sent;
    },
    rest: rest.promise,
    async *texts() {
      try {
        for (const sentence of sentences) {
          if (sent !== '' && !(await waitForNeed(sentence))) return;
          sent += sentence;
          sentAt = performance.now();
          onSent(sentence);
          yield sentence;
        }
      } finally {
        rest.resolve(sentences.join('').slice(sent.length));
      }
    },
  };
}
