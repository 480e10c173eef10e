// What /credit shows: cards for operators, for a server's admins and for each member, with bars and pictures of use.
import { type APIContainerComponent, bold, TimestampStyles, time } from 'discord.js';
import type { WalletRecord } from '../api/index.ts';
import { type BudgetUsage, type CreditAlert, type DailyUsage, type SpendingKind, sumUsage, type Usage } from '../charging/index.ts';
import { card, picture, separator, text } from '../discord/cards.ts';
import type { Translator } from '../locales/index.ts';
import { asMarkdown, truncate } from '../text/untrusted-text.ts';

/** Servers listed by name. */
const MAX_NAMED = 10;
const MAX_NAME = 60;
/** All cards of a message together stay below `limits.cardText`. */
const MAX_ACCOUNT = 800;
const MAX_SERVERS = 1_400;
const MAX_LINE = 200;
const BAR_CELLS = 12;

/** What is known about the account without asking the service. */
export interface AccountFacts {
  /** Share of the credit used since the last top-up, 0 to 1. */
  share: number | null;
  /** Milliseconds since 1970. */
  changedAt: number | null;
  isUsedUp: boolean;
  /** What calls have cost that the balance doesn't show yet, in the wallet's unit. */
  unbooked: number;
  /** Days that the balance lasts at the pace since the last top-up. */
  daysLeft: number | null;
  /** What the balance pays for, in characters and seconds. */
  affordable: { speech: number | null; transcription: number | null };
}

/** A picture of use, attached under this name, from the first to the last of these days. */
export interface ChartFile {
  name: string;
  days: readonly DailyUsage[];
}

/** The operators' card. @param balance the wallet, or why it cannot be read */
export function accountCard(
  t: Translator,
  balance: { wallet: WalletRecord; facts: AccountFacts } | { problem: string },
  servers: string[],
  chart: ChartFile | null,
  days: number,
): APIContainerComponent {
  const isUsedUp = 'facts' in balance && balance.facts.isUsedUp;
  return card(
    isUsedUp ? 'failed' : 'neutral',
    text(`### ${t('credit.accountTitle')}`),
    text(truncate('problem' in balance ? balance.problem : walletLines(t, balance.wallet, balance.facts).join('\n'), MAX_ACCOUNT)),
    separator(),
    ...usageParts(t, linesThatFit(servers, MAX_SERVERS), chart, days),
  );
}

/** The card for the admins of a server. */
export function serverCard(t: Translator, budgets: Budgets, usage: Usage, chart: ChartFile | null, days: number): APIContainerComponent {
  return card(
    'neutral',
    text(`### ${t('credit.serverTitle')}`),
    ...budgetParts(t, budgets),
    separator(),
    ...usageParts(t, usageLine(t, usage, null), chart, days),
  );
}

/** @param resetsAt milliseconds since 1970 */
export function memberCard(t: Translator, budgets: Budgets, resetsAt: number): APIContainerComponent {
  // A budget that is switched off doesn't reset.
  const isOn = budgets.some(([, { cap }]) => cap > 0);
  return card(
    'neutral',
    text(`### ${t('credit.memberTitle')}`),
    ...budgetParts(t, budgets),
    isOn ? text(`-# ${t('credit.resets', { resetsAt })}`) : null,
  );
}

export type Budgets = readonly (readonly [SpendingKind, BudgetUsage])[];

function budgetParts(t: Translator, budgets: Budgets) {
  return budgets.map(([kind, budget]) => {
    const bar = budget.cap > 0 && Number.isFinite(budget.cap) ? [drawBar(budget.used / budget.cap)] : [];
    // The words first: screen readers name each glyph of a bar.
    return text([bold(t(`credit.budgetTitles.${kind}`)), truncate(budgetLine(t, kind, budget), MAX_LINE), ...bar].join('\n'));
  });
}

function budgetLine(t: Translator, kind: SpendingKind, { used, cap }: BudgetUsage): string {
  if (cap === 0) return t('credit.budgetOff');
  return Number.isFinite(cap)
    ? t(`credit.budget.${kind}`, { used, cap, left: Math.max(0, cap - used) })
    : t(`credit.unlimited.${kind}`, { used });
}

/** @param share 0 to 1; more is shown as full */
function drawBar(share: number): string {
  // Neither empty with something used, nor full with something left.
  const cells = share <= 0 ? 0 : share >= 1 ? BAR_CELLS : Math.min(BAR_CELLS - 1, Math.max(1, Math.round(share * BAR_CELLS)));
  return '▰'.repeat(cells) + '▱'.repeat(BAR_CELLS - cells);
}

