// A recording on its way to the service: its duration is measured and reserved from the budgets before each chunk is passed on.
import type { Reservation } from '../credit/index.ts';
import { type Duration, type DurationMeters, estimate } from '../recording-length/index.ts';

export interface MeteredAudio {
  /** Can be read once. Throws BudgetError or StoreError instead of yielding a chunk (or the end) that exceeds a budget. */
  audio: AsyncIterableIterator<Uint8Array>;
  /** The duration so far. */
  duration(): Duration;
  /** What `audio` threw; null = nothing. */
  refusal(): unknown;
}

/**
 * The end is passed on only once the whole duration is reserved: a service that hasn't received it can't have transcribed anything.
 * @param size in bytes, as Discord says: what can't be measured is reserved by its size at once
 */
export function meterAudio(
  source: AsyncIterableIterator<Uint8Array>,
  meters: DurationMeters,
  reservation: Pick<Reservation, 'raise'>,
  size: number,
): MeteredAudio {
  const meter = meters.open();
  let duration: Duration = { seconds: 0, isMeasured: true };
  let refusal: unknown = null;

  async function reserve(measuring: Promise<Duration>): Promise<void> {
    duration = await measuring;
    const estimatedSeconds = duration.isMeasured ? 0 : estimate(size).seconds;
    try {
      await reservation.raise(Math.max(duration.seconds, estimatedSeconds));
    } catch (error) {
      refusal = error;
      close();
      throw error;
    }
  }

  function close(): void {
    meter.close();
    // Not awaited, because ending a download may take a while.
    source.return?.().catch(() => {});
  }

  return {
    duration: () => duration,
    refusal: () => refusal,
    audio: {
      [Symbol.asyncIterator]() {
        return this;
      },
      async next() {
        const step = await source.next();
        await reserve(step.done ? meter.end() : meter.add(step.value));
        return step;
      },
      async return() {
        close();
        return { done: true, value: undefined };
      },
    },
  };
}
