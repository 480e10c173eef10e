// What /credit says, and the alerts to the bot's owners about the balance.
import { bold, inlineCode } from 'discord.js';
import type { BudgetUsage, CreditAlert, SpendingKind, Usage } from '../../credit/index.ts';
import { asMarkdown } from '../../text/untrusted-text.ts';
import { format } from './format.ts';

export const credit = {
  accountTitle: 'Credit',
  serverTitle: 'This server',
  memberTitle: 'You',
  /** @param credit in the service's unit, of which nothing is known */
  left: (credit: number) => bold(`About ${format.significant(credit)} left`),
  usedUp: `${bold('The credit is used up.')} Top it up, and I’ll be back within a minute. Until then, I can only repeat what’s in the cache.`,
  /** @param credit as the service returns it @param changed as "3 minutes ago"; null = unknown */
  exactly: (credit: string, changed: string | null) =>
    changed === null ? `Exactly ${credit}` : `Exactly ${credit}, last changed ${changed}`,
  freeCredit: 'Some of it is free credit.',
  /** What the balance buys. @param characters of speech @param minutes of transcription; null = unknown */
  buys: (characters: number | null, minutes: number | null) => {
    const speech =
      characters === null
        ? null
        : format.plural(format.rounded(characters), { one: 'about # character of speech', other: 'about # characters of speech' });
    const transcription =
      minutes === null
        ? null
        : format.plural(format.rounded(minutes), { one: 'about # minute of transcription', other: 'about # minutes of transcription' });
    return `Enough for ${format.or([speech, transcription].filter((part) => part !== null))}.`;
  },
  /** @param share 0 to 1 */
  usedSinceTopUp: (share: number) =>
    share < 0.01 ? 'Under 1% used since the last top-up.' : `${format.percent(share)} used since the last top-up.`,
  /** At the pace since the last top-up. @param days from 0 */
  lasts: (days: number) =>
    days < 1
      ? 'Less than a day left at this pace.'
      : format.plural(Math.round(days), { one: 'About # day left at this pace.', other: 'About # days left at this pace.' }),
  /** @param reason a sentence of its own */
  balanceFailed: (reason: string) => `I can’t see the balance right now. ${reason}`,
  lastDays: (days: number) => bold(format.plural(days, { one: 'Last # day', other: 'Last # days' })),
  noUsage: 'Nothing spoken or transcribed yet.',
  /** What the colours of the picture mean. */
  legend: '🟦 characters spoken per day · 🟧 minutes transcribed per day',
  /** Alt text. @param from @param to ISO dates */
  chartDescription: (from: string, to: string) => `Bar chart of characters spoken and minutes transcribed per day, from ${from} to ${to}`,
  outsideServers: 'Outside servers',
  goneServers: 'Servers I’m no longer in',
  otherServers: (count: number) => format.plural(count, { one: '# other server', other: '# other servers' }),
  /** @param cost in credit; null = unknown */
  usage: ({ characters, seconds }: Usage, cost: number | null) => {
    const parts = [
      ...(characters > 0 ? [format.plural(characters, { one: '# character spoken', other: '# characters spoken' })] : []),
      ...(seconds > 0 ? [`${format.duration(seconds)} transcribed`] : []),
      ...(cost === null ? [] : [`about ${format.significant(cost)} credit`]),
    ];
    return parts.length > 0 ? parts.join(' · ') : 'Nothing spoken or transcribed yet.';
  },
  usageOf: (server: string, usage: string) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Speech today', transcription: 'Transcription today' },
  /** Today's use of a budget. */
  budget: (kind: SpendingKind, { used, cap }: BudgetUsage) => {
    const whole = Number.isFinite(cap) ? cap : null;
    if (whole === 0) return 'Off in this server. Server admins can change that in `/settings`, under Budgets.';
    if (kind === 'speech') {
      if (whole === null) return format.plural(used, { one: '# character, no limit', other: '# characters, no limit' });
      return `${format.number(used)} of ${format.plural(whole, { one: '# character', other: '# characters' })}, ${bold(`${format.number(Math.max(0, whole - used))} left`)}`;
    }
    if (whole === null) return `${format.duration(used)}, no limit`;
    return `${format.duration(used)} of ${format.duration(whole)}, ${bold(`${format.duration(Math.max(0, whole - used))} left`)}`;
  },
  /** @param again as "in 3 hours" */
  resets: (again: string) => `Your daily budget resets ${again}.`,
  alert,
};

/** Direct messages to the bot's owners. */
function alert(alert: CreditAlert): string {
  if (alert.kind === 'usedUp')
    return 'The voice service’s credit is used up, so I can’t speak or transcribe. Top it up, and I’ll be back within a minute.';
  return `${format.percent(alert.percent / 100)} of the voice service’s credit is used; ${asMarkdown(alert.left, 100)} is left. Top it up before it runs out. ${inlineCode('/credit')} shows what uses it.`;
}
