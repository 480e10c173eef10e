// What a bot is doing, from its creation to its end.
import { orAborted } from '../async/waiting.ts';
import { ConfigError } from '../config.ts';

/** Open once it has logged in, until it closes. A login that is under way when the bot is told to close goes on. */
export interface Lifecycle {
  /** The gateway has been ready. */
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
  let hasLoggedIn = false;
  let isClosing = false;
  const opened = Promise.withResolvers<boolean>();
  const lostMeanwhile = new AbortController();

  return {
    get hasLoggedIn() {
      return hasLoggedIn;
    },
    get isClosing() {
      return isClosing;
    },
    opened: opened.promise,
    async logIn(logIn) {
      await orAborted(logIn(), lostMeanwhile.signal);
      hasLoggedIn = true;
      opened.resolve(!isClosing);
      return !isClosing;
    },
    lose(reason) {
      if (hasLoggedIn) onLost(reason);
      else lostMeanwhile.abort(new ConfigError(reason));
    },
    close() {
      isClosing = true;
      opened.resolve(false);
    },
  };
}
