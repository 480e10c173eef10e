// Who speaks a language that the speech recognition doesn't know: it then makes words of it that nobody said. One stretch of speech is too little to
// tell, so the last few of a member decide together.

/** How many stretches decide, and how many of them the service must doubt: in clean English it doubts none of 138, in other languages nine of ten. */
const DECIDING = 4;
const DOUBTED = 3;

interface ForeignSpeakers {
  has(userId: string): boolean;
  /** Counts a stretch of speech. */
  note(userId: string, isDoubtful: boolean): void;
}

/** @param onFound called each time a member is found to speak such a language */
export function createForeignSpeakers(onFound: (userId: string) => void): ForeignSpeakers {
  const latest = new Map<string, boolean[]>();
  const foreign = new Set<string>();
  return {
    has: (userId) => foreign.has(userId),
    note(userId, isDoubtful) {
      const stretches = [...(latest.get(userId) ?? []), isDoubtful].slice(-DECIDING);
      latest.set(userId, stretches);
      const doubted = stretches.filter(Boolean).length;
      if (!foreign.has(userId) && doubted >= DOUBTED) {
        foreign.add(userId);
        onFound(userId);
      } else if (doubted <= DECIDING - DOUBTED) foreign.delete(userId);
    },
  };
}
