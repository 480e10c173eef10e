// The program on a local Discord that outlives it: started again and again on one data folder, or as several processes of one bot.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ShardClientUtil } from 'discord.js';
import { expect, onTestFinished } from 'vitest';
import type { LocalDiscordOptions } from '../../src/local/discord/index.ts';
import { makeFolder } from './folder.ts';
import { commandsRegistered, openLocalDiscord } from './local-discord.ts';
import { type Member, memberOf } from './member.ts';
import { watchMentions } from './openapi.ts';
import { type Program, startProgram } from './program.ts';
import { startRedisServer } from './redis-server.ts';
import { WAIT_MS } from './waiter.ts';

/** Everything is closed when the test ends, which fails if any message was sent without saying whom it may notify. */
export async function openProgramFixture(service: { url: string; key: string }, options: LocalDiscordOptions = {}) {
  // Discord's 3 s are too short for a busy machine.
  const discord = await openLocalDiscord({ responseMs: WAIT_MS, ...options });
  const { problems } = watchMentions(discord);
  onTestFinished(() => expect(problems).toEqual([]));
  const folder = await makeFolder();
  const certificate = join(folder, 'certificate.pem');
  await writeFile(certificate, discord.certificate);
  const dataDir = join(folder, 'data');
  const robinIn = (guildId: string) => memberOf(discord, 'Robin', { guildId });
  const environment = {
    DATA_DIR: dataDir,
    ...{ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.application.token, DISCORD_CDN_URLS: discord.cdnUrl },
    ...{ VOICE_API_URL: service.url, VOICE_API_KEY: service.key, NODE_EXTRA_CA_CERTS: certificate },
  };
  return {
    ...{ discord, dataDir, environment, memberOf: robinIn },
    member: robinIn(discord.guildId),
    async start(env: Record<string, string> = {}) {
      const program = await startProgram({ ...environment, ...env });
      await program.line(/^Parley is ready/);
      await commandsRegistered(discord);
      return program;
    },
  };
}

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

/** Several processes of one bot that share a Redis, on one local Discord. Everything is closed when the test ends. */
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
