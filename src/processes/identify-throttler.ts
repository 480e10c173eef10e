// Discord lets a bot open `max_concurrency` sessions in five seconds, whichever of its processes opens them, and only so many a day.
// https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
import { setTimeout as sleep } from 'node:timers/promises';
import type { IIdentifyThrottler } from 'discord.js';
import { createFailureLog, type Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import type { SessionLimit } from './session-limit.ts';

/** Discord's five seconds, and a little for the way there. */
const TURN_MS = 5_500;
/** Another shard's turn may begin soon after that: a turn that was not used by then has to be taken again. */
const USE_WITHIN_MS = 2_000;
const POLL_INTERVAL_MS = 250;

/** @param maxConcurrency of GET /gateway/bot; shards with the same remainder share turns */
export function createIdentifyThrottler(
  store: Store,
  { maxConcurrency, limit, log }: { maxConcurrency: number; limit: SessionLimit; log: Log },
): IIdentifyThrottler {
  const failures = createFailureLog(log, 'a shard cannot take its turn to identify; trying again until it can');

  /** @returns 0 if the shard may identify now; otherwise the milliseconds until it may try again */
  async function tryAcquire(shardId: number): Promise<number> {
    // The turn ends by itself: Discord counts attempts, whether they succeed or not.
    if (!(await store.compareAndSet(`identify:${shardId % maxConcurrency}`, null, shardId, { expiresInMs: TURN_MS })))
      return POLL_INTERVAL_MS;
    const begun = performance.now();
    const pause = await limit.pauseFor(shardId);
    if (pause > 0) return pause;
    const isInTime = performance.now() - begun < USE_WITHIN_MS;
    return isInTime && (await limit.tryCount(shardId)) ? 0 : POLL_INTERVAL_MS;
  }

  return {
    async waitForIdentify(shardId, signal) {
      // It rejects only if it is aborted: after any other error, discord.js would identify without a turn.
      for (let pause = 1; pause > 0; ) {
        try {
          pause = await tryAcquire(shardId);
          failures.succeeded();
        } catch (error) {
          failures.failed(error);
          pause = POLL_INTERVAL_MS;
        }
        if (pause > 0) await sleep(pause, undefined, { signal });
      }
      signal.throwIfAborted();
    },
  };
}
