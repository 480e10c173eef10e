// Which process answers an interaction or reads a message. While a shard passes from one process to another, both receive everything.
import { setTimeout as sleep } from 'node:timers/promises';
import { ShardClientUtil } from 'discord.js';
import type { Store } from '../store/index.ts';
import type { Leases } from './leases.ts';

/** Longer than an interaction waits for its first answer. */
const CLAIM_MS = 60_000;
/** Milliseconds in which a process that has the shard for certain answers first; Discord then refuses the second answer. */
const HESITATION_MS = 1_000;

/** @returns what tells whether this process is to answer; it never rejects */
export function createAnswerClaims(
  store: Store,
  { leases, shardCount }: { leases: Pick<Leases, 'has'>; shardCount: number },
): (event: { id: string; guildId: string | null }) => Promise<boolean> {
  return async ({ id, guildId }) => {
    const key = `answer:${id}`;
    // Direct messages come to the first shard.
    const shardId = guildId === null ? 0 : ShardClientUtil.shardIdForGuildId(guildId, shardCount);
    if (leases.has(shardId)) {
      // Without the store a member is told so, rather than nothing.
      return store.replace(key, null, true, { expiresInMs: CLAIM_MS }).catch(() => true);
    }
    try {
      await store.get(key);
      return false;
    } catch {
      // The store is gone for so long that nobody can say whose the shard is.
      await sleep(HESITATION_MS);
      return true;
    }
  };
}
