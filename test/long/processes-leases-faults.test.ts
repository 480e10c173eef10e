// Leases on shards whatever becomes of the store and of the way there: random stories of processes that come, go and die, on a real Redis.
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { describe, expect, it, vi } from 'vitest';
import { retry } from '../../src/async/waiting.ts';
import { createLog } from '../../src/log.ts';
import { createLeases } from '../../src/processes/leases.ts';
import { type Store, StoreError } from '../../src/store/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { createRandom, type Random } from '../helpers/random.ts';
import { startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTcpProxy } from '../processes/tcp-proxy.ts';

const timing = { leaseMs: 3_000, renewMs: 200, marginMs: 1_000 };
const LONGER_THAN_A_LEASE = 1.5 * timing.leaseMs;
/** In how many lease times everything is as it should be once the faults are over. */
const PATIENCE = 12;
const STORIES = 6;

type Kind = 'cut' | 'stuck' | 'slow' | 'restart' | 'failover' | 'join' | 'leave' | 'close' | 'kill';
interface Step {
  kind: Kind;
  /** Which of the processes that run. */
  who: number;
  /** How long a fault lasts, and until the next step. */
  ms: number;
  pauseMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom<Kind>('cut', 'cut', 'stuck', 'stuck', 'slow', 'restart', 'failover', 'join', 'join', 'leave', 'close', 'kill'),
  who: fc.nat(10),
  ms: fc.integer({ min: 1, max: LONGER_THAN_A_LEASE }),
  pauseMs: fc.nat(1_000),
});
const story = fc.record({
  shardCount: fc.integer({ min: 1, max: 8 }),
  processes: fc.integer({ min: 2, max: 4 }),
  /** In a hundred, how many sessions Discord refuses. */
  refused: fc.constantFrom(0, 0, 10),
  steps: fc.array(step, { minLength: 5, maxLength: 9 }),
  /** The seed for what the processes do by themselves. */
  seed: fc.nat(),
});
type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

/** A primary, and a replica that takes over without what was written last. */
async function startServers() {
  const options = ['--appendonly', 'yes', '--appendfsync', 'always', '--repl-diskless-sync-delay', '0'];
  let primary = await startRedisServer(...options);
  const all = [primary];
  return {
    port: () => primary.port,
    async restart() {
      await primary.stop('SIGKILL');
      await primary.start();
    },
    /** @param lostMs for how long writes are lost @param onMove to the new primary */
    async failOver(lostMs: number, onMove: () => void) {
      const replica = await startRedisServer(...options);
      all.push(replica);
      const link = await startTcpProxy(primary.port);
      const admin = new Redis(replica.url, { lazyConnect: true });
      admin.on('error', () => {});
      await admin.connect();
      await admin.replicaof('127.0.0.1', link.port);
      await vi.waitFor(async () => expect(await admin.info('replication')).toContain('master_link_status:up'), { timeout: 60_000 });
      link.isStuck = true;
      await sleep(lostMs);
      await primary.stop('SIGKILL');
      await admin.replicaof('NO', 'ONE');
      admin.disconnect();
      await link.close();
      primary = replica;
      onMove();
    },
    close: () => Promise.all(all.map((one) => one.close())),
  };
}

/** A process, and the sessions that it would have at Discord. */
async function join(port: number, { shardCount, refused }: Story, random: Random) {
  const proxy = await startTcpProxy(port);
  // A busy machine may not let Redis answer in time, and nobody's start is what this is about.
  let attempts = 0;
  const store: Store = await retry(
    () => openRedisStore({ url: `redis://127.0.0.1:${proxy.port}`, botId: '100000000000000001' }),
    (error) => (error instanceof StoreError && ++attempts < 30 ? 100 : null),
  );
  const sessions = new Map<number, 'opening' | 'open' | 'ending'>();
  let isDead = false;
  const sessionOf = (shardId: number) => (sessions.has(shardId) ? 'open' : 'opening');
  const leases = createLeases({
    ...{ store, shardCount, maxShards: null, timing, log: createLog('silent') },
    ...{
      isSilent: () => random() < 0.9,
      atOnce: 1 + Math.floor(random() * 4),
      sessionOf: (shardId: number) => sessionOf(shardId),
      maySpread: async () => true,
      facts: () => ({ host: 'here', pid: 1, startedAt: 0, guilds: 0, speaking: 0, outage: null, settings: {}, commands: '', cache: null }),
      onProcesses: () => {},
    },
    async open(shardId) {
      if (!sessions.has(shardId)) await sleep(random() * 300);
      if (random() * 100 < refused) throw new Error('refused');
      sessions.set(shardId, 'open');
    },
    close: async (shardId) => void sessions.delete(shardId),
    async drain(shardId) {
      sessions.set(shardId, 'ending');
      await sleep(random() * 1_000);
      if (sessions.get(shardId) === 'ending') sessions.delete(shardId);
    },
  });
  const process = {
    proxy,
    leases,
    store,
    isGone: false,
    held: () => (isDead ? [] : leases.held().sort()),
    sessions: () => [...sessions.keys()].sort(),
    /** Says nothing more to anybody. */
    die() {
      isDead = true;
      proxy.isBroken = true;
    },
    async close() {
      await leases.close();
      await store.close();
      await proxy.close();
    },
  };
  // It ends if the store fails at its first look.
  leases.start().catch(() => (process.isGone = true));
  return process;
}

