// Which process may be in a guild's voice channels. Discord has one voice state per bot and guild, so a process that joined would cut off
// what another one still speaks there.
import { setTimeout as sleep } from 'node:timers/promises';
import { ShardClientUtil } from 'discord.js';
import type { Store, Value } from '../store/index.ts';
import type { Leases } from './types.ts';

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
