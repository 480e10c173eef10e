// What /credit says, and the alerts to operators about the balance.
import { bold, inlineCode, TimestampStyles, time } from 'discord.js';
import type { BudgetUsage, CreditAlert, SpendingKind, Usage } from '../../credit/index.ts';
import { asMarkdown } from '../../text/untrusted-text.ts';
import { switchedOff } from './errors.ts';
import { code, sizeOf } from './format.ts';

const DOINGS = { speech: 'Spoken', transcription: 'Transcribed' } as const;

export const credit = {
  title: 'Credit',
  thisServer: 'This server',
  you: 'You',
  changedAt: (ms: number) => `Last changed ${moment(ms, TimestampStyles.RelativeTime)}, ${moment(ms, TimestampStyles.LongDateTime)}.`,
  freeCredit: 'Free credit is left.',
  usedUp:
    'It is used up: the voice service refuses to speak and to transcribe. Top it up, and I begin again within a minute; what is in the cache is still spoken.',
  usedShare: (part: number) => `${Math.round(part * 100)} % of it is used since it was last topped up, as far as I have seen.`,
  /** Characters and seconds that the balance pays for; null = not known. */
  worth: ({ speech, transcription }: { speech: number | null; transcription: number | null }) => {
    const parts = [
      ...(speech === null ? [] : [`about ${significant(Math.floor(speech))} characters of speech`]),
      ...(transcription === null ? [] : [`about ${significant(transcription / 60)} minutes of transcription`]),
    ];
    return `It is worth ${parts.join(', or ')}.`;
  },
  balanceFailed: (sentence: string) => `The balance cannot be seen now. ${sentence}`,
  usageByServer: (days: number) => bold(`Used in the last ${days} days`),
  noUsage: (days: number) => `Nothing was spoken or transcribed in the last ${days} days.`,
  outsideServers: 'Outside of servers',
  otherServers: (count: number) => (count === 1 ? 'One other server' : `${count.toLocaleString('en')} other servers`),
  unknownServer: (id: string) => `Server ${code(id)}`,
  /** @param cost in credit; null = not known */
  usage: ({ characters, seconds, times }: Usage, cost: number | null) =>
    [
      ...(characters > 0 ? [`${sizeOf('speech', characters)} spoken`] : []),
      ...(seconds > 0 ? [`${sizeOf('transcription', seconds)} transcribed`] : []),
      ...(times > 0 ? [times === 1 ? 'once' : `${times.toLocaleString('en')} times`] : ['nothing']),
      ...(cost === null ? [] : [`about ${significant(cost)} credit`]),
    ].join(', '),
  usageLine: (name: string, use: string) => `${name}: ${use}`,
  serverUsage: (days: number, use: string) => `In the last ${days} days: ${use}.`,
  budget: (kind: SpendingKind, { used, cap }: BudgetUsage) => {
    if (cap === 0) return switchedOff(kind);
    return Number.isFinite(cap)
      ? `${DOINGS[kind]} today: ${kind === 'speech' ? used.toLocaleString('en') : sizeOf(kind, used)} of ${sizeOf(kind, cap)}, ${bold(sizeOf(kind, Math.max(0, cap - used)))} left.`
      : `${DOINGS[kind]} today: ${sizeOf(kind, used)}. There is no budget.`;
  },
  budgetsReset: (ms: number) => `Budgets are whole again ${moment(ms, TimestampStyles.RelativeTime)}.`,
  alert,
};

/** Direct messages to operators. */
function alert(alert: CreditAlert): string {
  if (alert.kind === 'usedUp')
    return 'The credit at the voice service is used up: it refuses to speak and to transcribe. Top it up, and I begin again within a minute.';
  return `${alert.percent} % of the credit at the voice service is used since it was last topped up; the balance is ${asMarkdown(alert.left, 100)}. Top it up before it is used up; ${inlineCode('/credit')} shows where it goes.`;
}

function moment(ms: number, style: 'R' | 'F'): string {
  return time(Math.floor(ms / 1000), style);
}

/** Three digits, for "about". */
function significant(amount: number): string {
  return amount.toLocaleString('en', { maximumSignificantDigits: 3 });
}
