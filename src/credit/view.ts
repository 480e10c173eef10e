// What /credit shows.
import type { APIEmbed } from 'discord.js';
import type { WalletRecord } from '../api/index.ts';
import { COLOR, limits, truncate } from '../bot/discord-limits.ts';
import { en } from '../locales/en/index.ts';
import { asMarkdown } from '../text/foreign.ts';
import type { Use, Worth } from './index.ts';

/** Servers that are shown by name. */
const SHOWN = 10;
/** Of what is said of the account: ten servers with long names fit in. */
export const ACCOUNT_LENGTH = 2500;

/** What is known of the account from memory; nothing yet where it is left out. */
interface AccountFacts {
  part: number | null;
  changedAt: number | null;
  isOut: boolean;
  worth: { speech: Worth; transcription: Worth };
}

/** The balance is a decimal string of unknown unit, and shown as it is. */
export function creditEmbed(
  { credit, updatedAt, hasFreeCredit }: WalletRecord,
  facts?: AccountFacts,
  useByServer: string[] = [],
): APIEmbed {
  const updated = updatedAt === null ? Number.NaN : Date.parse(updatedAt);
  const changedAt = Number.isNaN(updated) ? (facts?.changedAt ?? null) : updated;
  const part = facts?.part ?? null;
  const lines = [
    ...(facts?.isOut ? [en.credit.usedUp] : []),
    ...(changedAt === null ? [] : [en.credit.changedAt(changedAt)]),
    ...(hasFreeCredit === true ? [en.credit.freeCredit] : []),
    ...(facts ? [en.credit.worth(facts.worth.speech, facts.worth.transcription)] : []),
    ...(part === null ? [] : [en.credit.usedShare(part)]),
  ];
  return {
    ...embedOf(en.credit.title, [...lines, ...useByServer], ACCOUNT_LENGTH),
    title: asMarkdown(credit, limits.embedTitle) || '?',
  };
}

/** The servers that used most, those that used less together, and what was used outside of servers. */
export function useLines(
  use: Map<string | null, Use>,
  nameOf: (guildId: string) => string | null,
  costOf: (use: Use) => number | null,
  days: number,
): string[] {
  if (use.size === 0) return ['', en.credit.noUsage(days)];
  const all = sum([...use.values()]);
  // Where prices are not known yet, by the share in what was spoken and transcribed.
  const weight = (one: Use) => costOf(one) ?? one.characters / Math.max(1, all.characters) + one.seconds / Math.max(1, all.seconds);
  const sorted = [...use].sort(([, a], [, b]) => weight(b) - weight(a));
  const line = (name: string, used: Use) => en.credit.usageLine(name, en.credit.usage(used, costOf(used)));
  const named = (id: string | null) => {
    if (id === null) return en.credit.outsideServers;
    const name = nameOf(id);
    return name === null ? en.credit.unknownServer(id) : asMarkdown(name, 60) || en.credit.unknownServer(id);
  };
  const rest = sorted.slice(SHOWN).map(([, used]) => used);
  return [
    '',
    en.credit.usageByServer(days),
    ...sorted.slice(0, SHOWN).map(([id, used]) => line(named(id), used)),
    ...(rest.length > 0 ? [line(en.credit.otherServers(rest.length), sum(rest))] : []),
  ];
}

function sum(uses: Use[]): Use {
  const total = { characters: 0, seconds: 0, times: 0 };
  for (const { characters, seconds, times } of uses) {
    total.characters += characters;
    total.seconds += seconds;
    total.times += times;
  }
  return total;
}

/** An operator who is an admin sees three: with the 2,500 of the account they stay under the 6,000 of all embeds of a message. */
export function embedOf(name: string, lines: string[], length = 1500): APIEmbed {
  return { color: COLOR, author: { name }, description: truncate(lines.join('\n'), length) };
}
