// How many transcriptions one member may have under way.
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';

/** Of the few calls that the service takes at once, two of which are for all others. */
const MOST_OF_MEMBER = 2;

export interface Jobs {
  /** @throws UserError if the member has as many under way as they may */
  check(memberId: string): void;
  /** Begins one; what is returned ends it. @throws UserError as `check` does */
  begin(memberId: string): () => void;
}

export function createJobs(): Jobs {
  const underWay = new Map<string, number>();
  const of = (memberId: string) => underWay.get(memberId) ?? 0;

  function check(memberId: string): void {
    if (of(memberId) >= MOST_OF_MEMBER) throw new UserError(en.transcription.tooManyJobs(MOST_OF_MEMBER));
  }

  return {
    check,
    begin(memberId) {
      check(memberId);
      underWay.set(memberId, of(memberId) + 1);
      return () => {
        const left = of(memberId) - 1;
        if (left > 0) underWay.set(memberId, left);
        else underWay.delete(memberId);
      };
    },
  };
}
