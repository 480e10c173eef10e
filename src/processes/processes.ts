// Several processes of one bot, sharing its shards through the store. Loaded only if REDIS_URL is set.
import { setTimeout as sleep } from 'node:timers/promises';
import { DefaultRestOptions, REST, type RESTGetAPIGatewayBotResult, Routes } from 'discord.js';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import { createVoiceClaims, type VoiceClaims } from './claims.ts';
import { createIdentifyThrottler, createSessionLimit, type SessionsLeft } from './identify-throttler.ts';
import { createLeases } from './leases.ts';
import { createPeerRpc, type PeerRpc } from './peer-rpc.ts';
import { createRegisterOnce, type RegisterOnce } from './registration.ts';
import { shareRequests } from './shared-rate-limiter.ts';
import { decideShardCount, type LeaseOptions, type Leases } from './types.ts';
import { describeWholeBot, type WholeBot } from './whole-bot.ts';

export { createCallSlots } from './call-slots.ts';
export { createInteractionClaims } from './claims.ts';
export { isInEmptyDir, type SharedDeletions, shareDeletions } from './deletions.ts';
export type { LiveProcess } from './live-processes.ts';
export { followSettings } from './live-processes.ts';
export type { BotProcess, WholeBot } from './whole-bot.ts';

/** What a bot needs to know of the shards it shares with other processes. */
export interface SharedShards {
  leases: Leases;
  /** The shard to log in with; the others follow. */
  first: number;
  shardCount: number;
  /** Returns the options for discord.js's REST, given its usual way to send requests. */
  restOptions: ReturnType<typeof shareRequests>;
  buildIdentifyThrottler(): ReturnType<typeof createIdentifyThrottler>;
  /** @throws StoreError */
  describe(): Promise<WholeBot>;
  /** Whether another process is in the guild's voice channels. @throws StoreError */
  isElsewhere(guildId: string): Promise<boolean>;
  /** Which process is in a guild's voice channels. */
  voice: VoiceClaims;
  peerRpc: PeerRpc;
  registerOnce: RegisterOnce;
}

/**
 * Joins the other processes of this bot, and waits for a shard.
 * @throws ConfigError if they have another number of shards; StoreError; what Discord refuses with
 */
export async function shareShards(
  config: Pick<Config, 'SHARD_COUNT' | 'SHARDS_PER_PROCESS'>,
  discord: { token: string; apiUrl: string | null },
  options: { store: Store; log: Log; onLowSessions(sessions: SessionsLeft): void } & Pick<
    LeaseOptions,
    'open' | 'close' | 'drain' | 'sessionOf' | 'isSilent' | 'facts' | 'onProcesses' | 'timing'
  >,
): Promise<SharedShards> {
  const { store, log } = options;
  let processes = 1;
  const restOptions = shareRequests({ store, log, countProcesses: () => processes });
  const rest = new REST({ ...(discord.apiUrl && { api: discord.apiUrl }), ...restOptions(DefaultRestOptions.makeRequest) });
  rest.setToken(discord.token);
  const askDiscord = async () => (await rest.get(Routes.gatewayBot())) as RESTGetAPIGatewayBotResult;
  const gateway = await askDiscord();
  const shardCount = await decideShardCount(store, config.SHARD_COUNT === 'auto' ? null : config.SHARD_COUNT, gateway.shards);
  const sessionLimit = createSessionLimit({
    store,
    log,
    shardCount,
    ask: async () => (await askDiscord()).session_start_limit,
    onLow: options.onLowSessions,
  });
  const leases = createLeases({
    ...options,
    shardCount,
    maySpread: async () => !(await sessionLimit.isLow()),
    maxShards: config.SHARDS_PER_PROCESS ?? null,
    atOnce: gateway.session_start_limit.max_concurrency,
    onProcesses(live, ownId) {
      processes = live.length;
      options.onProcesses(live, ownId);
    },
  });
  const voice = createVoiceClaims(store, { leases, shardCount });
  const first = await leases.start();
  // discord.js doesn't log in if no sessions are left.
  for (let pause = 1; pause > 0; ) {
    pause = await sessionLimit.pauseForAll().catch(() => 0);
    if (pause > 0) await sleep(pause);
  }
  return {
    leases,
    first,
    shardCount,
    restOptions,
    voice,
    peerRpc: createPeerRpc(store, { id: leases.id, log }),
    isElsewhere: async (guildId) => ((await voice.holder(guildId)) ?? leases.id) !== leases.id,
    describe: () => describeWholeBot(store, { leases, shardCount, log }),
    buildIdentifyThrottler: () =>
      createIdentifyThrottler(store, { maxConcurrency: gateway.session_start_limit.max_concurrency, limit: sessionLimit, log }),
    registerOnce: createRegisterOnce(store, { leases, commands: options.facts().commands, log }),
  };
}
