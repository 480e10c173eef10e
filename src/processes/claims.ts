// Which process answers an interaction or reads a message. During a handoff of a shard, both processes receive everything.
import { setTimeout as sleep } from 'node:timers/promises';
import { ShardClientUtil } from 'discord.js';
import { createInTurnByKey, poll, retry } from '../async/waiting.ts';
import { createFailureLog, type Log } from '../log.ts';
import { readAs, type Store, type Value } from '../store/index.ts';
import { holderShape, SHARD } from './leases.ts';
import type { Leases } from './types.ts';

/** Longer than an interaction waits for its first response. */
const CLAIM_MS = 60_000;
/** Milliseconds for which a process without the shard waits to get it, or for another one to answer; an interaction waits 3 s. */
const TIMEOUT_MS = 1_500;
const POLL_INTERVAL_MS = 200;
/** Milliseconds that leave a process that certainly has the shard time to answer first; Discord refuses the second answer. */
const HESITATION_MS = 1_000;

/**
 * The process that has the shard answers. The additional claim covers what leases can't: an event that was answered before the handoff, or
 * a virtual machine that was halted together with its clocks and believes that it still has a shard it has lost. Two processes could answer
 * one interaction only if the store failed over and lost its last writes at the very moment of a handoff; Discord then refuses the second
 * response.
 * @returns a function that tells whether this process should answer; it never rejects
 */
export function createInteractionClaims(
  store: Store,
  { leases, shardCount, log }: { leases: Pick<Leases, 'id' | 'has'>; shardCount: number; log: Log },
): (event: { id: string; guildId: string | null }) => Promise<boolean> {
  const failures = createFailureLog(log, 'interactions and messages cannot be claimed; the process with the shard goes on without a claim');

  return async ({ id, guildId }) => {
    const key = `answer:${id}`;
    // Direct messages arrive on the first shard.
    const shardId = guildId === null ? 0 : ShardClientUtil.shardIdForGuildId(guildId, shardCount);
    /** @throws StoreError */
    async function claim(): Promise<boolean> {
      const isFirst = await store.compareAndSet(key, null, true, { expiresInMs: CLAIM_MS });
      failures.succeeded();
      return isFirst;
    }

    /**
     * While the store is full or read-only, leases end and none can be taken: then any process that receives an event answers. @throws
     * StoreError
     */
    async function hasNobodyElse(): Promise<boolean> {
      const holder = readAs(holderShape, await store.get(SHARD + shardId), log, 'shard lease');
      return holder === null || holder.process === leases.id;
    }

    for (const since = performance.now(); ; await sleep(POLL_INTERVAL_MS)) {
      const isOurs = leases.has(shardId);
      try {
        if (isOurs) return await claim();
        // This process may be about to get the shard, or to get it back.
        if ((await store.get(key)) !== null) return false;
        if (performance.now() - since > TIMEOUT_MS) return (await hasNobodyElse()) && (await claim());
      } catch (error) {
        failures.failed(error);
        // Without the store, the process that has the shard tells the member so, which is better than silence; later, nobody knows which
        // one that is.
        if (isOurs || performance.now() - since > HESITATION_MS) return true;
      }
    }
  };
}

// Which process may be in a guild's voice channels. Discord has one voice state per bot and guild, so a process that joins cuts off
// whatever another one is still speaking there.

const VOICE = 'voice:';
const VOICE_POLL_INTERVAL_MS = 250;
/** Milliseconds between two attempts to give up a claim while the store is gone. */
const RETRY_MS = 1_000;

export interface VoiceClaims {
  /**
   * Waits until this process has the guild's shard and no other running process is in its voice channels. Resolves with a function that
   * gives the claim up; rejects only if the signal is aborted. A process may claim a guild several times.
   */
  permit(guildId: string, signal: AbortSignal): Promise<() => void>;
  /** The id of the process that is in the guild's voice channels, which may be this one; null = none. @throws StoreError */
  holder(guildId: string): Promise<string | null>;
}

export function createVoiceClaims(
  store: Store,
  { leases, shardCount }: { leases: Pick<Leases, 'id' | 'has' | 'processes'>; shardCount: number },
): VoiceClaims {
  const { id } = leases;
  const counts = new Map<string, number>();
  /** The steps of each guild: the release of an earlier claim must not overtake a new claim. */
  const inTurn = createInTurnByKey<string>();

  /** The claiming process, if it is another one and running: a claim is valid for as long as its process runs. @throws StoreError */
  async function findRunning(claimed: Value): Promise<string | null> {
    if (claimed === null || claimed === id) return null;
    return (await leases.processes()).some((one) => one.id === claimed) ? String(claimed) : null;
  }

  /** @throws StoreError */
  async function take(guildId: string): Promise<boolean> {
    if (!leases.has(ShardClientUtil.shardIdForGuildId(guildId, shardCount))) return false;
    const claimed = await store.get(VOICE + guildId);
    if ((await findRunning(claimed)) !== null || !(await store.compareAndSet(VOICE + guildId, claimed, id))) return false;
    counts.set(guildId, (counts.get(guildId) ?? 0) + 1);
    return true;
  }

  async function release(guildId: string): Promise<void> {
    const left = (counts.get(guildId) ?? 1) - 1;
    if (left > 0) counts.set(guildId, left);
    else {
      counts.delete(guildId);
      // Another process may be waiting for it for as long as this one runs.
      await retry(
        () => store.compareAndSet(VOICE + guildId, id, null),
        () => RETRY_MS,
        { ref: false },
      );
    }
  }

  return {
    async permit(guildId, signal) {
      await poll(() => inTurn(guildId, () => take(guildId)).catch(() => false), { everyMs: VOICE_POLL_INTERVAL_MS, signal });
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        void inTurn(guildId, () => release(guildId));
      };
    },
    holder: async (guildId) => (counts.has(guildId) ? id : findRunning(await store.get(VOICE + guildId))),
  };
}
