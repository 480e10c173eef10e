// What /credit says, and the alerts to operators about the balance.
import { bold, inlineCode } from 'discord.js';
import { format } from './format.ts';

export const credit = {
  accountTitle: 'Credit',
  serverTitle: 'This server',
  memberTitle: 'You',
  /** @param credit in a unit that only the service knows */
  left: (credit: number) => bold(`About ${format.significant(credit)} credit left`),
  usedUp: `${bold('The credit is used up.')} Top it up, and I’ll be back within a minute. Until then, I can only repeat what’s in the cache.`,
  /** @param credit as the service returns it */
  exactly: (credit: string) => `Exactly ${credit} credit`,
  /** @param changed as "3 minutes ago" */
  exactlySince: (credit: string, changed: string) => `Exactly ${credit} credit, last changed ${changed}`,
  freeCredit: 'Some of it is free credit.',
  /** What the balance buys. @param amounts as `about` words them */
  buys: (amounts: readonly string[]) => `Enough for ${format.or(amounts)}.`,
  /** In characters, minutes, and hours if there are many. */
  about: {
    speech: (characters: number) =>
      format.plural(characters, { one: 'about # character of speech', other: 'about # characters of speech' }),
    transcription: (minutes: number) =>
      format.plural(minutes, { one: 'about # minute of transcription', other: 'about # minutes of transcription' }),
    transcriptionHours: (hours: number) =>
      format.plural(hours, { one: 'about # hour of transcription', other: 'about # hours of transcription' }),
  },
  /** @param share 0.01 to 1 */
  usedSinceTopUp: (share: number) => `${format.percent(share)} used since the last top-up.`,
  hardlyUsed: 'Under 1% used since the last top-up.',
  /** At the pace since the last top-up. @param days whole ones, at least 1 */
  lasts: (days: number) => format.plural(days, { one: 'About # day left at this pace.', other: 'About # days left at this pace.' }),
  lastsUnderADay: 'Less than a day left at this pace.',
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
  /** What was used, in characters, seconds and credit. */
  used: {
    speech: (characters: number) => format.plural(characters, { one: '# character spoken', other: '# characters spoken' }),
    transcription: (seconds: number) => `${format.duration(seconds)} transcribed`,
    credit: (cost: number) => `about ${format.significant(cost)} credit`,
  },
  usageOf: (server: string, usage: string) => `${bold(server)}: ${usage}`,
  budgetTitles: { speech: 'Speech today', transcription: 'Transcription today' },
  budgetOff: 'Off in this server. Server admins can change that in `/settings`, under Budgets.',
  /** Today's use of a budget, in characters and seconds. */
  budget: {
    speech: (used: number, cap: number, left: number) =>
      `${format.number(used)} of ${format.plural(cap, { one: '# character', other: '# characters' })}, ${bold(`${format.number(left)} left`)}`,
    transcription: (used: number, cap: number, left: number) =>
      `${format.duration(used)} of ${format.duration(cap)}, ${bold(`${format.duration(left)} left`)}`,
  },
  unlimited: {
    speech: (used: number) => format.plural(used, { one: '# character, no limit', other: '# characters, no limit' }),
    transcription: (used: number) => `${format.duration(used)}, no limit`,
  },
  /** @param again as "in 3 hours" */
  resets: (again: string) => `Your daily budget resets ${again}.`,
  /** Direct messages to operators. */
  usedUpAlert: 'The voice service’s credit is used up, so I can’t speak or transcribe. Top it up, and I’ll be back within a minute.',
  /** @param share 0 to 1 @param left Markdown */
  usedAlert: (share: number, left: string) =>
    `${format.percent(share)} of the voice service’s credit is used; ${left} credit is left. Top it up before it runs out. ${inlineCode('/credit')} shows what’s using it.`,
};
