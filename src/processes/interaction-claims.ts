// Which process answers an interaction or reads a message. During a handoff of a shard, both processes receive everything.
import { setTimeout as sleep } from 'node:timers/promises';
import { ShardClientUtil } from 'discord.js';
import { createFailureLog, type Log } from '../log.ts';
import { readAs, type Store } from '../store/index.ts';
import { holderShape, SHARD } from './leases.ts';
import type { Leases } from './types.ts';

/** Longer than an interaction waits for its first response. */
const CLAIM_MS = 60_000;
/** For how long a process that hasn't the shard looks whether it gets it, or another one answers, in milliseconds; an interaction waits 3 s. */
const TIMEOUT_MS = 1_500;
const POLL_INTERVAL_MS = 200;
/** Milliseconds in which a process that has the shard for certain answers first; Discord then refuses the second answer. */
const HESITATION_MS = 1_000;

/**
 * Whoever has the shard answers. The claim besides is for what the leases can't know: that an event was answered before the
 * handoff, or that a virtual machine was halted together with its clocks, and believes it still has a shard that it has lost. Only a failover
 * of the store that loses the last writes, at the very moment of a handoff, could let two processes answer one interaction; then Discord
 * refuses the second response.
 * @returns what tells whether this process is to answer; it never rejects
 */
export function createInteractionClaims(
  store: Store,
  { leases, shardCount, log }: { leases: Pick<Leases, 'id' | 'has'>; shardCount: number; log: Log },
): (event: { id: string; guildId: string | null }) => Promise<boolean> {
  const failures = createFailureLog(log, 'interactions and messages cannot be claimed; the process with the shard goes on without a claim');

  return async ({ id, guildId }) => {
    const key = `answer:${id}`;
    // Direct messages come to the first shard.
    const shardId = guildId === null ? 0 : ShardClientUtil.shardIdForGuildId(guildId, shardCount);
    /** @throws StoreError */
    async function claim(): Promise<boolean> {
      const isFirst = await store.compareAndSet(key, null, true, { expiresInMs: CLAIM_MS });
      failures.succeeded();
      return isFirst;
    }

    /** Leases end, but none can be taken, while the store is full or read-only: then whoever receives an event says so. @throws StoreError */
    async function hasNobodyElse(): Promise<boolean> {
      const holder = readAs(holderShape, await store.get(SHARD + shardId), log, 'shard lease');
      return holder === null || holder.process === leases.id;
    }

    for (const begun = performance.now(); ; await sleep(POLL_INTERVAL_MS)) {
      const isOurs = leases.has(shardId);
      try {
        if (isOurs) return await claim();
        // It may be about to get the shard, or to have it back.
        if ((await store.get(key)) !== null) return false;
        if (performance.now() - begun > TIMEOUT_MS) return (await hasNobodyElse()) && (await claim());
      } catch (error) {
        failures.failed(error);
        // Without the store a member is told so, rather than nothing, by whoever has the shard; after long nobody can say who that is.
        if (isOurs || performance.now() - begun > HESITATION_MS) return true;
      }
    }
  };
}
