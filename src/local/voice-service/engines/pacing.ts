// When each text that is heard while it is made has its turn, and when its sound may begin: so that nothing is heard that then has gaps. A text
// that would begin too late is refused.

import { createSemaphore } from '../../../async/semaphore.ts';
import { aborted, EngineError, type EngineVoice, type NaturalSpeed } from './engine.ts';
import { SPEECH_LIMITS } from './limits.ts';

/** How much longer than at the measured speed anything may take: other programs want the processor, too. */
const SPARE = 1.2;
/** Seconds of sound of the longest clause. */
const LONGEST_CLAUSE = 10;
/** Seconds of silence between two texts of one sound, rather less than there are. */
const PAUSE_BETWEEN_TEXTS = 0.2;
/** Milliseconds in which a text whose part is ready asks for its next one, before others get their turn. */
const ASKS_ON_IN = 5;

/** Seconds of sound that a slow voice has ready before a text of so many is heard. */
export function readyFirst({ realTimeFactor }: NaturalSpeed, total: number): number {
  const pace = SPARE * realTimeFactor;
  // `ready` suffice once ready = pace * (total - ready).
  return (total * pace) / (1 + pace);
}

export interface Pacing {
  /**
   * Waits until a sound may be made to be heard, which begins with this text.
   * @throws EngineError `too-slow`; `busy` if it is those before it that take too long; `aborted`
   */
  begin(text: string, voice: EngineVoice, speed: number, signal: AbortSignal | undefined): Promise<PacedSpeech>;
  /** Makes a part of what isn't heard at once, between those that are. @throws EngineError `aborted` */
  inBetween<Part>(make: () => Promise<Part>, signal: AbortSignal | undefined): Promise<Part>;
}

export interface PacedSpeech {
  /** Waits until the next text of the same sound may be made. @throws EngineError as `begin` */
  goOn(text: string): Promise<void>;
  /** Makes the next part, once it is the most urgent. @throws EngineError `aborted` */
  make<Part>(part: () => Promise<Part>): Promise<Part>;
  /**
   * Whether what is ready may be heard, because the rest will be there in time.
   * @param readySeconds of this text
   */
  mayBeHeard(readySeconds: number, isTextEnd: boolean): boolean;
  /** Whether the next part should be made before it is asked for. */
  isUrgent(): boolean;
  endText(): void;
  /** Has no effect the second time. */
  end(): void;
}

/**
 * Where natural voices don't keep up, one text at a time is made, because two would be late, both of them. Where they do, as many as keep up
 * together: the next part is made of the one whose sound runs out first, and of one that hasn't begun while all others are safe.
 * @param estimateSeconds how long a text is in a voice at usual speed
 * @param now milliseconds, of a clock that never goes back
 */
