// How much may be used a day: what the operator allows, made tighter by the admins of a server and never looser.
import type { Config } from '../config.ts';
import type { GuildSettings, Settings } from '../settings/index.ts';
import type { SpendingKind } from './types.ts';

/** The operator's budgets of a day, in characters of speech and seconds of transcription; infinite = no cap. */
export type Budgets = Record<SpendingKind, { member: number; guild: number }>;

/**
 * The caps of a day in one place; `memberHere` is what its admins allow a member in that server alone, and `guildMost` the most that they
 * can allow the server.
 */
export type Caps = Record<SpendingKind, { member: number; memberHere: number; guild: number; guildMost: number }>;

type BudgetConfig = Pick<Config, `BUDGET_${'MEMBER' | 'GUILD'}_${'CHARACTERS' | 'MINUTES'}`>;

/** As the settings have it: 0 = no cap, minutes. */
export function budgetsOf(config: BudgetConfig): Budgets {
  const cap = (amount: number) => (amount === 0 ? Number.POSITIVE_INFINITY : amount);
  return {
    speech: { member: cap(config.BUDGET_MEMBER_CHARACTERS), guild: cap(config.BUDGET_GUILD_CHARACTERS) },
    transcription: { member: cap(config.BUDGET_MEMBER_MINUTES * 60), guild: cap(config.BUDGET_GUILD_MINUTES * 60) },
  };
}

/** The caps that hold in a server now; null = outside of servers. Rejects with StoreError. */
export function createCaps(budgets: Budgets, settings: Pick<Settings, 'guild'>): (guildId: string | null) => Promise<Caps> {
  return async (guildId) => capsWith(budgets, guildId === null ? null : await settings.guild(guildId));
}

type GuildBudgets = Pick<GuildSettings, 'guildBudget' | 'memberBudget' | 'guildMinutes' | 'memberMinutes'>;

/** `chosen` by the admins of a server: null = as the operator has it, 0 = switched off. */
export function capsWith({ speech, transcription }: Budgets, chosen: GuildBudgets | null): Caps {
  const seconds = (minutes: number | null | undefined) => (minutes == null ? null : minutes * 60);
  const tightened = (
    { member, guild }: Budgets[SpendingKind],
    guildCap: number | null | undefined,
    memberCap: number | null | undefined,
  ) => ({
    member,
    memberHere: Math.min(member, memberCap ?? member),
    guild: Math.min(guild, guildCap ?? guild),
    guildMost: guild,
  });
  return {
    speech: tightened(speech, chosen?.guildBudget, chosen?.memberBudget),
    transcription: tightened(transcription, seconds(chosen?.guildMinutes), seconds(chosen?.memberMinutes)),
  };
}
