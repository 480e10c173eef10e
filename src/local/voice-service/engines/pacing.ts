// When each text that is heard while it is made has its turn, and when its sound may begin: so that nothing is heard that then has gaps. A text
// that would begin too late is refused, and so is one that hasn't begun in time after all.

import { createSemaphore } from '../../../async/semaphore.ts';
import { within } from '../../../async/waiting.ts';
import { aborted, EngineError, type EngineVoice, type NaturalSpeed } from './engine.ts';
import { SPEECH_LIMITS } from './limits.ts';

/** How much longer than at the measured speed anything may take: other programs want the processor, too. */
const SPARE = 1.2;
/** Seconds of sound of the longest clause. */
const LONGEST_CLAUSE = 10;
/** Seconds of silence between two texts of one sound, rather less than there are. */
const PAUSE_BETWEEN_TEXTS = 0.2;
/** Seconds of sound after which it counts how long they took, and milliseconds for which it counts: other programs come and go. */
const NOTABLE_SOUND = 1.5;
const REMEMBERED_MS = 60_000;
/** Milliseconds in which a text whose part is ready asks for its next one, before others get their turn. */
const ASKS_ON_IN = 5;

/** Milliseconds. */
const now = () => performance.now();

/** Whether what is ready lasts until the rest is made, if a second of sound takes so long. */
const isEnough = (ready: number, total: number, seconds: number) => ready >= SPARE * seconds * (total - ready);

/** Seconds until the sound of a text may begin, which it does after one of its clauses. @param clauses seconds of each */
export function startSeconds({ realTimeFactor, keepsUp }: NaturalSpeed, clauses: readonly number[]): number {
  if (keepsUp) return 0;
  const total = sumOf(clauses);
  let ready = 0;
  for (const seconds of clauses) {
    ready += seconds;
    if (isEnough(ready, total, realTimeFactor)) break;
  }
  return realTimeFactor * ready;
}

interface PacedRequest {
  voice: EngineVoice;
  /** Of the request, on top of the voice's own rate. */
  speed: number;
  signal?: AbortSignal | undefined;
  /** For voices that don't keep up; defaults to `SPEECH_LIMITS.maxStartSeconds`. */
  maxStartSeconds?: number | undefined;
}

export interface Pacing {
  /**
   * Waits until a sound may be made to be heard, which begins with this text.
   * @param request `maxStartSeconds` until each of its texts begins @throws EngineError `too-slow`; `busy` if it is those before it that take too long; `aborted`
   */
  begin(text: string, request: PacedRequest): Promise<PacedSpeech>;
  /** Makes a part of what isn't heard at once, between those that are. @throws EngineError `aborted` */
  inBetween<Part>(make: () => Promise<Part>, signal: AbortSignal | undefined): Promise<Part>;
}

