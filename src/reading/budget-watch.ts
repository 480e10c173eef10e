// Tells the channel that is read, and so its admins, when most of the server's budget for speech is used up.
import { describeError } from '../bot/error-boundary.ts';
import type { CreditService } from '../credit/index.ts';
import type { Words } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { Notices } from './notices.ts';

/** Call it after a message was read. Never rejects. */
export type WatchBudget = (read: { guildId: string; memberId: string; textChannelId: string; words: Words }) => Promise<void>;

/** Share of the day's budget at which members are told. */
const SHARE = 0.8;

export function createBudgetWatch({ credit, notices, log }: { credit: CreditService; notices: Notices; log: Log }): WatchBudget {
  return async ({ guildId, memberId, textChannelId, words }) => {
    try {
      const { guild } = await credit.todaysBudgets('speech', { guildId, memberId });
      if (!guild || guild.used < SHARE * guild.cap || guild.used >= guild.cap) return;
      if (!(await notices.isFirstToday(`most-used:${guildId}`))) return;
      await notices.post(textChannelId, words.readingNotices.mostUsed(SHARE, guild.cap - guild.used), 'waiting');
    } catch (error) {
      log.warn(describeError(error), 'could not check the speech budget of a guild');
    }
  };
}
