// The sessions of a client, one per guild: passes the main gateway's events on to them, and hands them over to another process.
import {
  type Client,
  type DMChannel,
  Events,
  GatewayOpcodes,
  type Guild,
  type NonThreadGuildBasedChannel,
  type VoiceBasedChannel,
  type VoiceState,
} from 'discord.js';
import { orAborted, within } from '../async/waiting.ts';
import { type Connection, leftError, openConnection } from './connection.ts';
import { type OpenHearing, openHearing } from './hearing.ts';
import { createPlayer, type Player } from './player.ts';
import { createPlaylist, HANDED_OVER, type Unplayed } from './playlist.ts';
import { type Need, type Session, type SessionObserver, type Sessions, VoiceError, type VoicePermit } from './types.ts';
import { createJoinRateLimit, type JoinRateLimit } from './voice-state-sender.ts';

/** What good music and speech bots commonly use. */
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
    rateLimit.record(guild);
  }

  /** Leaves the guild's channel once no other process claims it, unless it isn't abandoned after all. */
  async function leaveOnceAlone(guildId: string, permit: VoicePermit): Promise<void> {
    const release = await permit(guildId, closing.signal).catch(() => null);
    // The shard may have left and returned meanwhile, with a new guild object.
    const guild = client.guilds.cache.get(guildId);
    if (release && guild && isAbandoned(guild)) leave(guild);
    release?.();
  }

  return {
    get: (guildId) => sessions.get(guildId),
    all: () => [...sessions.values()],
    areSending: () => ![...sessions.values()].some((session) => session.isStuck()),
    join(channel, { sparesReading = false } = {}) {
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
        session.checkMovable(sparesReading);
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
      if (drain > 0) await within(drain, Promise.allSettled(open.map((session) => session.drain())));
      forEach(open, (session) => session.close());
      client.off(Events.VoiceStateUpdate, onVoiceState);
      client.off(Events.ShardReady, onShardReady);
      client.off(Events.ShardResume, onShardResume);
      client.off(Events.ChannelDelete, onChannelDelete);
    },
  };
}

/** An error that `act` throws for one guild is reported as uncaught, and doesn't keep the others from their turn. */
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

// One guild's voice: a fair playlist, played through one connection, which is left when idle or alone.

/** Milliseconds. A waiting packet should leave within 20; the event loop may be busy for longer, but not this long. */
const STUCK_MS = 3_000;

export interface SessionOptions {
  /** Leaves after this long without an utterance. */
  idleMs: number;
  /** Leaves after this long without a listener. */
  aloneMs: number;
  establishMs?: number;
  /** How long a speaker's packets must fail before the channel is joined again. */
  failingMs?: number;
  /** Delays before each of a guild's joins within a minute; there are no more joins than delays. */
  joinDelaysMs?: readonly number[];
  observer?: SessionObserver;
  /** Absent = no other process joins. */
  permit?: VoicePermit | undefined;
}

/** A session with what the list of sessions needs besides. */
export interface OpenSession extends Session {
  /** @throws VoiceError if somebody needs it where it is */
  checkMovable(sparesReading: boolean): void;
  move(channelId: string): void;
  handleVoiceState(state: VoiceState): void;
  handleGatewayReturn(isResumed: boolean): void;
  handleChannelDeleted(): void;
  /** Fails waiting utterances, unless the session is handed over, and all later ones; resolves when the rest has been sent. */
  drain(): Promise<void>;
  /** Hands over, now and later, what can be moved and isn't about to be heard; leaves once the rest has been sent. */
  handOver(): Promise<void>;
  /** Whether sound that could be sent has been waiting for too long. */
  isStuck(): boolean;
  /** Leaves because the process is ending. */
  close(): void;
}

