// Limits how many transcriptions one member may have in progress.
import { UserError } from '../bot/user-error.ts';

/** The service takes a few calls at once; this leaves some to other members. */
const MAX_PER_MEMBER = 2;

export interface JobLimit {
  /** @throws UserError if the member has as many in progress as allowed */
  check(memberId: string): void;
  /** Begins a job; the returned function ends it. @throws UserError like `check` */
  begin(memberId: string): () => void;
}

export function createJobLimit(): JobLimit {
  const inProgress = new Map<string, number>();
  const countOf = (memberId: string) => inProgress.get(memberId) ?? 0;

  function check(memberId: string): void {
    if (countOf(memberId) >= MAX_PER_MEMBER) throw new UserError((t) => t.transcription.tooManyJobs(MAX_PER_MEMBER));
  }

  return {
    check,
    begin(memberId) {
      check(memberId);
      inProgress.set(memberId, countOf(memberId) + 1);
      return () => {
        const left = countOf(memberId) - 1;
        if (left > 0) inProgress.set(memberId, left);
        else inProgress.delete(memberId);
      };
    },
  };
}
