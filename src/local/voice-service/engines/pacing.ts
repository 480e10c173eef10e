// Speech that is made more slowly than it is heard: held back until the rest of it can't come too late, and refused if that takes too long.
import { aborted, EngineError, type EngineVoice } from './engine.ts';
import { SPEECH_LIMITS } from './limits.ts';
import { createSemaphore } from './semaphore.ts';

/** How much longer than at the measured speed the rest may take: other programs want the processor, too. */
const SPARE = 1.2;

export interface Pacing {
  /**
   * Waits for its turn with this text: one at a time is made to be heard, because two would be late, both of them.
   * @throws EngineError `too-slow`; `busy` if it is those before it that take too long; `aborted`
   */
  begin(text: string, voice: EngineVoice, speed: number, signal: AbortSignal | undefined): Promise<PacedText>;
  /** Makes a part of what isn't heard at once, between the texts that are. @throws EngineError `aborted` */
  inBetween<T>(make: () => Promise<T>, signal: AbortSignal | undefined): Promise<T>;
}

export interface PacedText {
  /** Whether what is ready lasts longer than the rest will take. @param readySeconds of sound */
  mayBeHeard(readySeconds: number): boolean;
  /** Lets the next text have its turn. Has no effect the second time. */
  end(): void;
}

/**
 * @param realTimeFactor seconds it takes to make a second of sound
 * @param estimateSeconds how long a text is in a voice at usual speed
 */
export function createPacing(realTimeFactor: number, estimateSeconds: (text: string, base: string) => number): Pacing {
  const turns = createSemaphore(1);
  const pace = SPARE * realTimeFactor;
  // Of `total` seconds, `ready` suffice once ready = pace * (total - ready). Until then it takes realTimeFactor * ready.
  const startSeconds = (total: number) => (realTimeFactor * total * pace) / (1 + pace);
  /** When the texts that have their turn, or wait for it, will have been made, by `performance.now`. */
  const madeAt = new Set<{ at: number }>();

  const takeTurn = (signal: AbortSignal | undefined) =>
    turns.acquire(signal).catch(() => {
      throw aborted();
    });

  return {
    async begin(text, { base, rate = 1 }, speed, signal) {
      const total = estimateSeconds(text, base) / (rate * speed);
      const start = startSeconds(total);
      if (start > SPEECH_LIMITS.maxStartSeconds) throw tooSlow((text.length * SPEECH_LIMITS.maxStartSeconds) / start);
      const now = performance.now();
      const wait = Math.max(0, ...[...madeAt].map(({ at }) => (at - now) / 1000));
      if (wait + start > SPEECH_LIMITS.maxStartSeconds) throw busy(wait);
      const made = { at: now + (wait + realTimeFactor * total) * 1000 };
      madeAt.add(made);
      try {
        const release = await takeTurn(signal);
        return {
          mayBeHeard: (ready) => ready >= pace * (total - ready),
          end() {
            madeAt.delete(made);
            release();
          },
        };
      } catch (error) {
        madeAt.delete(made);
        throw error;
      }
    },
    async inBetween(make, signal) {
      const release = await takeTurn(signal);
      return make().finally(release);
    },
  };
}

function tooSlow(characters: number): EngineError {
  const step = characters > 20 ? 10 : 1;
  const maxCharacters = Math.max(1, Math.floor(characters / step) * step);
  const message = `That's too long for this voice on this computer. Shorten it to about ${maxCharacters} characters, or choose a faster voice.`;
  return new EngineError('too-slow', message, { maxCharacters });
}

function busy(seconds: number): EngineError {
  const message = 'This voice is busy with other texts, and this computer can make only one at a time. Try again in a few seconds.';
  return new EngineError('busy', message, { retryAfter: Math.ceil(seconds) });
}
