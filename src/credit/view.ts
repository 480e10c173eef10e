// What /credit shows.
import type { APIEmbed } from 'discord.js';
import type { WalletRecord } from '../api/index.ts';
import { COLOR, limits } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import { truncate } from '../text/truncate.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { Usage } from './index.ts';

/** Servers listed by name. */
const MAX_NAMED = 10;
/** Characters of the account's embed: enough for ten servers with long names. */
export const ACCOUNT_LENGTH = 2500;

/** What is known about the account from memory. */
interface AccountFacts {
  /** Of the credit used since the last top-up, 0 to 1. */
  share: number | null;
  /** Milliseconds since 1970. */
  changedAt: number | null;
  isUsedUp: boolean;
  /** What the balance pays for, in characters and seconds. */
  affordable: { speech: number | null; transcription: number | null };
}

/** The balance is a decimal string of unknown unit, so it is shown as it is. */
export function creditEmbed(
  { credit, updatedAt, hasFreeCredit }: WalletRecord,
  facts?: AccountFacts,
  usageByServer: string[] = [],
): APIEmbed {
  const updated = updatedAt === null ? Number.NaN : Date.parse(updatedAt);
  const changedAt = Number.isNaN(updated) ? (facts?.changedAt ?? null) : updated;
  const share = facts?.share ?? null;
  const lines = [
    ...(facts?.isUsedUp ? [en.credit.usedUp] : []),
    ...(changedAt === null ? [] : [en.credit.changedAt(changedAt)]),
    ...(hasFreeCredit === true ? [en.credit.freeCredit] : []),
    ...(facts && (facts.affordable.speech ?? facts.affordable.transcription) !== null ? [en.credit.worth(facts.affordable)] : []),
    ...(share === null ? [] : [en.credit.usedShare(share)]),
  ];
  return {
    ...embedOf(en.credit.title, [...lines, ...usageByServer], ACCOUNT_LENGTH),
    title: asMarkdown(credit, limits.embedTitle) || '?',
  };
}

/** The servers with the highest usage, the other servers together, and usage outside servers. */
export function usageLines(
  usage: Map<string | null, Usage>,
  nameOf: (guildId: string) => string | null,
  costOf: (usage: Usage) => number | null,
  days: number,
): string[] {
  if (usage.size === 0) return ['', en.credit.noUsage(days)];
  const all = sum([...usage.values()]);
  // If prices are unknown, by the shares of what was spoken and transcribed.
  const weight = (one: Usage) => costOf(one) ?? one.characters / Math.max(1, all.characters) + one.seconds / Math.max(1, all.seconds);
  const sorted = [...usage].sort(([, a], [, b]) => weight(b) - weight(a));
  const line = (name: string, used: Usage) => en.credit.usageLine(name, en.credit.usage(used, costOf(used)));
  const named = (id: string | null) => {
    if (id === null) return en.credit.outsideServers;
    const name = nameOf(id);
    return name === null ? en.credit.unknownServer(id) : asMarkdown(name, 60) || en.credit.unknownServer(id);
  };
  const rest = sorted.slice(MAX_NAMED).map(([, used]) => used);
  return [
    '',
    en.credit.usageByServer(days),
    ...sorted.slice(0, MAX_NAMED).map(([id, used]) => line(named(id), used)),
    ...(rest.length > 0 ? [line(en.credit.otherServers(rest.length), sum(rest))] : []),
  ];
}

function sum(usages: Usage[]): Usage {
  const total = { characters: 0, seconds: 0, times: 0 };
  for (const { characters, seconds, times } of usages) {
    total.characters += characters;
    total.seconds += seconds;
    total.times += times;
  }
  return total;
}

/** An operator who is also an admin sees three embeds; 2,500 + 2 × 1,500 stays below Discord's 6,000 per message. */
export function embedOf(name: string, lines: string[], length = 1500): APIEmbed {
  return { color: COLOR, author: { name }, description: truncate(lines.join('\n'), length) };
}
