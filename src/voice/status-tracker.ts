// A connection's status, and since when it has had it.
import type { Ping, SessionState, VoiceError } from './types.ts';


export interface StatusTracker {
  /** Call whenever the status may have changed. */
  update(status: SessionState['status']): void;
  describe(details: { encrypted: boolean; ping: Ping; cause: VoiceError }): SessionState;
}

export function createStatusTracker(): StatusTracker {
  let status: SessionState['status'] = 'connecting';
  let since = Date.now();
  return {
    update(current) {
      if (current === status) return;
      status = current;
      since = Date.now();
    },
    describe({ encrypted, ping, cause }) {
      if (status === 'closed') return { status, since, encrypted: false, cause };
      if (status === 'ready') return { status, since, encrypted, ping };
      return status === 'encrypting' ? { status, since, encrypted: false, ping } : { status, since, encrypted: false };
    },
  };
}
