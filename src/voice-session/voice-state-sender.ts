// Sends one connection's voice state updates (join, move, leave) over the main gateway, and matches Discord's answers to them.
import type { Guild } from 'discord.js';
import { poll } from '../async/waiting.ts';
import type { Adapter, VoiceStateUpdate } from './networking.ts';
import type { VoicePermit } from './types.ts';

/** The longest wait for another process to leave: it may finish an utterance, within 60 s, and still be killed after that. */
const PERMIT_MS = 90_000;
/** How long Discord may take to confirm that a channel was left, in milliseconds. */
const LEFT_MS = 2_000;
const POLL_INTERVAL_MS = 50;
/** At most one change of deafness is sent in this time, in milliseconds. */
const DEAFNESS_INTERVAL_MS = 1_000;

export interface VoiceStateSender {
  /**
   * Every join and leave goes through here, those of @discordjs/voice included, so that joins are paced and limited.
   * Returns false if nothing will be sent.
   */
  send(adapter: Adapter, payload: VoiceStateUpdate): boolean;
  /** Call when `isDeaf` has changed. Joins need no call of their own. */
  updateDeafness(): void;
  /** Until this is true, nothing is joined or left, and what Discord says about our voice state concerns another process. */
  readonly isPermitted: boolean;
  /** Milliseconds until the delayed join is sent, at most; 0 if there is none. */
  readonly joinDelayMs: number;
  /** Discord has confirmed our presence since the last join: only then does "in no channel" mean that somebody removed us. */
  readonly isPresent: boolean;
  /** Call on each of our own voice states. Returns true if it means that somebody removed us. */
  handleOwnState(channelId: string | null): boolean;
  /** The connection is ready: cancels a delayed join and stops expecting answers to earlier leaves. */
  settle(): void;
  /** The main gateway began a new session, in which nothing has been sent. */
  reset(): void;
  /** Cancels a delayed join. */
  cancel(): void;
  /** Call when the connection has ended: another process may join as soon as Discord has confirmed that the channel was left. */
  close(): void;
  /** Resolves once another process may join. */
  readonly closed: Promise<void>;
}

export interface VoiceStateSenderOptions {
  guild: Guild;
  rateLimit: JoinRateLimit;
  /** Absent = no other process joins. */
  permit?: VoicePermit | undefined;
  /** The channel to be in now: a moderator may move us while a join is delayed. */
  channelId(): string | null;
  /** Whether to be deafened. */
  isDeaf(): boolean;
  onDelay(): void;
  /** The guild has used up its joins for this minute. Called in a microtask, after the library has finished its own step. */
  onRateLimited(): void;
}

/** A join that is still to be sent: once this process may join, or once the guild has not joined as often. */
type PendingJoin =
  | { name: 'awaits permit'; adapter: Adapter; payload: VoiceStateUpdate }
  | { name: 'delayed'; timer: NodeJS.Timeout; dueAt: number };

/**
 * Whether this process may join and leave; not needed if there are no others.
 *
 *     not asked ── first join ──▶ asked ── granted ──▶ held ── close ──▶ released once Discord has confirmed that we left
 *                                   └───── close ──▶ never granted, or released as soon as it is
 */
type Permission =
  | { name: 'not needed' }
  | { name: 'not asked'; ask: VoicePermit }
  | { name: 'asked' }
  | { name: 'held'; release: () => void };