export function createPacing(
  speed: NaturalSpeed,
  estimateSeconds: (text: string, base: string) => number,
  now: () => number = () => performance.now(),
): Pacing {
  const { realTimeFactor, keepsUp } = speed;
  const pace = SPARE * realTimeFactor;
  const places = keepsUp ? Math.max(1, Math.floor(1 / pace)) : 1;
  const turns = createSemaphore(places);
  const engine = createSemaphore(1);
  /** Parts that are being made, or wait for it. */
  let parts = 0;
  /** Sounds that have begun and still lack something. */
  const heard = new Set<PacedSpeech>();
  /** Seconds of sound with which any of so many is safe: a part of each may have to be made before its next one, and a part of another. */
  const safeLead = (sounds: number) => pace * LONGEST_CLAUSE * (1 + sounds);
  /** When the texts that have their turn, or wait for it, will have been made, as long as there are so many. */
  const madeAt = new Set<{ at: number }>();
  /** Seconds until a sound begins, and all others are safe, if there are as many as there may be. */
  const sharedStart = (realTimeFactor * safeLead(places)) / (1 - (places - 1) * realTimeFactor);
  const startSeconds = (total: number) => (keepsUp ? 0 : realTimeFactor * readyFirst(speed, total));

  async function takeTurn(text: string, total: number, signal: AbortSignal | undefined): Promise<() => void> {
    const start = startSeconds(total);
    if (start > SPEECH_LIMITS.maxStartSeconds) throw tooSlow((text.length * SPEECH_LIMITS.maxStartSeconds) / start);
    const before = [...madeAt].map(({ at }) => at).sort((a, b) => a - b);
    const wait = Math.max(0, ((before[before.length - places] ?? 0) - now()) / 1000);
    const maxWait = SPEECH_LIMITS.maxStartSeconds - (keepsUp ? sharedStart : start);
    if (wait > 0 && wait > maxWait) throw busy(wait);
    const made = { at: now() + (wait + places * realTimeFactor * total) * 1000 };
    madeAt.add(made);
    // Those before it may take longer than they should.
    const tooLate = new AbortController();
    const timer = setTimeout(() => tooLate.abort(), maxWait * 1000);
    try {
      const release = await turns.acquire(AbortSignal.any([tooLate.signal, ...(signal ? [signal] : [])]));
      return () => {
        madeAt.delete(made);
        release();
      };
    } catch {
      madeAt.delete(made);
      throw signal?.aborted ? aborted() : busy(1);
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param deadline of `now`: the earliest goes first */
  async function inTurn<Part>(make: () => Promise<Part>, signal: AbortSignal | undefined, deadline: () => number): Promise<Part> {
    parts++;
    try {
      const release = await engine.acquire(signal, deadline).catch(() => {
        throw aborted();
      });
      return await make().finally(() => (parts === 1 ? release() : setTimeout(release, ASKS_ON_IN)));
    } finally {
      parts--;
    }
  }

  return {
    async begin(text, { base, rate = 1 }, speed, signal) {
      const toSeconds = (one: string) => estimateSeconds(one, base) / (rate * speed);
      let total = toSeconds(text);
      let endTurn = await takeTurn(text, total, signal);
      let heardFrom = null as number | null;
      let earlier = 0;
      let ready = 0;
      /** What isn't heard yet comes after what soon runs out. */
      const runsOutAt = () => (heardFrom === null ? now() + safeLead(heard.size) * 1000 : heardFrom + (earlier + ready) * 1000);
      const end = () => {
        heard.delete(speech);
        endTurn();
      };

      const speech: PacedSpeech = {
        async goOn(next) {
          total = toSeconds(next);
          if (keepsUp) return;
          endTurn = await takeTurn(next, total, signal);
          heardFrom = null;
        },
        make: (part) => inTurn(part, signal, keepsUp ? runsOutAt : () => 0),
        mayBeHeard(readySeconds, isTextEnd) {
          ready = readySeconds;
          if (heardFrom !== null) return true;
          if (!keepsUp && !isTextEnd && ready < pace * (total - ready)) return false;
          heardFrom = now();
          heard.add(speech);
          return true;
        },
        isUrgent: () => !keepsUp || heardFrom === null || runsOutAt() - now() < safeLead(heard.size) * 1000,
        endText() {
          earlier += ready + PAUSE_BETWEEN_TEXTS;
          ready = 0;
          if (!keepsUp) end();
        },
        end,
      };
      return speech;
    },
    // Before sound that lasts longer than everybody's next part takes: else it might never have its turn.
    inBetween: (make, signal) => inTurn(make, signal, () => (keepsUp ? now() + safeLead(heard.size + 1) * 1000 : Number.POSITIVE_INFINITY)),
  };
}

function tooSlow(characters: number): EngineError {
  const step = characters > 20 ? 10 : 1;
  const maxCharacters = Math.max(1, Math.floor(characters / step) * step);
  const message = `That's too long for this voice on this computer. Shorten it to about ${maxCharacters} characters, or choose a faster voice.`;
  return new EngineError('too-slow', message, { maxCharacters });
}

function busy(seconds: number): EngineError {
  const message = 'This voice is busy with other texts, and this computer can make no more at a time. Try again in a few seconds.';
  return new EngineError('busy', message, { retryAfter: Math.ceil(seconds) });
}
