// How much may be used a day: what the operator allows, which a server's admins can tighten but not loosen.
import type { Config } from '../config.ts';
import type { GuildSettings, Settings } from '../settings/index.ts';
import type { SpendingKind } from './spending.ts';

/** The operator's daily budgets, in characters of speech and seconds of transcription; Infinity = none. */
export type OperatorBudgets = Record<SpendingKind, { member: number; guild: number }>;

/**
 * The daily caps that apply in one place. `memberHere` is what its admins allow each member in that server only; `guildMax` is the most
 * that they can allow the server.
 */
export type DailyCaps = Record<SpendingKind, { member: number; memberHere: number; guild: number; guildMax: number }>;

type BudgetConfig = Pick<Config, `BUDGET_${'MEMBER' | 'GUILD'}_${'CHARACTERS' | 'MINUTES'}`>;

/** Converts the settings, which are in minutes and use 0 for "no budget". */
export function toOperatorBudgets(config: BudgetConfig): OperatorBudgets {
  const cap = (amount: number) => (amount === 0 ? Number.POSITIVE_INFINITY : amount);
  return {
    speech: { member: cap(config.BUDGET_MEMBER_CHARACTERS), guild: cap(config.BUDGET_GUILD_CHARACTERS) },
    transcription: { member: cap(config.BUDGET_MEMBER_MINUTES * 60), guild: cap(config.BUDGET_GUILD_MINUTES * 60) },
  };
}

/** Looks up the current caps of a server; null = outside servers. The lookup rejects with StoreError. */
export function createCapsLookup(
  budgets: OperatorBudgets,
  settings: Pick<Settings, 'guild'>,
): (guildId: string | null) => Promise<DailyCaps> {
  return async (guildId) => capsFor(budgets, guildId === null ? null : await settings.guild(guildId));
}

type GuildBudgets = Pick<GuildSettings, 'guildBudget' | 'memberBudget' | 'guildMinutes' | 'memberMinutes'>;

/** @param chosen by the server's admins; null = as the operator has it, 0 = switched off */
export function capsFor({ speech, transcription }: OperatorBudgets, chosen: GuildBudgets | null): DailyCaps {
  const toSeconds = (minutes: number | null | undefined) => (minutes == null ? null : minutes * 60);
  return {
    speech: tighten(speech, chosen?.guildBudget, chosen?.memberBudget),
    transcription: tighten(transcription, toSeconds(chosen?.guildMinutes), toSeconds(chosen?.memberMinutes)),
  };
}

function tighten(
  { member, guild }: OperatorBudgets[SpendingKind],
  guildCap: number | null | undefined,
  memberCap: number | null | undefined,
): DailyCaps[SpendingKind] {
  return {
    member,
    memberHere: Math.min(member, memberCap ?? member),
    guild: Math.min(guild, guildCap ?? guild),
    guildMax: guild,
  };
}
