// Which process answers an interaction or reads a message. During a handoff of a shard, both processes receive everything.
import { setTimeout as sleep } from 'node:timers/promises';
import { ShardClientUtil } from 'discord.js';
import { createFailureLog, type Log } from '../log.ts';
import { readAs, type Store, type Value } from '../store/index.ts';
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

// Which process may be in a guild's voice channels. Discord has one voice state per bot and guild, so a process that joined would cut off
// what another one still speaks there.

const VOICE = 'voice:';
const VOICE_POLL_INTERVAL_MS = 250;
/** Between two attempts to give a claim up while the store is gone. */
const RETRY_MS = 1_000;

export interface VoiceClaims {
  /**
   * Waits until this process has the guild's shard and no other one that runs is in its voice channels. Resolves with a function that gives
   * the claim up, and rejects only if the signal is aborted. A guild may be claimed several times here.
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
  /** The steps of each guild, one after the other: a claim must not be overtaken by the end of an earlier one. */
  const steps = new Map<string, Promise<unknown>>();

  function inTurn<T>(guildId: string, act: () => Promise<T>): Promise<T> {
    const done = (steps.get(guildId) ?? Promise.resolve()).then(act);
    const settled = done
      .catch(() => {})
      .then(() => {
        if (steps.get(guildId) === settled) steps.delete(guildId);
      });
    steps.set(guildId, settled);
    return done;
  }

  /** The process, if it is another one that runs. A claim has no expiry of its own: that of its process counts. @throws StoreError */
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
      const isDone = () =>
        store.compareAndSet(VOICE + guildId, id, null).then(
          () => true,
          () => false,
        );
      while (!(await isDone())) await sleep(RETRY_MS, undefined, { ref: false });
    }
  }

  return {
    async permit(guildId, signal) {
      while (!(await inTurn(guildId, () => take(guildId)).catch(() => false))) await sleep(VOICE_POLL_INTERVAL_MS, undefined, { signal });
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
