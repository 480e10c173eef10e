// What captions know of members: who has agreed and in which language, or declined; which of these may be heard and since when; who is in the
// voice channel, and whose budget is used up. What follows from it, run.ts and agreement.ts do.

export interface CaptionedMembers {
  /** Every member who has agreed, with the language that they speak. */
  readonly agreed: ReadonlyMap<string, string | null>;
  /** Members who have agreed and have no excluded role, so they may be heard: since when, by `performance.now()`. */
  readonly heard: ReadonlyMap<string, number>;
  agree(memberId: string, language: string | null): void;
  /** The member doesn't want to be asked again, either. */
  withdraw(memberId: string): void;
  /** Whether the member has withdrawn since they last asked to be captioned. */
  hasDeclined(memberId: string): boolean;
  /** The member asks to be captioned, after all. */
  reconsider(memberId: string): void;
  /** Their earlier agreement doesn't hold in this channel. */
  noteElsewhere(memberId: string): void;
  hasAgreedElsewhere(memberId: string): boolean;
  /** Notes who is in the voice channel now. @returns who has joined since the last call */
  noteThere(memberIds: readonly string[]): ReadonlySet<string>;
  /** Updates `heard`. @returns the members who may no longer be heard */
  review(isExcluded: (memberId: string) => boolean): string[];
  /** @param memberId null = the whole server @param resetsAt milliseconds since 1970 */
  noteOutOfBudget(memberId: string | null, resetsAt: number): void;
  isOutOfBudget(memberId: string): boolean;
  /** The members whose budget is used up, and when it resets; null = the whole server's. */
  outOfBudget(): [memberId: string | null, resetsAt: number][];
  /** The budgets have changed. */
  forgetBudgets(): void;
}

/** @param now milliseconds since 1970 */
export function createMembers(
  agreedAtFirst: Iterable<readonly [memberId: string, language: string | null]>,
  now: () => number,
): CaptionedMembers {
  const agreed = new Map(agreedAtFirst);
  let heard: ReadonlyMap<string, number> = new Map();
  const declined = new Set<string>();
  const elsewhere = new Set<string>();
  let there: ReadonlySet<string> = new Set();
  const resets = new Map<string | null, number>();

  return {
    agreed,
    get heard() {
      return heard;
    },
    agree: (memberId, language) => void agreed.set(memberId, language),
    withdraw(memberId) {
      declined.add(memberId);
      agreed.delete(memberId);
    },
    hasDeclined: (memberId) => declined.has(memberId),
    reconsider: (memberId) => void declined.delete(memberId),
    noteElsewhere: (memberId) => void elsewhere.add(memberId),
    hasAgreedElsewhere: (memberId) => elsewhere.has(memberId),
    noteThere(memberIds) {
      const before = there;
      there = new Set(memberIds);
      return there.difference(before);
    },
    review(isExcluded) {
      const before = heard;
      const current = performance.now();
      heard = new Map([...agreed.keys()].filter((id) => !isExcluded(id)).map((id) => [id, before.get(id) ?? current]));
      return [...before.keys()].filter((id) => !heard.has(id));
    },
    noteOutOfBudget: (memberId, resetsAt) => void resets.set(memberId, resetsAt),
    isOutOfBudget(memberId) {
      if (resets.size === 0) return false;
      for (const [owner, resetsAt] of resets) if (resetsAt <= now()) resets.delete(owner);
      return resets.has(null) || resets.has(memberId);
    },
    outOfBudget: () => [...resets].filter(([, resetsAt]) => resetsAt > now()),
    forgetBudgets: () => resets.clear(),
  };
}
