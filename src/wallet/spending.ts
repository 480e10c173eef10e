// What is spent: amounts of speech and transcription, reserved from daily budgets.

/** Speech is counted in characters of text, transcription in seconds of audio. */
export type SpendingKind = 'speech' | 'transcription';

/** Characters or seconds. */
export interface Amount {
  kind: SpendingKind;
  amount: number;
}

/** Something about to cost credit; the amount is what is known beforehand. */
export interface Spending extends Amount {
  /** null = outside servers. */
  guildId: string | null;
  memberId: string;
}

/** An amount taken from the day's budgets. */
export interface Reservation {
  /**
   * Increases the reservation to this total, unless it is that large already. If that exceeds a budget, all of it is given back at once,
   * so that reservations growing side by side don't block one another. @throws BudgetError, StoreError
   */
  raise(amount: number): Promise<void>;
  /** Ends it with what was actually used; 0 (cached or failed) gives all of it back. Only the first call counts. Never rejects. */
  settle(amount: number): Promise<void>;
}

/** Share of the balance from which a member is asked before it is spent. */
export const ASK_FROM_SHARE = 1 / 20;

/** A request exceeds a daily budget. Amounts are characters or seconds. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';
  readonly owner: 'member' | 'guild';
  readonly kind: SpendingKind;
  /** Who could raise the budget. */
  readonly setBy: 'admin' | 'operator';
  /** The daily budget; 0 = switched off by an admin. */
  readonly cap: number;
  /** More than `cap` won't fit on any other day either. */
  readonly requested: number;
  /** What is left of the budget today. */
  readonly left: number;
  /** When the budget resets, in milliseconds since 1970. */
  readonly resetsAt: number;

  constructor(facts: Pick<BudgetError, 'owner' | 'kind' | 'setBy' | 'cap' | 'requested' | 'left' | 'resetsAt'>) {
    super(`the daily budget of the ${facts.owner} is exceeded`);
    this.owner = facts.owner;
    this.kind = facts.kind;
    this.setBy = facts.setBy;
    this.cap = facts.cap;
    this.requested = facts.requested;
    this.left = facts.left;
    this.resetsAt = facts.resetsAt;
  }
}
