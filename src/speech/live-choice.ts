// Whether a text of several sentences is spoken over the websocket: only if its first sound is no later than over HTTP, which is learnt
// from the texts themselves. A websocket has no joins, but it needs a handshake of its own; which weighs more depends on the service and on
// how far away it is.

export type Way = 'live' | 'http';

/** One for each process: it learns anew after a restart. */
export interface LiveChoice {
  /** Decides for the next text of several sentences. */
  takesLive(): boolean;
  /** The first byte of such a text has come. @param ms since its call */
  noteFirstByte(way: Way, ms: number): void;
  /** The websocket failed, before or in the middle of the sound. */
  noteFailure(): void;
}

/** First bytes remembered of each way: an odd number, so that one that was slow by chance changes nothing. */
const REMEMBERED = 5;
/** What it takes to decide. Until then the ways take turns, the websocket first. */
const NEEDED = 3;
/** Milliseconds that nobody hears: one frame. */
const UNHEARD_MS = 20;
/** One text in so many goes the other way, so that a service that has changed is noticed. After a failure, all of these use HTTP. */
const RECHECK = 20;

export function createLiveChoice(): LiveChoice {
  const firstBytes: Record<Way, number[]> = { live: [], http: [] };
  let texts = 0;
  let untilLive = 0;

  return {
    takesLive() {
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
    noteFirstByte(way, ms) {
      firstBytes[way] = [...firstBytes[way], ms].slice(-REMEMBERED);
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
