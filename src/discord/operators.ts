// The operators, who run Parley: the application's owner or team, and OPERATOR_IDS. Recognizes them and sends them direct messages.
import { type Client, Team, TeamMemberMembershipState } from 'discord.js';
import { keepTrying, type PauseAfter } from '../async/waiting.ts';
import type { Log } from '../log.ts';
import { notice } from './cards.ts';
import { describeError } from './errors.ts';

/** Is this user an operator? May ask Discord who owns the application, so defer first. Never rejects. */
export type IsOperator = (userId: string) => Promise<boolean>;

export interface Operators {
  has: IsOperator;
  /** Sends each a direct message; a message that fails is sent once more later. Resolves after the first attempt; never rejects. */
  notify(sentence: string): Promise<void>;
}

/** How long the application's owner is cached. */
const OWNER_TTL_MS = 10 * 60_000;
const RETRY_MS = 10 * 60_000;

/** @param ids OPERATOR_IDS @param retryMs until a failed message is sent once more */
export function createOperators(client: Client<true>, ids: string[], log: Log, retryMs: number = RETRY_MS): Operators {
  let owners: string[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;

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

  /** A message that fails is sent once more. */
  function pausesFor(operator: string): PauseAfter {
    let isLastAttempt = false;
    return (error) => {
      // Usually they don't accept direct messages from the bot.
      log.warn(
        { operator, ...describeError(error) },
        isLastAttempt ? 'an operator could not be notified' : 'an operator could not be notified yet',
      );
      const pause = isLastAttempt ? null : retryMs;
      isLastAttempt = true;
      return pause;
    };
  }

  return {
    has: async (userId) => ids.includes(userId) || (await listOperators()).has(userId),
    async notify(sentence) {
      for (const id of await listOperators()) await keepTrying(() => client.users.send(id, notice(sentence, 'waiting')), pausesFor(id));
    },
  };
}

function acceptedMembers({ members }: Team): string[] {
  return [...members.values()].filter(({ membershipState }) => membershipState === TeamMemberMembershipState.Accepted).map(({ id }) => id);
}
