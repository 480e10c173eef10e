// The discord.js client: its intents, caches and REST options.
import { Client, Events, Options, Partials } from 'discord.js';
import type { Log } from '../log.ts';
import type { SharedShards } from '../processes/index.ts';
import { describeError } from './error-boundary.ts';
import type { MessageIntents } from './message-access.ts';
import { isTooLongToWait, makeRequest } from './rest.ts';

/** discord.js keeps a request queue for each interaction, by default for an hour after its last use. */
const SWEEP_INTERVAL_MS = 60_000;

/** @param apiUrl REST base without version; null = Discord's @param shards if other processes share them; null = this one has all */
export function createClient(
  apiUrl: string | null,
  { intents, buildStrategy }: MessageIntents,
  log: Log,
  shards: Pick<SharedShards, 'first' | 'shardCount' | 'restOptions' | 'buildIdentifyThrottler'> | null = null,
): Client<true> {
  // By now the settings have been read. discord.js would take these two from the environment again, and fail on `auto`.
  delete process.env.SHARD_COUNT;
  delete process.env.SHARDS;
  const client = new Client<true>({
    intents,
    ...(shards && { shards: [shards.first], shardCount: shards.shardCount }),
    ws: { buildStrategy, ...(shards && { buildIdentifyThrottler: async () => shards.buildIdentifyThrottler() }) },
    allowedMentions: { parse: [], repliedUser: false },
    // A pressed button brings its message along, and a message that is read is read at once.
    // Messages are not kept, but their edits and deletions count.
    partials: [Partials.Message],
    makeCache: Options.cacheWithLimits({ ...Options.DefaultMakeCacheSettings, MessageManager: 0 }),
    rest: {
      makeRequest,
      rejectOnRateLimit: isTooLongToWait,
      handlerSweepInterval: SWEEP_INTERVAL_MS,
      ...(apiUrl ? { api: apiUrl } : {}),
      ...shards?.restOptions(makeRequest),
    },
  });
  client.on(Events.Error, (error) => log.error(describeError(error), 'the Discord client failed'));
  client.on(Events.Warn, (message) => log.warn({ message }, 'the Discord client warns'));
  return client;
}
