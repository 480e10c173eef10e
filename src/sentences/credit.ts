// What is said around /credit and its budgets.
import { bold, inlineCode, TimestampStyles, time } from 'discord.js';
import type { Budget, CreditNews, SpendingKind, Use, Worth } from '../credit/index.ts';
import { amountOf, code } from './words.ts';

export const credit = {
  creditTitle: 'Credit',
  thisServer: 'This server',
  you: 'You',
  changedAt: (ms: number) => `Last changed ${moment(ms, TimestampStyles.RelativeTime)}, ${moment(ms, TimestampStyles.LongDateTime)}.`,
  freeCredit: 'Free credit is left.',
  outOfCredit:
    'It is used up: the voice service refuses to speak and to transcribe. Top it up, and I begin again within a minute; what is in the cache is still spoken.',
  usedPart: (part: number) => `${Math.round(part * 100)} % of it is used since it was last topped up, as far as I have seen.`,
  worth: (speech: Worth, transcription: Worth) =>
    speech.amount === null && transcription.amount === null
      ? `What it is worth is not known yet: I learn it from calls (${learnt('speech', speech)}, ${learnt('transcription', transcription)}).`
      : `That is worth ${worthOf('speech', speech)}, or ${worthOf('transcription', transcription)}.`,
  balanceFailed: (sentence: string) => `The balance cannot be seen now. ${sentence}`,
  useByServer: (days: number) => bold(`Used in the last ${days} days`),
  noUse: (days: number) => `Nothing was spoken or transcribed in the last ${days} days.`,
  outsideOfServers: 'Outside of servers',
  otherServers: (count: number) => (count === 1 ? 'One other server' : `${count.toLocaleString('en')} other servers`),
  unknownServer: (id: string) => `Server ${code(id)}`,
  /** @param cost in credit; null = not known */
  useOf: ({ characters, seconds, times }: Use, cost: number | null) =>
    [
      amountOf('speech', characters),
      amountOf('transcription', seconds),
      times === 1 ? 'once' : `${times.toLocaleString('en')} times`,
      ...(cost === null ? [] : [`about ${significant(cost)} of the balance`]),
    ].join(', '),
  useLine: (name: string, use: string) => `${name}: ${use}`,
  useOfServer: (days: number, use: string) => `In the last ${days} days: ${use}.`,
  budget: (kind: SpendingKind, { used, cap }: Budget) =>
    Number.isFinite(cap)
      ? `Today: ${amountOf(kind, used)}, of a budget of ${amountOf(kind, cap)}; ${bold(amountOf(kind, Math.max(0, cap - used)))} left.`
      : `Today: ${amountOf(kind, used)}; there is no budget.`,
  budgetsRenewed: (ms: number) => `Budgets are whole again ${moment(ms, TimestampStyles.RelativeTime)}.`,
} as const;

/** What operators are told by a direct message. */
export function newsSentence(news: CreditNews): string {
  if (news.kind === 'out')
    return 'The credit at the voice service is used up: it refuses to speak and to transcribe. Top it up, and I begin again within a minute.';
  return `${news.percent} % of the credit at the voice service is used since it was last topped up; the balance is ${news.left}. Top it up before it is used up; ${inlineCode('/credit')} shows where it goes.`;
}

function moment(ms: number, style: 'R' | 'F'): string {
  return time(Math.floor(ms / 1000), style);
}

function worthOf(kind: SpendingKind, worth: Worth): string {
  if (worth.amount === null) return `of ${kind} an amount that is not known yet (learnt from ${worth.samples} of ${worth.enough} calls)`;
  return kind === 'speech'
    ? `about ${significant(Math.floor(worth.amount))} characters of speech`
    : `about ${significant(worth.amount / 60)} minutes of transcription`;
}

function learnt(kind: SpendingKind, { samples, enough }: Worth): string {
  return `${kind}: ${samples} of ${enough}`;
}

/** Three digits, for "about". */
function significant(amount: number): string {
  return amount.toLocaleString('en', { maximumSignificantDigits: 3 });
}