export interface PacedSpeech {
  /** Waits until the next text of the same sound may be made. @throws EngineError as `begin` */
  goOn(text: string): Promise<void>;
  /** Makes the next part, once it is the most urgent. @throws EngineError `aborted`; `too-slow` or `busy` if the sound hasn't begun in time */
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
 * @param estimateClauses how long each part of a text is in a voice at usual speed; sound begins after one of them
 */
export function createPacing(speed: NaturalSpeed, estimateClauses: (text: string, base: string) => number[]): Pacing {
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
  /** Seconds that a second of sound took lately, as far as that is more than was measured: other programs may have been at rest then. */
  let recent: { factor: number; at: number } | null = null;
  const factor = () => (recent && now() - recent.at < REMEMBERED_MS ? Math.max(realTimeFactor, recent.factor) : realTimeFactor);
  const startSecondsNow = (clauses: readonly number[]) => startSeconds({ realTimeFactor: factor(), keepsUp }, clauses);

  type ToClauses = (text: string) => number[];

  /** About as many characters of a text as would begin in time. @param start seconds until all of it would */
  function charactersInTime(text: string, toClauses: ToClauses, start: number, maxStart: number): number {
    let characters = (text.length * maxStart) / start;
    while (characters > 20 && startSecondsNow(toClauses(text.slice(0, characters))) > maxStart) characters *= 0.95;
    return characters;
  }

  async function takeTurn(text: string, toClauses: ToClauses, maxStart: number, signal: AbortSignal | undefined): Promise<() => void> {
    const clauses = toClauses(text);
    const total = sumOf(clauses);
    const start = startSecondsNow(clauses);
    if (start > maxStart) throw tooSlow(charactersInTime(text, toClauses, start, maxStart));
    const before = [...madeAt].map(({ at }) => at).sort((a, b) => a - b);
    const wait = Math.max(0, ((before[before.length - places] ?? 0) - now()) / 1000);
    const maxWait = maxStart - (keepsUp ? sharedStart : start);
    if (wait > 0 && wait > maxWait) throw busy(wait);
    const made = { at: now() + (wait + places * factor() * total) * 1000 };
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
    async begin(text, { voice: { base, rate = 1 }, speed, signal, maxStartSeconds }) {
      const maxStart = (keepsUp ? null : maxStartSeconds) ?? SPEECH_LIMITS.maxStartSeconds;
      const toClauses = (one: string) => estimateClauses(one, base).map((seconds) => seconds / (rate * speed));
      let asked = { text, at: now() };
      let total = sumOf(toClauses(text));
      let endTurn = await takeTurn(text, toClauses, maxStart, signal);
      let begunAt = now();
      /** Seconds that what is ready of this text took. */
      let spent = 0;
      let heardFrom = null as number | null;
      let earlier = 0;
      let ready = 0;
      /** What isn't heard yet comes after what soon runs out. */
      const runsOutAt = () => (heardFrom === null ? now() + safeLead(heard.size) * 1000 : heardFrom + (earlier + ready) * 1000);
      const end = () => {
        heard.delete(speech);
        endTurn();
      };

      /** As long as nothing of it is heard, waits no longer than until its sound should have begun. */
      async function inTime<Part>(making: Promise<Part>): Promise<Part> {
        if (heardFrom !== null || earlier > 0) return making;
        const made = await within(
          asked.at + maxStart * 1000 - now(),
          making.then((part) => ({ part })),
        );
        if (!made) throw tooLate();
        return made.part;
      }

      function tooLate(): EngineError {
        if (keepsUp) return busy(1);
        // It would have taken longer, so others of its length needn't wait in vain.
        recent = { factor: Math.max(factor(), (SPARE * (now() - begunAt)) / 1000 / total), at: now() };
        // What has been made so far took all of the time.
        const share = Math.min(0.8, ready / (total * SPARE));
        return tooSlow(asked.text.length * Math.max(0.1, share));
      }

      const speech: PacedSpeech = {
        async goOn(next) {
          asked = { text: next, at: now() };
          total = sumOf(toClauses(next));
          spent = 0;
          if (keepsUp) return;
          endTurn = await takeTurn(next, toClauses, maxStart, signal);
          begunAt = now();
          heardFrom = null;
        },
        make(part) {
          const timed = async () => {
            const since = now();
            return part().finally(() => (spent += (now() - since) / 1000));
          };
          return inTime(inTurn(timed, signal, keepsUp ? runsOutAt : () => 0));
        },
        mayBeHeard(readySeconds, isTextEnd) {
          ready = readySeconds;
          if (heardFrom !== null) return true;
          const observed = ready > 0 ? spent / ready : 0;
          if (ready >= NOTABLE_SOUND) recent = { factor: observed, at: now() };
          if (!keepsUp && !isTextEnd && !isEnough(ready, Math.max(total, ready), Math.max(realTimeFactor, observed))) return false;
          heardFrom = now();
          heard.add(speech);
          return true;
        },
        isUrgent: () => !keepsUp || heardFrom === null || runsOutAt() - now() < safeLead(heard.size) * 1000,
        endText() {
          earlier += ready + PAUSE_BETWEEN_TEXTS;
          ready = 0;
          spent = 0;
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

const sumOf = (clauses: readonly number[]): number => clauses.reduce((sum, seconds) => sum + seconds, 0);

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
