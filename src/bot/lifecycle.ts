// What a bot is doing, from its creation to its end.
import { orAborted } from '../async/waiting.ts';
import { ConfigError } from '../config.ts';

/**
 *     not started ── logIn ──▶ logging in ── the gateway is ready ──▶ open
 *          │                       │                                    │
 *          └──────── close ────────┴────────────── close ───────────────┴──▶ closing
 *
 * A login that is under way when the bot is told to close goes on, and ends in `closing`.
 */
type State =
  | { name: 'not started' }
  | { name: 'logging in' }
  | { name: 'open' }
  /** `hasLoggedIn`: the gateway had been ready, or is by now. */
  | { name: 'closing'; hasLoggedIn: boolean };

export interface Lifecycle {
  readonly hasLoggedIn: boolean;
  readonly isClosing: boolean;
  /** Resolves with true after the login, with false if the bot is told to shut down first. */
  readonly opened: Promise<boolean>;
  /** Resolves with whether the bot is open then. @throws ConfigError if the gateway is lost meanwhile; whatever `logIn` rejects with */
  logIn(logIn: () => Promise<unknown>): Promise<boolean>;
  /** The gateway is lost for good. */
  lose(reason: string): void;
  close(): void;
}

/** @param onLost called if the gateway is lost after the login */
export function createLifecycle(onLost: (reason: string) => void): Lifecycle {
  let state: State = { name: 'not started' };
  const opened = Promise.withResolvers<boolean>();
  const lostMeanwhile = new AbortController();
  const hasLoggedIn = () => state.name === 'open' || (state.name === 'closing' && state.hasLoggedIn);

  return {
    get hasLoggedIn() {
      return hasLoggedIn();
    },
    get isClosing() {
      return state.name === 'closing';
    },
    opened: opened.promise,
    async logIn(logIn) {
      if (state.name === 'not started') state = { name: 'logging in' };
      await orAborted(logIn(), lostMeanwhile.signal);
      state = state.name === 'logging in' ? { name: 'open' } : { name: 'closing', hasLoggedIn: true };
      opened.resolve(state.name === 'open');
      return state.name === 'open';
    },
    lose(reason) {
      if (hasLoggedIn()) onLost(reason);
      else lostMeanwhile.abort(new ConfigError(reason));
    },
    close() {
      state = { name: 'closing', hasLoggedIn: hasLoggedIn() };
      opened.resolve(false);
    },
  };
}