export function createVoiceStateSender(options: VoiceStateSenderOptions): VoiceStateSender {
  const { guild, rateLimit, permit, channelId, isDeaf, onDelay, onRateLimited } = options;
  const ownId = guild.client.user.id;
  let pending: PendingJoin | null = null;
  let permission: Permission = permit ? { name: 'not asked', ask: permit } : { name: 'not needed' };
  /** The last join or change of deafness that was sent. */
  let sent: { adapter: Adapter; payload: VoiceStateUpdate } | null = null;
  let deafnessSentAt = Number.NEGATIVE_INFINITY;
  let deafnessTimer: NodeJS.Timeout | undefined;
  let isPresent = false;
  /** A join was sent, and no leave after it. */
  let hasJoined = false;
  /** A slow Discord may answer a leave long after we have sent the next join. */
  let unansweredLeaves = 0;
  const asking = new AbortController();
  const closed = Promise.withResolvers<void>();

  const isPermitted = () => permission.name === 'not needed' || permission.name === 'held';

  async function askPermit(ask: VoicePermit): Promise<void> {
    permission = { name: 'asked' };
    const release = await ask(guild.id, asking.signal).catch(() => null);
    if (release === null) return;
    // The connection has ended meanwhile.
    if (asking.signal.aborted) return release();
    permission = { name: 'held', release };
    if (pending?.name !== 'awaits permit') return;
    send(pending.adapter, pending.payload);
    onDelay();
  }

  function send(adapter: Adapter, payload: VoiceStateUpdate): boolean {
    cancel();
    if (payload.d.channel_id === null) return leave(adapter, payload);
    if (!isPermitted()) {
      pending = { name: 'awaits permit', adapter, payload };
      if (permission.name === 'not asked') void askPermit(permission.ask);
      return true;
    }
    const delay = rateLimit.reserveJoin(guild);
    if (delay === null) {
      queueMicrotask(onRateLimited);
      return false;
    }
    if (delay === 0) return join(adapter, payload);
    const timer = setTimeout(() => {
      pending = null;
      join(adapter, payload);
    }, delay);
    pending = { name: 'delayed', timer, dueAt: performance.now() + delay };
    onDelay();
    return true;
  }

  function join(adapter: Adapter, payload: VoiceStateUpdate): boolean {
    isPresent = false;
    const isSent = sendState(adapter, payload);
    if (isSent) hasJoined = true;
    return isSent;
  }

  function sendState(adapter: Adapter, payload: VoiceStateUpdate): boolean {
    const state = { ...payload, d: { ...payload.d, channel_id: channelId(), self_deaf: isDeaf() } };
    if (!adapter.sendPayload(state)) return false;
    sent = { adapter, payload: state };
    return true;
  }

  /** A change of deafness leaves the connection as it is. Several in a row are sent as one. */
  function updateDeafness(): void {
    clearTimeout(deafnessTimer);
    // The join that is due, or the one after a loss, includes it.
    if (!sent || !hasJoined || channelId() === null || pending || sent.payload.d.self_deaf === isDeaf()) return;
    const now = performance.now();
    const wait = deafnessSentAt + DEAFNESS_INTERVAL_MS - now;
    if (wait > 0) deafnessTimer = setTimeout(updateDeafness, wait);
    else {
      deafnessSentAt = now;
      if (sendState(sent.adapter, sent.payload)) rateLimit.record(guild);
      else deafnessTimer = setTimeout(updateDeafness, DEAFNESS_INTERVAL_MS);
    }
  }

  function leave(adapter: Adapter, payload: VoiceStateUpdate): boolean {
    isPresent = false;
    if (!isPermitted()) return true;
    const isInChannel = Boolean(guild.voiceStates.cache.get(ownId)?.channelId);
    if (!hasJoined && !isInChannel) return true;
    if (!adapter.sendPayload(payload)) return false;
    clearTimeout(deafnessTimer);
    hasJoined = false;
    unansweredLeaves += 1;
    rateLimit.record(guild);
    return true;
  }

  function cancel(): void {
    if (pending?.name === 'delayed') clearTimeout(pending.timer);
    pending = null;
  }

  return {
    send,
    get isPermitted() {
      return isPermitted();
    },
    get joinDelayMs() {
      if (pending === null) return 0;
      return pending.name === 'awaits permit' ? PERMIT_MS : Math.max(0, pending.dueAt - performance.now());
    },
    get isPresent() {
      return isPresent;
    },
    handleOwnState(to) {
      if (to !== null) {
        isPresent = true;
        return false;
      }
      const wasRemoved = unansweredLeaves === 0 && isPresent;
      unansweredLeaves = Math.max(0, unansweredLeaves - 1);
      isPresent = false;
      if (wasRemoved) hasJoined = false;
      return wasRemoved;
    },
    settle() {
      cancel();
      unansweredLeaves = 0;
    },
    reset() {
      hasJoined = false;
      unansweredLeaves = 0;
    },
    cancel,
    updateDeafness,
    close() {
      cancel();
      clearTimeout(deafnessTimer);
      asking.abort();
      if (permission.name !== 'held') return closed.resolve();
      const { release } = permission;
      void leftChannel(guild).then(() => {
        release();
        closed.resolve();
      });
    },
    closed: closed.promise,
  };
}

