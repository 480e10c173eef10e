// Discord lets a bot open `max_concurrency` sessions in five seconds, whichever of its processes opens them.
// https://docs.discord.com/developers/events/gateway#sharding-max-concurrency
import { setTimeout as sleep } from 'node:timers/promises';
import type { IIdentifyThrottler } from 'discord.js';
import type { Store } from '../store/index.ts';

/** Discord's five seconds, and a little for the way there. */
const TURN_MS = 5_500;
const LOOK_MS = 250;

/** @param maxConcurrency of GET /gateway/bot; shards with the same remainder share turns */
export function createIdentifyTurns(store: Store, maxConcurrency: number): IIdentifyThrottler {
  return {
    async waitForIdentify(shardId, signal) {
      const key = `identify:${shardId % maxConcurrency}`;
      // The turn ends by itself: Discord counts attempts, whether they succeed or not.
      while (!(await store.replace(key, null, shardId, { expiresInMs: TURN_MS }).catch(() => false)))
        await sleep(LOOK_MS, undefined, { signal });
    },
  };
}
