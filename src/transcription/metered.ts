// A recording on its way to the service, its seconds counted and taken out of the budgets before each piece is handed on.
import type { Reservation } from '../credit/index.ts';
import { estimate, type Length, type LengthMeters } from '../recording-length/index.ts';

export interface MeteredAudio {
  /** To be read once. Breaks off with BudgetError or StoreError before the piece that does not fit; its end is a piece, too. */
  audio: AsyncIterableIterator<Uint8Array>;
  /** So far. */
  length(): Length;
  /** What it broke off with; null = it did not. */
  refusal(): unknown;
}

/**
 * The last piece is handed on only when the whole length is reserved: a service that does not have it cannot have transcribed anything.
 * @param size in bytes, as Discord says: what cannot be counted is reserved by it at once
 */
export function meterAudio(
  source: AsyncIterableIterator<Uint8Array>,
  meters: LengthMeters,
  reservation: Pick<Reservation, 'raise'>,
  size: number,
): MeteredAudio {
  const meter = meters.open();
  let length: Length = { seconds: 0, isCounted: true };
  let refusal: unknown = null;

  async function take(next: Promise<Length>): Promise<void> {
    length = await next;
    const whole = length.isCounted ? 0 : estimate(size).seconds;
    try {
      await reservation.raise(Math.max(length.seconds, whole));
    } catch (error) {
      refusal = error;
      end();
      throw error;
    }
  }

  function end(): void {
    meter.close();
    // Nobody waits for its end, which may take its time.
    source.return?.().catch(() => {});
  }

  return {
    length: () => length,
    refusal: () => refusal,
    audio: {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        const step = await source.next();
        await take(step.done ? meter.end() : meter.add(step.value));
        return step;
      },
      async return() {
        end();
        return { done: true, value: undefined };
      },
    },
  };
}
