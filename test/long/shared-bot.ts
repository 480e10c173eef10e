// Several processes of one bot that share a Redis, on one local Discord that outlives them.
import { join } from 'node:path';
import { ShardClientUtil } from 'discord.js';
import { onTestFinished } from 'vitest';
import type { LocalDiscordOptions } from '../../src/local/discord/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import type { Member } from '../helpers/member.ts';
import type { Program } from '../helpers/program.ts';
import { openProgramFixture } from '../helpers/program-fixture.ts';
import { startRedisServer } from '../helpers/redis-server.ts';

/** The shards that a process has, by its log. */
export function shardsOf({ out }: Program): number[] {
  const held = new Set<number>();
  for (const line of out) {
    if (!line.startsWith('{')) continue;
    const { shard, msg } = JSON.parse(line) as { shard?: number; msg: string };
    if (shard === undefined) continue;
    if (msg === 'took a shard') held.add(shard);
    else held.delete(shard);
  }
  return [...held].sort();
}

/** Everything is closed when the test ends. */
export async function openSharedBot(service: { url: string; key: string }, options: LocalDiscordOptions & { shards: number }) {
  const redis = await startRedisServer();
  onTestFinished(() => redis.close());
  const fixture = await openProgramFixture(service, options);
  const dataDirs = new Map<Program, string>();
  /** With a folder of its own, as on a machine of its own. */
  const start = async (dataDir?: string, env: Record<string, string> = {}) => {
    const folder = dataDir ?? join(await makeFolder(), 'data');
    const program = await fixture.start({ REDIS_URL: redis.url, DATA_DIR: folder, ...env });
    dataDirs.set(program, folder);
    return program;
  };
  const dataDirOf = (program: Program) => dataDirs.get(program) ?? '';
  const { discord, memberOf } = fixture;
  /** One member in a guild of each shard that has one. */
  const membersByShard = new Map<number, Member>();
  for (const guildId of discord.guildIds) {
    const shard = ShardClientUtil.shardIdForGuildId(guildId, options.shards);
    if (!membersByShard.has(shard)) membersByShard.set(shard, memberOf(guildId));
  }
  /** How many sessions are connected. */
  const connected = () => discord.gateway.sessions().filter((session) => session.connected).length;
  return { ...fixture, redis, start, membersByShard, connected, dataDirOf };
}

export const isOver = ({ child }: Program) => child.exitCode !== null || child.signalCode !== null;
