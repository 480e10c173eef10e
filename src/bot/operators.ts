// Whoever runs Parley: the application's owner or team, and those of OPERATOR_IDS. Who they are, and how they are told something.
import { type Client, Team, TeamMemberMembershipState } from 'discord.js';
import type { Log } from '../log.ts';
import { describeError } from './error-boundary.ts';

/** Is this user the application's owner, in its team, or listed in OPERATOR_IDS? May ask Discord, so defer first. Never rejects. */
export type IsOperator = (userId: string) => Promise<boolean>;

export interface Operators {
  has: IsOperator;
  /** A direct message to each of them; whom it does not reach is tried once again later. Resolves after the first try; never rejects. */
  tell(content: string): Promise<void>;
  /** Tries nothing again from now on. */
  close(): void;
}

/** How long the application's owner is remembered. */
const OWNER_FRESH_MS = 10 * 60_000;
const RETRY_MS = 10 * 60_000;

/** @param ids of OPERATOR_IDS; `retryMs` until a message is tried once again */
export function createOperators(client: Client<true>, ids: string[], log: Log, retryMs: number = RETRY_MS): Operators {
  let owners = new Set<string>();
  let fetched = Number.NEGATIVE_INFINITY;
  const timers = new Set<NodeJS.Timeout>();

  async function all(): Promise<Set<string>> {
    if (performance.now() - fetched > OWNER_FRESH_MS) {
      try {
        const { owner } = await client.application.fetch();
        const team = owner instanceof Team ? [...owner.members.values()] : [];
        const members = team.filter(({ membershipState }) => membershipState === TeamMemberMembershipState.Accepted);
        owners = new Set(owner instanceof Team ? members.map(({ id }) => id) : owner ? [owner.id] : []);
        fetched = performance.now();
      } catch (error) {
        log.warn(describeError(error), 'the owner of the application could not be asked for');
      }
    }
    return new Set([...ids, ...owners]);
  }

  async function send(userIds: Iterable<string>, content: string, isLast: boolean): Promise<void> {
    const missed: string[] = [];
    for (const userId of userIds) {
      try {
        await client.users.send(userId, { content });
      } catch (error) {
        // Most of all: they take no direct messages from here.
        log.warn(
          { operator: userId, ...describeError(error) },
          isLast ? 'an operator could not be told' : 'an operator could not be told yet',
        );
        missed.push(userId);
      }
    }
    if (missed.length === 0 || isLast) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void send(missed, content, true);
    }, retryMs);
    timers.add(timer.unref());
  }

  return {
    has: async (userId) => ids.includes(userId) || (await all()).has(userId),
    tell: async (content) => send(await all(), content, false),
    close() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