/** Joins the channel immediately. `onEnd` is called once, when the session has left or was lost. */
export function openSession(
  channel: VoiceBasedChannel,
  options: SessionOptions & { rateLimit: JoinRateLimit },
  onEnd: () => void,
): OpenSession {
  const { guild } = channel;
  const ownId = guild.client.user.id;
  let hasEnded = false;
  let isDraining = false;
  /** Resolves when everything that is not handed over has ended. */
  let handedOver: Promise<void> | null = null;
  let stay = false;
  /** The channel that messages are read aloud in: somebody may move the bot to another one. */
  let readIn: string | null = null;
  let hearing: OpenHearing | null = null;
  /** How many are about to hear. */
  let expected = 0;
  /** Leaves once what is left of background speech has ended. */
  let isLeaving = false;
  let idleTimer: NodeJS.Timeout | undefined;
  let aloneTimer: NodeJS.Timeout | undefined;
  const playlist = createPlaylist({
    ready: (signal) => orAborted(connection.ready, signal),
    play: (utterance, signal, progress) => player.play(utterance.open(signal), signal, progress),
    refusal,
    onBusy: () => clearTimeout(idleTimer),
    onIdle() {
      if (isLeaving) leaveUnneeded();
      watchIdle();
    },
  });
  const player: Player = createPlayer({
    send: (packet) => connection.send(packet),
    stopSpeaking: () => connection.stopSpeaking(),
    deliveredUntil: () => connection.deliveredUntil,
    confirmDelivery: () => connection.confirmDelivery(),
    onFailure: (cause) => connection.fail(new VoiceError('sending-failed', 'sound could not be sent', { cause })),
  });
  const connection: Connection = openConnection({
    guild,
    channelId: channel.id,
    rateLimit: options.rateLimit,
    permit: options.permit,
    establishMs: options.establishMs,
    onReady(undeliveredSince) {
      if (undeliveredSince !== null) player.rewind(undeliveredSince);
      player.wake();
    },
    onDelivered: () => player.wake(),
    onLost: end,
  });

  function refusal(isMovable: boolean): Unplayed | null {
    if (handedOver && isMovable) return HANDED_OVER;
    if (isDraining) return failed(closingError());
    if (hasEnded) return failed(leftError());
    return isMuted() ? failed(mutedError()) : null;
  }

  function end(error: VoiceError): void {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(idleTimer);
    clearTimeout(aloneTimer);
    player.end();
    onEnd();
    playlist.fail(error);
    hearing?.end(error);
  }

  function leave(): void {
    playlist.stop();
    connection.leave();
    end(leftError());
  }

  function handleVoiceState(state: VoiceState): void {
    const { channelId } = connection;
    connection.handleVoiceState(state);
    if (!hasEnded && connection.channelId !== channelId)
      hearing?.end(new VoiceError('kicked', 'a moderator has moved the bot to another channel'));
    failWhileMuted();
    if (state.serverMute && state.id !== ownId) {
      playlist.fail(new VoiceError('member-muted', 'a moderator has muted the member'), state.id);
    }
    watchListeners();
  }

  /** While muted, utterances fail but the session stays: a mute outlasts leaving, and only a member in a channel can be unmuted. */
  function failWhileMuted(): void {
    if (!hasEnded && isMuted()) playlist.fail(mutedError());
  }

  function isMuted(): boolean {
    const own = guild.voiceStates.cache.get(ownId);
    return own?.serverMute === true && own.channelId === connection.channelId;
  }

  function neededBy(): Need[] {
    const needs = {
      speech: playlist.length > 0,
      captions: hearing !== null || expected > 0,
      reading: readIn !== null && readIn === connection.channelId,
      stay,
    };
    return (Object.keys(needs) as Need[]).filter((need) => needs[need]);
  }

  const isNeededBy = (...some: Need[]) => neededBy().some((need) => some.includes(need));

  function leaveUnneeded(): void {
    const needs = neededBy();
    isLeaving = needs.every((need) => need === 'speech') && playlist.items().every(({ background }) => background);
    if (!hasEnded && needs.length === 0) leave();
  }

  function checkMovable(sparesReading: boolean): void {
    // The one that lasts longer is named.
    if (isNeededBy('captions')) throw new VoiceError('hearing', 'hearing another channel of the guild');
    if (isNeededBy('speech')) throw new VoiceError('busy', 'speaking in another channel of the guild');
    if (sparesReading && isNeededBy('reading') && !isAlone()) throw new VoiceError('busy', 'reading in another channel of the guild');
  }

  function isAlone(): boolean {
    const { channelId } = connection;
    return !guild.voiceStates.cache.some((other) => other.channelId === channelId && other.id !== ownId && !other.member?.user.bot);
  }

  function watchListeners(): void {
    if (hasEnded || isNeededBy('captions', 'stay') || !isAlone()) {
      clearTimeout(aloneTimer);
      aloneTimer = undefined;
    } else if (!aloneTimer) {
      aloneTimer = setTimeout(leave, options.aloneMs);
    }
  }

  function watchIdle(): void {
    clearTimeout(idleTimer);
    if (!hasEnded && !playlist.isPlaying && neededBy().length === 0) idleTimer = setTimeout(leave, options.idleMs);
  }

  function watchNeeds(): void {
    if (isNeededBy('captions', 'reading', 'stay')) isLeaving = false;
    watchIdle();
    watchListeners();
  }

  watchIdle();

  const session: OpenSession = {
    guildId: guild.id,
    get channelId() {
      return connection.channelId ?? channel.id;
    },
    get ready() {
      return connection.ready;
    },
    get state() {
      return connection.state;
    },
    get length() {
      return playlist.length;
    },
    items: playlist.items,
    enqueue(utterance, enqueueOptions) {
      const playback = playlist.enqueue(utterance, enqueueOptions);
      if (!enqueueOptions.background) isLeaving = false;
      options.observer?.enqueued(utterance, playback);
      return playback;
    },
    arrange: playlist.arrange,
    skip: playlist.skip,
    remove: playlist.remove,
    stop: playlist.stop,
    get neededBy() {
      return neededBy();
    },
    leaveUnneeded,
    get stay() {
      return stay;
    },
    setStay(on) {
      stay = on;
      watchNeeds();
    },
    setRead(isRead) {
      const wasRead = isNeededBy('reading');
      readIn = isRead ? connection.channelId : null;
      if (wasRead && !isRead) leaveUnneeded();
      // Nobody may have come yet, or everybody may have left.
      watchNeeds();
    },
    expectHearing() {
      expected += 1;
      watchNeeds();
      let isExpected = true;
      return () => {
        if (isExpected) expected -= 1;
        isExpected = false;
        watchNeeds();
      };
    },
    hear(hearingOptions) {
      if (hasEnded) throw leftError();
      if (hearing) throw new RangeError('the session hears already');
      hearing = openHearing(hearingOptions, {
        failingMs: options.failingMs,
        isBot: (userId) => guild.client.users.cache.get(userId)?.bot === true,
        isSpeaking: () => playlist.length > 0,
        setReading: connection.setReading,
        rejoin() {
          options.observer?.undecryptable(session, 'rejoined');
          connection.rejoin();
        },
        onUnheard: () => options.observer?.undecryptable(session, 'unheard'),
        onStop() {
          hearing = null;
          connection.hear(null);
          watchNeeds();
        },
      });
      connection.hear(hearing);
      watchNeeds();
      return hearing;
    },
    get hearing() {
      return hearing;
    },
    leave,
    checkMovable,
    move: connection.move,
    handleVoiceState,
    handleGatewayReturn(isResumed) {
      connection.handleGatewayReturn(isResumed);
      // Voice states that changed in the meantime caused no events of their own.
      failWhileMuted();
      watchListeners();
    },
    handleChannelDeleted: connection.handleChannelDeleted,
    async drain() {
      isDraining = true;
      await (handedOver ?? playlist.drain(closingError()));
      await player.silent();
    },
    async handOver() {
      handedOver ??= playlist.handOver(connection.isPermitted());
      await handedOver;
      await player.silent();
      leave();
      await connection.left;
    },
    isStuck: () => connection.state.status === 'ready' && player.waitingMs() > STUCK_MS,
    close() {
      end(closingError());
      connection.leave();
    },
  };
  return session;
}

function failed(cause: VoiceError): Unplayed {
  return { ended: 'failed', seconds: 0, cause };
}

function closingError(): VoiceError {
  return new VoiceError('closing', 'the process is ending');
}

function mutedError(): VoiceError {
  return new VoiceError('muted', 'a moderator has muted the bot');
}
