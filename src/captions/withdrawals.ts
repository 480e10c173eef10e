// Agreement that members withdraw. If the store fails, they are not heard all the same, and it is stored as soon as the store works again.
import { createInTurn } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import { type Consents, type Runs, STORE_AGAIN_MS } from './stored.ts';

export interface Withdrawals {
  /**
   * Deletes the member's agreement, also from captions that are on, where other processes see it. Resolves with whether that is stored; if it
   * isn't, attempts follow until it is. Never rejects.
   * @param guildId null = in all servers
   */
  withdraw(guildId: string | null, memberId: string): Promise<boolean>;
  /** Whether the member has withdrawn in this server, which may not be stored yet. */
  includes(guildId: string, memberId: string): boolean;
  /** Stores now what isn't stored yet. @throws StoreError */
  settle(): Promise<void>;
  close(): void;
}

interface WithdrawalsOptions {
  consents: Pick<Consents, 'delete' | 'deleteAll'>;
  runs: Pick<Runs, 'leaveOut'>;
  log: Log;
  /** Replaces the milliseconds until the next attempt. */
  storeAgainMs?: number | undefined;
}

export function createWithdrawals({ consents, runs, log, storeAgainMs = STORE_AGAIN_MS }: WithdrawalsOptions): Withdrawals {
  /** Withdrawals that aren't stored yet, by `keyOf`. */
  const unstored = new Map<string, { guildId: string | null; memberId: string }>();
  const inTurn = createInTurn();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const keyOf = (guildId: string | null, memberId: string) => `${memberId}:${guildId ?? ''}`;

  /** @throws StoreError */
  async function storeAll(): Promise<void> {
    for (const [key, { guildId, memberId }] of unstored) {
      if (guildId === null) await consents.deleteAll(memberId);
      else await consents.delete(guildId, memberId);
      await runs.leaveOut(guildId, memberId);
      unstored.delete(key);
    }
  }

  const settle = () => inTurn(storeAll);

  async function attempt(): Promise<boolean> {
    try {
      await settle();
      return true;
    } catch (error) {
      log.warn(describeError(error), 'could not store that a member is no longer to be captioned; trying again');
      if (!isClosed) timer ??= setTimeout(attemptAgain, storeAgainMs).unref();
      return false;
    }
  }

  /** One attempt is for all that isn't stored. */
  function attemptAgain(): void {
    timer = undefined;
    void attempt();
  }

  return {
    withdraw(guildId, memberId) {
      unstored.set(keyOf(guildId, memberId), { guildId, memberId });
      return attempt();
    },
    includes: (guildId, memberId) => unstored.has(keyOf(guildId, memberId)) || unstored.has(keyOf(null, memberId)),
    settle,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
