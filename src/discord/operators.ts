// The operators, who run Parley: the application's owner or team, and OPERATOR_IDS. Recognizes them and sends them direct messages.
import { type Client, Team, TeamMemberMembershipState } from 'discord.js';
import type { Log } from '../log.ts';
import { notice } from './cards.ts';
import { describeError } from './errors.ts';

/** Is this user an operator? May ask Discord who owns the application, so defer first. Never rejects. */
export type IsOperator = (userId: string) => Promise<boolean>;

export interface Operators {
  has: IsOperator;
  /** Sends each a direct message; a message that fails is sent once more later. Resolves after the first attempt; never rejects. */
  notify(sentence: string): Promise<void>;
  /** Cancels second attempts. */
  close(): void;
}

/** How long the application's owner is cached. */
const OWNER_TTL_MS = 10 * 60_000;
const RETRY_MS = 10 * 60_000;

/** @param ids OPERATOR_IDS @param retryMs until a failed message is sent once more */
export function createOperators(client: Client<true>, ids: string[], log: Log, retryMs: number = RETRY_MS): Operators {
  let owners: string[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;
  const timers = new Set<NodeJS.Timeout>();

  async function listOperators(): Promise<Set<string>> {
    if (performance.now() - fetchedAt > OWNER_TTL_MS) {
      try {
        const { owner } = await client.application.fetch();
        owners = owner instanceof Team ? acceptedMembers(owner) : owner ? [owner.id] : [];
        fetchedAt = performance.now();
      } catch (error) {
        log.warn(describeError(error), 'the owner of the application could not be fetched');
      }
    }
    return new Set([...ids, ...owners]);
  }

  async function send(userIds: Iterable<string>, sentence: string, isLastAttempt: boolean): Promise<void> {
    const failed: string[] = [];
    for (const userId of userIds) {
      try {
        await client.users.send(userId, notice(sentence, 'waiting'));
      } catch (error) {
        // Usually they don't accept direct messages from the bot.
        log.warn(
          { operator: userId, ...describeError(error) },
          isLastAttempt ? 'an operator could not be notified' : 'an operator could not be notified yet',
        );
        failed.push(userId);
      }
    }
    if (failed.length === 0 || isLastAttempt) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void send(failed, sentence, true);
    }, retryMs);
    timers.add(timer.unref());
  }

  return {
    has: async (userId) => ids.includes(userId) || (await listOperators()).has(userId),
    notify: async (sentence) => send(await listOperators(), sentence, false),
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function acceptedMembers({ members }: Team): string[] {
  return [...members.values()].filter(({ membershipState }) => membershipState === TeamMemberMembershipState.Accepted).map(({ id }) => id);
}
