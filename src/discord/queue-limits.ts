// How much of a server's queue may be taken, by speech and samples alike. What waits in the background has a limit of its own.
import type { Playback, Session } from '../voice/types.ts';
import { UserError } from './errors.ts';

/** Half an hour; nobody waits for more. */
const MAX_IN_QUEUE = 50;
const MAX_PER_MEMBER = 5;

/** Call just before `enqueue`. @throws UserError if there is no room for another utterance of this member */
export function checkQueueLimits(session: Pick<Session, 'items'> | undefined, memberId: string): void {
  const items = session?.items().filter(({ background }) => !background) ?? [];
  if (items.length >= MAX_IN_QUEUE) throw new UserError((t) => t.queue.full(MAX_IN_QUEUE));
  const own = items.filter((item) => item.memberId === memberId).length;
  if (own >= MAX_PER_MEMBER) throw new UserError((t) => t.queue.tooManyWaiting(MAX_PER_MEMBER));
}

/** Call right after `enqueue`, before a reply begins that everybody sees. @throws what the utterance was refused with, as while the bot is muted */
export async function checkAccepted({ finished }: Pick<Playback, 'finished'>): Promise<void> {
  const outcome = await Promise.race([finished, null]);
  if (outcome?.ended === 'failed') throw outcome.cause;
}