/** The balance is a decimal string of unknown unit, shown first rounded, then exactly as the service returned it. */
function walletLines(t: Translator, { credit, updatedAt, hasFreeCredit }: WalletRecord, facts: AccountFacts): string[] {
  const updated = updatedAt === null ? Number.NaN : Date.parse(updatedAt);
  const changedAt = Number.isNaN(updated) ? facts.changedAt : updated;
  const amount = Number(credit);
  const exact = asMarkdown(credit, 200) || '?';
  const { speech, transcription } = facts.affordable;
  const bought = [
    ...(speech === null ? [] : [t('credit.about.speech', { characters: round(speech) })]),
    ...(transcription === null ? [] : [aboutTranscription(t, transcription)]),
  ];
  return [
    ...(facts.isUsedUp ? [t('credit.usedUp')] : []),
    ...(Number.isFinite(amount) && credit.trim() !== '' ? [t('credit.left', { credit: Math.max(0, amount - facts.unbooked) })] : []),
    ...(facts.unbooked > 0 ? [t('credit.unbooked', { cost: facts.unbooked })] : []),
    ...(bought.length > 0 ? [t('credit.buys', { amounts: bought })] : []),
    ...(facts.share === null ? [] : [facts.share < 0.01 ? t('credit.hardlyUsed') : t('credit.usedSinceTopUp', { share: facts.share })]),
    ...(facts.daysLeft === null
      ? []
      : [facts.daysLeft < 1 ? t('credit.lastsUnderADay') : t('credit.lasts', { days: Math.round(facts.daysLeft) })]),
    ...(hasFreeCredit === true ? [t('credit.freeCredit')] : []),
    `-# ${changedAt === null ? t('credit.exactly', { credit: exact }) : t('credit.exactlySince', { credit: exact, changed: time(Math.floor(changedAt / 1000), TimestampStyles.RelativeTime) })}`,
  ];
}

/** Minutes of transcription, or hours from 10 on. @param seconds that the balance pays for */
function aboutTranscription(t: Translator, seconds: number): string {
  return seconds < 36_000
    ? t('credit.about.transcription', { minutes: round(seconds / 60) })
    : t('credit.about.transcriptionHours', { hours: round(seconds / 3600) });
}

/** Rounds to three digits, for "about": 1,234 is 1,230. */
function round(value: number): number {
  return Math.round(Number(value.toPrecision(3)));
}

function usageParts(t: Translator, lines: string, chart: ChartFile | null, days: number) {
  const heading = t('credit.lastDays', { days });
  if (!chart) return [text(`${heading}\n${lines}`)];
  const { days: shown, name } = chart;
  return [
    text(heading),
    picture(`attachment://${name}`, t('credit.chartDescription', { from: shown[0]?.date ?? '', to: shown.at(-1)?.date ?? '' })),
    text(`-# ${t('credit.legend')}\n${lines}`),
  ];
}

/** Use by server: the heaviest users by id, then all other servers together, then those the bot has left. */
export interface RankedUsage {
  top: (readonly [guildId: string | null, Usage])[];
  others: Usage[];
  gone: Usage[];
}

/** @param servers ids of those that the bot is in @param costOf in credit; null = unknown */
export function rankUsage(
  usage: Map<string | null, Usage>,
  servers: ReadonlySet<string>,
  costOf: (usage: Usage) => number | null,
): RankedUsage {
  const total = sumUsage(usage.values());
  // If prices are unknown, servers are ranked by their shares of what was spoken and transcribed.
  const weight = (used: Usage) =>
    costOf(used) ?? used.characters / Math.max(1, total.characters) + used.seconds / Math.max(1, total.seconds);
  const isGone = (id: string | null) => id !== null && !servers.has(id);
  const sorted = [...usage].filter(([id]) => !isGone(id)).sort(([, a], [, b]) => weight(b) - weight(a));
  return {
    top: sorted.slice(0, MAX_NAMED),
    others: sorted.slice(MAX_NAMED).map(([, used]) => used),
    gone: [...usage].flatMap(([id, used]) => (isGone(id) ? [used] : [])),
  };
}

/** @param names by id; those that could not be read are missing */
export function usageLines(
  t: Translator,
  { top, others, gone }: RankedUsage,
  names: ReadonlyMap<string, string>,
  costOf: (usage: Usage) => number | null,
): string[] {
  if (top.length + gone.length === 0) return [t('credit.noUsage')];
  const line = (name: string, used: Usage) => t('credit.usageOf', { server: name, usage: usageLine(t, used, costOf(used)) });
  const nameOf = (id: string | null) => (id === null ? t('credit.outsideServers') : asMarkdown(names.get(id) ?? id, MAX_NAME) || '?');
  return [
    ...top.map(([id, used]) => line(nameOf(id), used)),
    ...(others.length > 0 ? [line(t('credit.otherServers', { count: others.length }), sumUsage(others))] : []),
    ...(gone.length > 0 ? [line(t('credit.goneServers'), sumUsage(gone))] : []),
  ];
}

/** Whole lines: one that was cut could leave its markup open. */
function linesThatFit(lines: string[], length: number): string {
  let left = length;
  return lines
    .filter((line) => {
      left -= line.length + 1;
      return left >= -1;
    })
    .join('\n');
}

/** @param cost in credit; null = unknown */
function usageLine(t: Translator, { characters, seconds, isEstimate }: Usage, cost: number | null): string {
  const parts = [
    ...(characters > 0 ? [t('credit.used.speech', { characters })] : []),
    ...(seconds > 0 ? [t('credit.used.transcription', { seconds })] : []),
    ...(cost === null ? [] : [t(isEstimate ? 'credit.used.creditEstimate' : 'credit.used.credit', { cost })]),
  ];
  return parts.length > 0 ? truncate(parts.join(' · '), MAX_LINE) : t('credit.noUsage');
}

/** A direct message to operators. */
export function alertSentence(t: Translator, alert: CreditAlert): string {
  return alert.kind === 'usedUp'
    ? t('credit.usedUpAlert')
    : t('credit.usedAlert', { share: alert.percent / 100, left: asMarkdown(alert.left, 100) });
}
