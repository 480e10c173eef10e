// Who speaks a language that the speech recognition doesn't know: it then makes words of it that nobody said. One stretch of speech is too little to
// tell, so the last few of a member decide together.

/** How many stretches decide, and how many of them the service must doubt: in clean English it doubts none of 138, in other languages nine of ten. */
const DECIDING = 4;
const DOUBTED = 3;

export interface ForeignSpeakers {
  has(userId: string): boolean;
  /** Counts a stretch of speech. */
  note(userId: string, isDoubtful: boolean): void;
  forget(userId: string): void;
}

/** @param onFound called each time a member is found to be one */
export function createForeignSpeakers(onFound: (userId: string) => void): ForeignSpeakers {
  const latest = new Map<string, boolean[]>();
  const found = new Set<string>();
  return {
    has: (userId) => found.has(userId),
    note(userId, isDoubtful) {
      const stretches = [...(latest.get(userId) ?? []), isDoubtful].slice(-DECIDING);
      latest.set(userId, stretches);
      const doubted = stretches.filter(Boolean).length;
      if (!found.has(userId) && doubted >= DOUBTED) {
        found.add(userId);
        onFound(userId);
      } else if (doubted <= DECIDING - DOUBTED) found.delete(userId);
    },
    forget(userId) {
      latest.delete(userId);
      found.delete(userId);
    },
  };
}
