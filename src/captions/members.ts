// What captions know of members: who has agreed and in which language, or declined; which of these may be heard and since when; who is in the
// voice channel. What follows from it, run.ts and agreement.ts do.

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
  /** Notes who is in the voice channel now. @returns who has joined since the last call */
  noteThere(memberIds: readonly string[]): ReadonlySet<string>;
  /** Updates `heard`. @returns the members who may no longer be heard */
  review(isExcluded: (memberId: string) => boolean): string[];
}

export function createMembers(agreedAtFirst: Iterable<readonly [memberId: string, language: string | null]>): CaptionedMembers {
  const agreed = new Map(agreedAtFirst);
  let heard: ReadonlyMap<string, number> = new Map();
  const declined = new Set<string>();
  let there: ReadonlySet<string> = new Set();

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
  };
}
