// The bot's voice sessions, at most one per guild.
import { type Client, type DMChannel, Events, GatewayOpcodes, type NonThreadGuildBasedChannel, type VoiceState } from 'discord.js';
import { createJoinBudget } from './join-budget.ts';
import { type OpenSession, openSession, type SessionOptions } from './session.ts';
import { type Sessions, VoiceError } from './types.ts';

export * from './types.ts';

/** What the best bots of this kind do: five minutes without a word, half a minute without a listener. */
const DEFAULTS: SessionOptions = { idleMs: 5 * 60_000, aloneMs: 30_000 };

/** The sessions of one client; `close` is to be called before the client is destroyed. */
export function createSessions(client: Client<true>, options: Partial<SessionOptions> = {}): Sessions {
  const sessions = new Map<string, OpenSession>();
  const budget = createJoinBudget(options.joinPausesMs);
  let closed = false;
  const onVoiceState = (_: VoiceState, state: VoiceState) => sessions.get(state.guild.id)?.voiceStateChanged(state);
  const gatewayBack = (shardId: number, isResumed: boolean) => {
    for (const [guildId, session] of sessions) if (client.guilds.cache.get(guildId)?.shardId === shardId) session.gatewayBack(isResumed);
    leaveWhereUnheard(shardId);
  };
  /** Whoever left while the main gateway was away was not heard, and would stay in the channel for ever. */
  const leaveWhereUnheard = (shardId: number) => {
    for (const guild of client.guilds.cache.values()) {
      const isInside = Boolean(guild.voiceStates.cache.get(client.user.id)?.channelId);
      if (guild.shardId !== shardId || !isInside || sessions.has(guild.id)) continue;
      const d = { guild_id: guild.id, channel_id: null, self_mute: false, self_deaf: false };
      guild.shard.send({ op: GatewayOpcodes.VoiceStateUpdate, d });
      budget.noteLeave(guild);
    }
  };
  const onShardReady = (shardId: number) => gatewayBack(shardId, false);
  const onShardResume = (shardId: number) => gatewayBack(shardId, true);
  const onChannelDelete = (channel: DMChannel | NonThreadGuildBasedChannel) => {
    for (const session of sessions.values()) if (session.channelId === channel.id) session.channelGone();
  };
  client.on(Events.VoiceStateUpdate, onVoiceState);
  client.on(Events.ShardReady, onShardReady);
  client.on(Events.ShardResume, onShardResume);
  client.on(Events.ChannelDelete, onChannelDelete);

  return {
    get: (guildId) => sessions.get(guildId),
    all: () => [...sessions.values()],
    join(channel) {
      if (closed) throw new VoiceError('disconnected', 'no voice channel is joined any more');
      const session = sessions.get(channel.guildId);
      if (!session) {
        const opened = openSession(channel, { ...DEFAULTS, ...options, budget }, () => {
          if (sessions.get(channel.guildId) === opened) sessions.delete(channel.guildId);
        });
        sessions.set(channel.guildId, opened);
        return opened;
      }
      if (session.channelId !== channel.id) {
        if (session.length > 0) throw new VoiceError('busy', 'speaking in another channel of the guild');
        session.move(channel.id);
      }
      return session;
    },
    async close({ drain = 0 } = {}) {
      closed = true;
      const open = [...sessions.values()];
      if (drain > 0) {
        let timer: NodeJS.Timeout | undefined;
        const expired = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, drain);
        });
        await Promise.race([Promise.all(open.map((session) => session.drain())), expired]);
        clearTimeout(timer);
      }
      for (const session of open) session.close();
      client.off(Events.VoiceStateUpdate, onVoiceState);
      client.off(Events.ShardReady, onShardReady);
      client.off(Events.ShardResume, onShardResume);
      client.off(Events.ChannelDelete, onChannelDelete);
    },
  };
}
