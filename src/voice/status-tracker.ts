// Where a connection stands, and since when.
import type { Ping, SessionState, VoiceError } from './types.ts';

type Status = SessionState['status'];

export interface StatusTracker {
  /** To be called whenever it may have changed. */
  note(status: Status): void;
  describe(facts: { encrypted: boolean; ping: Ping; cause: VoiceError }): SessionState;
}

export function createStatusTracker(): StatusTracker {
  let status: Status = 'connecting';
  let since = Date.now();
  return {
    note(now) {
      if (now === status) return;
      status = now;
      since = Date.now();
    },
    describe({ encrypted, ping, cause }) {
      if (status === 'closed') return { status, since, encrypted: false, cause };
      if (status === 'ready') return { status, since, encrypted, ping };
      return status === 'encrypting' ? { status, since, encrypted: false, ping } : { status, since, encrypted: false };
    },
  };
}
