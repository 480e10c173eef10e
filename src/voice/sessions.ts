// The sessions of a client, one per guild: passes the main gateway's events on to them, and hands them to another process.
import {
  type Client,
  type DMChannel,
  Events,
  GatewayOpcodes,
  type Guild,
  type NonThreadGuildBasedChannel,
  type VoiceState,
} from 'discord.js';
import { createJoinRateLimit } from './join-rate-limit.ts';
import { type OpenSession, openSession, type SessionOptions } from './session.ts';
import { type Sessions, VoiceError, type VoicePermit } from './types.ts';

/** Common among well-made music and speech bots. */
const DEFAULTS: SessionOptions = { idleMs: 5 * 60_000, aloneMs: 30_000 };

/** The voice sessions of one client, at most one per guild. Call `close` before the client is destroyed. */
export function createSessions(client: Client<true>, options: Partial<SessionOptions> = {}): Sessions {
  const sessions = new Map<string, OpenSession>();
  const rateLimit = createJoinRateLimit(options.joinDelaysMs);
  /** Shards on which another process speaks. */
  const handedOver = new Set<number>();
  const closing = new AbortController();
  let isClosed = false;

  const onVoiceState = (_: VoiceState, state: VoiceState) => sessions.get(state.guild.id)?.handleVoiceState(state);
  const onShardReady = (shardId: number) => handleGatewayReturn(shardId, false);
  const onShardResume = (shardId: number) => handleGatewayReturn(shardId, true);
  const onChannelDelete = (channel: DMChannel | NonThreadGuildBasedChannel) => {
    forEach(sessions.values(), (session) => {
      if (session.channelId === channel.id) session.handleChannelDeleted();
    });
  };
  client.on(Events.VoiceStateUpdate, onVoiceState);
  client.on(Events.ShardReady, onShardReady);
  client.on(Events.ShardResume, onShardResume);
  client.on(Events.ChannelDelete, onChannelDelete);

  function handleGatewayReturn(shardId: number, isResumed: boolean): void {
    forEach(sessions.values(), (session) => {
      if (client.guilds.cache.get(session.guildId)?.shardId === shardId) session.handleGatewayReturn(isResumed);
    });
    leaveAbandonedChannels(shardId);
  }

  /** Repeats leaves that were sent while the main gateway was away: otherwise we would stay in those channels forever. */
  function leaveAbandonedChannels(shardId: number): void {
    const abandoned = client.guilds.cache.filter((guild) => guild.shardId === shardId && isAbandoned(guild));
    forEach(abandoned.values(), (guild) => {
      if (options.permit) void leaveOnceAlone(guild.id, options.permit);
      else leave(guild);
    });
  }

  function isAbandoned({ id, voiceStates }: Guild): boolean {
    return Boolean(voiceStates.cache.get(client.user.id)?.channelId) && !sessions.has(id);
  }

  function leave(guild: Guild): void {
    const d = { guild_id: guild.id, channel_id: null, self_mute: false, self_deaf: false };
    guild.shard.send({ op: GatewayOpcodes.VoiceStateUpdate, d });
    rateLimit.recordLeave(guild);
  }

  /** It may be another process that is there. */
  async function leaveOnceAlone(guildId: string, permit: VoicePermit): Promise<void> {
    const release = await permit(guildId, closing.signal).catch(() => null);
    // The shard may have left and returned meanwhile, with a new guild.
    const guild = client.guilds.cache.get(guildId);
    if (release && guild && isAbandoned(guild)) leave(guild);
    release?.();
  }

  return {
    get: (guildId) => sessions.get(guildId),
    all: () => [...sessions.values()],
    areSending: () => ![...sessions.values()].some((session) => session.isStuck()),
    join(channel) {
      if (isClosed) throw new VoiceError('disconnected', 'no voice channel is joined any more');
      const session = sessions.get(channel.guildId);
      if (!session) {
        const opened = openSession(channel, { ...DEFAULTS, ...options, rateLimit }, () => {
          if (sessions.get(channel.guildId) === opened) sessions.delete(channel.guildId);
        });
        sessions.set(channel.guildId, opened);
        options.observer?.joining(opened);
        if (handedOver.has(channel.guild.shardId)) void opened.handOver();
        return opened;
      }
      if (session.channelId !== channel.id) {
        if (session.length > 0) throw new VoiceError('busy', 'speaking in another channel of the guild');
        session.move(channel.id);
      }
      return session;
    },
    async handOver(shardId) {
      handedOver.add(shardId);
      const isThere = ({ guildId }: OpenSession) => client.guilds.cache.get(guildId)?.shardId === shardId;
      await Promise.allSettled([...sessions.values()].filter(isThere).map((session) => session.handOver()));
    },
    takeBack: (shardId) => void handedOver.delete(shardId),
    async close({ drain = 0 } = {}) {
      isClosed = true;
      closing.abort();
      const open = [...sessions.values()];
      if (drain > 0) {
        let timer: NodeJS.Timeout | undefined;
        const expired = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, drain);
        });
        await Promise.race([Promise.allSettled(open.map((session) => session.drain())), expired]);
        clearTimeout(timer);
      }
      forEach(open, (session) => session.close());
      client.off(Events.VoiceStateUpdate, onVoiceState);
      client.off(Events.ShardReady, onShardReady);
      client.off(Events.ShardResume, onShardResume);
      client.off(Events.ChannelDelete, onChannelDelete);
    },
  };
}

/** What `act` throws for one guild is reported as uncaught and keeps none of the others from having their turn. */
function forEach<T>(items: Iterable<T>, act: (item: T) => void): void {
  for (const item of [...items]) {
    try {
      act(item);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}
