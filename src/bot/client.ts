// The discord.js client: its intents, caches and REST options.
import { Client, Events, type IShardingStrategy, Options, Partials } from 'discord.js';
import type { Log } from '../log.ts';
import type { SharedShards } from '../processes/index.ts';
import { describeError } from './error-boundary.ts';
import type { MessageIntents } from './message-access.ts';
import { isTooLongToWait, makeRequest } from './rest.ts';

/** discord.js keeps a request queue for each interaction, by default for an hour after its last use. */
const SWEEP_INTERVAL_MS = 60_000;

/**
 * @param apiUrl REST base without version; null = Discord's
 * @param shards if other processes share them; otherwise how many there are, all of them here: `auto` = as many as Discord recommends
 */
export function createClient(
  apiUrl: string | null,
  { intents, buildStrategy }: MessageIntents,
  log: Log,
  shards: Pick<SharedShards, 'first' | 'shardCount' | 'restOptions' | 'buildIdentifyThrottler'> | number | 'auto',
): Client<true> {
  // By now the settings have been read. discord.js would take these two from the environment again, and fail on `auto`.
  delete process.env.SHARD_COUNT;
  delete process.env.SHARDS;
  const shared = typeof shards === 'object' ? shards : null;
  const client = new Client<true>({
    intents,
    // By default it opens one shard, whose connection Discord closes from 2,500 servers on.
    ...(shards === 'auto' && { shards }),
    ...(typeof shards === 'number' && { shardCount: shards }),
    ...(shared && { shards: [shared.first], shardCount: shared.shardCount }),
    ws: {
      buildStrategy: (manager) => withFinalEnds(buildStrategy(manager)),
      ...(shared && { buildIdentifyThrottler: async () => shared.buildIdentifyThrottler() }),
    },
    // A pressed button brings its message along, and a message that is read is read at once.
    // Messages are not kept, but their edits and deletions count.
    partials: [Partials.Message],
    makeCache: Options.cacheWithLimits({ ...Options.DefaultMakeCacheSettings, MessageManager: 0 }),
    rest: {
      makeRequest,
      rejectOnRateLimit: isTooLongToWait,
      handlerSweepInterval: SWEEP_INTERVAL_MS,
      ...(apiUrl ? { api: apiUrl } : {}),
      ...shared?.restOptions(makeRequest),
    },
  });
  client.on(Events.Error, (error) => log.error(describeError(error), 'the Discord client failed'));
  client.on(Events.Warn, (message) => log.warn({ message }, 'warning from the Discord client'));
  return client;
}

/** What is used of a shard of @discordjs/ws. */
interface Connection {
  destroy(options?: { recover?: number }): Promise<void>;
}

/**
 * A shard that is destroyed while it waits for the gateway's answer destroys itself once more, to connect again (@discordjs/ws 1.2): the
 * first call then never resolves, and a shard that was to end goes on. Here the first call that isn't for a reconnect is the last.
 */
export function withFinalEnds(strategy: IShardingStrategy): IShardingStrategy {
  const { shards } = strategy as unknown as { shards: ReadonlyMap<number, Connection> };
  const spawn = strategy.spawn.bind(strategy);
  strategy.spawn = async (shardIds) => {
    await spawn(shardIds);
    for (const shard of shardIds.flatMap((id) => shards.get(id) ?? [])) {
      const destroy = shard.destroy.bind(shard);
      let end: Promise<void> | null = null;
      shard.destroy = (options = {}) => {
        if (end) return end;
        const done = destroy(options);
        if (options.recover === undefined) end = done;
        return done;
      };
    }
  };
  return strategy;
}
