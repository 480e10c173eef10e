// The shards of a process that shares them with others: opened here, handed over to another process, taken back, closed.
import { type Client, Status } from 'discord.js';
import { within } from '../async/waiting.ts';
import { closeShard, openShard } from './client.ts';
import type { Dispatcher } from './dispatch.ts';
import type { Features } from './features.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Bot } from './types.ts';

/** Milliseconds after a shard that was handed over has fallen silent until it is closed, though commands of its guilds still run. */
const LAST_COMMANDS_MS = 5 * 60_000;

/**
 *     closed ── openShard ──▶ wanted ── handOver ──▶ handed over ── everything in its guilds has ended ──▶ closed
 *                             │    ▲                       │
 *          closed ◀── closeShard   └────── openShard ──────┘
 *
 * wanted       it should be open, and is opened as soon as the bot has logged in
 * handed over  another process has it, but its session stays open here for what was begun here
 */
type ShardState = { name: 'wanted' } | { name: 'handed over' };

interface HeldShardsOptions {
  client: Client<true>;
  lifecycle: Lifecycle;
  features: Pick<Features, 'sessions' | 'handovers' | 'speaking' | 'reading' | 'voiceMessages' | 'captions'>;
  dispatcher: Pick<Dispatcher, 'current'>;
  shardOf(guildId: string | null): number;
}

export function createHeldShards({
  client,
  lifecycle,
  features,
  dispatcher,
  shardOf,
}: HeldShardsOptions): Pick<Bot, 'openShard' | 'closeShard' | 'handOver' | 'sessionOf' | 'isSilent'> {
  const { sessions, handovers, speaking, reading, voiceMessages, captions } = features;
  const states = new Map<number, ShardState>();
  const isWanted = (shardId: number) => states.get(shardId)?.name === 'wanted';

  /** Never rejects. */
  async function close(shardId: number): Promise<void> {
    if (isWanted(shardId)) states.delete(shardId);
    // Not during the login, which would wait forever for the session of its shard.
    if (!client.ws.shards.has(shardId) || !(await lifecycle.opened) || isWanted(shardId)) return;
    await closeShard(client, shardId);
  }

  return {
    async openShard(shardId) {
      // Its session is still open.
      const isBack = states.get(shardId)?.name === 'handed over';
      sessions.takeBack(shardId);
      states.set(shardId, { name: 'wanted' });
      if (!(await lifecycle.opened) || !isWanted(shardId)) return;
      await openShard(client, shardId);
      // The first messages would be missed otherwise.
      await (isBack ? reading.reload(shardId) : reading.loaded());
      if (isBack) void captions.reload(shardId);
    },
    closeShard: close,
    async handOver(shardId) {
      const handedOver: ShardState = { name: 'handed over' };
      states.set(shardId, handedOver);
      // It may come back at any time, and be handed over once more.
      const isBack = () => states.get(shardId) !== handedOver;
      const endAnswers = speaking.answer();
      // First of all, because members tell the other process from now on if they no longer agree.
      await captions.handOver(shardId);
      if (!isBack()) await Promise.all([handovers?.keepStaying(shardId), sessions.handOver(shardId)]);
      const isThere = (guildId: string | null) => shardOf(guildId) === shardId;
      await within(LAST_COMMANDS_MS, Promise.all([dispatcher.current(isThere), voiceMessages.current(isThere)]));
      endAnswers();
      if (isBack() || lifecycle.isClosing) return;
      states.delete(shardId);
      await close(shardId);
    },
    sessionOf(shardId) {
      const status = client.ws.shards.get(shardId)?.status;
      if (status === Status.Ready) return 'open';
      // All other shards wait for the one that logs in.
      return status !== undefined || (!lifecycle.hasLoggedIn && client.ws.shards.size > 0) ? 'opening' : 'none';
    },
    isSilent: (shardId) =>
      !sessions.all().some(({ guildId, length }) => length > 0 && client.guilds.cache.get(guildId)?.shardId === shardId),
  };
}
