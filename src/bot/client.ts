// The discord.js client: its intents, caches and REST options.
import {
  Client,
  type Collection,
  DefaultRestOptions,
  Events,
  InteractionResponseType,
  type IShardingStrategy,
  Options,
  Partials,
  type RateLimitData,
  type RESTOptions,
  Status,
  WebSocketShard,
  WebSocketShardEvents,
} from 'discord.js';
import { createOnceEach, createUnderWay } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import type { MessageIntents } from '../discord/message-access.ts';
import type { Log } from '../log.ts';
import type { SharedShards } from '../processes/processes.ts';

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
  // The settings have been read by now. discord.js would read these two from the environment again, and fail on `auto`.
  delete process.env.SHARD_COUNT;
  delete process.env.SHARDS;
  const shared = typeof shards === 'object' ? shards : null;
  const client = new Client<true>({
    intents,
    // The default is one shard, whose connection Discord closes once the bot is in 2,500 servers.
    ...(shards === 'auto' && { shards }),
    ...(typeof shards === 'number' && { shardCount: shards }),
    ...(shared && { shards: [shared.first], shardCount: shared.shardCount }),
    ws: {
      buildStrategy: (manager) => withFinalEnds(buildStrategy(manager)),
      ...(shared && { buildIdentifyThrottler: async () => shared.buildIdentifyThrottler() }),
    },
    // Not needed: a pressed button brings its message along, and messages are read aloud as they arrive.
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

/** The part of a shard of @discordjs/ws that is used here. */
interface Connection {
  destroy(options?: { recover?: number }): Promise<void>;
}

/**
 * A shard that is destroyed while it waits for the gateway's answer destroys itself once more, to connect again (@discordjs/ws 1.2): the
 * first call then never resolves, and the shard keeps running. With this, the first call that isn't for a reconnect is final.
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

// How discord.js sends its REST requests: as usual, except that messages mention nobody unless they say whom, and that a request is retried
// where Discord's time limits leave room for it.

type MakeRequest = RESTOptions['makeRequest'];
type Init = Parameters<MakeRequest>[1];

/** The first response to an interaction. Discord accepts it for 3 s, which leaves room for two attempts. */
const FIRST_RESPONSE = /\/interactions\/\d+\/[^/]+\/callback(\?|$)/;
const FIRST_RESPONSE_MS = 1_400;
/** "Interaction has already been acknowledged." */
const ALREADY_ACKNOWLEDGED = /"code":\s*40060\b/;
/** Milliseconds: nobody waits longer for a reply to change. */
const MAX_RATE_LIMIT_MS = 30_000;

interface RawMessage {
  allowed_mentions?: object | null;
}

/** Messages that are sent or edited, and the first response to an interaction, which has its message in `data`. */
const MESSAGE = /\/(channels\/\d+\/messages(\/\d+)?|webhooks\/\d+\/[^/?]+(\/messages\/[^/?]+)?)(\?|$)/;
const WITH_MESSAGE: readonly unknown[] = [InteractionResponseType.ChannelMessageWithSource, InteractionResponseType.UpdateMessage];

/**
 * What a message quotes must not notify anybody, so each one that doesn't say whom it mentions mentions nobody.
 * https://docs.discord.com/developers/resources/message#allowed-mentions-object
 */
function withoutMentions(url: string, json: string): string {
  const mentionNobody = (message: RawMessage) => ({ ...message, allowed_mentions: message.allowed_mentions ?? { parse: [] } });
  const isResponse = FIRST_RESPONSE.test(url);
  if (!isResponse && !MESSAGE.test(url)) return json;
  const body = JSON.parse(json) as RawMessage & { type?: unknown; data?: RawMessage };
  if (!isResponse) return JSON.stringify(mentionNobody(body));
  return WITH_MESSAGE.includes(body.type) ? JSON.stringify({ ...body, data: mentionNobody(body.data ?? {}) }) : json;
}

/**
 * Sends files as plain bytes: discord.js brings its own undici, and in a process with a newer one its connections refuse FormData.
 * Repeats a request whose kept-alive connection was closed under it, if sending it twice does no harm: discord.js repeats only what the
 * operating system calls a reset, and an edit would be lost.
 */
export const makeRequest: MakeRequest = async (url, options) => {
  const init = await withPlainBody(url, options);
  if (init.method === 'POST') return FIRST_RESPONSE.test(url) ? sendFirstResponse(url, init) : DefaultRestOptions.makeRequest(url, init);
  try {
    return await DefaultRestOptions.makeRequest(url, init);
  } catch (error) {
    if (codeOf(error) !== 'UND_ERR_SOCKET') throw error;
    return DefaultRestOptions.makeRequest(url, init);
  }
};

/**
 * For `rest.rejectOnRateLimit`: replies that would come too late fail at once with RateLimitError, so the member is told; everything else
 * waits for as long as Discord wants.
 */
function isTooLongToWait({ route, timeToReset, retryAfter }: RateLimitData): boolean {
  return /^\/(webhooks|interactions)\//.test(route) && Math.max(timeToReset, retryAfter) > MAX_RATE_LIMIT_MS;
}

const isNewResponse = createOnceEach();

/** Repeats a first response that was lost, right away, because later is too late. What is lost again, discord.js repeats. */
async function sendFirstResponse(url: string, init: Init): ReturnType<MakeRequest> {
  const isNew = isNewResponse(url);
  // Files may take longer.
  const isSmall = typeof init.body === 'string';
  const timeout = isSmall ? AbortSignal.timeout(FIRST_RESPONSE_MS) : null;
  const signals = [init.signal, timeout].filter((signal) => signal != null);
  try {
    const response = await DefaultRestOptions.makeRequest(url, { ...init, signal: AbortSignal.any(signals as AbortSignal[]) });
    return isNew ? response : await asRepeated(response);
  } catch (error) {
    if (!timeout?.aborted && !['UND_ERR_SOCKET', 'ECONNRESET'].includes(codeOf(error))) throw error;
  }
  return asRepeated(await DefaultRestOptions.makeRequest(url, init));
}

/** If an earlier attempt had arrived and only Discord's response was lost, this one gets "already acknowledged", which counts as success. */
async function asRepeated(response: Awaited<ReturnType<MakeRequest>>): ReturnType<MakeRequest> {
  if (response.status !== 400) return response;
  const text = await response.text();
  // discord.js accepts either kind of Response; only their types differ. The id of the reply stays unknown.
  return (ALREADY_ACKNOWLEDGED.test(text)
    ? Response.json({ interaction: {} })
    : new Response(text, { status: 400, headers: [...response.headers] })) as unknown as typeof response;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

async function withPlainBody(url: string, init: Init): Promise<Init> {
  if (typeof init.body === 'string') return { ...init, body: withoutMentions(url, init.body) };
  if (!(init.body instanceof FormData)) return init;
  const json = init.body.get('payload_json');
  init.body.set('payload_json', withoutMentions(url, typeof json === 'string' ? json : '{}'));
  const form = new Response(init.body);
  const headers = { ...(init.headers as Record<string, string>), 'content-type': form.headers.get('content-type') ?? '' };
  return { ...init, headers, body: Buffer.from(await form.arrayBuffer()) };
}

// Opens and closes single shards of a client that is already logged in. discord.js can only do that for all shards at once; this does for
// one shard what its WebSocketManager does for each at login (discord.js 14.28, @discordjs/ws 1.2).

/** The part of @discordjs/ws that is used here. */
interface Connections {
  options: { shardIds: number[] };
  strategy: {
    shards: Collection<number, { connect(): Promise<void>; destroy(options: { code: number; reason: string }): Promise<void> }>;
    spawn(shardIds: number[]): Promise<void>;
  };
}

/** Close code that ends the session, which Discord then doesn't keep for a resume. `ShardDisconnect` carries it, too. */
export const NORMAL = 1000;

const REASON = 'the shard is moving';

/** The shards that are being closed. */
const closing = createUnderWay<{ client: Client; shardId: number }>();

/** Resolves once the shard's guilds have arrived, or at once if it is open. Rejects if Discord refuses for good. */
export async function openShard(client: Client, shardId: number): Promise<void> {
  await closing.current((shard) => shard.client === client && shard.shardId === shardId);
  if (client.ws.shards.has(shardId)) return;
  const connections = connectionsOf(client);
  const ready = Promise.withResolvers<void>();
  const shard: WebSocketShard = Reflect.construct(WebSocketShard, [client.ws, shardId]);
  shard.on(WebSocketShardEvents.AllReady, (unavailable) => {
    client.emit(Events.ShardReady, shardId, unavailable);
    ready.resolve();
  });
  shard.status = Status.Connecting;
  client.ws.shards.set(shardId, shard);
  setIds(client, connections);
  await connections.strategy.spawn([shardId]);
  await connections.strategy.shards.get(shardId)?.connect();
  await ready.promise;
}

/** Ends the shard's session and forgets its guilds, which now belong to another process. Emits `ShardDisconnect`. Never rejects. */
export function closeShard(client: Client, shardId: number): Promise<void> {
  return closing.add(endSession(client, shardId), { client, shardId });
}

async function endSession(client: Client, shardId: number): Promise<void> {
  const connections = connectionsOf(client);
  // discord.js looks the shard up while it closes.
  await connections.strategy.shards
    .get(shardId)
    ?.destroy({ code: NORMAL, reason: REASON })
    .catch(() => {});
  connections.strategy.shards.delete(shardId);
  client.ws.shards.delete(shardId);
  setIds(client, connections);
  client.emit(Events.ShardDisconnect, { code: NORMAL, reason: REASON, wasClean: true }, shardId);
  // Otherwise discord.js would put the old guild's channels and threads into the new one once the shard returns.
  client.channels.cache.sweep((channel) => !channel.isDMBased() && channel.guild.shardId === shardId);
  client.guilds.cache.sweep((guild) => guild.shardId === shardId);
}

/** Sets the ids that a later reconnect of all shards opens. */
function setIds(client: Client, connections: Connections): void {
  const ids = [...client.ws.shards.keys()];
  connections.options.shardIds = ids;
  client.options.shards = ids;
}

function connectionsOf({ ws }: Client): Connections {
  return Reflect.get(ws, '_ws') as Connections;
}
