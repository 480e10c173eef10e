// Sends one connection's voice state updates (join, move, leave) over the main gateway, and matches Discord's answers to them.
import type { Guild } from 'discord.js';
import type { JoinRateLimit } from './join-rate-limit.ts';
import type { Adapter, VoiceStateUpdate } from './networking.ts';

export interface VoiceStateSender {
  /**
   * Every join and leave goes through here, those of @discordjs/voice included, so that joins are paced and limited.
   * Returns false if nothing will be sent.
   */
  send(adapter: Adapter, payload: VoiceStateUpdate): boolean;
  /** Milliseconds until the delayed join is sent; 0 if there is none. */
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
}

export interface VoiceStateSenderOptions {
  guild: Guild;
  rateLimit: JoinRateLimit;
  /** The channel to be in now: a moderator may move us while a join is delayed. */
  channelId(): string | null;
  onDelay(): void;
  /** The guild has used up its joins for this minute. Called in a microtask, after the library has finished its own step. */
  onRateLimited(): void;
}

export function createVoiceStateSender(options: VoiceStateSenderOptions): VoiceStateSender {
  const { guild, rateLimit, channelId, onDelay, onRateLimited } = options;
  const ownId = guild.client.user.id;
  let joinTimer: NodeJS.Timeout | undefined;
  let joinDueAt = 0;
  let isPresent = false;
  /** A join was sent, and no leave after it. */
  let hasJoined = false;
  /** A slow Discord may answer a leave long after we have sent the next join. */
  let unansweredLeaves = 0;

  function join(adapter: Adapter, payload: VoiceStateUpdate): boolean {
    isPresent = false;
    const isSent = adapter.sendPayload({ ...payload, d: { ...payload.d, channel_id: channelId() } });
    if (isSent) hasJoined = true;
    return isSent;
  }

  function leave(adapter: Adapter, payload: VoiceStateUpdate): boolean {
    isPresent = false;
    const isInChannel = Boolean(guild.voiceStates.cache.get(ownId)?.channelId);
    if (!hasJoined && !isInChannel) return true;
    if (!adapter.sendPayload(payload)) return false;
    hasJoined = false;
    unansweredLeaves += 1;
    rateLimit.recordLeave(guild);
    return true;
  }

  function cancel(): void {
    clearTimeout(joinTimer);
    joinDueAt = 0;
  }

  return {
    send(adapter, payload) {
      cancel();
      if (payload.d.channel_id === null) return leave(adapter, payload);
      const delay = rateLimit.reserveJoin(guild);
      if (delay === null) {
        queueMicrotask(onRateLimited);
        return false;
      }
      if (delay === 0) return join(adapter, payload);
      joinDueAt = performance.now() + delay;
      joinTimer = setTimeout(() => join(adapter, payload), delay);
      onDelay();
      return true;
    },
    get joinDelayMs() {
      return Math.max(0, joinDueAt - performance.now());
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
  };
}
