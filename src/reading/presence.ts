// When the bot is in a voice channel to read: from the first person who enters it until the last one has left, unless it was sent away.
import type { Guild } from 'discord.js';
import { describeError } from '../discord/errors.ts';
import { listenersIn, listMissingPermissions, nameInDiscord } from '../discord/voice-channels.ts';
import type { Sentence } from '../locales/index.ts';
import { type Session, VoiceError, type VoiceErrorKind } from '../voice-session/types.ts';
import type { ReadingContext } from './context.ts';
import type { PauseCause, ReadChannel } from './types.ts';

export interface Presence {
  /** Why the bot stays out of the voice channel; null = it doesn't. */
  readonly pausedBy: PauseCause | null;
  /** Would anybody hear a message now? */
  isHeard(voiceChannelId: string): boolean;
  /**
   * The session in this voice channel, which is joined if people are there; null if nobody would hear anything.
   * @throws VoiceError `busy` or `hearing` if somebody needs the bot in another one
   */
  sessionIn(voiceChannelId: string): Session | null;
  /**
   * Joins the channel even if nobody is there yet, and no longer stays out of it. Does nothing if the bot may not speak there.
   * @throws VoiceError `busy` or `hearing`, in which case nothing has changed
   */
  start(voiceChannelId: string): void;
  /**
   * Joins where people are, and leaves a channel in which nothing is read any more, unless somebody else needs the bot there. Call when somebody
   * has moved, and when the channels that are read have changed.
   */
  review(): void;
  /** Checks whether a moderator has disconnected the bot; a part of `review`. */
  noticeDisconnect(): void;
  pause(by: PauseCause | null): void;
}

/** Milliseconds until a channel that could not be joined is tried again. */
const RETRY_MS = 30_000;
/** Failures after which there is no delay: the channel was left on purpose, or permissions are checked before each attempt anyway. */
const UNBLOCKED: readonly VoiceErrorKind[] = ['disconnected', 'not-permitted'];

/** @param report tells the channel that is read which permissions the bot lacks in the voice channel */
export function createPresence(
  guild: Guild,
  { sessions, log }: Pick<ReadingContext, 'sessions' | 'log'>,
  channels: () => ReadChannel[],
  report: (sentence: Sentence) => void,
): Presence {
  let pausedBy: PauseCause | null = null;
  /** `performance.now()` */
  let blockedUntil = 0;
  let last: Session | null = null;

  const isRead = (voiceChannelId: string) => pausedBy === null && channels().some((channel) => channel.voiceChannelId === voiceChannelId);
  const hasPeople = (voiceChannelId: string) => listenersIn(guild, voiceChannelId).length > 0;

  function join(voiceChannelId: string, sparesReading: boolean): Session | null {
    const channel = guild.channels.cache.get(voiceChannelId);
    if (!channel?.isVoiceBased() || !guild.members.me) return null;
    const missing = listMissingPermissions(channel, guild.members.me);
    if (missing.length > 0) {
      report((t) => t('voiceChannels.missingPermissions', { permissions: nameInDiscord(missing, t), channel: voiceChannelId }));
      return null;
    }
    if (performance.now() < blockedUntil) return null;
    const session = sessions.join(channel, { sparesReading });
    last = session;
    session.ready.catch((error: unknown) => {
      if (!(error instanceof VoiceError) || !UNBLOCKED.includes(error.kind)) blockedUntil = performance.now() + RETRY_MS;
    });
    session.setRead(true);
    return session;
  }

  function sessionIn(voiceChannelId: string): Session | null {
    const session = sessions.get(guild.id);
    if (session?.channelId === voiceChannelId) {
      session.setRead(true);
      return session;
    }
    return pausedBy === null && hasPeople(voiceChannelId) ? join(voiceChannelId, true) : null;
  }

  function noticeDisconnect(): void {
    if (last?.state.status === 'closed' && last.state.cause.kind === 'kicked') pausedBy = 'disconnect';
  }

  return {
    get pausedBy() {
      return pausedBy;
    },
    isHeard: (voiceChannelId) => pausedBy === null && hasPeople(voiceChannelId),
    sessionIn,
    start(voiceChannelId) {
      const session = sessions.get(guild.id);
      if (session?.channelId === voiceChannelId) session.setRead(true);
      else {
        blockedUntil = 0;
        join(voiceChannelId, false);
      }
      pausedBy = null;
    },
    noticeDisconnect,
    review() {
      noticeDisconnect();
      last = sessions.get(guild.id) ?? null;
      const wanted = channels().map(({ voiceChannelId }) => voiceChannelId);
      const occupied = wanted.find(hasPeople);
      if (occupied === undefined) pausedBy = null;
      if (last) {
        last.setRead(isRead(last.channelId));
        return;
      }
      try {
        if (occupied !== undefined && pausedBy === null) join(occupied, true);
      } catch (error) {
        // The next message or person to join causes another attempt.
        log.warn(describeError(error), 'a voice channel could not be joined to read aloud');
      }
    },
    pause(by) {
      pausedBy = by;
    },
  };
}