/** Resolves when Discord says that we are in no channel of the guild, or after a timeout. */
async function leftChannel({ client, voiceStates }: Guild): Promise<void> {
  await poll(() => !voiceStates.cache.get(client.user.id)?.channelId, { everyMs: POLL_INTERVAL_MS, maxMs: LEFT_MS });
}

// Limits how often voice channels are joined. Every join and leave is a message on the main gateway, whose rate limit all guilds
// of a shard share, and @discordjs/voice rejoins immediately each time it is disconnected.

/**
 * Delays in ms before each of a guild's joins within a minute: together long enough for a voice server to restart. No more joins follow.
 */
const JOIN_DELAYS_MS = [0, 0, 1000, 4000, 10_000];
const WINDOW_MS = 60_000;
/**
 * Discord accepts 120 messages a minute from a shard, and @discordjs/ws holds back everything beyond 114 until the minute is over. Rejoins
 * get a small share of them, so that a voice server failing under many guilds does not delay the others.
 */
const FIRST_JOINS = 80;
const REJOINS = 30;

type ShardGuild = Pick<Guild, 'id' | 'shardId'>;

export interface JoinRateLimit {
  /** Reserves one join. Returns the milliseconds to wait before it, or null if the guild has used up its joins for this minute. */
  reserveJoin(guild: ShardGuild): number | null;
  /** Call when a leave or a change of deafness is sent: it is not delayed itself, but counts towards later joins. */
  record(guild: ShardGuild): void;
  /** Forgets a guild's joins once they have succeeded and ended as members wished. */
  forget(guildId: string): void;
}

/** @param now monotonic clock in ms */
export function createJoinRateLimit(delaysMs: readonly number[] = JOIN_DELAYS_MS, now = () => performance.now()): JoinRateLimit {
  const joins = new Map<string, number[]>();
  /** When messages were or will be sent, by shard. Leaves are in both lists. */
  const shards = new Map<number, { first: number[]; again: number[] }>();

  function listsOf({ shardId }: ShardGuild) {
    const lists = shards.get(shardId) ?? { first: [], again: [] };
    shards.set(shardId, lists);
    return lists;
  }

  /** Inserts in order of time, and drops what is older than the window. */
  function insert(sends: number[], at: number): void {
    const since = now() - WINDOW_MS;
    sends.splice(0, sends.findLastIndex((sent) => sent < since) + 1);
    sends.splice(sends.findLastIndex((sent) => sent <= at) + 1, 0, at);
  }

  return {
    reserveJoin(guild) {
      const time = now();
      const recent = (joins.get(guild.id) ?? []).filter((at) => at > time - WINDOW_MS);
      const delay = delaysMs[recent.length];
      if (delay === undefined) return null;
      const { first, again } = listsOf(guild);
      const [sends, limit] = recent.length === 0 ? [first, FIRST_JOINS] : [again, REJOINS];
      // A minute after the send that is `limit` places back: then no minute holds more than the limit.
      const wait = Math.max(delay, (sends.at(-limit) ?? Number.NEGATIVE_INFINITY) + WINDOW_MS - time);
      insert(sends, time + wait);
      joins.set(guild.id, [...recent, time + wait]);
      return wait;
    },
    record(guild) {
      const { first, again } = listsOf(guild);
      insert(first, now());
      insert(again, now());
    },
    forget: (guildId) => void joins.delete(guildId),
  };
}
