// Opens and closes single shards of a client that is logged in already. discord.js can only do so for all shards at once; this does for one
// what its WebSocketManager does for each at login (discord.js 14.28, @discordjs/ws 1.2).
import { type Client, type Collection, Events, Status, WebSocketShard, WebSocketShardEvents } from 'discord.js';

/** What is used of @discordjs/ws. */
interface Connections {
  options: { shardIds: number[] };
  strategy: {
    shards: Collection<number, { connect(): Promise<void>; destroy(options: { code: number; reason: string }): Promise<void> }>;
    spawn(shardIds: number[]): Promise<void>;
  };
}

/** Ends the session: Discord then no longer keeps it for a resume. `ShardDisconnect` is emitted with it, too. */
export const NORMAL = 1000;

const REASON = 'the shard is moving';

/** The shards that are being closed. */
const closing = new WeakMap<Client, Map<number, Promise<void>>>();

/** Resolves once its guilds have arrived, at once if it is open. Rejects if Discord refuses for good. */
export async function openShard(client: Client, shardId: number): Promise<void> {
  await closing.get(client)?.get(shardId);
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

/** Ends its session and forgets its guilds, which another process looks after from now on. Emits `ShardDisconnect`. Never rejects. */
export function closeShard(client: Client, shardId: number): Promise<void> {
  const all = closing.get(client) ?? new Map<number, Promise<void>>();
  closing.set(client, all);
  const closed = endSession(client, shardId).finally(() => all.delete(shardId));
  all.set(shardId, closed);
  return closed;
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
  // Or discord.js would put the old channels and threads, which belong to the old guild, into the new one once the shard returns.
  client.channels.cache.sweep((channel) => !channel.isDMBased() && channel.guild.shardId === shardId);
  client.guilds.cache.sweep((guild) => guild.shardId === shardId);
}

/** So that a later reconnect of all takes the present ones. */
function setIds(client: Client, connections: Connections): void {
  const ids = [...client.ws.shards.keys()];
  connections.options.shardIds = ids;
  client.options.shards = ids;
}

function connectionsOf({ ws }: Client): Connections {
  return Reflect.get(ws, '_ws') as Connections;
}
