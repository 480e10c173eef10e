// Hands the sentences of a text to a websocket as they are needed, so a skip wastes no more than it does over HTTP, where it wastes the
// piece that is playing and the next one.
import { setTimeout as sleep } from 'node:timers/promises';
import { estimateSeconds, type ReadAhead } from './read-ahead.ts';

export interface LiveFeed {
  /** Iterate once. */
  texts(): AsyncGenerator<string, void>;
  /** What has been handed out. */
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

  /** False if it is not needed for a long time. */
  async function waitForNeed(next: string): Promise<boolean> {
    const since = performance.now();
    while (!isBelowLowWatermark(next)) {
      if (performance.now() - since > idleMs) return false;
      await sleep(POLL_INTERVAL_MS, undefined, { signal, ref: false });
    }
    return true;
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
