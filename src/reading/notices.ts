// What the channel that is read is told: which messages are not heard, what went wrong, and that the day's budget is nearly used up.

import { setTimeout as delay } from 'node:timers/promises';
import { type Client, type GuildTextBasedChannel, PermissionFlagsBits } from 'discord.js';
import { ApiError } from '../api/index.ts';
import { BudgetError, type CreditService } from '../charging/index.ts';
import { apiSentence, budgetSentence, describeError, logAndExplain } from '../discord/errors.ts';
import type { Notices } from '../discord/notices.ts';
import { joinSentences } from '../locales/format.ts';
import type { Sentence, Translator } from '../locales/index.ts';
import type { Log } from '../log.ts';
import { VoiceError, type VoiceErrorKind } from '../voice-session/types.ts';
import type { MarkUnheard, ReadingContext, WatchBudget } from './context.ts';
import type { ReadableMessage } from './intake.ts';
import type { ReadingStatus } from './types.ts';

// Marks messages that are not heard, so their authors know.

const MARK = '🔇';
/** Milliseconds after each mark in a channel: Discord's headers have allowed one reaction a second, and each takes up to four seconds. */
const PAUSE_MS = 1_000;
/** Messages in a channel that may wait to be marked; then each is marked within 30 seconds. Of those beyond, only the newest is marked. */
const MOST_WAITING = 20;

/** Runs in the background; without the permissions nothing is marked. */
export function createMarkUnheard(
  client: Client,
  log: Log,
  sleep: (ms: number) => Promise<unknown> = (ms) => delay(ms, undefined, { ref: false }),
): MarkUnheard {
  /** Messages still to be marked, by channel; absent = nothing has been marked there lately. */
  const waiting = new Map<string, string[]>();

  async function markAll(channel: GuildTextBasedChannel, messageIds: string[]): Promise<void> {
    for (let id = messageIds.shift(); id !== undefined; id = messageIds.shift()) {
      // Usually because the message is gone.
      await channel.messages
        .react(id, MARK)
        .catch((error: unknown) => log.debug(describeError(error), 'could not react to a skipped message'));
      await sleep(PAUSE_MS);
    }
    waiting.delete(channel.id);
  }

  return (channelId, messageId) => {
    const channel = client.channels.cache.get(channelId);
    if (!channel?.isTextBased() || channel.isDMBased()) return;
    const ownPermissions = client.user && channel.permissionsFor(client.user);
    if (!ownPermissions?.has(PermissionFlagsBits.AddReactions | PermissionFlagsBits.ReadMessageHistory)) return;
    const others = waiting.get(channelId);
    if (others) {
      others[Math.min(others.length, MOST_WAITING)] = messageId;
      return;
    }
    const first = [messageId];
    waiting.set(channelId, first);
    void markAll(channel, first);
  };
}

// Tells the channel that is read, and so its admins, when most of the server's budget for speech is used up.

/** Share of the day's budget at which members are told. */
const SHARE = 0.8;

export function createBudgetWatch({ credit, notices, log }: { credit: CreditService; notices: Notices; log: Log }): WatchBudget {
  return async ({ guildId, memberId, textChannelId, t }) => {
    try {
      const { guild } = await credit.todaysBudgets('speech', { guildId, memberId });
      if (!guild || guild.used < SHARE * guild.cap || guild.used >= guild.cap) return;
      if (!(await notices.isFirstToday(`most-used:${guildId}`))) return;
      await notices.post(textChannelId, t('readingNotices.mostUsed', { left: guild.cap - guild.used, share: SHARE }), 'waiting');
    } catch (error) {
      log.warn(describeError(error), 'could not check the speech budget of a guild');
    }
  };
}

// Reports what went wrong while reading, once, in the channel that is read, and remembers it for /read status.

export interface Problems {
  readonly latest: ReadingStatus['problem'];
  /** Call when something was heard: earlier problems are over. */
  heard(): void;
  /** Call when a message failed. Returns whether its author should be shown that it is not heard. */
  failed(readable: ReadableMessage, cause: unknown): boolean;
  /** Says what is wrong with the voice channel, once. */
  report(topic: string, sentence: Sentence, where: { textChannelId: string; t: Translator }): void;
}

/** Milliseconds until the same problem can be reported again, even if it worked in between. */
const SAY_AGAIN_MS = 10 * 60_000;

/** Speech that was ended on purpose, or for a reason that the member already knows. */
const INTENDED: readonly VoiceErrorKind[] = ['closing', 'disconnected', 'kicked', 'member-muted'];

/** Refusals that concern a single message; all other failures concern every message. */
const OF_ONE_MESSAGE: readonly ApiError['kind'][] = ['validation', 'not-found'];

/** @param speak says a sentence in the voice channel if it can't be written in the text channel */
export function createProblems(
  guildId: string,
  { notices, log, now }: Pick<ReadingContext, 'notices' | 'log' | 'now'>,
  speak: (sentence: string, t: Translator) => void,
): Problems {
  let latest: ReadingStatus['problem'] = null;
  /** By topic: when it was last said (milliseconds since 1970), and whether it has worked since. */
  const lastReports = new Map<string, { at: number; isOver: boolean }>();

  function isNew(topic: string): boolean {
    const before = lastReports.get(topic);
    if (before && (!before.isOver || now() - before.at < SAY_AGAIN_MS)) return false;
    lastReports.set(topic, { at: now(), isOver: false });
    return true;
  }

  function report(topic: string, sentence: Sentence, { textChannelId, t }: { textChannelId: string; t: Translator }): void {
    latest = { sentence, at: now() };
    if (isNew(topic)) void notices.post(textChannelId, sentence(t));
  }

  async function reportBudget({ memberId, textChannelId, t }: ReadableMessage, error: BudgetError): Promise<void> {
    const sentence = budgetSentence(t, error);
    latest = { sentence: (t) => budgetSentence(t, error), at: now() };
    const owner = error.owner === 'guild' ? guildId : memberId;
    try {
      if (!(await notices.isFirstToday(`used-up:${guildId}:${owner}`))) return;
      const isWritten = await notices.post(
        textChannelId,
        error.owner === 'guild' ? sentence : t('general.toMember', { member: memberId, sentence }),
        'waiting',
      );
      if (!isWritten) speak(sentence, t);
    } catch (cause) {
      log.warn(describeError(cause), 'could not report that a budget is used up');
    }
  }

  return {
    get latest() {
      return latest;
    },
    heard() {
      latest = null;
      for (const topic of lastReports.values()) topic.isOver = true;
    },
    failed(readable, cause) {
      if (cause instanceof VoiceError && INTENDED.includes(cause.kind)) return false;
      if (cause instanceof ApiError && cause.kind === 'aborted') return false;
      if (cause instanceof BudgetError) {
        void reportBudget(readable, cause);
        return true;
      }
      const { sentence } = logAndExplain(cause, log, guildId, { unknown: 'a message could not be read aloud' });
      if (cause instanceof VoiceError) report(cause.kind, sentence, readable);
      else if (cause instanceof ApiError && !OF_ONE_MESSAGE.includes(cause.kind))
        report('service', (t) => outageSentence(t, cause), readable);
      else latest = { sentence, at: now() };
      return true;
    },
    report,
  };
}

function outageSentence(t: Translator, error: ApiError): string {
  const [sentence = '', ...details] = apiSentence(t, error).split('\n-# ');
  return [joinSentences(t, sentence, t('readingNotices.goesOn')), ...details].join('\n-# ');
}
