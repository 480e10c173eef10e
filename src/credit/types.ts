// What calls cost, and who may cause how much of it.
import type { ApiError, CallOptions, WalletRecord } from '../api/index.ts';
import type { Account } from './account.ts';
import type { Today } from './budgets.ts';
import type { Use } from './use.ts';

/** Speech is counted in characters of text, transcription in seconds of sound. */
export type SpendingKind = 'speech' | 'transcription';

/** Something that is about to cost credit. */
export interface Spending {
  kind: SpendingKind;
  /** Characters or seconds, as far as is known beforehand. */
  amount: number;
  /** null = outside of servers. */
  guildId: string | null;
  memberId: string;
}

/** An amount taken out of the day's budgets. */
export interface Reservation {
  /**
   * Makes it as large as this in all, if it is not yet. What does not fit ends it: all of it is given back, before anybody else is looked
   * at, so that of several that grow side by side one is not in the way of another any more. @throws BudgetError, StoreError
   */
  raise(amount: number): Promise<void>;
  /** Ends it at what was really used; 0 (from the cache, or failed) gives all of it back. The first call counts. Never rejects. */
  settle(amount: number): Promise<void>;
}

export interface Credit {
  /** Takes the amount out of the budgets of the member and the server at once, or takes nothing. @throws BudgetError, StoreError */
  reserve(spending: Spending): Promise<Reservation>;
  /** What would be in the way of this now: of the account, and of the budgets. Takes nothing. Rejects with StoreError. */
  foresee(spending: Spending): Promise<{ credit: ApiError | null; budget: BudgetError | null }>;
  /** What part of the credit that is left this would take, 0 to 1; null while that is not known. At once, from memory. */
  shareOfBalance(spending: Pick<Spending, 'kind' | 'amount'>): number | null;
  /** What is used of the day's budgets, and all of them. Rejects with StoreError. */
  today(kind: SpendingKind, whose: Pick<Spending, 'guildId' | 'memberId'>): Promise<Today>;
  /** Of one server (null = outside of servers) over the last so many days (31 are kept), today being one. Rejects with StoreError. */
  useOf(guildId: string | null, days: number): Promise<Use>;
  useByGuild(days: number): Promise<Map<string | null, Use>>;
  /** The wallet as the service gives it, asked for now; for operators alone. Rejects with ApiError. */
  balance(options?: CallOptions): Promise<WalletRecord>;
  /** What was learnt of the balance, from memory; for operators alone. */
  account: Pick<Account, 'worth' | 'used' | 'costOf' | 'isOut'>;
}

/** From this share on a member is asked before it is spent. */
export const ASK_FROM_SHARE = 1 / 20;

/** A day's budget does not reach. */
export class BudgetError extends Error {
  override name = 'BudgetError';
  readonly whose: 'member' | 'guild';
  readonly kind: SpendingKind;
  /** Who could raise it. */
  readonly setBy: 'admin' | 'operator';
  /** All of the budget of a day, in characters or seconds; 0 = an admin has switched it off. */
  readonly cap: number;
  /** What was asked for. Above `cap` it fits on no other day either. */
  readonly wanted: number;
  /** What is left of the budget today. */
  readonly left: number;
  /** Milliseconds since 1970 at which it is whole again. */
  readonly renewedAt: number;
  constructor(facts: Pick<BudgetError, 'whose' | 'kind' | 'setBy' | 'cap' | 'wanted' | 'left' | 'renewedAt'>) {
    super(`the day's budget of the ${facts.whose} does not reach`);
    this.whose = facts.whose;
    this.kind = facts.kind;
    this.setBy = facts.setBy;
    this.cap = facts.cap;
    this.wanted = facts.wanted;
    this.left = facts.left;
    this.renewedAt = facts.renewedAt;
  }
}
