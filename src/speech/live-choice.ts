// Whether a text of several sentences is spoken over the websocket: only if its first sound is no later than over HTTP, which is learnt
// from the texts themselves. A websocket has no joins, but it needs a handshake of its own; which weighs more depends on the service and on
// how far away it is.

export type Transport = 'live' | 'http';

/** One for each process: it learns anew after a restart. */
export interface LiveChoice {
  /** Decides for the next text of several sentences. */
  shouldUseWebSocket(): boolean;
  /** The first byte of such a text has come. @param ms since its call */
  noteFirstByte(transport: Transport, ms: number): void;
  /** The websocket failed, before or in the middle of the sound. */
  noteFailure(): void;
}

/** First bytes remembered of each transport: an odd number, so that one that was slow by chance changes nothing. */
const REMEMBERED = 5;
/** What it takes to decide. Until then the transports take turns, the websocket first. */
const NEEDED = 3;
/** Milliseconds that nobody hears: one packet. */
const UNHEARD_MS = 20;
/** One text in so many uses the other one, so that a service that has changed is noticed. After a failure, all of these use HTTP. */
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
