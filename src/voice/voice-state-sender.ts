// What one connection asks of the main gateway (to be let into a channel, to leave it), and what was answered.
import type { Guild } from 'discord.js';
import type { JoinBudget } from './join-budget.ts';
import type { Adapter, Ask } from './networking.ts';

export interface VoiceStateSender {
  /** Every join and leave goes through here, the library's own ones too: each join after its pause, and not too many. False where it is not sent. */
  send(adapter: Adapter, payload: Ask): boolean;
  /** For how many ms the next join is not sent yet. */
  readonly wait: number;
  /** Discord has said that we are in the channel since we last asked: only then does "in no channel" mean that somebody put us out. */
  readonly present: boolean;
  /** To be called when Discord says in which channel we are: true where that means that somebody put us out. */
  answered(channelId: string | null): boolean;
  /** The connection is established: nothing more needs to be sent, nothing old is answered any more. */
  settle(): void;
  /** The main gateway's session is another one, which has asked for nothing. */
  startAnew(): void;
  /** Sends nothing that waits. */
  end(): void;
}

export interface VoiceStateSenderOptions {
  guild: Guild;
  budget: JoinBudget;
  /** Where we want to be now: a moderator may move us while a join waits. */
  channelId(): string | null;
  onPause(): void;
  /** The joins of a minute are used up. Called in a turn of its own, when the library is done with what it was at. */
  onRefused(): void;
}

export function createVoiceStateSender({ guild, budget, channelId, onPause, onRefused }: VoiceStateSenderOptions): VoiceStateSender {
  const me = guild.client.user.id;
  let pause: NodeJS.Timeout | undefined;
  let pausedUntil = 0;
  let present = false;
  /** A join was sent, and no leave after it. */
  let joined = false;
  /** Leaves of ours that are not answered: a slow Discord answers them when we have long asked for something else. */
  let leaves = 0;

  function join(adapter: Adapter, payload: Ask): boolean {
    present = false;
    const isSent = adapter.sendPayload({ ...payload, d: { ...payload.d, channel_id: channelId() } });
    if (isSent) joined = true;
    return isSent;
  }

  function leave(adapter: Adapter, payload: Ask): boolean {
    present = false;
    const isInside = Boolean(guild.voiceStates.cache.get(me)?.channelId);
    if (!joined && !isInside) return true;
    if (!adapter.sendPayload(payload)) return false;
    joined = false;
    leaves += 1;
    budget.noteLeave(guild);
    return true;
  }

  function end(): void {
    clearTimeout(pause);
    pausedUntil = 0;
  }

  return {
    send(adapter, payload) {
      end();
      if (payload.d.channel_id === null) return leave(adapter, payload);
      const wait = budget.take(guild);
      if (wait === null) {
        queueMicrotask(onRefused);
        return false;
      }
      if (wait === 0) return join(adapter, payload);
      pausedUntil = performance.now() + wait;
      pause = setTimeout(() => join(adapter, payload), wait);
      onPause();
      return true;
    },
    get wait() {
      return Math.max(0, pausedUntil - performance.now());
    },
    get present() {
      return present;
    },
    answered(to) {
      if (to !== null) {
        present = true;
        return false;
      }
      const isPutOut = leaves === 0 && present;
      leaves = Math.max(0, leaves - 1);
      present = false;
      if (isPutOut) joined = false;
      return isPutOut;
    },
    settle() {
      end();
      leaves = 0;
    },
    startAnew() {
      joined = false;
      leaves = 0;
    },
    end,
  };
}