async function play(told: Story): Promise<void> {
  const servers = await startServers();
  const all: Awaited<ReturnType<typeof join>>[] = [];
  const faults = new Set<Promise<unknown>>();
  const happened = [JSON.stringify(told)];
  const running = () => all.filter((one) => !one.isGone);
  const random = createRandom(told.seed);
  const add = async () => void all.push(await join(servers.port(), told, random));
  const begun = performance.now();
  const note = (what: string) => happened.push(`${Math.round(performance.now() - begun)} ms: ${what}`);

  const watch = setInterval(() => {
    const owners = new Map<number, number>();
    for (const [index, one] of all.entries())
      for (const shardId of one.held()) {
        if (owners.has(shardId)) note(`shard ${shardId} is held by ${owners.get(shardId)} and ${index}`);
        owners.set(shardId, index);
      }
  }, 2);

  async function act({ kind, who, ms }: Step): Promise<void> {
    const one = running()[who % running().length];
    if (!one) return add();
    note(`${kind} ${all.indexOf(one)} for ${ms} ms`);
    const { proxy } = one;
    const during = async (set: (isOn: boolean) => void) => {
      set(true);
      await sleep(ms);
      if (!one.isGone) set(false);
    };
    if (kind === 'cut') faults.add(during((isOn) => (proxy.isBroken = isOn)));
    if (kind === 'stuck') faults.add(during((isOn) => (proxy.isStuck = isOn)));
    if (kind === 'slow') faults.add(during((isOn) => (proxy.delayMs = isOn ? Math.round(ms / 8) : 0)));
    if (kind === 'restart') await servers.restart();
    if (kind === 'failover') {
      await servers.failOver(ms / 4, () => {
        for (const { proxy } of running()) {
          proxy.target = servers.port();
          proxy.isStuck = false;
        }
      });
      // A process that starts just now can't know of leases that the new primary hasn't heard of.
      await sleep(timing.leaseMs);
    }
    if (kind === 'join' && running().length < 5) {
      // Which are to be reached for the first look.
      await Promise.all(faults);
      await add();
    }
    if (kind === 'leave' || kind === 'close') {
      one.isGone = true;
      faults.add((kind === 'leave' ? one.leases.leave(ms) : Promise.resolve()).then(() => one.leases.close()));
    }
    if (kind === 'kill') {
      one.isGone = true;
      one.die();
    }
  }

  /** What is still wrong. */
  function faultsLeft(): string[] {
    const shares = running().map((one) => one.held().length);
    const held = running().flatMap((one) => one.held());
    return [
      ...(held.length === told.shardCount ? [] : [`held are ${held}`]),
      ...(Math.max(...shares) - Math.min(...shares) <= 1 ? [] : [`shares are ${shares}`]),
      ...running().flatMap((one, index) =>
        String(one.sessions()) === String(one.held()) ? [] : [`${index} holds ${one.held()} and has sessions of ${one.sessions()}`],
      ),
    ];
  }

  try {
    for (let count = 0; count < told.processes; count++) await add();
    for (const one of told.steps) {
      await act(one);
      await sleep(one.pauseMs);
    }
    await Promise.all(faults);
    if (running().length === 0) await add();
    note('no more faults');
    const until = performance.now() + PATIENCE * timing.leaseMs;
    while (faultsLeft().length > 0 && performance.now() < until) await sleep(20);
    for (const left of faultsLeft()) note(left);
    if (faultsLeft().length > 0) note(JSON.stringify(await running()[0]?.store.list('')));
    expect(happened.filter((line) => / is held by | held are | shares are | sessions of /.test(line)).length, happened.join('\n')).toBe(0);
  } finally {
    clearInterval(watch);
    for (const { proxy } of all) proxy.isBroken = true;
    await Promise.all(all.map((one) => one.close()));
    await servers.close();
  }
}

describe.skipIf(!redisServer.isMet)(titled('whatever happens', redisServer), () => {
  it('no two processes act on one shard, and soon after each is acted on by one, evenly', async () => {
    // Side by side, for most of the time is spent waiting.
    const ends = await Promise.allSettled(fc.sample(story, STORIES).map(play));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  });
});
