// npm run load -- --processes N --cold-starts N [--guilds N --shards N --logs FOLDER]: N processes of one bot that are started at the same
// moment, with nothing in their Redis, again and again. Each time every process must be ready, every shard must have one session in one
// process, and a command must be answered in a server of each.
import { setTimeout as sleep } from 'node:timers/promises';
import { ShardClientUtil } from 'discord.js';
import { Redis } from 'ioredis';
import { openSharedEnvironment } from './shared-environment.ts';
import { createSimulatedMember } from './simulated-member.ts';

export interface ColdStartOptions {
  processes: number;
  guilds: number;
  shards: number;
  starts: number;
  logs: string | null;
}

/** From the start until everything must be there: identifying takes 5 s for each shard. */
const WHOLE_MS = 90_000;

/** @returns whether all of them were whole */
export async function startCold({ processes, guilds, shards, starts, logs }: ColdStartOptions): Promise<boolean> {
  const { discord, redis, bots, close } = await openSharedEnvironment({ guilds, shards, logs });
  const open = () => discord.gateway.sessions().flatMap(({ shard, connected }) => (connected ? [shard] : []));
  const isWhole = () => open().length === shards && new Set(open()).size === shards && bots.held() === shards;
  const byShard = new Map(discord.guildIds.map((id) => [ShardClientUtil.shardIdForGuildId(id, shards), id]));
  const members = [...byShard.values()].map((guildId) => createSimulatedMember(discord, guildId, () => {}));

  /** @throws Error if it never is */
  async function becomeWhole(signal: AbortSignal): Promise<void> {
    await Promise.all(Array.from({ length: processes }, bots.add));
    while (!isWhole()) await sleep(100, undefined, { signal });
    for (const { failure } of await Promise.all(members.map((member) => member.run('help'))))
      if (failure !== null) throw new Error(failure);
  }

  const seconds: number[] = [];
  for (let start = 1; start <= starts; start++) {
    const begun = performance.now();
    const signal = AbortSignal.timeout(WHOLE_MS);
    const late = sleep(WHOLE_MS, 'not whole in time', { ref: false });
    const failure = await Promise.race([
      becomeWhole(signal).then(
        () => null,
        (error: unknown) => String(error),
      ),
      late,
    ]);
    const took = (performance.now() - begun) / 1000;
    if (failure === null) seconds.push(took);
    const state = `${open().length} sessions of ${new Set(open()).size} shards, ${bots.held()} leases`;
    console.log(`cold start ${start} of ${starts}: ${failure ?? 'whole'} after ${took.toFixed(1)} s (${state})`);
    await bots.close();
    const admin = new Redis(redis.url);
    await admin.flushall();
    admin.disconnect();
  }
  for (const member of members) member.close();
  await close();
  const slowest = Math.max(0, ...seconds).toFixed(1);
  console.log(
    `${seconds.length} of ${starts} cold starts of ${processes} processes with ${shards} shards were whole, the slowest after ${slowest} s`,
  );
  console.log(`exit codes other than 0: ${bots.badExits()}`);
  return seconds.length === starts && bots.badExits() === 0;
}
